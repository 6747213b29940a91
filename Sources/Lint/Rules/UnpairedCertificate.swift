import Config
import Diagnostics

extension RuleName {
    static let unpairedCertificate = RuleName("unpaired-certificate")
}

extension Rule {
    static let unpairedCertificate = Rule(
        .unpairedCertificate, what: "An upstream's `tls` has a client certificate without its key, or a key without its certificate.",
        why:
            "The gateway needs both to authenticate. With only one of them, it sends no certificate, and the upstream rejects the connection.",
        instead: "Set both, or neither.",
        bad: Example(
            """
            upstream:
              targets: https://app.internal.example:8443
              tls: { «certificate»: app.crt }
            """),
        good: Example(
            """
            upstream:
              targets: https://app.internal.example:8443
              tls: { certificate: app.crt, key: app.key }
            """),
        check: { context in
            context.upstreams.compactMap { upstream in
                guard let tls = upstream.object?["tls"]?.object else { return nil }
                for (present, absent) in [("certificate", "key"), ("key", "certificate")] where tls.isPlainlyMissing(absent) {
                    guard let span = tls.keySpan(present) else { continue }
                    return Diagnostic(
                        .unpairedCertificate, at: span, "`\(present)` needs `\(absent)`", label: "half of a pair",
                        help: "add `\(absent): /path/to/file.pem`, or remove `\(present)`")
                }
                return nil
            }
        })
}
