/// Why a sign-in ended, for the person, for the log and for the one map to HTTP.
///
/// Nothing in here is a secret, and nothing a browser or a provider sent is in it but `providerCode`, which is
/// an error code of plain letters.
package struct SignInError: Error, Sendable, Hashable {
    /// The published codes, listed in `docs/errors.md`.
    package enum Code: String, Sendable, CaseIterable {
        /// The callback's parameters cannot be read: repeated, oversized or badly encoded.
        case invalidRequest = "auth/invalid-request"
        /// The callback belongs to no sign-in that this browser began.
        case invalidState = "auth/invalid-state"
        /// The sign-in took too long, or was finished already.
        case loginExpired = "auth/login-expired"
        /// The answer names another provider than the one the sign-in went to (RFC 9207).
        case invalidIssuer = "auth/invalid-issuer"
        /// The person, or the provider on their behalf, said no.
        case accessDenied = "auth/access-denied"
        /// The provider needs the person to do something, and was asked not to show a page.
        case interactionRequired = "auth/interaction-required"
        /// The provider reported an error.
        case providerError = "auth/provider-error"
        /// The token endpoint's answer is unusable.
        case invalidTokenResponse = "auth/invalid-token-response"
        /// The ID token failed a check.
        case invalidIDToken = "auth/invalid-id-token"
        /// The answer that says who signed in is unusable.
        case invalidUserinfo = "auth/invalid-userinfo"
        /// Two answers of the provider are about different people.
        case subjectMismatch = "auth/subject-mismatch"
        /// The provider cannot be reached, or its metadata is unusable.
        case providerUnavailable = "auth/provider-unavailable"
        /// The provider did not answer in time.
        case providerTimeout = "auth/provider-timeout"
    }

    package var code: Code
    /// The provider's id in the configuration.
    package var provider: String
    /// For the log: what was wrong, in our words.
    package var reason: String
    /// The provider's `error` code, if it is one of plain letters, digits, `_`, `-`, `.`.
    package var providerCode: String?
    /// The sign-in may begin again by itself: nothing but time or repetition was wrong.
    package var restartsLogin = false
    /// Where the person wanted to go, when the sign-in is known.
    package var returnPath: String?

    package init(_ code: Code, provider: String, _ reason: String, providerCode: String? = nil) {
        self.code = code
        self.provider = provider
        self.reason = reason
        self.providerCode = providerCode.flatMap(Self.plainCode)
    }

    /// Contract section 6, "Statuses".
    package var status: Int {
        switch self.code {
        case .invalidRequest, .invalidState, .loginExpired, .invalidIssuer: 400
        case .accessDenied, .interactionRequired: 403
        case .providerError, .invalidTokenResponse, .invalidIDToken, .invalidUserinfo, .subjectMismatch, .providerUnavailable: 502
        case .providerTimeout: 504
        }
    }

    /// What the person reads. Says what happened and what to do; constant text.
    package var message: String {
        switch self.code {
        case .invalidRequest: "The sign-in answer could not be read. Start the sign-in again."
        case .invalidState: "This sign-in was not started in this browser, or its cookie is gone. Start the sign-in again."
        case .loginExpired: "This sign-in took too long or was already finished. Start it again."
        case .invalidIssuer: "The answer came from another sign-in service than expected. Start the sign-in again."
        case .accessDenied: "The sign-in was cancelled or refused. Start again, or ask for access."
        case .interactionRequired: "The sign-in service needs you to do something first. Start the sign-in again."
        case .providerError: "The sign-in service reported an error. Try again; if it stays, tell the operator."
        case .invalidTokenResponse, .invalidIDToken, .invalidUserinfo, .subjectMismatch:
            "The sign-in service sent an answer that cannot be trusted. Try again; if it stays, tell the operator."
        case .providerUnavailable: "The sign-in service cannot be reached at the moment. Try again in a minute."
        case .providerTimeout: "The sign-in service took too long to answer. Try again in a minute."
        }
    }

    /// The same error with the sign-in's destination.
    package func returning(to path: String) -> SignInError {
        var copy = self
        copy.returnPath = path
        return copy
    }

    /// 1 to 64 letters, digits, `_`, `-`, `.`; nil for anything else.
    static func plainCode(_ text: String) -> String? {
        let plain = text.utf8.allSatisfy {
            ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5a) || ($0 >= 0x61 && $0 <= 0x7a) || $0 == 0x5f || $0 == 0x2d || $0 == 0x2e
        }
        return plain && !text.isEmpty && text.utf8.count <= 64 ? text : nil
    }
}
