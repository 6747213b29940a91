import COpenSSL

/// The reason why a hash could not be computed. Not the user's fault: the caller answers that the service is unavailable.
package enum PasswordHashingError: Error, Sendable, Hashable {
    /// OpenSSL lacks Argon2id (it is older than 3.2) or scrypt (its configuration excludes it).
    case missingFunction(String)
    /// No memory for one more hash.
    case failed

    package var reason: String {
        switch self {
        case .missingFunction(let name): "OpenSSL has no \(name)"
        case .failed: "OpenSSL could not compute the hash; the memory may not suffice"
        }
    }
}

/// The functions over OpenSSL. They block for as long as a hash takes.
enum PasswordFunctions {
    /// OpenSSL 3.2 and newer have it, unless their configuration excludes it.
    static let hasArgon2id: Bool = isAvailable("ARGON2ID")
    static let hasScrypt: Bool = isAvailable("SCRYPT")

    private static func isAvailable(_ name: String) -> Bool {
        guard let function = EVP_KDF_fetch(nil, name, nil) else {
            ERR_clear_error()
            return false
        }
        EVP_KDF_free(function)
        return true
    }

    /// RFC 9106, version 1.3, on the calling thread alone. `memory` in KiB.
    static func argon2id(
        _ password: [UInt8], salt: [UInt8], secret: [UInt8] = [], associatedData: [UInt8] = [], memory: Int, iterations: Int, lanes: Int,
        length: Int
    ) throws(PasswordHashingError) -> [UInt8] {
        guard hasArgon2id else { throw .missingFunction("Argon2id") }
        guard let memory = UInt32(exactly: memory), let iterations = UInt32(exactly: iterations), let lanes = UInt32(exactly: lanes) else {
            throw .failed
        }
        return try output(of: length) { output in
            gateway_argon2id(
                password, password.count, salt, salt.count, secret, secret.count, associatedData, associatedData.count, memory, iterations,
                lanes,
                output, length)
        }
    }

    /// RFC 7914.
    static func scrypt(_ password: [UInt8], salt: [UInt8], cost: ScryptCost, length: Int) throws(PasswordHashingError) -> [UInt8] {
        guard hasScrypt else { throw .missingFunction("scrypt") }
        let limit = UInt64(2 * HashedPassword.maximumMemory)
        return try output(of: length) { output in
            // OpenSSL takes the password's bytes as signed.
            password.withUnsafeBytes { password in
                EVP_PBE_scrypt(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count, 1 << UInt64(cost.logN),
                    UInt64(cost.r), UInt64(cost.p), limit, output, length)
            }
        }
    }

    /// Firebase's variant (github.com/firebase/scrypt): 32 bytes of scrypt's output are an AES-256-CTR key, with a counter that begins at
    /// zero. Encrypts a signer key to the hash, and decrypts a hash to the signer key.
    static func firebase(
        _ password: [UInt8], salt: [UInt8], cost: ScryptCost, applyingTo bytes: [UInt8]
    ) throws(PasswordHashingError) -> [UInt8] {
        let key = try scrypt(password, salt: salt, cost: cost, length: 64)
        guard !bytes.isEmpty, let cipher = EVP_CIPHER_fetch(nil, "AES-256-CTR", nil) else {
            ERR_clear_error()
            throw .missingFunction("AES-256-CTR")
        }
        defer { EVP_CIPHER_free(cipher) }
        return try output(of: bytes.count) { output in
            guard let context = EVP_CIPHER_CTX_new() else { return 0 }
            defer { EVP_CIPHER_CTX_free(context) }
            var length: Int32 = 0
            let counter = [UInt8](repeating: 0, count: 16)
            guard EVP_EncryptInit_ex2(context, cipher, key, counter, nil) == 1 else { return 0 }
            return EVP_EncryptUpdate(context, output, &length, bytes, Int32(bytes.count))
        }
    }

    private static func output(
        of length: Int, _ compute: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws(PasswordHashingError) -> [UInt8] {
        var isComputed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            isComputed = compute(buffer.baseAddress) == 1
            count = isComputed ? length : 0
        }
        guard isComputed else {
            ERR_clear_error()
            throw .failed
        }
        return bytes
    }
}
