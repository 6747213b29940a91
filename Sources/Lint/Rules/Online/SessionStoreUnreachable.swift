import Config
import Diagnostics

extension Rule {
    static let sessionStoreUnreachable = Rule(
        .sessionStoreUnreachable, what: "With `--online`: no server of the session store answers.",
        why: "Without its store the gateway knows nobody: every request that needs a sign-in would get 503.",
        instead:
            "Start the store, or correct its address. The probe sends `PING` and no password; a server that asks for one counts as reachable, and behind `rediss` the connection alone counts.",
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
            guard let item = context.lint.session?["store"], let reason = context.answers.unreachableStore else { return [] }
            return [
                Diagnostic(
                    .sessionStoreUnreachable, at: item.referenceSpan, "the session store does not answer: \(reason)",
                    label: "no session could be opened", help: "start the store, or correct the address")
            ]
        })
}
