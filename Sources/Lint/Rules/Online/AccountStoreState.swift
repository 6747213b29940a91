import Config
import Diagnostics

extension RuleName {
    static let accountStoreUnreachable = RuleName("account-store-unreachable", .warning)
    static let accountStoreSchema = RuleName("account-store-schema", .note)
}

extension Rule {
    static let accountStoreUnreachable = Rule(
        .accountStoreUnreachable, what: "With `--online`: the account store cannot be opened.",
        why: "Without the store, every sign-in and every account page returns 503. Existing sessions continue.",
        instead: "Start the database, or correct the URL, the password or the permissions.",
        bad: Example(
            """
            accounts:
              store: «postgres://127.0.0.1/accounts»
              keys: ["${file:./accounts.key}"]
            """),
        badAnswers: OnlineExample { $0.accountStore = .unreachable(reason: "connection refused") },
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            """),
        online: { context in
            guard let item = context.lint.accounts?["store"], case .unreachable(let reason) = context.answers.accountStore else {
                return []
            }
            return [
                Diagnostic(
                    .accountStoreUnreachable, at: item.referenceSpan, "the account store cannot be opened: \(reason)",
                    label: "no user can sign in", help: "start the database, or correct the URL, the password or the permissions")
            ]
        })

    static let accountStoreSchema = Rule(
        .accountStoreSchema,
        what: "With `--online`: the version of the account store's schema. A version that this release does not know is an error.",
        why: "The gateway migrates an older schema when it starts. It does not start with a schema from a later release.",
        instead: "For a later schema, install the release that migrated the database. Otherwise, nothing.",
        bad: Example(
            """
            accounts:
              store: «postgres://127.0.0.1/accounts»
              keys: ["${file:./accounts.key}"]
            """),
        badAnswers: OnlineExample { $0.accountStore = .schema(version: 9, supported: 1) },
        good: Example("session: { keys: [\"${file:./session.key}\"] }\n"),
        online: { context in
            guard let item = context.lint.accounts?["store"], case .schema(let version, let supported) = context.answers.accountStore else {
                return []
            }
            guard let version else {
                return [
                    Diagnostic(
                        .accountStoreSchema, at: item.referenceSpan, "the account store is empty", label: "responds",
                        help: "nothing to do; the gateway creates schema version \(supported) when it starts")
                ]
            }
            if version > supported {
                return [
                    Diagnostic(
                        .accountStoreSchema, at: item.referenceSpan,
                        "the account store has schema version \(version), and this release knows versions up to \(supported)",
                        label: "from a later release", help: "install the release that migrated the database", severity: .error)
                ]
            }
            return [
                Diagnostic(
                    .accountStoreSchema, at: item.referenceSpan, "the account store has schema version \(version)", label: "responds",
                    help: version == supported
                        ? "nothing to do" : "nothing to do; the gateway migrates it to version \(supported) when it starts")
            ]
        })
}
