import COpenSSL

package enum HKDF {
    /// Derives a key with RFC 5869 and SHA-256.
    ///
    /// `key` must not be empty, and `length` must be 1 to 8160 bytes (RFC 5869 section 2.3); other values
    /// are programming errors and trap. An empty salt counts as absent.
    package static func sha256(key: [UInt8], salt: [UInt8], info: [UInt8], length: Int) -> [UInt8] {
        precondition(!key.isEmpty && (1...255 * 32).contains(length))
        return [UInt8](unsafeUninitializedCapacity: length) { output, count in
            let status = gateway_hkdf_sha256(key, key.count, salt, salt.count, info, info.count, output.baseAddress, length)
            precondition(status == 1, "the key derivation failed: out of memory")
            count = length
        }
    }
}
