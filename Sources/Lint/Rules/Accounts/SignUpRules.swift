import Config
import Diagnostics
import Primitives

extension RuleName {
    static let passwordWithoutMail = RuleName("password-without-mail")
    static let noSignUp = RuleName("no-sign-up", .warning)
    static let closedSignUp = RuleName("closed-sign-up", .warning)
    static let recentLogin = RuleName("recent-login", .warning)
    static let unusedMail = RuleName("unused-mail", .warning)
    static let plainMail = RuleName("plain-mail", .warning)
}

extension Rule {
    static let passwordWithoutMail = Rule(
        .passwordWithoutMail,
        what: "The provider `password` is configured without `mail`. With `signUp: false`, this is a warning.",
        why:
            "The gateway verifies the address of a new user by mail, so no user can register. Without mail, users who forget their password cannot reset it.",
        instead: "Add `mail`. If an operator creates the accounts and sets the passwords, write `signUp: false` and silence the warning.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            providers:
              - id: «password»
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            providers:
              - id: password
            mail: { url: "smtps://user:${env:SMTP_PASSWORD}@smtp.example.com", from: no-reply@example.com }
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """),
        check: { context in
            guard context.accounts != nil, context.root.isPlainlyMissing("mail") else { return [] }
            return context.enabledOwnProviders.filter(\.isPassword).map { provider in
                let isOpen = provider.signsUp && !context.signUpIsClosed
                return Diagnostic(
                    .passwordWithoutMail, at: provider.idSpan,
                    isOpen ? "`password` needs `mail` to let users register" : "without `mail`, users cannot reset their password",
                    label: isOpen ? "no user can register" : "no reset",
                    help: isOpen
                        ? "add `mail: { url: smtps://…, from: … }`, or write `signUp: false`" : "add `mail: { url: smtps://…, from: … }`",
                    severity: isOpen ? .error : .warning)
            }
        })

    static let noSignUp = Rule(
        .noSignUp, what: "Accounts are configured, but no provider can create one.",
        why: "No user can sign in until an operator creates accounts.",
        instead: "Add a provider, or allow `signUp`. If an operator creates the accounts, write `signUp: closed` in `accounts`.",
        bad: Example(
            """
            accounts:
              store: «sqlite:./accounts.db»
              keys: ["${file:./accounts.key}"]
            providers:
              - id: password
                signUp: false
            mail: { url: "smtps://user:${env:SMTP_PASSWORD}@smtp.example.com", from: no-reply@example.com }
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              signUp: closed
            providers:
              - id: password
                signUp: false
            mail: { url: "smtps://user:${env:SMTP_PASSWORD}@smtp.example.com", from: no-reply@example.com }
            """),
        check: { context in
            guard let accounts = context.accounts, let item = accounts["store"], context.configuration.accounts?.signUp == .open,
                accounts["signUp"]?.isUnreadable != true, !context.hasUnreadableProvider,
                !context.providers.contains(where: \.configuration.enabled)
            else { return [] }
            let own = context.enabledOwnProviders
            guard !own.contains(where: \.signsUp), !own.isEmpty || context.providers.isEmpty && context.ownProviders.isEmpty else {
                return []
            }
            return [
                Diagnostic(
                    .noSignUp, at: item.referenceSpan,
                    own.isEmpty ? "there is no provider, so no user has an account" : "no provider can create an account",
                    label: "stays empty",
                    help: own.isEmpty
                        ? "remove `accounts`, or add a provider"
                        : "write `signUp: true` at `password`, or `signUp: closed` in `accounts` if an operator creates them")
            ]
        })

    static let closedSignUp = Rule(
        .closedSignUp, what: "A provider needs new accounts, but `accounts.signUp` is `closed`.",
        why:
            "`signUp: closed` admits only users who have an account. An anonymous user never has one, and nobody can register with a password.",
        instead: "Remove `anonymous` or the `signUp: true` of `password`, or write `signUp: open` in `accounts`.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              signUp: closed
            providers:
              - id: «anonymous»
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              signUp: closed
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        check: { context in
            guard context.signUpIsClosed, let closed = context.accounts?["signUp"] else { return [] }
            return context.enabledOwnProviders.compactMap { provider in
                let related = [RelatedPlace("only users with an account may sign in", at: closed.referenceSpan)]
                if !provider.isPassword {
                    return Diagnostic(
                        .closedSignUp, at: provider.idSpan, "every anonymous sign-in needs a new account, and sign-up is closed",
                        label: "always refused", help: "remove `anonymous`, or write `signUp: open` in `accounts`", related: related)
                }
                guard let item = provider.object["signUp"], item.boolean == true else { return nil }
                return Diagnostic(
                    .closedSignUp, at: item.referenceSpan, "nobody can register, because `accounts.signUp` is `closed`", label: "no effect",
                    help: "remove it, or write `signUp: open` in `accounts`", related: related)
            }
        })

    static let recentLogin = Rule(
        .recentLogin, what: "`recentLogin` is shorter than 30 s, or longer than `session.absoluteTimeout`.",
        why:
            "A user needs some seconds to return from the provider and to send a form, so a short limit asks for another sign-in without end. With a limit beyond the session's end, every session counts as recent, and a stolen session can delete the account.",
        instead: "Write a few minutes, such as `5m`.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              recentLogin: «10s»
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              recentLogin: 5m
            """),
        check: { context in
            guard let item = context.accounts?["recentLogin"], let limit = item.milliseconds else { return [] }
            if limit < 30_000 {
                return [
                    Diagnostic(
                        .recentLogin, at: item.referenceSpan, "a user cannot finish a sensitive operation in this time",
                        label: "under 30 s", help: "write a few minutes, such as `5m`")
                ]
            }
            guard limit > context.configuration.session.absoluteTimeout, context.session?["absoluteTimeout"]?.isUnreadable != true else {
                return []
            }
            return [
                Diagnostic(
                    .recentLogin, at: item.referenceSpan, "every session ends before its sign-in is this old", label: "always recent",
                    help: "write a few minutes, such as `5m`",
                    related: (context.session?["absoluteTimeout"]).map { [RelatedPlace("sessions end here", at: $0.referenceSpan)] } ?? [])
            ]
        })

    static let unusedMail = Rule(
        .unusedMail, what: "`mail` is configured without `accounts`.",
        why: "Only accounts send mail, so the gateway never connects to the mail server.",
        instead: "Remove `mail`, or configure `accounts`.",
        bad: Example(
            """
            «mail»: { url: "smtps://user:${env:SMTP_PASSWORD}@smtp.example.com", from: no-reply@example.com }
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            mail: { url: "smtps://user:${env:SMTP_PASSWORD}@smtp.example.com", from: no-reply@example.com }
            """),
        check: { context in
            guard let span = context.root.keySpan("mail"), context.root.isPlainlyMissing("accounts") else { return [] }
            return [
                Diagnostic(
                    .unusedMail, at: span, "without `accounts`, the gateway sends no mail", label: "no effect",
                    help: "remove it, or configure `accounts`")
            ]
        })

    static let plainMail = Rule(
        .plainMail, what: "Mail to a server on another machine is sent without TLS.",
        why: "Mails contain links that verify an address or reset a password. Anyone on the network can read them and use the link first.",
        instead: "Use `smtps://`, or `smtp://` without `starttls=never`, which requires STARTTLS.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            mail: { url: «"smtp://relay.example.com:25?starttls=never"», from: no-reply@example.com }
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            mail: { url: "smtp://relay.example.com:25", from: no-reply@example.com }
            """),
        check: { context in
            guard let item = context.root["mail"]?.object?["url"], let text = item.text, let url = try? MailURL(text),
                url.security == .plain, !url.isLocal
            else { return [] }
            return [
                Diagnostic(
                    .plainMail, at: item.referenceSpan, "mails to `\(url.host)` are not encrypted", label: "no TLS",
                    help: "remove `starttls=never`, or use `smtps://`")
            ]
        })
}
