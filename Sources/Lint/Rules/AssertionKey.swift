import Config
import Diagnostics
import TokenCrypto

extension RuleName {
    static let assertionKey = RuleName("assertion-key")
}

extension Rule {
    static let assertionKey = Rule(
        .assertionKey, what: "A key of `identity.assertion` is not an ES256 private key in PEM format.",
        why: "The gateway signs assertions with ES256. The key must be a P-256 private key without a passphrase.",
        instead: "Create a key with `gateway keygen assertion > assertion.pem`, and add `${file:./assertion.pem}` to `keys`.",
        bad: Example(
            """
            identity: { assertion: { keys: ["«${env:ACME_CLIENT_SECRET}»"] } }
            """),
        good: Example(
            """
            identity: { assertion: { audience: my-app, lifetime: 2m } }
            """),
        check: { context in
            (context.root["identity"]?.object?["assertion"]?.object?["keys"]?.list ?? []).compactMap { item in
                guard let text = item.text, (try? SigningKey(pem: text, algorithm: .es256)) == nil else { return nil }
                return Diagnostic(
                    .assertionKey, at: item.referenceSpan, "this is not an ES256 private key in PEM format", label: "cannot sign",
                    help: "run `gateway keygen assertion > assertion.pem`, and write `${file:./assertion.pem}`")
            }
        })
}
