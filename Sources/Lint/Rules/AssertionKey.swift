import Config
import Diagnostics
import TokenCrypto

extension Rule {
    static let assertionKey = Rule(
        .assertionKey, what: "A key of `identity.assertion` is no ES256 private key in PEM.",
        why: "Assertions are signed with ES256, which takes a private key on the curve P-256 without a passphrase.",
        instead: "Make one with `gateway keygen assertion > assertion.pem` and refer to the file.",
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
                    .assertionKey, at: item.referenceSpan, "this is no ES256 private key in PEM", label: "cannot sign",
                    help: "make one with `gateway keygen assertion`, and write `${file:./assertion.pem}`")
            }
        })
}
