/// The reason why a sign-in failed, for the log and for the map to HTTP.
///
/// Holds no secret, and nothing that a browser or a provider sent except `providerCode`, an error code of plain letters.
package struct SignInError: Error, Sendable, Hashable {
    /// The published codes, listed in `docs/errors.md`.
    package enum Code: String, Sendable, CaseIterable {
        /// The callback's parameters cannot be read: repeated, oversized or badly encoded.
        case invalidRequest = "auth/invalid-request"
        /// The callback matches no sign-in that this browser started.
        case invalidState = "auth/invalid-state"
        /// The sign-in has expired or was used before.
        case loginExpired = "auth/login-expired"
        /// The response names another issuer than the provider's (RFC 9207).
        case invalidIssuer = "auth/invalid-issuer"
        /// The user or the provider refused.
        case accessDenied = "auth/access-denied"
        /// A rule asked for an authentication context class, and the provider confirmed none of those asked for.
        case insufficientAuthentication = "auth/insufficient-user-authentication"
        /// The provider must show a page, and `prompt=none` forbids it.
        case interactionRequired = "auth/interaction-required"
        /// The provider reported an error.
        case providerError = "auth/provider-error"
        /// The token endpoint's response is invalid.
        case invalidTokenResponse = "auth/invalid-token-response"
        /// The ID token failed a check.
        case invalidIDToken = "auth/invalid-id-token"
        /// The userinfo response is invalid.
        case invalidUserinfo = "auth/invalid-userinfo"
        /// Two responses of the provider name different subjects.
        case subjectMismatch = "auth/subject-mismatch"
        /// The provider cannot be reached, or its metadata is unusable.
        case providerUnavailable = "auth/provider-unavailable"
        /// The provider did not respond in time.
        case providerTimeout = "auth/provider-timeout"
        /// The session store does not respond, so nobody knows whether the sign-in was used before.
        case storeUnavailable = "auth/store-unavailable"
    }

    package var code: Code
    /// The provider's id in the configuration.
    package var provider: String
    /// The details for the log, in the gateway's own words.
    package var reason: String
    /// The provider's `error` code, if it is one of plain letters, digits, `_`, `-`, `.`.
    package var providerCode: String?
    /// Whether the sign-in may restart by itself, because only time or repetition was wrong.
    package var restartsLogin = false
    /// The destination of the sign-in, when the sign-in is known.
    package var returnPath: String?
    /// The time claim that was refused, for the numbers on the page.
    package var timeClaim: TimeClaim?

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
        case .accessDenied, .insufficientAuthentication, .interactionRequired: 403
        case .providerError, .invalidTokenResponse, .invalidIDToken, .invalidUserinfo, .subjectMismatch, .providerUnavailable: 502
        case .providerTimeout: 504
        case .storeUnavailable: 503
        }
    }

    /// The failure in operators' terms, for the log; `reason` has the details. The page has its own text.
    package var summary: String {
        switch self.code {
        case .invalidRequest: "callback refused: its parameters are malformed"
        case .invalidState: "callback refused: it matches no sign-in that this browser started"
        case .loginExpired: "callback refused: the sign-in has expired or was used before"
        case .invalidIssuer: "callback refused: its iss is not the provider's issuer"
        case .accessDenied: "sign-in refused by the provider, by its rules, or cancelled by the user"
        case .insufficientAuthentication: "sign-in refused: the provider confirmed none of the acr values that the rule asks for"
        case .interactionRequired: "sign-in refused: the provider must show a page, which prompt=none forbids"
        case .providerError: "sign-in failed: the provider reported an error"
        case .invalidTokenResponse: "sign-in failed: the token response is invalid"
        case .invalidIDToken: "sign-in failed: the ID token failed verification"
        case .invalidUserinfo: "sign-in failed: the userinfo response is invalid"
        case .subjectMismatch: "sign-in failed: the ID token and userinfo name different subjects"
        case .providerUnavailable: "sign-in failed: the provider is unreachable or its metadata is invalid"
        case .providerTimeout: "sign-in failed: the provider did not respond in time"
        case .storeUnavailable: "sign-in failed: the session store does not respond"
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
