import COpenSSL

package enum HMAC {
    package static func sha256(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] { code(key: key, bytes, .sha256) }
    package static func sha384(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] { code(key: key, bytes, .sha384) }
    package static func sha512(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] { code(key: key, bytes, .sha512) }

    /// For one-time codes (RFC 6238), whose security does not rest on collisions. Nil where OpenSSL has no SHA-1.
    package static func sha1(key: [UInt8], _ bytes: [UInt8]) -> [UInt8]? { DigestAlgorithm.sha1.map { code(key: key, bytes, $0) } }

    static func code(key: [UInt8], _ bytes: [UInt8], _ algorithm: DigestAlgorithm) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: algorithm.size) { output, count in
            var size: UInt32 = 0
            let result = COpenSSL.HMAC(
                algorithm.pointer, key, Int32(key.count), bytes, bytes.count, output.baseAddress, &size)
            precondition(result != nil, "the HMAC failed: out of memory")
            count = Int(size)
        }
    }
}
