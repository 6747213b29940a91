/// However a number from outside is written, nothing traps, and a number that is accepted is within its bounds.
/// The first byte chooses the entry point (`NumberEntry`), the rest is the number.
enum NumbersTarget {
    static func check(_ input: [UInt8]) throws(Broken) {
        guard let first = input.first else { return }
        let entry = NumberEntry.allCases[Int(first) % NumberEntry.allCases.count]
        try entry.check(String(decoding: input.dropFirst(), as: UTF8.self))
    }
}

/// The places where numbers enter the gateway (docs/numbers.md).
package enum NumberEntry: String, CaseIterable, Sendable {
    case browserMaxAge = "max_age of a browser"
    case configuredMaxAge = "max_age of the configuration"
    case sealedSignIn = "a sealed sign-in"
    case idToken = "an ID token"
    case accessToken = "an introspected access token"
    case logoutToken = "a logout token"
    case tokenResponse = "a token response"
    case pushedRequest = "a pushed authorization request"
    case sealedSession = "a sealed session"
    case sessionLimits = "session limits"
    case messageHead = "a message head"
    case chunkSize = "a chunk size"
    case frameLength = "a WebSocket frame's length"
    case messageLength = "the length of a gRPC message"
    case address = "a port or a prefix length"
    case passwordHash = "the cost of a password hash"
    case importedTime = "a time of an imported account"
    case configuration = "a configuration"

    /// What the number breaks, in words; nil when everything holds.
    package func broken(by number: String) -> String? {
        do throws(Broken) {
            try check(number)
            return nil
        } catch {
            return error.reason
        }
    }

    func check(_ number: String) throws(Broken) {
        switch self {
        case .browserMaxAge: try SignInNumbers.checkMaxAge(number, isConfigured: false)
        case .configuredMaxAge: try SignInNumbers.checkMaxAge(number, isConfigured: true)
        case .sealedSignIn: try SignInNumbers.checkSealed(number)
        case .idToken: try TokenNumbers.checkIDToken(number)
        case .accessToken: try TokenNumbers.checkIntrospection(number)
        case .logoutToken: try TokenNumbers.checkLogoutToken(number)
        case .tokenResponse: try SignInNumbers.checkTokenResponse(number)
        case .pushedRequest: try SignInNumbers.checkPushedRequest(number)
        case .sealedSession: try SessionNumbers.checkSealed(number)
        case .sessionLimits: try SessionNumbers.checkLimits(number)
        case .messageHead: try WireNumbers.checkHeads(number)
        case .chunkSize: try WireNumbers.checkChunkSize(number)
        case .frameLength: try WireNumbers.checkFrameLength(number)
        case .messageLength: try WireNumbers.checkMessageLength(number)
        case .address: try WireNumbers.checkAddresses(number)
        case .passwordHash: try PasswordNumbers.check(number)
        case .importedTime: try ImportNumbers.check(number)
        case .configuration: try ConfigurationNumbers.check(number)
        }
    }
}
