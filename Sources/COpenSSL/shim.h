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
