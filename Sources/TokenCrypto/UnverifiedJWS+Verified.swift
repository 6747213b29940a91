extension UnverifiedJWS {
    /// How many keys a token without `kid` is tried against.
    static let maximumCandidates = 16

    /// The payload once the signature holds with a key of `keys` that fits `alg`, `use`, `key_ops` and `kid`.
    ///
    /// `alg` must be in `allowed`; HS* verifies with `secret` alone. A `kid` that no key has is `.unknownKeyID`,
    /// never another key. Without `kid` every fitting key is tried, at most 16. `jku`, `x5u`, `jwk`, `x5c` are ignored.
    ///
    /// A secret shorter than the hash is no usable key (RFC 7518 section 3.2). `crit` is refused whatever
    /// it names, because we understand no extension (RFC 7515 section 4.1.11).
    package func verified(with keys: JWKSet, secret: [UInt8]?, allowed: Set<JWSAlgorithm>) throws(JWSError) -> JSONValue {
        guard header["crit"] == nil else { throw .criticalHeader }
        guard let algorithm = JWSAlgorithm(rawValue: self.algorithm), sameBytes(algorithm.rawValue, self.algorithm),
            allowed.contains(algorithm)
        else { throw .algorithmNotAllowed }
        if algorithm.isSymmetric {
            try verifyCode(algorithm, secret: secret)
        } else {
            try verifySignature(algorithm, candidates: candidates(algorithm, in: keys))
        }
        return payload
    }

    private func verifyCode(_ algorithm: JWSAlgorithm, secret: [UInt8]?) throws(JWSError) {
        guard let digest = algorithm.digest, let secret, secret.count >= digest.size else { throw .noUsableKey }
        guard constantTimeEqual(HMAC.code(key: secret, signingInput, digest), signature) else { throw .signatureInvalid }
    }

    private func candidates(_ algorithm: JWSAlgorithm, in set: JWKSet) throws(JWSError) -> [PublicKey] {
        if let keyID, !set.lists(keyID) { throw .unknownKeyID }
        let fitting = set.keys.lazy.filter { key in
            key.serves(algorithm) && keyID.map { wanted in key.keyID.map { sameBytes($0, wanted) } ?? false } ?? true
        }
        let candidates = Array(fitting.prefix(Self.maximumCandidates).map(\.key))
        guard !candidates.isEmpty else { throw .noUsableKey }
        return candidates
    }

    private func verifySignature(_ algorithm: JWSAlgorithm, candidates: [PublicKey]) throws(JWSError) {
        guard candidates.contains(where: { $0.verifies(signature, of: signingInput, algorithm) }) else { throw .signatureInvalid }
    }
}
