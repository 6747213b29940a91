import DevProvider

/// What `gateway demo` prints once it listens, at most 80 columns wide.
enum DemoText {
    /// `upstream`: the user's own app; nil: the example app.
    static func welcome(to address: String, users: [Person], upstream: String?) -> String {
        let app =
            upstream.map { "Your app, \($0), is behind it." }
                ?? """
                Behind it is an example app that shows the headers it receives. /health is
                  public, /admin is for the group admins.
                """
        return """

              The demo is ready. Open

                  \(address)

              \(app)

              Sign in as one of these invented users. They have no passwords, and
              both providers of the sign-in page are imitations on this machine.

            \(table(users.map { ($0.id, description(of: $0)) }))

              The app receives the user in request headers. For Alice:

            \(table(headers))

              Sign out: \(address)_gateway/logout
              Stop the demo: Ctrl-C\(upstream.map { "\n  Use your own provider: gateway init --upstream \($0)" } ?? "")

            """
    }

    /// Of the profile `forwarded`, which the demo uses.
    private static let headers = [
        ("X-Forwarded-User", "an ID that never changes"), ("X-Forwarded-Email", "alice@example.com"),
        ("X-Forwarded-Email-Verified", "true"), ("X-Forwarded-Preferred-Username", "alice"), ("X-Forwarded-Name", "Alice Adams"),
        ("X-Forwarded-Groups", "admins,staff"), ("X-Forwarded-Provider", "oidc.demo"),
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
