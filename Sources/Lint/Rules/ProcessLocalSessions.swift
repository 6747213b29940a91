import Config
import Diagnostics

extension RuleName {
    static let processLocalSessions = RuleName("process-local-sessions", .warning)
}

extension Rule {
    /// The Helm chart sets this to the maximum number of replicas.
    package static let replicasVariable = "GATEWAY_REPLICAS"

    static let processLocalSessions = Rule(
        .processLocalSessions, what: "Several replicas run (`$GATEWAY_REPLICAS`), and `session.store` is `cookie`.",
        why:
            "Each replica has its own list of ended sessions. A sign-out, or a logout message from the provider, reaches only one replica. On the other replicas, a copied cookie stays valid until the session expires.",
        instead:
            "Store sessions in Redis or Valkey with `session.store`, or run one replica. If it is acceptable that sessions stay valid on other replicas after sign-out, silence the warning with that reason.",
        bad: Example(
            """
            session:
              keys: ["${file:./session.key}"]
              store: «cookie»
            """, variables: ["GATEWAY_REPLICAS": "3"]),
        good: Example(
            """
            session: { keys: ["${file:./session.key}"], store: cookie }
            """, variables: ["GATEWAY_REPLICAS": "1"]),
        check: { context in
            guard let replicas = context.surroundings.variable(replicasVariable).flatMap({ Int($0) }), replicas > 1,
                context.hasEnabledProvider,
                context.configuration.session.store == nil,
                let place = place(in: context.root)
            else { return [] }
            return [
                Diagnostic(
                    .processLocalSessions, at: place, "\(replicas) replicas do not share their lists of ended sessions",
                    label: "one list per process",
                    help:
                        "store sessions in Redis or Valkey, run one replica, or silence this warning with the reason why sessions may stay valid after sign-out"
                )
            ]
        })

    /// The location of the store, or of the section that lacks it; nil if unreadable.
    private static func place(in root: ObjectValue) -> SourceSpan? {
        guard let item = root["session"] else { return root.isPlainlyMissing("session") ? root.span : nil }
        guard let session = item.object else { return nil }
        if let store = session["store"] { return store.isUnreadable ? nil : store.referenceSpan }
        return session.isPlainlyMissing("store") ? session.span : nil
    }
}
