import Config
import Diagnostics

extension RuleName {
    static let sessionStoreUnreachable = RuleName("session-store-unreachable", .warning)
}

extension Rule {
    static let sessionStoreUnreachable = Rule(
        .sessionStoreUnreachable, what: "With `--online`: the session store cannot be used.",
        why: "The gateway cannot read sessions without the store. Every request that requires sign-in would return 503.",
        instead:
            "Start the store, or correct its address, its password or the paths of its certificates. The check connects as the gateway does, with the password, finds the master, and asks for the version, which must be 6.2 or newer. It writes nothing.",
        bad: Example(
            """
            session: { keys: ["${file:./session.key}"], store: «redis://127.0.0.1:6379» }
            """),
        badAnswers: OnlineExample { $0.unreachableStore = "connection refused" },
        good: Example(
            """
            session: { keys: ["${file:./session.key}"], store: cookie }
            """),
        online: { context in
            guard let item = context.lint.sessionStoreURL, let reason = context.answers.unreachableStore else { return [] }
            return [
                Diagnostic(
                    .sessionStoreUnreachable, at: item.referenceSpan, "the session store cannot be used: \(reason)",
                    label: "sessions cannot be read", help: "start the store, or correct the address, the password or the certificates")
            ]
        })
}
