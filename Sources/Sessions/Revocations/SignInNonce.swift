import Primitives
import TokenCrypto

/// The `nonce` of the gateway's own sign-ins, which marks their ID tokens: programs that get ID tokens themselves choose another nonce.
package enum SignInNonce {
    private static let mark = "gateway-"

    /// 256 random bits behind the mark.
    package static func random() -> String { mark + Base64URL.encode(SecureRandom.bytes(32)) }

    /// Whether an ID token with this claim was issued for a sign-in at a gateway.
    package static func marks(_ claim: String?) -> Bool { claim.map { $0.utf8.starts(with: mark.utf8) } ?? false }

    /// Whether the gateway may have received an ID token with this claim. Refreshed ID tokens need not repeat the nonce (OpenID Connect
    /// Core 1.0 section 12.2).
    package static func isPossiblyOwn(_ claim: String?) -> Bool { claim == nil || marks(claim) }
}
