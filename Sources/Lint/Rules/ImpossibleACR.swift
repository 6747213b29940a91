import Config
import Diagnostics
import Providers

extension RuleName {
    static let impossibleACR = RuleName("impossible-acr", .warning)
}

extension Rule {
    static let impossibleACR = Rule(
        .impossibleACR, what: "`acr` is required, and no provider of the route can confirm one.",
        why: "Only ID tokens have `acr`. Users of plain OAuth 2.0 providers, and of passwords, never meet the rule and get 403.",
        instead: "Add an OpenID Connect provider, or remove `acr`. For the gateway's own second factors, use `secondFactor: true`.",
        bad: Example(
            """
            providers: [{ id: github.com, clientID: gateway, clientSecret: "${env:SECRET}" }]
            routes: [{ path: /**, access: { emails: ["*@example.com"], acr: «[»phr] } }]
            """),
        good: Example(
            """
            providers: [{ id: oidc.acme, issuer: https://id.example.com, clientID: gateway, clientSecret: "${env:SECRET}" }]
            routes: [{ path: /**, access: { emails: ["*@example.com"], acr: [phr] } }]
            """),
        check: { context in
            let able = Set(context.configuration.providerSettings.filter { $0.kind == .oidc }.map(\.id))
            return context.accessRules.compactMap { _, rule in
                guard let item = rule["acr"] else { return nil }
                let named = rule["providers"]?.list?.compactMap(\.text)
                guard !(named.map { $0.contains(where: able.contains) } ?? !able.isEmpty) else { return nil }
                return Diagnostic(
                    .impossibleACR, at: item.referenceSpan, "no user can have a sign-in with one of these classes", label: "never matches",
                    help: "only OpenID Connect providers send `acr`")
            }
        })
}
