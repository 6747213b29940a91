import COpenSSL
import Primitives
import Synchronization

/// A key of a `SealingKeyRing`, for AES-256-GCM.
struct SealingKey: Sendable {
    /// Identifies the key in a sealed text, and reveals nothing about it.
    let id: [UInt8]
    fileprivate let key: [UInt8]
    fileprivate let decryption: DecryptionContext

    fileprivate init(id: [UInt8], key: [UInt8], _ decryption: DecryptionContext) {
        self.id = id
        self.key = key
        self.decryption = decryption
    }

    init(secret: [UInt8], purpose: String) {
        decryption = DecryptionContext()
        key = HKDF.sha256(key: secret, salt: [], info: Array("gateway seal v1 key \(purpose)".utf8), length: 32)
        id = HKDF.sha256(key: secret, salt: [], info: Array("gateway seal v1 id \(purpose)".utf8), length: SealedLayout.keyID.count)
    }

    /// Returns ciphertext ‖ tag. Authenticates `header` and `associatedData`; the header's
    /// fixed length keeps them apart.
    func encrypt(_ plaintext: [UInt8], nonce: [UInt8], header: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        // A failed allocation ends the process, as everywhere in Swift: nothing unsealed may be sent instead.
        guard let context = EVP_CIPHER_CTX_new() else { fatalError("out of memory") }
        defer { EVP_CIPHER_CTX_free(context) }
        let size = plaintext.count + SealedLayout.tagSize
        return [UInt8](unsafeUninitializedCapacity: size) { output, count in
            let ciphertext = output.baseAddress!  // the capacity is at least the tag
            var length: Int32 = 0
            var succeeded = EVP_EncryptInit_ex2(context, CipherAlgorithm.aes256GCM.pointer, key, nonce, nil) == 1
            succeeded = succeeded && EVP_EncryptUpdate(context, nil, &length, header, Int32(header.count)) == 1
            succeeded = succeeded && EVP_EncryptUpdate(context, nil, &length, associatedData, Int32(associatedData.count)) == 1
            succeeded = succeeded && EVP_EncryptUpdate(context, ciphertext, &length, plaintext, Int32(plaintext.count)) == 1
            succeeded = succeeded && EVP_EncryptFinal_ex(context, ciphertext + plaintext.count, &length) == 1
            let tag = ciphertext + plaintext.count
            succeeded =
                succeeded && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(SealedLayout.tagSize), tag) == 1
            precondition(succeeded, "AES-256-GCM failed: out of memory")
            count = size
        }
    }

    /// Nil unless the tag is valid. `sealed` has at least `SealedLayout.overhead` bytes.
    func decrypt(_ sealed: RawSpan, associatedData: [UInt8]) -> [UInt8]? {
        sealed.withUnsafeBytes { sealed in decryption.with { decrypt(sealed, associatedData, $0) } }
    }

    /// `context`: its cipher is set.
    private func decrypt(_ sealed: UnsafeRawBufferPointer, _ associatedData: [UInt8], _ context: OpaquePointer) -> [UInt8]? {
        guard let start = sealed.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let nonce = start + SealedLayout.headerSize
        let ciphertext = nonce + SealedLayout.nonceSize
        let size = sealed.count - SealedLayout.overhead
        // OpenSSL declares the tag as mutable but only reads it.
        let tag = UnsafeMutableRawPointer(mutating: ciphertext + size)
        var succeeded = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: size) { output, count in
            var length: Int32 = 0
            var last: UInt8 = 0  // GCM has no final block; the pointer must be valid all the same
            succeeded = EVP_DecryptInit_ex2(context, nil, key, nonce, nil) == 1
            succeeded = succeeded && EVP_DecryptUpdate(context, nil, &length, start, Int32(SealedLayout.headerSize)) == 1
            succeeded = succeeded && EVP_DecryptUpdate(context, nil, &length, associatedData, Int32(associatedData.count)) == 1
            if size > 0 {
                succeeded = succeeded && EVP_DecryptUpdate(context, output.baseAddress, &length, ciphertext, Int32(size)) == 1
            }
            succeeded = succeeded && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(SealedLayout.tagSize), tag) == 1
            succeeded = succeeded && EVP_DecryptFinal_ex(context, &last, &length) == 1
            // Nothing is returned if the tag is invalid.
            count = succeeded ? size : 0
        }
        if !succeeded { ERR_clear_error() }
        return succeeded ? plaintext : nil
    }
}

/// Makes a `SealingKey` of its own for each salt.
struct SaltedKey: Sendable {
    private let id: [UInt8]
    private let code: HMACKey
    private let decryption = DecryptionContext()

    init(secret: [UInt8], purpose: String) {
        let key = SealingKey(secret: secret, purpose: purpose)
        id = key.id
        code = HMACKey(key.key)
    }

    /// Whether a sealed text names this key.
    func mayOpen(_ sealed: RawSpan) -> Bool {
        sealed.byteCount >= SealedLayout.overhead && sealed.extracting(SealedLayout.keyID).equals(id)
    }

    /// HKDF-Expand (RFC 5869 section 2.3) of one block, whose PRK is this key.
    func key(for salt: [UInt8]) -> SealingKey { SealingKey(id: id, key: code.code(salt + [1]), decryption) }
}

/// A context of OpenSSL for AES-256-GCM that is used again: to make one takes as long as to decrypt a short text.
///
/// Unchecked: the context is used by the holder of the lock only.
private final class DecryptionContext: @unchecked Sendable {
    private let context = DecryptionContext.make()
    private let lock = Mutex(())

    deinit { EVP_CIPHER_CTX_free(context) }

    /// `body` gets a context with the cipher, and sets key and nonce. A thread that finds the context in use makes another.
    func with(_ body: (OpaquePointer) -> [UInt8]?) -> [UInt8]? {
        if let result = lock.withLockIfAvailable({ _ in body(context) }) { return result }
        let another = Self.make()
        defer { EVP_CIPHER_CTX_free(another) }
        return body(another)
    }

    private static func make() -> OpaquePointer {
        // A failed allocation ends the process, as everywhere in Swift.
        guard let context = EVP_CIPHER_CTX_new(),
            EVP_DecryptInit_ex2(context, CipherAlgorithm.aes256GCM.pointer, nil, nil, nil) == 1
        else { fatalError("out of memory") }
        return context
    }
}

/// The cipher, fetched from OpenSSL once.
///
/// Unchecked: a fetched `EVP_CIPHER` is immutable and OpenSSL shares it between threads.
struct CipherAlgorithm: @unchecked Sendable {
    let pointer: OpaquePointer

    static let aes256GCM = CipherAlgorithm(name: "AES-256-GCM")

    private init(name: String) {
        // `OpenSSLCheck` found it at start. Without it, no session can be sealed or opened.
        guard let pointer = EVP_CIPHER_fetch(nil, name, nil) else { fatalError("OpenSSL has no \(name)") }
        self.pointer = pointer
    }
}
