/// Keys for accounts, the providers that only they make possible, and mail.
extension Schema {
    static let accounts: [Key] = [
        Key(
            "store", .scalar(.accountStore), required: true, example: "sqlite:./accounts.db",
            "Where accounts are stored: `sqlite:PATH`, relative to the configuration file, for one replica; or the URL of a PostgreSQL database, `postgres://user:password@host:5432/db?sslmode=verify-full`, for any number."
        ),
        Key(
            "keys", .list(of: .scalar(.accountKey)), required: true, example: "[\"${file:./accounts.key}\"]",
            "Base64 of at least 32 random bytes each (`gateway keygen session`). They seal second factors and the tokens of pending links. The first key seals, every key opens. Not those of `session.keys`."
        ),
        Key(
            "onePerEmail", .scalar(.boolean), fallback: "true",
            "Whether an e-mail address belongs to at most one account. If false, a new identity always gets a new account."),
        Key(
            "linking", .scalar(.choice(AccountsConfiguration.Linking.self)), fallback: "confirm",
            "The response to a new identity whose address an account has: `confirm` links it after a sign-in to that account, `verified-email` links it if both sides have verified the address, `trusted-domains` only if the provider also runs the mailbox, `never` refuses it."
        ),
        Key(
            "signUp", .scalar(.choice(AccountsConfiguration.SignUp.self)), fallback: "open",
            "`open`: the first sign-in of a user creates an account. `closed`: only users with an account may sign in."),
        Key(
            "recentLogin", .scalar(.duration(minimum: 1000)), fallback: "5m",
            "The maximum age of a sign-in for sensitive operations, such as unlinking a provider. After it, the user must sign in again."),
        Key(
            "mergeHook", .mapping(.hook), example: "{ url: https://app.example.com/merge, secret: \"${file:./hook.secret}\" }",
            "The endpoint that is notified when a user owns two accounts. The gateway itself merges nothing."),
        Key("hooks", .mapping(.hooks), "Endpoints that decide about sign-ups and sign-ins."),
    ]

    static let hooks: [Key] = [
        Key("beforeCreate", .mapping(.hook), "Called before an account is created. It can refuse, or add claims to the session."),
        Key("beforeSignIn", .mapping(.hook), "Called before each sign-in. It can refuse, or add claims to the session."),
    ]

    static let hook: [Key] = [
        Key("url", .scalar(.url), required: true, example: "https://app.example.com/hook", "The endpoint, called with `POST` and JSON."),
        Key(
            "secret", .scalar(.secret), required: true, example: "${file:./hook.secret}",
            "The key of the HMAC-SHA256 in `Gateway-Signature`, at least 16 characters."),
        Key(
            "timeout", .scalar(.duration(minimum: 1)), fallback: "7s",
            "The time limit of a whole call. A hook that is late or fails refuses the sign-in; `mergeHook` is called again later."),
    ]

    static let secondFactor: [Key] = [
        Key(
            "policy", .scalar(.choice(SecondFactorConfiguration.Policy.self)), fallback: "enrolled",
            "`enrolled`: users with a second factor are asked for it at each sign-in. `required`: users without one add one at the first sign-in. `off`: nobody is asked."
        ),
        Key(
            "factors", .list(of: .scalar(.choice(SecondFactorConfiguration.Factor.self))), fallback: "[totp, webauthn, recovery]",
            "The factors that users may add: codes of an app, passkeys and security keys, recovery codes, text messages (`phone`)."),
        Key(
            "phone", .mapping(.textMessages), example: "{ url: https://sms.example.com/send, secret: \"${file:./sms.secret}\" }",
            "The endpoint that sends text messages. Needed by the factor `phone`."),
        Key(
            "rememberBrowser", .scalar(.duration(minimum: 60_000)), example: "30d",
            "How long a browser is not asked again whose user wished so. Default: it is asked at every sign-in."),
    ]

    static let textMessages: [Key] = [
        Key(
            "url", .scalar(.url), required: true, example: "https://sms.example.com/send",
            "The endpoint, called with `POST` and the JSON members `to`, `text` and `code`."),
        Key(
            "secret", .scalar(.secret), required: true, example: "${file:./sms.secret}",
            "The key of the HMAC-SHA256 in `Gateway-Signature`, at least 16 characters."),
        Key("timeout", .scalar(.duration(minimum: 1)), fallback: "5s", "The time limit of a whole call."),
        Key(
            "messagesPerDay", .scalar(.integer(SecondFactorConfiguration.dailyMessages)), fallback: "1000",
            "The maximum number of text messages in 24 hours, over all users and replicas. Half of them are kept for sign-ins: new numbers cannot use them up."
        ),
    ]

    static let passwordProvider: [Key] = [
        ownProviderID(PasswordProviderConfiguration.id, "Sign-in with an e-mail address and a password. Needs `accounts`."),
        Key("displayName", .scalar(.text), example: "E-mail", "The name on the sign-in page."),
        Key("enabled", .scalar(.boolean), fallback: "true", "Whether users can sign in with a password."),
        Key(
            "signUp", .scalar(.boolean), fallback: "true",
            "Whether users may register. Needs `mail`. If false, an operator creates their accounts with `gateway users create`."),
        Key(
            "minimumLength", .scalar(.integer(PasswordProviderConfiguration.lengths)), fallback: "12",
            "The minimum length of a new password, in Unicode characters."),
    ]

    static let anonymousProvider: [Key] = [
        ownProviderID(
            AnonymousProviderConfiguration.id, "Sign-in without credentials. The user can link a provider later. Needs `accounts`."),
        Key("displayName", .scalar(.text), example: "Guest", "The name on the sign-in page."),
        Key("enabled", .scalar(.boolean), fallback: "true", "Whether users can start an anonymous account."),
    ]

    private static func ownProviderID(_ id: String, _ doc: String) -> Key {
        Key("id", .scalar(.words([id])), required: true, example: id, doc)
    }

    static let mail: [Key] = [
        Key(
            "url", .scalar(.mailURL), required: true, example: "\"smtps://user:${file:./smtp}@smtp.example.com:465\"",
            "The mail server. `smtps://` uses TLS from the start (port 465). `smtp://` (port 587) requires STARTTLS, except on loopback or with `?starttls=never`. Escape special characters of the password as `%XX`."
        ),
        Key(
            "from", .scalar(.mailSender), required: true, example: "\"Example <no-reply@example.com>\"",
            "The sender of every mail: an address, or a name and an address."),
    ]

    /// Keys of providers.
    static let trustedSecondFactor = [
        Key(
            "secondFactor", .scalar(.choice(TrustedSecondFactor.self)), example: "trusted",
            "`trusted`: a second factor that the provider reports in `amr` or `acr` counts as one of the gateway's. Default: it does not count."
        ),
        Key(
            "secondFactorACR", .list(of: .scalar(.text)), example: "[phr]",
            "With `secondFactor: trusted`: values of `acr` that mean a second factor, besides those of `amr`."),
    ]

    static let trustedDomains = Key(
        "trustedDomains", .list(of: .scalar(.mailDomain)), fallback: "[]", example: "[example.com]",
        "With `accounts.linking: trusted-domains`: the domains whose mailboxes this provider runs. Its verified addresses in them link to existing accounts."
    )
}
