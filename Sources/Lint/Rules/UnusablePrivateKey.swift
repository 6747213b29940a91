import Config
import Diagnostics
import Providers
import TokenCrypto

extension Rule {
    static let unusablePrivateKey = Rule(
        .unusablePrivateKey, what: "`privateKey` is no private key that this provider can verify signatures of.",
        why:
            "The gateway signs with it at the first sign-in, and that is too late to find out. A certificate, a public key, a key behind a passphrase or one of the wrong type signs nothing.",
        instead:
            "Give an unencrypted private key in PEM: RSA of 2048 to 8192 bits, P-256, P-384, P-521 or Ed25519; for Apple P-256 as downloaded (`AuthKey_….p8`), for Login.gov and Microsoft RSA.",
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
                    return refusal(item, "`privateKey` is not an unencrypted private key in PEM", "not a private key")
                }
            }
        }
        let wanted = allowed.map { $0.joined(separator: " or ") }
        return isKey
            ? refusal(item, "`\(provider.id)` takes no key of this type: it is for \(wanted ?? "another algorithm")", "wrong type of key")
            : refusal(item, "`privateKey` is of a type or size that no signature algorithm here takes", "no usable key")
    }

    /// Never quotes the value.
    private static func refusal(_ item: Item, _ message: String, _ label: String) -> Diagnostic {
        Diagnostic(
            .unusablePrivateKey, at: item.referenceSpan, message, label: label,
            help: "give the private key's own PEM: it begins with `-----BEGIN PRIVATE KEY-----`, or names the type of key there")
    }
}
