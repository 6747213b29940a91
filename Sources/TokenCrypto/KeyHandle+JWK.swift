import COpenSSL
import Primitives

extension KeyHandle {
    /// The required members of the public JWK (RFC 7638 section 3.2): `kty` and the key itself.
    func publicMembers(_ kind: KeyKind) -> [String: JSONValue] {
        func text(_ bytes: [UInt8]?) -> JSONValue {
            guard let bytes else { preconditionFailure("the key lacks a part of its public half") }
            return .string(Base64URL.encode(bytes))
        }
        switch kind {
        case .rsa:
            return ["kty": .string("RSA"), "n": text(number(OSSL_PKEY_PARAM_RSA_N)), "e": text(number(OSSL_PKEY_PARAM_RSA_E))]
        case .ec(let curve):
            return [
                "kty": .string("EC"), "crv": .string(curve.rawValue),
                "x": text(number(OSSL_PKEY_PARAM_EC_PUB_X, size: curve.size)),
                "y": text(number(OSSL_PKEY_PARAM_EC_PUB_Y, size: curve.size)),
            ]
        case .ed25519:
            return ["kty": .string("OKP"), "crv": .string("Ed25519"), "x": text(rawPublicKey)]
        case .ed448:
            return ["kty": .string("OKP"), "crv": .string("Ed448"), "x": text(rawPublicKey)]
        }
    }

    /// The thumbprint (RFC 7638): base64url of SHA-256 over the sorted required members, without white space.
    func thumbprint(_ kind: KeyKind) -> String {
        Base64URL.encode(SHA2.sha256(JSONValue.object(publicMembers(kind)).serializedBytes()))
    }

    private var rawPublicKey: [UInt8]? {
        var size = 0
        guard EVP_PKEY_get_raw_public_key(pointer, nil, &size) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        return EVP_PKEY_get_raw_public_key(pointer, &bytes, &size) == 1 ? bytes : nil
    }
}
