import TokenCrypto

/// The name under which something that ended is remembered: 128 bits of a keyed hash, so that neither the memory nor the file of
/// revocations holds a session id, a `sid`, a subject or a token.
package struct RevocationDigest: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static let size = 16
}

/// Makes digests under a random key of its own.
///
/// The key is sealed with the session keys where digests are kept in a file. Session keys can therefore be rotated without making the
/// digests anew.
package struct RevocationDigester: Sendable, Equatable {
    package static let keySize = 32
    let key: [UInt8]

    package init() { key = SecureRandom.bytes(Self.keySize) }

    package init?(key: [UInt8]) {
        guard key.count == Self.keySize else { return nil }
        self.key = key
    }

    package func session(_ id: [UInt8]) -> RevocationDigest { digest(.session, [id]) }

    package func providerSession(issuer: String, sid: String) -> RevocationDigest {
        digest(.providerSession, [Array(issuer.utf8), Array(sid.utf8)])
    }

    package func user(issuer: String, subject: String) -> RevocationDigest { digest(.user, [Array(issuer.utf8), Array(subject.utf8)]) }

    /// Of an account's sessions; with `provider` those that were made with it.
    package func account(_ uid: String, provider: String? = nil) -> RevocationDigest {
        digest(.account, [uid, provider].compactMap { $0.map { Array($0.utf8) } })
    }

    /// Of all sessions of all users. No user's: those have two parts.
    package var everyone: RevocationDigest { digest(.user, []) }

    /// Of a JWT only what its signature covers: the signature's own text can be varied without making it invalid (spare bits of
    /// base64url, `s` and `n - s` of ECDSA).
    package func token(_ text: String) -> RevocationDigest {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let covered = parts.count == 3 ? text[..<parts[1].endIndex] : text[...]
        return digest(.token, [SHA2.sha256(Array(covered.utf8))])
    }

    /// Of the ID tokens of one sign-in. A single token has one part.
    func signIn(_ parts: [String]) -> RevocationDigest { digest(.token, parts.map { Array($0.utf8) }) }

    package func logoutToken(issuer: String, id: String) -> RevocationDigest { digest(.logoutToken, [Array(issuer.utf8), Array(id.utf8)]) }

    /// Each part has its length in front, so that no two lists of parts are the same bytes.
    private func digest(_ kind: RevocationRecord.Kind, _ parts: [[UInt8]]) -> RevocationDigest {
        var bytes = [kind.rawValue]
        for part in parts {
            bytes.append(bigEndian: UInt64(part.count))
            bytes += part
        }
        let code = HMAC.sha256(key: key, bytes)
        return RevocationDigest(high: UInt64(bigEndian: code[..<8]), low: UInt64(bigEndian: code[8..<16]))
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}

extension UInt64 {
    /// The number that eight bytes make in network order.
    init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
