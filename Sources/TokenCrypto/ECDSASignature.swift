import COpenSSL

/// Converts between r ‖ s of JWS (RFC 7518 section 3.4) and the DER of OpenSSL.
enum ECDSASignature {
    /// Nil unless `raw` has exactly the length of two coordinates and neither half is zero.
    static func derEncoded(_ raw: [UInt8], _ curve: EllipticCurve) -> [UInt8]? {
        guard raw.count == 2 * curve.size else { return nil }
        let (r, s) = (Array(raw[..<curve.size]), Array(raw[curve.size...]))
        guard r.contains(where: { $0 != 0 }), s.contains(where: { $0 != 0 }) else { return nil }
        guard let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        // ECDSA_SIG_set0 takes ownership of the numbers, which are positive and have an encodable size.
        guard let r = BN_bin2bn(r, Int32(r.count), nil), let s = BN_bin2bn(s, Int32(s.count), nil),
            ECDSA_SIG_set0(signature, r, s) == 1
        else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let length = i2d_ECDSA_SIG(signature, &encoded)
        guard length > 0, let encoded else { return nil }
        defer { CRYPTO_free(encoded, #file, #line) }
        return Array(UnsafeBufferPointer(start: encoded, count: Int(length)))
    }

    /// Nil if `encoded` is not a signature on this curve.
    static func raw(_ encoded: [UInt8], _ curve: EllipticCurve) -> [UInt8]? {
        encoded.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &start, buffer.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            guard let r = ECDSA_SIG_get0_r(signature), let s = ECDSA_SIG_get0_s(signature),
                let first = BigNumber.bytes(r, size: curve.size), let second = BigNumber.bytes(s, size: curve.size)
            else { return nil }
            return first + second
        }
    }
}
