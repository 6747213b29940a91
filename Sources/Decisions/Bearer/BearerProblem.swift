package import SignIn

/// The reason why a request with a token is refused (RFC 6750 section 3.1); 503 while its provider is unavailable.
package enum BearerProblem: Sendable {
    /// For the log.
    case invalidRequest(String)
    case invalidToken(String)
    case insufficientScope(String)
    case unavailable(String)

    package init(_ refusal: BearerRefusal) {
        self = refusal == .scope ? .insufficientScope(refusal.reason) : .invalidToken(refusal.reason)
    }

    package var reason: String {
        switch self {
        case .invalidRequest(let reason), .invalidToken(let reason), .insufficientScope(let reason), .unavailable(let reason): reason
        }
    }

    package var status: Int {
        switch self {
        case .invalidRequest: 400
        case .invalidToken: 401
        case .insufficientScope: 403
        case .unavailable: 503
        }
    }

    /// The published code.
    package var code: String {
        switch self {
        case .invalidRequest: "auth/invalid-request"
        case .invalidToken: "auth/invalid-token"
        case .insufficientScope: "auth/insufficient-scope"
        case .unavailable: "auth/provider-unavailable"
        }
    }

    /// The error code of the challenge; nil: no challenge, since another token would not help.
    package var challenge: String? {
        switch self {
        case .invalidRequest: "invalid_request"
        case .invalidToken: "invalid_token"
        case .insufficientScope: "insufficient_scope"
        case .unavailable: nil
        }
    }
}
