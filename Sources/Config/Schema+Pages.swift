extension Schema {
    static let pages: [Key] = [
        Key(
            "siteName", .scalar(.text), example: "Acme Portal",
            "The site's name on the gateway's pages. Default: the host of `publicURL`."),
        Key(
            "logo", .scalar(.logo), example: "./pages/logo.svg",
            "The picture beside the name: an SVG, PNG, JPEG, GIF or WebP file of at most 64 KiB, relative to the configuration file, or an https URL."
        ),
        Key(
            "accentColor", .scalar(.color), example: "\"#0b5d57\"",
            "The color of buttons, links and icons, in quotes. Text on it is black or white, and links get a darker or lighter shade, whichever is readable."
        ),
        Key("links", .mapping(.pageLinks), "Links at the end of every page."),
        Key("templates", .mapping(.pageTemplates), "Custom pages as Mustache templates. Default: the built-in pages."),
        Key(
            "explainDenials", .scalar(.boolean), fallback: "false",
            "Whether the 403 page names the conditions of the rule that failed. For test systems, because it helps attackers."
        ),
    ]

    static let pageLinks: [Key] = [
        Key(
            "support", .scalar(.link), example: "https://example.com/help",
            "Where users get help: a URL, a path of the site, or `mailto:` with an address."),
        Key(
            "privacy", .scalar(.link), example: "https://example.com/privacy",
            "The privacy notice: a URL, a path of the site, or `mailto:` with an address."),
    ]

    static let pageTemplates: [Key] = [
        Key(
            "signIn", .scalar(.text), example: "\"${file:./pages/sign-in.mustache}\"",
            "The page with a button for each provider and the password form."),
        Key("signOut", .scalar(.text), example: "\"${file:./pages/sign-out.mustache}\"", "The page that asks before signing out."),
        Key("signedOut", .scalar(.text), example: "\"${file:./pages/signed-out.mustache}\"", "The page after signing out."),
        Key("error", .scalar(.text), example: "\"${file:./pages/error.mustache}\"", "The page that shows an error."),
        Key("signUp", .scalar(.text), example: "\"${file:./pages/sign-up.mustache}\"", "The page that creates an account with a password."),
        Key("checkMail", .scalar(.text), example: "\"${file:./pages/check-mail.mustache}\"", "The page after a form that sends a mail."),
        Key(
            "passwordReset", .scalar(.text), example: "\"${file:./pages/password-reset.mustache}\"",
            "The page that requests a mail to reset the password."),
        Key("newPassword", .scalar(.text), example: "\"${file:./pages/new-password.mustache}\"", "The page that sets a new password."),
        Key(
            "verifyEmail", .scalar(.text), example: "\"${file:./pages/verify-email.mustache}\"", "The page that confirms an e-mail address."
        ),
        Key("account", .scalar(.text), example: "\"${file:./pages/account.mustache}\"", "The account page."),
        Key(
            "accountNotice", .scalar(.text), example: "\"${file:./pages/account-notice.mustache}\"",
            "The page that says that a change of the account is done."),
        Key(
            "deleteAccount", .scalar(.text), example: "\"${file:./pages/delete-account.mustache}\"",
            "The page that asks before an account is deleted."),
        Key(
            "conflict", .scalar(.text), example: "\"${file:./pages/conflict.mustache}\"",
            "The page of an address that already has an account."),
        Key(
            "linkQuestion", .scalar(.text), example: "\"${file:./pages/link-question.mustache}\"",
            "The page that asks whether to link the identity that met a conflict."),
        Key(
            "credentialInUse", .scalar(.text), example: "\"${file:./pages/credential-in-use.mustache}\"",
            "The page of an identity that is linked to another account."),
        Key(
            "reauthenticate", .scalar(.text), example: "\"${file:./pages/reauthenticate.mustache}\"",
            "The page that asks the user to sign in again."),
        Key(
            "secondFactor", .scalar(.text), example: "\"${file:./pages/second-factor.mustache}\"",
            "The page that asks for a second factor."),
        Key(
            "secondFactors", .scalar(.text), example: "\"${file:./pages/second-factors.mustache}\"",
            "The page that lists, adds and removes second factors."),
        Key(
            "enrolTOTP", .scalar(.text), example: "\"${file:./pages/enrol-totp.mustache}\"",
            "The page that sets up an authenticator app."),
        Key(
            "enrolPhone", .scalar(.text), example: "\"${file:./pages/enrol-phone.mustache}\"",
            "The page that confirms a phone number."),
        Key(
            "enrolPasskey", .scalar(.text), example: "\"${file:./pages/enrol-passkey.mustache}\"",
            "The page that adds a passkey."),
        Key(
            "passkeySignIn", .scalar(.text), example: "\"${file:./pages/passkey-sign-in.mustache}\"",
            "The page that signs in with a passkey instead of the password."),
        Key(
            "recoveryCodes", .scalar(.text), example: "\"${file:./pages/recovery-codes.mustache}\"",
            "The page that shows new recovery codes."),
        Key("mail", .scalar(.text), example: "\"${file:./pages/mail.mustache}\"", "The HTML part of every mail."),
        Key(
            "partials", .map(of: .scalar(.text), keys: "a partial's name"), example: "{ head: \"${file:./pages/head.mustache}\" }",
            "Parts shared by several templates, used as `{{> name}}`. `{{> gateway-style}}` is the built-in style."),
    ]
}
