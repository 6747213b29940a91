import Config
import Diagnostics

extension RuleName {
    static let timeoutOrder = RuleName("timeout-order", .warning)
}

extension Rule {
    static let timeoutOrder = Rule(
        .timeoutOrder, what: "A timeout has no effect, because another timeout always expires first.",
        why: "Requests fail with the error of the other timeout.",
        instead:
            "Make the inner timeout shorter: `header` below `idle`, `upstreamConnect` below `upstreamResponse`, `health.timeout` below `health.interval`.",
        bad: Example(
            """
            server: { publicURL: https://app.example.com, timeouts: { header: «2m», idle: 75s } }
            """),
        good: Example(
            """
            server: { publicURL: https://app.example.com, timeouts: { header: 10s, idle: 75s } }
            """),
        check: { context in
            context.upstreams.compactMap { $0.object?["health"]?.object.flatMap(healthFinding) } + serverFindings(context)
        })

    /// Reports a health check whose next run would begin before the previous one times out.
    private static func healthFinding(_ health: ObjectValue) -> Diagnostic? {
        let defaults = HealthConfiguration(path: "/")
        guard health["timeout"]?.isUnreadable != true, health["interval"]?.isUnreadable != true,
            let item = health["timeout"] ?? health["interval"],
            (health["timeout"]?.milliseconds ?? defaults.timeout) > (health["interval"]?.milliseconds ?? defaults.interval)
        else { return nil }
        let other = health["timeout"] == nil ? nil : health["interval"]
        return Diagnostic(
            .timeoutOrder, at: item.referenceSpan, "`timeout` is longer than `interval`",
            label: health["timeout"] == nil ? "ends first" : "has no effect", help: "make `timeout` shorter than `interval`",
            related: other.map { [RelatedPlace("the next check starts after this", at: $0.span)] } ?? [])
    }

    private static func serverFindings(_ context: LintContext) -> [Diagnostic] {
        guard let timeouts = context.server?["timeouts"]?.object else { return [] }
        let values = context.configuration.server.timeouts
        return [
            ("header", values.header, "idle", values.idle),
            ("upstreamConnect", values.upstreamConnect, "upstreamResponse", values.upstreamResponse),
        ].compactMap { inner, short, outer, long in
            guard short > long, timeouts[inner]?.isUnreadable != true, timeouts[outer]?.isUnreadable != true,
                let item = timeouts[inner] ?? timeouts[outer]
            else { return nil }
            let other = timeouts[inner] == nil ? nil : timeouts[outer]
            return Diagnostic(
                .timeoutOrder, at: item.referenceSpan, "`\(inner)` is longer than `\(outer)`",
                label: timeouts[inner] == nil ? "ends first" : "has no effect",
                help: "make `\(inner)` shorter than `\(outer)`", related: other.map { [RelatedPlace("this ends first", at: $0.span)] } ?? []
            )
        }
    }
}
