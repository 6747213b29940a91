import Config
import Diagnostics

extension RuleName {
    static let bearerProvider = RuleName("bearer-provider")
}

extension Rule {
    static let bearerProvider = Rule(
        .bearerProvider, what: "`bearer` or `session.exchange` names no provider, a disabled one, or one that is not configured.",
        why: "The gateway can verify tokens of configured providers only. With an empty list, it accepts no token.",
        instead: "Write the `id` of a configured provider, or remove the section.",
        bad: Example(
            """
            routes: [{ path: /api/**, bearer: { providers: [«oidc.acne»] } }]
            """),
        good: Example(
            """
            routes: [{ path: /api/**, bearer: { providers: [oidc.acme] } }]
            """),
        check: { context in
            guard context.root["providers"]?.list?.contains(where: \.isUnreadable) != true else { return [] }
            let names = ProviderNames(context, includingOwn: false)
            return BearerUse.all(context).flatMap { use -> [Diagnostic] in
                if let list = use.object["providers"], list.list?.isEmpty == true {
                    return [
                        Diagnostic(
                            .bearerProvider, at: list.span, "no provider is listed", label: "accepts no token",
                            help: "add the id of a provider, or remove the section")
                    ]
                }
                return use.names.filter { !names.isEnabled($0.text) }.map { name, item in
                    if Configuration.ownProviderIDs.contains(name) {
                        return Diagnostic(
                            .bearerProvider, at: item.referenceSpan, "`\(name)` issues no tokens", label: "no token to verify",
                            help: "remove it; tokens come from identity providers")
                    }
                    let off = names.disabled(name)
                    let near = names.nearest(to: name)
                    return Diagnostic(
                        .bearerProvider, at: item.referenceSpan,
                        off == nil ? "no provider `\(name)` is configured" : "the provider `\(name)` is disabled",
                        label: near.map { "did you mean `\($0)`?" } ?? "its tokens cannot be verified",
                        help: off != nil ? "remove `enabled: false`, or name another provider" : names.listed,
                        related: off.map { [RelatedPlace("disabled", at: $0)] } ?? [])
                }
            }
        })
}
