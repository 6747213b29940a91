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

    private init(name: String) {
        // `OpenSSLCheck` found it at start. Nothing here works without SHA-2.
        guard let pointer = EVP_MD_fetch(nil, name, nil) else { fatalError("OpenSSL has no \(name)") }
        self.pointer = pointer
        self.size = Int(EVP_MD_get_size(pointer))
    }
}
