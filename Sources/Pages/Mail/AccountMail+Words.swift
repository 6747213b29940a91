extension AccountMail {
    /// What a mail says.
    struct Words: Sendable {
        let subject: Sentence
        let text: [Sentence]
        /// The text of the link, in English.
        let button: String
        let closing: [Sentence]
    }

    var words: Words {
        switch kind {
        case .verifyAddress:
            words(
                "Confirm your e-mail address for {site}",
                "Someone created an account at {site} with this address. If it was you, confirm the address.",
                button: "Confirm address", [Self.life, "If it was not you, open the link and say so there, or ignore this mail."])
        case .resetPassword:
            words(
                "Reset your password for {site}",
                "Someone asked to reset the password of your account at {site}. If it was you, choose a new password.",
                button: "Choose a new password", [Self.life, "If it was not you, ignore this mail. Your password stays as it is."])
        case .confirmNewAddress:
            words(
                "Confirm your new e-mail address for {site}",
                "Someone asked to use this address for an account at {site}. If it was you, confirm the address.",
                button: "Confirm address", [Self.life, "If it was not you, ignore this mail. The account keeps its address."])
        case .addressChanged(let address):
            words(
                "Your e-mail address at {site} was changed",
                "Your account at {site} now has the address {new}. Mails about it no longer go to this address.",
                button: "Go to your account",
                ["If it was not you, check the ways to sign in of your account, and tell the site's administrator."], ["new": address])
        case .passwordChanged:
            words(
                "Your password for {site} was changed",
                "The password of your account at {site} was changed. Your other sessions have ended.",
                button: "Reset your password",
                ["If it was not you, reset your password now. Then check the ways to sign in of your account."])
        case .providerLinked(let provider):
            words(
                "A way to sign in was added to your account at {site}",
                "You can now sign in to your account at {site} with {provider}.",
                button: "Go to your account", ["If it was not you, remove it from your account now."], ["provider": provider])
        case .secondFactorAdded(let name):
            words(
                "A second factor was added to your account at {site}",
                "Your account at {site} has a new second factor: {factor}.", button: "Manage second factors",
                ["If it was not you, remove it now, and check the ways to sign in of your account."], ["factor": name])
        case .secondFactorRemoved(let name):
            words(
                "A second factor was removed from your account at {site}",
                "Your account at {site} no longer has this second factor: {factor}.", button: "Manage second factors",
                ["If it was not you, check the ways to sign in of your account, and tell the site's administrator."], ["factor": name])
        case .signUpAttempt:
            words(
                "You already have an account at {site}",
                "Someone tried to create an account at {site} with this address. It already has one, so you can sign in as usual.",
                button: "Sign in", ["If you forgot your password, you can reset it there. If it was not you, ignore this mail."])
        }
    }

    private static let life = "The link works once, within {minutes} minutes."

    private func words(
        _ subject: String, _ text: String, button: String, _ closing: [String], _ values: [String: String] = [:]
    ) -> Words {
        let all = ["site": site.name, "minutes": String(minutes)].merging(values) { first, _ in first }
        return Words(
            subject: Sentence(subject, all), text: [Sentence(text, all)], button: button, closing: closing.map { Sentence($0, all) })
    }
}
