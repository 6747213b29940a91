import Demo
import DevProvider

/// What `gateway demo` prints once it listens, at most 80 columns wide.
enum DemoText {
    /// `upstream`: the user's own app; nil: the example app.
    static func welcome(to address: String, users: [Person], upstream: String?, hasPasswords: Bool) -> String {
        let app =
            upstream.map { "Your app, \($0), is behind it." }
                ?? """
                Behind it is an example app that shows the headers it receives. /health is
                  public, /admin is for the group admins, /vault wants a second factor.
                """
        return """

              The demo is ready. Open

                  \(address)

              \(app)

              Sign in as one of these invented users. They have no passwords, and
              Acme and Partner are imitations of providers on this machine.

            \(table(users.map { ($0.id, description(of: $0)) }))

              The app receives the user in request headers. For Alice:

            \(table(headers))

            \(accounts(address, hasPasswords: hasPasswords))

              Account: \(address)_gateway/account
              Sign out: \(address)_gateway/logout
              Stop the demo: Ctrl-C\(upstream.map { "\n  Use your own provider: gateway init --upstream \($0)" } ?? "")

            """
    }

    private static func accounts(_ address: String, hasPasswords: Bool) -> String {
        """
          One account, several ways to sign in:

              1. Sign in with Acme as Alice, open the account page, link Partner.
                 Sign out, then sign in with Partner: X-Forwarded-User is the same.
              2. Sign in with Acme as Bob, then in a private window with Partner.
                 An account has Bob's address already: sign in with Acme as that
                 page says, and Partner is linked.\(hasPasswords ? registration : "")

          A second factor:

              Sign in with Acme as Grace. Acme's page shows the code of her
              authenticator app; the gateway asks for it before she gets a session.
        """
    }

    private static let registration = """

              3. Create an account with any e-mail address. Its mails appear here.
        """

    /// A mail of the gateway, which the demo does not deliver. Links stay whole.
    static func mail(_ mail: CaughtMail) -> String {
        let text = mail.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.isEmpty ? "" : TextWrap.wrapped("      \(line)", columns: 80, hanging: 6)
        }
        let lines = text.joined(separator: "\n").trimmingSuffix { $0 == "\n" }
        return "\n  Mail to \(mail.recipient):\n\n\(lines)\n"
    }

    /// Of the profile `forwarded`, which the demo uses.
    private static let headers = [
        ("X-Forwarded-User", "an ID that never changes"), ("X-Forwarded-Email", "alice@example.com"),
        ("X-Forwarded-Email-Verified", "true"), ("X-Forwarded-Preferred-Username", "alice"), ("X-Forwarded-Name", "Alice Adams"),
        ("X-Forwarded-Groups", "admins,staff"), ("X-Forwarded-Provider", "oidc.acme"),
    ]

    private static func description(of user: Person) -> String {
        let address = user.email.map { user.emailVerified ? $0 : "\($0), not verified" } ?? "no e-mail address"
        return user.groups.isEmpty
            ? address : "\(address); groups: \(user.groups.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ", "))"
    }

    private static func table(_ rows: [(name: String, value: String)]) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            "      " + row.name + String(repeating: " ", count: width + 2 - row.name.count) + row.value
        }.joined(separator: "\n")
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> SubSequence {
        var rest = self[...]
        while let last = rest.last, predicate(last) { rest = rest.dropLast() }
        return rest
    }
}
