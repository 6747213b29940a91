import Config
import Diagnostics

extension Rule {
    static let invalidValue = Rule(
        .invalidValue, what: "A value has the wrong format for its key, or is not allowed there.",
        why: "The gateway does not guess the intended value.",
        instead: "Write the value as the message shows: durations like `30s` or `1h30m`, sizes like `32KiB`, networks like `10.0.0.0/8`.",
        bad: Example("session: { idleTimeout: «30», keys: [\"${file:./session.key}\"] }\n"),
        good: Example("session: { idleTimeout: 30m, keys: [\"${file:./session.key}\"] }\n"),
        check: { context in idleBeyondAbsolute(context) + profileNoneBesideOthers(context) + context.routes.flatMap(unmatchable) })

    /// Patterns that the decoder accepts and the request matcher does not.
    private static func unmatchable(_ route: LintContext.Route) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        if let item = route.object["path"], let text = item.text, let reason = RouteReach.refusal(ofPath: text) {
            findings.append(
                Diagnostic(
                    .invalidValue, at: item.referenceSpan, "no request can match this path pattern: \(reason)", label: "not a path pattern",
                    help: "write the path as it appears in a request; `*`, `**` and `{name}` stand for whole segments"))
        }
        if let item = route.object["host"], let text = item.text, let reason = RouteReach.refusal(ofHost: text) {
            findings.append(
                Diagnostic(
                    .invalidValue, at: item.referenceSpan, "no request can match this host: \(reason)", label: "not a host",
                    help: "write it like `app.example.com`, or \"*.example.com\" for every host below a domain"))
        }
        return findings
    }

    private static func idleBeyondAbsolute(_ context: LintContext) -> [Diagnostic] {
        guard let idle = context.session?["idleTimeout"], let limit = idle.milliseconds else { return [] }
        let absolute = context.session?["absoluteTimeout"]
        if absolute?.isUnreadable ?? false { return [] }
        guard limit > context.configuration.session.absoluteTimeout else { return [] }
        return [
            Diagnostic(
                .invalidValue, at: idle.span, "`idleTimeout` is longer than `absoluteTimeout`", label: "has no effect",
                help: absolute == nil
                    ? "make it shorter than 24h, or set a longer `absoluteTimeout`" : "make it shorter than `absoluteTimeout`",
                related: absolute.map { [RelatedPlace("every session ends after this", at: $0.span)] } ?? [])
        ]
    }

    private static func profileNoneBesideOthers(_ context: LintContext) -> [Diagnostic] {
        let profiles = context.root["identity"]?.object?["headers"]?.list ?? []
        guard profiles.count > 1, let none = profiles.first(where: { $0.text == "none" }) else { return [] }
        return [
            Diagnostic(
                .invalidValue, at: none.span, "`none` cannot be combined with other profiles", label: "contradicts the others",
                help: "remove it, or write `headers: none`")
        ]
    }
}
