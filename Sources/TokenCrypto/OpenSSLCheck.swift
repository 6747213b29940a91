import COpenSSL

/// Whether OpenSSL can do what everything here rests on.
///
/// The machine's configuration of OpenSSL (`OPENSSL_CONF`, openssl.cnf) decides which algorithms there are. It is looked at once, when the
/// program starts; after that a missing one is a defect, and ends the process where it is found.
package enum OpenSSLCheck {
    /// What is missing, and in the lines after it what to do; nil when nothing is.
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
