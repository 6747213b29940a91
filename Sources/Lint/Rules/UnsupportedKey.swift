import Config
import Diagnostics
import Providers

extension Rule {
    static let unsupportedKey = Rule(
        .unsupportedKey, what: "A key or value of the format is not served by this version of the gateway.",
        why: "Ignoring it silently would leave out what it asks for, encryption or a second factor perhaps.",
        instead: "Remove it, or use a release that serves it.",
        bad: Example(
            """
            server:
              publicURL: https://app.example.com
              «tls»: { certificate: /etc/tls/tls.crt, key: /etc/tls/tls.key }
            """),
        good: Example("server: { publicURL: https://app.example.com }\n"),
        check: { context in UnsupportedFeatures.findings(context) })
}
