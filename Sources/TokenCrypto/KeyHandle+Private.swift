import COpenSSL

extension KeyHandle {
    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Generates a key pair; RSA has 2048 bits.
    static func generate(_ kind: KeyKind) -> KeyHandle {
        let name =
            switch kind {
            case .rsa: "RSA"
            case .ec: "EC"
            case .ed25519: "ED25519"
            case .ed448: "ED448"
            }
        let context = EVP_PKEY_CTX_new_from_name(nil, name, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var succeeded = EVP_PKEY_keygen_init(context) == 1
        switch kind {
        case .rsa: succeeded = succeeded && EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1
        case .ec(let curve): succeeded = succeeded && EVP_PKEY_CTX_set_group_name(context, curve.groupName) == 1
        case .ed25519, .ed448: break
        }
        var key: OpaquePointer?
        succeeded = succeeded && EVP_PKEY_generate(context, &key) == 1
        // `OpenSSLCheck` found EC and RSA at start (the Edwards curves are for tests only), so this fails only without memory or
        // randomness, and an incomplete key is unusable.
        guard succeeded, let key else { fatalError("OpenSSL cannot make a key of kind \(name)") }
        return KeyHandle(owning: key)
    }

    /// Nil unless the text is a private key without a passphrase. Never prompts for one.
    convenience init?(privatePEM pem: String) {
        let key = Array(pem.utf8).withUnsafeBytes { bytes -> OpaquePointer? in
            // OpenSSL reads the bytes in place.
            guard let file = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(file) }
            return PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let key else {
            ERR_clear_error()
            return nil
        }
        self.init(owning: key)
    }

    /// The key in unencrypted PKCS#8.
    var privatePEM: String {
        // A failed allocation ends the process, as everywhere in Swift.
        guard let file = BIO_new(BIO_s_mem()) else { fatalError("out of memory") }
        defer { BIO_free(file) }
        let status = PEM_write_bio_PKCS8PrivateKey(file, pointer, nil, nil, 0, nil, nil)
        precondition(status == 1, "the key has no private half")
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(file))
        let count = BIO_read(file, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
    }

    /// A signature in the format of JWS.
    func sign(_ message: [UInt8], _ algorithm: JWSAlgorithm, _ kind: KeyKind) -> [UInt8] {
        // A failed allocation ends the process, as everywhere in Swift.
        guard let context = EVP_MD_CTX_new() else { fatalError("out of memory") }
        defer { EVP_MD_CTX_free(context) }
        var keyContext: OpaquePointer?  // belongs to `context`
        var size = 0
        var succeeded = EVP_DigestSignInit(context, &keyContext, algorithm.digest?.pointer, nil, pointer) == 1
        if algorithm.isRSAPSS { succeeded = succeeded && RSAPSS.configure(keyContext) }
        succeeded = succeeded && EVP_DigestSign(context, nil, &size, message, message.count) == 1
        var signature = [UInt8](repeating: 0, count: size)
        succeeded = succeeded && EVP_DigestSign(context, &signature, &size, message, message.count) == 1
        // `SigningKey` has checked that the key fits the algorithm.
        precondition(succeeded, "OpenSSL cannot sign")
        signature.removeLast(signature.count - size)
        guard case .ec(let curve) = kind else { return signature }
        // OpenSSL wrote this DER; if it is invalid, there is a defect, and no token may be issued.
        guard let raw = ECDSASignature.raw(signature, curve) else { fatalError("OpenSSL made a signature that is none") }
        return raw
    }
}
