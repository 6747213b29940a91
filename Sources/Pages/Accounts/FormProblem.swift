/// The reason why a form was not accepted. The page shows the form again with this reason.
package enum FormProblem: Sendable, Equatable {
    /// `auth/invalid-credential`, the same for an unknown address.
    case wrongCredentials
    /// `auth/too-many-requests`.
    case tooManyAttempts(retryAfterSeconds: Int)
    case invalidEmail
    /// `auth/weak-password`, as are the two below.
    case shortPassword(minimumLength: Int)
    case longPassword
    case commonPassword
    /// `auth/invalid-verification-code`, as is the one below.
    case wrongCode
    case refusedPasskey
    /// `auth/invalid-credential`: instead of the password.
    case refusedPasskeySignIn
    /// `auth/code-expired`: the browser's dialog was open too long.
    case expiredPasskeySignIn
    /// `auth/code-expired`.
    case expiredCode
    /// `auth/too-many-requests`: too many text messages were requested.
    case tooManyMessages(retryAfterSeconds: Int)
    /// `auth/invalid-phone-number`.
    case invalidPhoneNumber
    /// `auth/second-factor-already-in-use`.
    case secondFactorInUse
    /// `auth/maximum-second-factor-count-exceeded`.
    case tooManySecondFactors

    /// The field that the user corrects.
    enum Field: Sendable { case email, currentPassword, newPassword, code, phone }

    package var status: Int {
        switch self {
        case .wrongCredentials, .refusedPasskeySignIn: 401
        case .tooManyAttempts, .tooManyMessages: 429
        case .secondFactorInUse, .tooManySecondFactors: 409
        case .invalidEmail, .shortPassword, .longPassword, .commonPassword: 400
        case .wrongCode, .refusedPasskey, .expiredCode, .expiredPasskeySignIn, .invalidPhoneNumber: 400
        }
    }

    /// The published code.
    package var code: String {
        switch self {
        case .wrongCredentials, .refusedPasskeySignIn: "auth/invalid-credential"
        case .tooManyAttempts, .tooManyMessages: "auth/too-many-requests"
        case .invalidEmail: "auth/invalid-request"
        case .shortPassword, .longPassword, .commonPassword: "auth/weak-password"
        case .wrongCode, .refusedPasskey: "auth/invalid-verification-code"
        case .expiredCode, .expiredPasskeySignIn: "auth/code-expired"
        case .invalidPhoneNumber: "auth/invalid-phone-number"
        case .secondFactorInUse: "auth/second-factor-already-in-use"
        case .tooManySecondFactors: "auth/maximum-second-factor-count-exceeded"
        }
    }

    var field: Field? {
        switch self {
        case .wrongCredentials: .currentPassword
        case .tooManyAttempts, .tooManyMessages, .refusedPasskey, .secondFactorInUse, .tooManySecondFactors: nil
        case .refusedPasskeySignIn, .expiredPasskeySignIn: nil
        case .wrongCode, .expiredCode: .code
        case .invalidPhoneNumber: .phone
        case .invalidEmail: .email
        case .shortPassword, .longPassword, .commonPassword: .newPassword
        }
    }

    var sentence: Sentence {
        switch self {
        case .wrongCredentials: Sentence("The e-mail address or the password is wrong.")
        case .tooManyAttempts(let seconds) where seconds <= 60: Sentence("There were too many attempts. Try again in a minute.")
        case .tooManyAttempts(let seconds):
            Sentence(
                "There were too many attempts. Try again in {minutes} minutes.",
                ["minutes": String((seconds - 1) / 60 + 1)])
        case .invalidEmail: Sentence("Enter a complete e-mail address, such as name@example.com.")
        case .shortPassword(let length):
            Sentence("The password is too short. Use at least {count} characters.", ["count": String(length)])
        case .longPassword: Sentence("The password is too long. Use at most 1,024 bytes.")
        case .commonPassword: Sentence("Many people use this password, so it is easy to guess. Choose another one.")
        case .wrongCode: Sentence("The code is wrong, or it was already used. Enter the current one.")
        case .refusedPasskey: Sentence("The passkey was not accepted. Try again, or use another second factor.")
        case .refusedPasskeySignIn: Sentence("The passkey was not accepted. Try again, or sign in another way.")
        case .expiredPasskeySignIn: Sentence("The sign-in took too long, or it was already used. Please sign in again.")
        case .expiredCode: Sentence("The code has expired. Enter a new one.")
        case .tooManyMessages(let seconds) where seconds <= 60:
            Sentence("Too many text messages were requested. You can request another one in a minute.")
        case .tooManyMessages(let seconds):
            Sentence(
                "Too many text messages were requested. You can request another one in {minutes} minutes.",
                ["minutes": String((seconds - 1) / 60 + 1)])
        case .invalidPhoneNumber: Sentence("Enter the number with its country code, such as +12025550123.")
        case .secondFactorInUse: Sentence("This second factor is already in use. Add another one.")
        case .tooManySecondFactors:
            Sentence("Your account has as many second factors as it can have. Remove one before you add another.")
        }
    }
}
