import Primitives
import Config
import Diagnostics

extension Rule {
    static let cookieDomain = Rule(
        .cookieDomain, what: "The cookie domain is a URL, a public suffix, or not a parent of `publicURL`'s host.",
        why:
            "Browsers reject such a cookie, so no user stays signed in. With a public suffix, sites of other owners could receive the cookie.",
        instead: "Remove `session.cookie.domain`, or set it to a parent domain of `publicURL`'s host.",
        bad: Example("session: { cookie: { domain: «example.org» }, keys: [\"${file:./session.key}\"] }\n"),
        good: Example("session: { cookie: { domain: example.com }, keys: [\"${file:./session.key}\"] }\n"),
        check: { context in
            guard let item = context.session?["cookie"]?.object?["domain"], let domain = context.configuration.session.cookieDomain,
                let host = context.configuration.server.publicURL?.host, host != domain, !host.hasSuffix("." + domain)
            else { return [] }
            return [
                Diagnostic(
                    .cookieDomain, at: item.referenceSpan, "the cookie domain is not a parent of `publicURL`'s host",
                    label: "browsers refuse the cookie", help: "remove it, or write a parent domain of `\(host)`",
                    related: context.server?["publicURL"].map { [RelatedPlace("the host is here", at: $0.span)] } ?? [])
            ]
        })
}
