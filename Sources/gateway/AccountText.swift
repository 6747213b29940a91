import Accounts
import Diagnostics

/// Accounts as text for a terminal.
enum AccountText {
    // MARK: Table

    /// The widths of a table's columns. A uid is never cut: it is what the other commands need.
    struct Columns {
        private static let uid = 28
        private static let state = 10
        private let email: Int
        private let providers: Int

        /// `width`: of the terminal.
        init(width: Int) {
            let rest = max(36, width - Self.uid - Self.state - 6)
            email = rest * 3 / 5
            providers = rest - email
        }

        var header: String { line("UID", "E-MAIL", "PROVIDERS", "STATE") }

        func row(_ account: Account) -> String {
            line(account.uid, account.email?.text ?? "-", account.providers.joined(separator: ","), AccountText.state(account))
        }

        private func line(_ uid: String, _ email: String, _ providers: String, _ state: String) -> String {
            let cells = [
                Self.padded(sanitized(uid), Self.uid), Self.padded(Self.cut(sanitized(email), self.email), self.email),
                Self.padded(Self.cut(sanitized(providers), self.providers), self.providers), state,
            ]
            return cells.joined(separator: "  ")
        }

        private static func cut(_ text: String, _ width: Int) -> String {
            text.count <= width ? text : String(text.prefix(width - 1)) + "…"
        }

        private static func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
    }

    /// The one word that matters most about an account.
    static func state(_ account: Account) -> String {
        if account.isDisabled { return "disabled" }
        if account.isAnonymous { return "anonymous" }
        return account.email != nil && !account.emailVerified ? "unverified" : "active"
    }

    // MARK: One account

    static func details(_ account: Account) -> String {
        var facts: [(String, String)] = [("uid", account.uid)]
        if let email = account.email { facts.append(("e-mail", "\(email.text) (\(verification(account.verification)))")) }
        if let name = account.name { facts.append(("name", name)) }
        if let picture = account.picture { facts.append(("picture", picture)) }
        facts.append(("state", state(account)))
        facts.append(("created", time(account.createdAt)))
        facts.append(("last sign-in", account.lastSignInAt.map(time) ?? "never"))
        facts.append(("password", account.hasPassword ? "set" : "none"))
        for identity in account.identities {
            facts.append(("provider", "\(identity.provider), linked \(time(identity.linkedAt))"))
            facts.append(("  issuer", identity.issuer))
            facts.append(("  subject", identity.subject))
            if let email = identity.email {
                facts.append(("  e-mail", "\(email.text) (\(identity.emailVerified ? "the provider vouches for it" : "not verified"))"))
            }
        }
        return facts.map { name, value in
            name + String(repeating: " ", count: max(1, 14 - name.count)) + sanitized(value)
        }.joined(separator: "\n")
    }

    /// A line about a second factor.
    static func line(_ factor: Factor) -> String {
        let name = factor.displayName.map { " \($0)" } ?? ""
        return "second factor " + sanitized("\(factor.type.rawValue)\(name), added \(time(factor.enrolledAt))")
    }

    private static func verification(_ verification: EmailVerification?) -> String {
        switch verification {
        case nil: "not verified"
        case .mail: "verified by mail"
        case .operation: "verified by an operator"
        case .provider(let id, _): "verified by \(id)"
        }
    }

    /// To the second.
    private static func time(_ milliseconds: Int64) -> String {
        let text = AccountTime.text(milliseconds)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + " UTC"
    }
}
