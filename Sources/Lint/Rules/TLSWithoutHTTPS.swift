import Config
import Diagnostics

extension Rule {
    static let tlsWithoutHTTPS = Rule(
        .tlsWithoutHTTPS, what: "An upstream has `tls`, and no target that speaks TLS.",
        why: "The keys do nothing: requests, with everybody's identity in them, go in clear text although somebody meant to encrypt them.",
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
                    .tlsWithoutHTTPS, at: span, "`tls` says how to recognise `https` targets, and there is none here",
                    label: "does nothing",
                    help: "write the targets as `https://…`, or remove `tls`",
                    related: upstream.targets.first.map { [RelatedPlace("clear text", at: $0.item.referenceSpan)] } ?? [])
            }
        })
}
