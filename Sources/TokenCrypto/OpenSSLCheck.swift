import COpenSSL

/// Checks that OpenSSL provides the required algorithms.
///
/// The machine's OpenSSL configuration (`OPENSSL_CONF`, openssl.cnf) decides which algorithms exist. It is checked once, at
/// start. Later, a missing algorithm is a defect and ends the process.
package enum OpenSSLCheck {
    /// The missing part, followed by lines that say what to do; nil if nothing is.
    package static func problem() -> String? {
        for name in ["SHA2-256", "SHA2-384", "SHA2-512"] {
            guard let digest = EVP_MD_fetch(nil, name, nil) else { return missing("digest \(name)") }
            EVP_MD_free(digest)
        }
        guard let cipher = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else { return missing("cipher AES-256-GCM") }
        EVP_CIPHER_free(cipher)
        var byte: UInt8 = 0
        guard RAND_bytes(&byte, 1) == 1 else { return missing("random number generator that works") }
        for (name, what) in [("EC", "keys on elliptic curves"), ("RSA", "RSA keys")] {
            guard let keys = EVP_PKEY_CTX_new_from_name(nil, name, nil) else { return missing(what) }
            EVP_PKEY_CTX_free(keys)
        }
        return nil
    }

    private static func missing(_ what: String) -> String {
        ERR_clear_error()
        return """
            OpenSSL has no \(what)
              its configuration (OPENSSL_CONF, else openssl.cnf) must activate a
              provider that has it, as `default` does
            """
    }
}
