import TokenCrypto

/// The provider's signing keys. They are made when they are first needed, because making an RSA key takes a while.
struct KeyChain: Sendable {
    let algorithm: JWSAlgorithm
    private var keys: [SigningKey]
    private var number = 1
    private var foreignKey: SigningKey?

    init(algorithm: JWSAlgorithm, first: SigningKey?) {
        self.algorithm = algorithm
        keys = first.map { [$0] } ?? []
    }

    /// The key that signs.
    mutating func current() -> SigningKey {
        if let key = keys.last { return key }
        let key = SigningKey.generate(algorithm, keyID: "demo-1")
        keys = [key]
        return key
    }

    /// A key that is nobody's.
    mutating func attackers() -> SigningKey {
        if let foreignKey { return foreignKey }
        let key = SigningKey.generate(algorithm, keyID: "attacker")
        foreignKey = key
        return key
    }

    /// A new key signs; the one before it stays published.
    mutating func rotate() {
        let old = current()
        number += 1
        keys = [old, SigningKey.generate(algorithm, keyID: "demo-\(number)")]
    }

    /// The public halves.
    mutating func published() -> [JSONValue] {
        _ = current()
        return keys.map(\.publicJWK)
    }
}
