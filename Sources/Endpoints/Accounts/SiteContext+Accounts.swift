import Config

extension SiteContext {
    var hasAccounts: Bool { configuration.accounts != nil }

    /// nil unless the provider `password` is enabled.
    var passwordProvider: PasswordProviderConfiguration? {
        configuration.accounts?.password.flatMap { $0.enabled ? $0 : nil }
    }

    var offersAnonymous: Bool { configuration.accounts?.anonymous?.enabled == true }

    /// The gateway asks for second factors of its own.
    var hasSecondFactors: Bool { hasAccounts && configuration.secondFactor?.isOn == true }

    /// A passkey may take the place of the password.
    var offersPasskeys: Bool {
        passwordProvider != nil && hasSecondFactors && configuration.secondFactor?.factors.contains(.webauthn) == true
    }

    var sendsMail: Bool { configuration.accounts?.mail != nil }

    /// Whether a user has a choice at the sign-in; otherwise `/login` leads straight to the only provider.
    var hasSignInPage: Bool { providers.count != 1 || passwordProvider != nil || offersAnonymous }
}
