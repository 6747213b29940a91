import Accounts
import Primitives
import TokenCrypto

/// What is derived from the secret of a pending value: 256 random bits that only a sealed text holds.
struct CeremonySecret: Sendable, Equatable {
    let bytes: [UInt8]

    /// What is challenged must be unpredictable and used once (WebAuthn section 13.4.3). Nobody without the sealed text can predict this,
    /// and the ceremony itself is completed once.
    func webAuthnChallenge(_ factor: String) -> [UInt8] { HMAC.sha256(key: bytes, Array("gateway webauthn challenge v1\0\(factor)".utf8)) }

    /// The subject of its attempt limit.
    var subject: String { Base64URL.encode(SHA2.sha256(Array("attempts\0".utf8) + bytes)) }
}

extension Pending {
    var ceremony: CeremonySecret { CeremonySecret(bytes: secret) }
}
