package enum HMACSigner {
    /// Creates a compact JWS with HS256/384/512. `header` is as for `SigningKey.sign`; another algorithm traps.
    package static func sign(payload: JSONValue, algorithm: JWSAlgorithm, secret: [UInt8], header: [String: JSONValue] = [:]) -> String {
        guard algorithm.isSymmetric, let digest = algorithm.digest else { preconditionFailure("\(algorithm) is not symmetric") }
        return CompactJWS.make(payload.serializedBytes(), header: ["alg": .string(algorithm.rawValue)], replacing: header) {
            HMAC.code(key: secret, $0, digest)
        }
    }
}
