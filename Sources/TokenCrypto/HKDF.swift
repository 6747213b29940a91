import COpenSSL

package enum HKDF {
    /// RFC 5869 with SHA-256.
    ///
    /// `key` is not empty, `length` is between 1 and 8160 bytes (RFC 5869 section 2.3); anything else
    /// is a mistake in the calling code and traps.
    package static func sha256(key: [UInt8], salt: [UInt8], info: [UInt8], length: Int) -> [UInt8] {
        precondition(!key.isEmpty && (1...255 * 32).contains(length))
        guard let function = EVP_KDF_fetch(nil, "HKDF", nil), let context = EVP_KDF_CTX_new(function) else {
            fatalError("OpenSSL has no HKDF")  // nothing can be sealed without it
        }
        defer {
            EVP_KDF_CTX_free(context)
            EVP_KDF_free(function)
        }
        return [UInt8](unsafeUninitializedCapacity: length) { output, count in
            let status = withParameters(key: key, salt: salt, info: info) { EVP_KDF_derive(context, output.baseAddress, length, $0) }
            precondition(status == 1, "the key derivation failed: out of memory")
            count = length
        }
    }

    private static func withParameters<Result>(
        key: [UInt8], salt: [UInt8], info: [UInt8], _ body: (UnsafePointer<OSSL_PARAM>) -> Result
    ) -> Result {
        // OpenSSL takes its inputs as mutable pointers, though it only reads them: hence the copies.
        var digest = Array("SHA2-256".utf8CString)
        var (key, salt, info) = (key, salt, info)
        return digest.withUnsafeMutableBufferPointer { digest in
            key.withUnsafeMutableBytes { key in
                salt.withUnsafeMutableBytes { salt in
                    info.withUnsafeMutableBytes { info in
                        var parameters = [
                            OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.baseAddress, 0),
                            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.baseAddress, key.count),
                        ]
                        // An absent salt is a string of zeros (RFC 5869 section 2.2); an empty one counts as absent.
                        if !salt.isEmpty {
                            parameters.append(OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, salt.baseAddress, salt.count))
                        }
                        if !info.isEmpty {
                            parameters.append(OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.baseAddress, info.count))
                        }
                        parameters.append(OSSL_PARAM_construct_end())
                        return body(parameters)
                    }
                }
            }
        }
    }
}
