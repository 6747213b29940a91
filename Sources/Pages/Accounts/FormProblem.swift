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

    /// The field that the user corrects.
    enum Field: Sendable { case email, currentPassword, newPassword }

    package var status: Int {
        switch self {
        case .wrongCredentials: 401
        case .tooManyAttempts: 429
        case .invalidEmail, .shortPassword, .longPassword, .commonPassword: 400
        }
    }

    /// The published code.
    package var code: String {
        switch self {
        case .wrongCredentials: "auth/invalid-credential"
        case .tooManyAttempts: "auth/too-many-requests"
        case .invalidEmail: "auth/invalid-request"
        case .shortPassword, .longPassword, .commonPassword: "auth/weak-password"
        }
    }

    var field: Field? {
        switch self {
        case .wrongCredentials: .currentPassword
        case .tooManyAttempts: nil
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
        }
    }
}
