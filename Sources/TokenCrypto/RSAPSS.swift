import COpenSSL

enum RSAPSS {
    /// Configures PSS (RFC 7518 section 3.5): MGF1 with the same hash (OpenSSL's default), and a salt as long as the hash.
    static func configure(_ context: OpaquePointer?) -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
    }
}
