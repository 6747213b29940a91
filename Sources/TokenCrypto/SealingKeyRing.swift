import COpenSSL
import Primitives

/// AES-256-GCM with a random 96-bit nonce per seal, and a ring of keys: the first seals, every key opens.
///
/// Sealed form: version byte 1 ‖ 4-byte key id (from the key's hash) ‖ nonce ‖ ciphertext ‖ 16-byte tag.
/// Version and key id are authenticated together with the caller's associated data. With random nonces, a
/// key is safe for 2^32 seals (NIST SP 800-38D section 8.3): 1,000 per second for 49 days, far
/// more at the rate of sign-ins and renewals.
package struct SealingKeyRing: Sendable {
    private let keys: [SealingKey]

    /// `keys` contains at least one key of at least 32 bytes. HKDF derives each key with `purpose`, so that one
    /// configured key never serves two purposes. Traps otherwise, because the configuration has checked both.
    package init(keys: [[UInt8]], purpose: String) {
        precondition(!keys.isEmpty && keys.allSatisfy { $0.count >= 32 })
        self.keys = keys.map { SealingKey(secret: $0, purpose: purpose) }
    }

    fileprivate init(_ keys: [SealingKey]) { self.keys = keys }

    package func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        let key = keys[0]
        let header = [SealedLayout.version] + key.id
        let nonce = SecureRandom.bytes(SealedLayout.nonceSize)
        return header + nonce + key.encrypt(plaintext, nonce: nonce, header: header, associatedData: associatedData)
    }

    /// Nil for every kind of failure.
    package func open(_ sealed: [UInt8], associatedData: [UInt8]) -> [UInt8]? {
        open(sealed.span.bytes, associatedData: associatedData)
    }

    /// Nil for every kind of failure. The result is the only Swift allocation.
    package func open(_ sealed: RawSpan, associatedData: [UInt8]) -> [UInt8]? {
        guard sealed.byteCount >= SealedLayout.overhead, sealed[0] == SealedLayout.version else { return nil }
        // Two keys may have the same id by chance, so each match is tried.
        let keyID = sealed.extracting(SealedLayout.keyID)
        for key in keys where keyID.equals(key.id) {
            if let plaintext = key.decrypt(sealed, associatedData: associatedData) { return plaintext }
        }
        return nil
    }
}

/// Like `SealingKeyRing`, with a key of its own for each salt: without the salt, a text cannot be opened.
package struct SaltedKeyRing: Sendable {
    private let keys: [SaltedKey]

    /// `keys` as for `SealingKeyRing`.
    package init(keys: [[UInt8]], purpose: String) {
        precondition(!keys.isEmpty && keys.allSatisfy { $0.count >= 32 })
        self.keys = keys.map { SaltedKey(secret: $0, purpose: purpose) }
    }

    package func seal(_ plaintext: [UInt8], salt: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        SealingKeyRing([keys[0].key(for: salt)]).seal(plaintext, associatedData: associatedData)
    }

    /// Nil for every kind of failure.
    package func open(_ sealed: [UInt8], salt: [UInt8], associatedData: [UInt8]) -> [UInt8]? {
        let named = keys.filter { $0.mayOpen(sealed.span.bytes) }
        return SealingKeyRing(named.map { $0.key(for: salt) }).open(sealed, associatedData: associatedData)
    }
}

/// The layout of a sealed text.
enum SealedLayout {
    static let version: UInt8 = 1
    static let keyID = 1..<5
    static let headerSize = 5
    static let nonceSize = 12
    static let tagSize = 16
    static let overhead = headerSize + nonceSize + tagSize
}
