import Config
import Diagnostics

extension RuleName {
    static let tlsWithoutHTTPS = RuleName("tls-without-https")
}

extension Rule {
    static let tlsWithoutHTTPS = Rule(
        .tlsWithoutHTTPS, what: "An upstream has `tls`, but none of its targets uses https.",
        why: "`tls` has no effect. Requests, which carry the users' identities, are sent unencrypted.",
        instead: "Write the targets as `https://…`, or remove `tls`.",
        bad: Example(
            """
            upstream:
              targets: http://app.internal.example:8443
              «tls»: { authority: app.crt }
            """),
        good: Example(
            """
            upstream:
              targets: https://app.internal.example:8443
              tls: { authority: app.crt }
            """),
        check: { context in
            context.upstreams.compactMap { upstream in
                guard !upstream.isIncomplete, !upstream.schemes.contains(.https), let span = upstream.object?.keySpan("tls") else {
                    return nil
                }
                return Diagnostic(
                    .tlsWithoutHTTPS, at: span, "`tls` applies to `https` targets, and this upstream has none",
                    label: "has no effect",
                    help: "write the targets as `https://…`, or remove `tls`",
                    related: upstream.targets.first.map { [RelatedPlace("not encrypted", at: $0.item.referenceSpan)] } ?? [])
            }
        })
}
