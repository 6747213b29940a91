import Config
import Diagnostics
import Providers
import TokenCrypto

extension RuleName {
    static let unusablePrivateKey = RuleName("unusable-private-key")
}

extension Rule {
    static let unusablePrivateKey = Rule(
        .unusablePrivateKey,
        what: "`privateKey` is not a private key, or the provider does not accept signatures made with this type of key.",
        why:
            "Every sign-in would fail. A certificate, a public key, a key with a passphrase or a key of the wrong type cannot sign for this provider.",
        instead:
            "Use an unencrypted private key in PEM format: RSA of 2048 to 8192 bits, P-256, P-384, P-521 or Ed25519. For Apple, use the downloaded P-256 key (`AuthKey_….p8`); for Login.gov and Microsoft, use RSA.",
        bad: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientAuthentication: private_key_jwt
                privateKey: «${file:./session.key}»
            """),
        good: Example(
            """
            providers:
              - id: oidc.acme
                issuer: https://auth.example.com
                clientID: acme-web
                clientAuthentication: private_key_jwt
                privateKey: ${file:./client.pem}
            """),
        check: { context in context.providers.compactMap(finding) })

    private static func finding(_ provider: LintContext.Provider) -> Diagnostic? {
        guard let item = provider.object["privateKey"], let pem = item.text, !pem.isEmpty else { return nil }
        let allowed = provider.preset?.habits.keyAlgorithms
        var isKey = false
        for algorithm in JWSAlgorithm.allCases where !algorithm.isSymmetric {
            do throws(JWSError) {
                _ = try SigningKey(pem: pem, algorithm: algorithm)
                isKey = true
                if allowed?.contains(algorithm.rawValue) ?? true { return nil }
            } catch {
                if case .malformed = error {
                    return refusal(item, "`privateKey` is not an unencrypted private key in PEM format", "not a private key")
                }
            }
        }
        let wanted = allowed.map { $0.joined(separator: " or ") }
        return isKey
            ? refusal(
                item, "`\(provider.id)` needs a key for \(wanted ?? "another algorithm"), and this key is of another type",
                "wrong type of key")
            : refusal(item, "no supported signature algorithm uses a key of this type or size", "unusable key")
    }

    /// A diagnostic that never quotes the value.
    private static func refusal(_ item: Item, _ message: String, _ label: String) -> Diagnostic {
        Diagnostic(
            .unusablePrivateKey, at: item.referenceSpan, message, label: label,
            help: "use the private key's PEM text, which starts with `-----BEGIN PRIVATE KEY-----` or names the key type there")
    }
}
