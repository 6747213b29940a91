import COpenSSL

extension PublicKey {
    /// Returns whether this is a signature of `message` in the format of JWS (RFC 7518 section 3, RFC 8037 section 3.1).
    ///
    /// Also false for a signature of the wrong length, and for an ECDSA signature with a zero half.
    func verifies(_ signature: [UInt8], of message: [UInt8], _ algorithm: JWSAlgorithm) -> Bool {
        guard algorithm.fits(kind) else { return false }
        switch kind {
        case .rsa:
            guard signature.count == Int(EVP_PKEY_get_size(handle.pointer)) else { return false }
            return check(signature, message, algorithm)
        case .ec(let curve):
            guard let encoded = ECDSASignature.derEncoded(signature, curve) else { return false }
            return check(encoded, message, algorithm)
        case .ed25519, .ed448:
            return check(signature, message, algorithm)
        }
    }

    private func check(_ signature: [UInt8], _ message: [UInt8], _ algorithm: JWSAlgorithm) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        var keyContext: OpaquePointer?  // belongs to `context`
        var holds = EVP_DigestVerifyInit(context, &keyContext, algorithm.digest?.pointer, nil, handle.pointer) == 1
        if algorithm.isRSAPSS { holds = holds && RSAPSS.configure(keyContext) }
        holds = holds && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !holds { ERR_clear_error() }
        return holds
    }
}
