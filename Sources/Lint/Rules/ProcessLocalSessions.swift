import Config
import Diagnostics

extension Rule {
    /// Set by the Helm chart to the number of replicas that it may run.
    package static let replicasVariable = "GATEWAY_REPLICAS"

    static let processLocalSessions = Rule(
        .processLocalSessions, what: "Several replicas run (`$GATEWAY_REPLICAS`), and `session.store` is `cookie`.",
        why:
            "Each replica keeps its own list of ended sessions. A sign-out or a logout by the provider reaches one replica; a copied cookie still passes the others until the session expires.",
        instead:
            "Run one replica. If several are needed and sessions may outlive a sign-out on the others, silence the warning with that reason.",
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
                context.providers.contains(where: \.configuration.enabled),
                context.configuration.session.store == SessionConfiguration().store,
                let place = place(in: context.root)
            else { return [] }
            return [
                Diagnostic(
                    .processLocalSessions, at: place, "\(replicas) replicas do not learn which sessions the others ended",
                    label: "in each process by itself",
                    help: "run one replica, or silence this warning with the reason why sessions may outlive a sign-out")
            ]
        })

    /// The store, or the first key of what lacks it; nil when it could not be read.
    private static func place(in root: ObjectValue) -> SourceSpan? {
        guard let item = root["session"] else { return root.isPlainlyMissing("session") ? root.span : nil }
        guard let session = item.object else { return nil }
        if let store = session["store"] { return store.isUnreadable ? nil : store.referenceSpan }
        return session.isPlainlyMissing("store") ? session.span : nil
    }
}
