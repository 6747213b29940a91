import Config
import Diagnostics

extension Rule {
    static let invalidValue = Rule(
        .invalidValue, what: "A value cannot be read as what its key asks for, or is not allowed there.",
        why: "Guessing what was meant would make the configuration say something that nobody wrote.",
        instead: "Write the value as the message shows: durations as `30s` or `1h30m`, sizes as `32KiB`, networks as `10.0.0.0/8`.",
        bad: Example("session: { idleTimeout: «30», keys: [\"${file:./session.key}\"] }\n"),
        good: Example("session: { idleTimeout: 30m, keys: [\"${file:./session.key}\"] }\n"),
        check: { context in idleBeyondAbsolute(context) + profileNoneBesideOthers(context) })

    private static func idleBeyondAbsolute(_ context: LintContext) -> [Diagnostic] {
        guard let idle = context.session?["idleTimeout"], let limit = idle.milliseconds else { return [] }
        let absolute = context.session?["absoluteTimeout"]
        if absolute?.isUnreadable ?? false { return [] }
        guard limit > context.configuration.session.absoluteTimeout else { return [] }
        return [
            Diagnostic(
                .invalidValue, at: idle.span, "`idleTimeout` is longer than `absoluteTimeout`", label: "never reached",
                help: absolute == nil
                    ? "make it shorter than 24h, or set a longer `absoluteTimeout`" : "make it shorter than the absolute limit",
                related: absolute.map { [RelatedPlace("every session ends after this", at: $0.span)] } ?? [])
        ]
    }

    private static func profileNoneBesideOthers(_ context: LintContext) -> [Diagnostic] {
        let profiles = context.root["identity"]?.object?["headers"]?.list ?? []
        guard profiles.count > 1, let none = profiles.first(where: { $0.text == "none" }) else { return [] }
        return [
            Diagnostic(
                .invalidValue, at: none.span, "`none` cannot stand beside other profiles", label: "contradicts the others",
                help: "remove it, or write `headers: none`")
        ]
    }
}
