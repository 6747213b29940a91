/// How the text of a scalar is read.
package enum ScalarType: Sendable {
    case text
    /// Text that is never shown.
    case secret
    case boolean
    case integer(ClosedRange<Int>)
    /// Milliseconds.
    case duration(minimum: Int64)
    /// Bytes.
    case size(ClosedRange<Int>)
    case words([String])
    case version
    case flow
    case listen
    case upstream
    /// A host name for a certificate.
    case serverName
    /// What a health check asks for.
    case healthPath
    case publicURL
    /// An https origin, or http on loopback.
    case origin
    case url
    case issuer
    case network
    case path
    /// `stdout`, `stderr` or an absolute path.
    case logDestination
    case pathPrefix
    case pathPattern
    case hostPattern
    case method
    case scope
    case parameterName
    /// A string that must be written as one.
    case parameterValue
    case sessionKey
    case cookieName
    case cookieDomain
    case headerName
    case template
    case emailPattern
    case store
    /// An origin as `origin`, or `*`.
    case pageOrigin
    /// Text that can stand in a header field.
    case headerValue
    /// `websocket`, `mqtt`, `spdy/3.1`: what an `Upgrade` field names (RFC 9110 section 7.8).
    case upgradeProtocol

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> ScalarType {
        .words(type.allCases.map(\.rawValue))
    }

    /// Whether a value of this type must not be shown anywhere.
    package var isSecret: Bool {
        switch self {
        case .secret, .sessionKey: true
        default: false
        }
    }

    /// The type as a person would name it.
    package var noun: String {
        switch self {
        case .boolean: "`true` or `false`"
        case .integer: "a number"
        case .duration: "a duration"
        case .size: "a size"
        case .words(let words): Self.alternatives(words)
        case .version: "a version number"
        case .listen: "an address"
        case .upstream, .publicURL, .origin, .url, .issuer, .store, .pageOrigin: "a URL"
        case .network: "a network"
        case .path, .pathPrefix, .pathPattern, .healthPath: "a path"
        default: "a string"
        }
    }

    static func alternatives(_ words: [String]) -> String {
        let quoted = words.map { "`\($0)`" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// What a scalar means.
package enum ScalarValue: Sendable, Equatable {
    case text(String)
    case boolean(Bool)
    case integer(Int)
    case milliseconds(Int64)
    case bytes(Int)
    case address(ListenAddress)
    case upstream(UpstreamAddress)
    case origin(Origin)
    case key([UInt8])
}
