import Config
import Diagnostics
import Providers

extension RuleName {
    static let redundantReservation = RuleName("redundant-reservation", .warning)
}

extension Rule {
    static let redundantReservation = Rule(
        .redundantReservation, what: "`reservedParameters` names a parameter that is always reserved.",
        why: "The entry has no effect, and suggests that other built-in parameters are not reserved.",
        instead: "Remove the entry. `docs/configuration.md` lists the parameters that are always reserved.",
        bad: Example(
            """
            reservedParameters: [resource, «state»]
            """),
        good: Example(
            """
            reservedParameters: [resource]
            """),
        check: { context in
            let lists = [context.root["reservedParameters"]] + context.providers.map { $0.object["reservedParameters"] }
            return lists.flatMap { $0?.list ?? [] }.compactMap { item in
                guard let name = item.text, ReservedParameters().contains(name) else { return nil }
                return Diagnostic(
                    .redundantReservation, at: item.referenceSpan, "`\(name)` is always reserved", label: "has no effect",
                    help: "remove it")
            }
        })
}
