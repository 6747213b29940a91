import Accounts
import Primitives
import TokenCrypto

/// Sealed JSON that only one purpose, and one browser or user, opens.
enum SealedSecret {
    private static let mostBytes = 16_384

    static func seal(_ members: [String: JSONValue], _ purpose: String, for owner: [UInt8], _ ring: SealingKeyRing) -> String {
        Base64URL.encode(ring.seal(JSONValue.object(members).serializedBytes(), associatedData: binding(purpose, owner)))
    }

    static func open(_ text: String, _ purpose: String, for owner: [UInt8], _ ring: SealingKeyRing) -> [String: JSONValue]? {
        guard text.utf8.count <= mostBytes, let sealed = Base64URL.decode(text),
            let bytes = ring.open(sealed, associatedData: binding(purpose, owner))
        else { return nil }
        return (try? JSONValue(parsing: bytes))?.object
    }

    private static func binding(_ purpose: String, _ owner: [UInt8]) -> [UInt8] { Array("gateway \(purpose) v1\0".utf8) + owner }
}

extension [String: JSONValue] {
    func bytes(_ name: String) -> [UInt8]? { self[name]?.string.flatMap(Base64URL.decode) }
}

/// A secret that names one ceremony, and what is derived from it. 256 random bits that only a sealed text holds.
struct CeremonySecret: Sendable, Equatable {
    let bytes: [UInt8]

    /// What is challenged must be unpredictable and used once (WebAuthn section 13.4.3). Nobody without the sealed text can predict this,
    /// and the ceremony itself is completed once.
    func webAuthnChallenge(_ factor: String) -> [UInt8] { HMAC.sha256(key: bytes, Array("gateway webauthn challenge v1\0\(factor)".utf8)) }

    /// The mark that the store sets when the ceremony is completed.
    func mark(_ purpose: String, expiresAt: Int64) -> OnceMark {
        OnceMark(digest: SHA2.sha256(Array("\(purpose)\0".utf8) + bytes), expiresAt: expiresAt)
    }

    /// The subject of its attempt limit.
    var subject: String { Base64URL.encode(SHA2.sha256(Array("attempts\0".utf8) + bytes)) }
}
