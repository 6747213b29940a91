package import TokenCrypto

/// The reason why a password may not be set: `auth/weak-password` and its variant.
package enum WeakPassword: Error, Sendable, Hashable {
    /// Fewer characters than the minimum.
    case tooShort(minimum: Int)
    /// More than 1,024 bytes.
    case tooLong
    case controlCharacter
    /// One of the 10,000 most common passwords.
    case common

    package static let code = "auth/weak-password"
}

/// What a new password must be. Passwords of a sign-in are not checked: `Password(_:)` is enough for them.
package struct PasswordPolicy: Sendable, Hashable {
    /// In Unicode scalars of the normalised text.
    package let minimumLength: Int

    package init(minimumLength: Int = 12) { self.minimumLength = minimumLength }

    /// Returns the password to hash.
    package func check(_ text: String) throws(WeakPassword) -> Password {
        let password: Password
        do throws(Password.Problem) {
            password = try Password(text)
        } catch {
            switch error {
            case .tooLong: throw .tooLong
            case .controlCharacter: throw .controlCharacter
            }
        }
        guard password.scalarCount >= minimumLength else { throw .tooShort(minimum: minimumLength) }
        guard !CommonPasswords.contains(password) else { throw .common }
        return password
    }
}
