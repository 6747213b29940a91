import Config
import Diagnostics
import Providers

extension RuleName {
    static let ineffectiveLinking = RuleName("ineffective-linking", .warning)
    static let unverifiedLinking = RuleName("unverified-linking", .warning)
    static let noTrustedDomain = RuleName("no-trusted-domain", .warning)
    static let publicTrustedDomain = RuleName("public-trusted-domain", .warning)
    static let unusedTrustedDomains = RuleName("unused-trusted-domains", .warning)
}

extension Rule {
    static let ineffectiveLinking = Rule(
        .ineffectiveLinking, what: "`accounts.linking` is set, but there is nothing to link.",
        why:
            "`linking` decides about a second identity with the address of an existing account. With one provider, only the same provider could bring it, and that always asks for confirmation. With `onePerEmail: false`, every identity has an account of its own.",
        instead: "Remove `linking`, add a second provider, or remove `onePerEmail: false`.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              linking: «verified-email»
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            """),
        check: { context in
            guard let item = context.accounts?["linking"], let linking = item.text, let accounts = context.configuration.accounts else {
                return []
            }
            if !accounts.onePerEmail, let other = context.accounts?.keySpan("onePerEmail") {
                return [
                    Diagnostic(
                        .ineffectiveLinking, at: item.referenceSpan, "with `onePerEmail: false`, every new identity gets a new account",
                        label: "no effect", help: "remove `linking`, or remove `onePerEmail: false`",
                        related: [RelatedPlace("several accounts per address", at: other)])
                ]
            }
            // `never` also refuses a second identity of the same provider.
            guard linking != AccountsConfiguration.Linking.never.rawValue, !context.hasUnreadableProvider,
                context.enabledProvidersWithAddress.count == 1
            else { return [] }
            return [
                Diagnostic(
                    .ineffectiveLinking, at: item.referenceSpan, "there is only one provider, so there is nothing to link",
                    label: "no effect", help: "remove `linking`, or add a second provider")
            ]
        })

    static let unverifiedLinking = Rule(
        .unverifiedLinking,
        what: "`linking: verified-email` and open sign-up meet a provider that never verifies addresses.",
        why:
            "Anyone can create an account with someone else's address there. The owner of the address later takes the account over, and the first user loses it. The users of that provider are never linked.",
        instead:
            "Use `linking: confirm`. For your own directory, set `trustEmail: true`. Or close the sign-up with `signUp: closed`.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              linking: «verified-email»
            providers:
              - id: spotify.com
                clientID: 5fe01282e44241328a84e7c5cc169165
                clientSecret: ${env:SPOTIFY_CLIENT_SECRET}
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            routes: [{ path: /**, access: { groups: [staff] } }]
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              linking: confirm
            providers:
              - id: spotify.com
                clientID: 5fe01282e44241328a84e7c5cc169165
                clientSecret: ${env:SPOTIFY_CLIENT_SECRET}
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            routes: [{ path: /**, access: { groups: [staff] } }]
            """),
        check: { context in
            guard let item = context.accounts?["linking"], let accounts = context.configuration.accounts, accounts.onePerEmail,
                accounts.linking == .verifiedEmail, accounts.signUp == .open, context.enabledProvidersWithAddress.count > 1
            else { return [] }
            let silent = context.providers.filter { $0.configuration.enabled && $0.settings?.vouchesForEmail == false }
            guard let first = silent.first else { return [] }
            return [
                Diagnostic(
                    .unverifiedLinking, at: item.referenceSpan, "`\(first.id)` does not say whether an address is verified",
                    label: "its users are never linked",
                    help: "write `linking: confirm`; for your own directory, set `trustEmail: true`; or write `signUp: closed`",
                    related: silent.map { RelatedPlace("this provider", at: $0.idSpan) })
            ]
        })

    static let noTrustedDomain = Rule(
        .noTrustedDomain, what: "`linking: trusted-domains` is set, but no provider runs the mailboxes of its users.",
        why: "Then no identity is ever linked by its address, and `trusted-domains` behaves like `confirm`.",
        instead:
            "Add `trustedDomains` to the provider that runs your mail, or write `linking: confirm`. `google.com`, `yahoo.com`, `microsoft.com` and `apple.com` have trusted domains of their own.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              linking: «trusted-domains»
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
              - id: oidc.partners
                issuer: https://partners.example.com
                clientID: acme-partners
                clientSecret: ${env:PARTNERS_SECRET}
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              linking: trusted-domains
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                trustedDomains: [example.com]
              - id: oidc.partners
                issuer: https://partners.example.com
                clientID: acme-partners
                clientSecret: ${env:PARTNERS_SECRET}
            """),
        check: { context in
            guard let item = context.accounts?["linking"], let accounts = context.configuration.accounts, accounts.onePerEmail,
                accounts.linking == .trustedDomains, !context.hasUnreadableProvider, context.enabledProvidersWithAddress.count > 1
            else { return [] }
            let trusted = context.providers.contains { provider in
                provider.configuration.enabled
                    && (provider.object["trustedDomains"] != nil || provider.preset.map { mailboxProviders.contains($0.id) } ?? true)
            }
            guard !trusted else { return [] }
            return [
                Diagnostic(
                    .noTrustedDomain, at: item.referenceSpan, "no provider has a trusted domain", label: "same as `confirm`",
                    help: "add `trustedDomains: [example.com]` to the provider that runs these mailboxes, or write `confirm`")
            ]
        })

    /// The presets that run the mailboxes of their users.
    static let mailboxProviders: Set<String> = ["google.com", "yahoo.com", "microsoft.com", "apple.com"]

    static let publicTrustedDomain = Rule(
        .publicTrustedDomain, what: "`trustedDomains` contains a public suffix, or the domain of a public mail service.",
        why:
            "A provider in `trustedDomains` opens the accounts of everyone with an address in that domain. Only the operator of the mailboxes can prove who owns them. Domains are compared whole, so a public suffix matches no address.",
        instead: "List only domains whose mailboxes this provider runs.",
        bad: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              linking: trusted-domains
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                trustedDomains: [«gmail.com», «co.uk»]
              - id: oidc.partners
                issuer: https://partners.example.com
                clientID: acme-partners
                clientSecret: ${env:PARTNERS_SECRET}
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
              linking: trusted-domains
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                trustedDomains: [example.com]
              - id: oidc.partners
                issuer: https://partners.example.com
                clientID: acme-partners
                clientSecret: ${env:PARTNERS_SECRET}
            """),
        check: { context in
            context.providers.flatMap { provider in
                (provider.object["trustedDomains"]?.list ?? []).compactMap { item -> Diagnostic? in
                    guard let domain = item.text?.lowercased() else { return nil }
                    if PublicSuffixes.contains(domain) {
                        return Diagnostic(
                            .publicTrustedDomain, at: item.referenceSpan, "this is a public suffix, not the domain of mail addresses",
                            label: "matches no address", help: "write the whole domain, like `example.com`")
                    }
                    guard publicMailDomains.contains(domain) else { return nil }
                    return Diagnostic(
                        .publicTrustedDomain, at: item.referenceSpan,
                        "`\(provider.id)` could open the account of anyone with an address in this domain", label: "a public mail service",
                        help: "remove it; list only domains whose mailboxes this provider runs")
                }
            }
        })

    static let unusedTrustedDomains = Rule(
        .unusedTrustedDomains,
        what: "A provider has `trustedDomains` that have no effect.",
        why: "Only `accounts.linking: trusted-domains` reads them, and only for addresses that the provider has verified.",
        instead: "Remove the key, write `linking: trusted-domains`, or set `trustEmail: true` for your own directory.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
                «trustedDomains»: [example.com]
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientSecret: ${env:ACME_CLIENT_SECRET}
            """),
        check: { context in
            guard context.accounts != nil || context.root.isPlainlyMissing("accounts"),
                context.accounts?["linking"]?.isUnreadable != true
            else { return [] }
            return context.providers.compactMap { provider in
                guard let span = provider.object.keySpan("trustedDomains") else { return nil }
                if context.configuration.accounts?.linking != .trustedDomains {
                    return Diagnostic(
                        .unusedTrustedDomains, at: span, "`trustedDomains` needs `accounts.linking: trusted-domains`", label: "no effect",
                        help: "remove it, or write `linking: trusted-domains`")
                }
                guard provider.settings?.vouchesForEmail == false else { return nil }
                return Diagnostic(
                    .unusedTrustedDomains, at: span, "`\(provider.id)` does not say whether an address is verified", label: "no effect",
                    help: "remove it; for your own directory, set `trustEmail: true`")
            }
        })
}
