import COpenSSL

/// A digest fetched from OpenSSL once, because fetching it by name costs more than hashing a short text.
///
/// Unchecked: a fetched `EVP_MD` is immutable and OpenSSL shares it between threads.
struct DigestAlgorithm: @unchecked Sendable {
    let pointer: OpaquePointer
    let size: Int

    static let sha256 = DigestAlgorithm(name: "SHA2-256")
    static let sha384 = DigestAlgorithm(name: "SHA2-384")
    static let sha512 = DigestAlgorithm(name: "SHA2-512")

    /// For one-time codes (RFC 6238) only. Nil where the machine's OpenSSL configuration has none: nothing else needs it.
    static let sha1 = DigestAlgorithm(found: "SHA1")

    private init(name: String) {
        // `OpenSSLCheck` found it at start. Nothing here works without SHA-2.
        guard let found = DigestAlgorithm(found: name) else { fatalError("OpenSSL has no \(name)") }
        self = found
    }

    private init?(found name: String) {
        guard let pointer = EVP_MD_fetch(nil, name, nil) else {
            ERR_clear_error()
            return nil
        }
        self.pointer = pointer
        self.size = Int(EVP_MD_get_size(pointer))
    }
}
