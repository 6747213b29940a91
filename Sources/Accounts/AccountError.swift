/// The error codes of accounts. They are public (contract sections 8 and 9).
package enum AccountErrorCode: String, Sendable, CaseIterable {
    case accountExistsWithDifferentCredential = "auth/account-exists-with-different-credential"
    case emailAlreadyInUse = "auth/email-already-in-use"
    case userDisabled = "auth/user-disabled"
    case adminRestrictedOperation = "auth/admin-restricted-operation"
    case providerAlreadyLinked = "auth/provider-already-linked"
    case credentialAlreadyInUse = "auth/credential-already-in-use"
    case noSuchProvider = "auth/no-such-provider"
    case lastProvider = "auth/last-provider"
    case userMismatch = "auth/user-mismatch"
    case requiresRecentLogin = "auth/requires-recent-login"
    /// The session has ended while the request was under way.
    case sessionExpired = "auth/session-expired"
    case invalidCredential = "auth/invalid-credential"
    case invalidToken = "auth/invalid-token"
    case weakPassword = "auth/weak-password"
    case tooManyRequests = "auth/too-many-requests"
    case storeUnavailable = "auth/store-unavailable"
    /// A password needs an address.
    case unverifiedEmail = "auth/unverified-email"
    /// A hook refused, or could not be asked.
    case accessDenied = "auth/access-denied"
    /// A second factor is asked for.
    case multiFactorAuthRequired = "auth/multi-factor-auth-required"
    case invalidVerificationCode = "auth/invalid-verification-code"
    case codeExpired = "auth/code-expired"
    case secondFactorAlreadyInUse = "auth/second-factor-already-in-use"
    case maximumSecondFactorCountExceeded = "auth/maximum-second-factor-count-exceeded"
    /// The account has no such second factor.
    case multiFactorInfoNotFound = "auth/multi-factor-info-not-found"
    /// Anonymous accounts have no second factors.
    case unsupportedFirstFactor = "auth/unsupported-first-factor"
    case invalidPhoneNumber = "auth/invalid-phone-number"
    /// The configuration does not list the type of the factor.
    case operationNotAllowed = "auth/operation-not-allowed"

    package var status: Int {
        switch self {
        case .invalidToken, .weakPassword, .invalidVerificationCode, .codeExpired, .invalidPhoneNumber: 400
        case .invalidCredential, .requiresRecentLogin, .sessionExpired, .multiFactorAuthRequired: 401
        case .userDisabled, .adminRestrictedOperation, .userMismatch, .unverifiedEmail, .accessDenied: 403
        case .unsupportedFirstFactor, .operationNotAllowed: 403
        case .noSuchProvider, .multiFactorInfoNotFound: 404
        case .accountExistsWithDifferentCredential, .providerAlreadyLinked, .credentialAlreadyInUse, .lastProvider: 409
        case .emailAlreadyInUse, .secondFactorAlreadyInUse, .maximumSecondFactorCountExceeded: 409
        case .tooManyRequests: 429
        case .storeUnavailable: 503
        }
    }
}

/// A refusal of an operation on accounts.
package struct AccountError: Error, Sendable, Equatable {
    package let code: AccountErrorCode
    /// The reason for the log: no secret, no address. Nil if the code says everything.
    package let reason: String?
    /// The HTTP status. `linking: never` refuses with 403 where a link is 409.
    package let status: Int
    /// Milliseconds after which another attempt counts; for `tooManyRequests`.
    package let retryAfter: Int64?

    package init(_ code: AccountErrorCode, reason: String? = nil, status: Int? = nil, retryAfter: Int64? = nil) {
        self.code = code
        self.reason = reason
        self.status = status ?? code.status
        self.retryAfter = retryAfter
    }
}
