import TokenCrypto

/// One key of each algorithm, made once: RSA keys take long.
enum TestKeys {
    static let all: [JWSAlgorithm: SigningKey] = {
        let rsa = SigningKey.generate(.rs256).pem
        var keys: [JWSAlgorithm: SigningKey] = [:]
        for algorithm in JWSAlgorithm.allCases where !algorithm.isSymmetric {
            switch algorithm {
            case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
                keys[algorithm] = try? SigningKey(pem: rsa, algorithm: algorithm, keyID: "key-\(algorithm.rawValue)")
            default:
                keys[algorithm] = SigningKey.generate(algorithm, keyID: "key-\(algorithm.rawValue)")
            }
        }
        return keys
    }()

    static let secret = [UInt8](repeating: 7, count: 64)

    /// The public halves as a set.
    static func set(_ algorithms: JWSAlgorithm...) -> JWKSet {
        set(algorithms.compactMap { all[$0]?.publicJWK })
    }

    static func set(_ keys: [JSONValue]) -> JWKSet {
        (try? JWKSet(parsing: .object(["keys": .array(keys)]))) ?? .empty
    }
}

extension JSONValue {
    /// This object with some members replaced; `null` removes one.
    func with(_ members: [String: JSONValue]) -> JSONValue {
        .object((object ?? [:]).merging(members) { $1 }.filter { $0.value != .null })
    }
}
