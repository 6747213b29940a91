import Primitives

extension UnverifiedJWS {
    /// The maximum number of keys tried for a token without `kid`.
    static let maximumCandidates = 16

    /// Returns the payload if a key of `keys` that fits `alg`, `use`, `key_ops` and `kid` verifies the signature.
    ///
    /// `alg` must be in `allowed`; HS* verifies with `secret` only. A `kid` without a key throws `.unknownKeyID`
    /// and never tries another key. Without `kid`, up to 16 fitting keys are tried. `jku`, `x5u`, `jwk` and `x5c` are ignored.
    ///
    /// A secret shorter than the hash is not a usable key (RFC 7518 section 3.2). Every `crit` is rejected,
    /// because no extension is supported (RFC 7515 section 4.1.11).
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
