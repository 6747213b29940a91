#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/// A password callback that knows none and notes that it was asked; without one OpenSSL asks on the terminal.
static inline int gateway_refuse_password(char *buffer, int size, int writing, void *asked) {
    (void)buffer, (void)size, (void)writing;
    *(int *)asked = 1;
    return -1;
}

/// A private key from PEM text, or NULL; `asked` becomes 1 when it needs a password.
static inline EVP_PKEY *gateway_private_key(BIO *bio, int *asked) {
    return PEM_read_bio_PrivateKey(bio, NULL, gateway_refuse_password, asked);
}

/* The names of a certificate. OpenSSL's typed stacks are macros, which Swift does not see. */

static inline GENERAL_NAMES *gateway_subject_alternative_names(X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int gateway_name_count(GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline void gateway_free_names(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }

/// The bytes of a DNS name, an IP address, an e-mail address or a URI, and their number; `kind` is GEN_DNS, GEN_IPADD, GEN_EMAIL, GEN_URI
/// or another, which has none.
static inline int gateway_name(GENERAL_NAMES *names, int index, int *kind, const unsigned char **bytes) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    *kind = name->type;
    const ASN1_STRING *value = NULL;
    switch (name->type) {
    case GEN_DNS: value = name->d.dNSName; break;
    case GEN_IPADD: value = name->d.iPAddress; break;
    case GEN_EMAIL: value = name->d.rfc822Name; break;
    case GEN_URI: value = name->d.uniformResourceIdentifier; break;
    default: return 0;
    }
    *bytes = ASN1_STRING_get0_data(value);
    return ASN1_STRING_length(value);
}

/// Writes the subject as RFC 4514 describes, in UTF-8.
static inline int gateway_write_subject(X509 *certificate, BIO *bio) {
    return X509_NAME_print_ex(bio, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

/* A parameter list refers to the caller's memory until the key is made; in C its life is plain to see. */

/// The public key of a type from its parameters, or NULL.
static inline EVP_PKEY *gateway_public_key(const char *type, OSSL_PARAM_BLD *builder) {
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;
    if (parameters == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    return key;
}

/// An RSA public key from big-endian modulus and exponent, or NULL.
static inline EVP_PKEY *gateway_rsa_public_key(const unsigned char *modulus, int modulus_size,
                                               const unsigned char *exponent, int exponent_size) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    BIGNUM *n = BN_bin2bn(modulus, modulus_size, NULL);
    BIGNUM *e = BN_bin2bn(exponent, exponent_size, NULL);
    EVP_PKEY *key = NULL;
    if (builder != NULL && n != NULL && e != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1) {
        key = gateway_public_key("RSA", builder);
    }
    BN_free(e);
    BN_free(n);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

/// A public key on a named curve from an encoded point (SEC 1), or NULL.
static inline EVP_PKEY *gateway_ec_public_key(const char *group, const unsigned char *point, size_t point_size) {
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (builder != NULL && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1 &&
        OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, point_size) == 1) {
        key = gateway_public_key("EC", builder);
    }
    OSSL_PARAM_BLD_free(builder);
    return key;
}

/// RFC 5869 with SHA-256 into `output`: 1, or 0 where OpenSSL fails. An empty salt counts as absent.
static inline int gateway_hkdf_sha256(const unsigned char *key, size_t key_size, const unsigned char *salt, size_t salt_size,
                                      const unsigned char *info, size_t info_size, unsigned char *output, size_t size) {
    EVP_KDF *function = EVP_KDF_fetch(NULL, "HKDF", NULL);
    EVP_KDF_CTX *context = EVP_KDF_CTX_new(function);
    /* OpenSSL takes its inputs as mutable pointers, though it only reads them. */
    OSSL_PARAM parameters[5];
    OSSL_PARAM *next = parameters;
    *next++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA2-256", 0);
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_size);
    if (salt_size > 0) *next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_size);
    if (info_size > 0) *next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_size);
    *next = OSSL_PARAM_construct_end();
    int status = context != NULL && EVP_KDF_derive(context, output, size, parameters) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(function);
    return status;
}

/// RFC 9106 (Argon2id, version 1.3) into `output`: 1, or 0 where OpenSSL fails or lacks it. Runs on one thread.
///
/// OpenSSL 3.2 brought the names of the parameters; as text they compile with older headers too.
static inline int gateway_argon2id(const unsigned char *password, size_t password_size, const unsigned char *salt, size_t salt_size,
                                   const unsigned char *secret, size_t secret_size, const unsigned char *data, size_t data_size,
                                   uint32_t memory, uint32_t iterations, uint32_t lanes, unsigned char *output, size_t size) {
    EVP_KDF *function = EVP_KDF_fetch(NULL, "ARGON2ID", NULL);
    EVP_KDF_CTX *context = function == NULL ? NULL : EVP_KDF_CTX_new(function);
    uint32_t version = 0x13, threads = 1;
    /* OpenSSL takes its inputs as mutable pointers, though it only reads them. */
    OSSL_PARAM parameters[10];
    OSSL_PARAM *next = parameters;
    *next++ = OSSL_PARAM_construct_octet_string("pass", (void *)password, password_size);
    *next++ = OSSL_PARAM_construct_octet_string("salt", (void *)salt, salt_size);
    if (secret_size > 0) *next++ = OSSL_PARAM_construct_octet_string("secret", (void *)secret, secret_size);
    if (data_size > 0) *next++ = OSSL_PARAM_construct_octet_string("ad", (void *)data, data_size);
    *next++ = OSSL_PARAM_construct_uint32("memcost", &memory);
    *next++ = OSSL_PARAM_construct_uint32("iter", &iterations);
    *next++ = OSSL_PARAM_construct_uint32("lanes", &lanes);
    *next++ = OSSL_PARAM_construct_uint32("threads", &threads);
    *next++ = OSSL_PARAM_construct_uint32("version", &version);
    *next = OSSL_PARAM_construct_end();
    int status = context != NULL && EVP_KDF_derive(context, output, size, parameters) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(function);
    return status;
}
