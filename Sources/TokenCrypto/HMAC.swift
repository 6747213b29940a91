import COpenSSL
import Synchronization

/// A key for many codes of HMAC-SHA-256, whose set-up is done once.
///
/// Unchecked: after `init` the context is only copied, which changes nothing in it. What is in the lock is used by its holder only.
final class HMACKey: @unchecked Sendable {
    private let context: OpaquePointer
    /// A copy that begins again for each code. To make one takes three times as long as the code. nil: OpenSSL before 3.0.3 cannot begin again.
    private let reused: Mutex<OpaquePointer?>

    init(_ key: [UInt8]) {
        // A failed allocation ends the process, as everywhere in Swift; `OpenSSLCheck` found the algorithms at start.
        guard let algorithm = EVP_MAC_fetch(nil, OSSL_MAC_NAME_HMAC, nil), let context = EVP_MAC_CTX_new(algorithm) else {
            fatalError("OpenSSL has no HMAC")
        }
        EVP_MAC_free(algorithm)
        var name = Array("SHA2-256".utf8CString)
        let status = name.withUnsafeMutableBufferPointer { name in
            var parameters = [OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.baseAddress, 0), OSSL_PARAM_construct_end()]
            return EVP_MAC_init(context, key, key.count, &parameters)
        }
        precondition(status == 1, "OpenSSL has no HMAC with SHA-256")
        self.context = context
        let copy = EVP_MAC_CTX_dup(context)
        let first = Self.code([1], copy)
        // Those before return success, and go on with the earlier text.
        let beginsAgain = EVP_MAC_init(copy, nil, 0, nil) == 1 && Self.code([1], copy) == first
        if !beginsAgain { EVP_MAC_CTX_free(copy) }
        reused = Mutex(beginsAgain ? copy : nil)
    }

    deinit {
        reused.withLock { EVP_MAC_CTX_free($0) }
        EVP_MAC_CTX_free(context)
    }

    func code(_ bytes: [UInt8]) -> [UInt8] {
        let code: [UInt8]?? = reused.withLockIfAvailable { copy in
            guard copy != nil, EVP_MAC_init(copy, nil, 0, nil) == 1 else { return nil }
            return Self.code(bytes, copy)
        }
        if let code = code ?? nil { return code }
        let copy = EVP_MAC_CTX_dup(context)
        defer { EVP_MAC_CTX_free(copy) }
        return Self.code(bytes, copy)
    }

    /// `context`: at the beginning.
    private static func code(_ bytes: [UInt8], _ context: OpaquePointer?) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: DigestAlgorithm.sha256.size) { output, count in
            let succeeded =
                context != nil && EVP_MAC_update(context, bytes, bytes.count) == 1
                && EVP_MAC_final(context, output.baseAddress, &count, output.count) == 1
            precondition(succeeded, "the HMAC failed: out of memory")
        }
    }
}

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
