import COpenSSL
import Primitives

extension PublicKey {
    /// The reason why a JWK cannot be used. Safe to log.
    struct Unusable: Error { let reason: String }

    /// Reads an `RSA`, `EC` or `OKP` JWK (RFC 7518 section 6, RFC 8037 section 2).
    ///
    /// Rejects RSA moduli below 2048 and above 8192 bits, exponents that are even, 1 or above 64 bits,
    /// coordinates whose length is not that of the curve, and points off the curve.
    init(jwk: [String: JSONValue]) throws(Unusable) {
        guard let type = jwk["kty"]?.string else { throw Unusable(reason: "it has no kty") }
        // Anyone who reads a set with a private key can sign.
        guard jwk["d"] == nil else { throw Unusable(reason: "it contains a private key") }
        switch type {
        case "RSA": self = try Self.rsa(jwk)
        case "EC": self = try Self.ec(jwk)
        case "OKP": self = try Self.okp(jwk)
        case "oct": throw Unusable(reason: "a key set must not contain symmetric keys")
        default: throw Unusable(reason: "its kty is unknown")
        }
    }

    private static func member(_ name: String, of jwk: [String: JSONValue]) throws(Unusable) -> [UInt8] {
        guard let text = jwk[name]?.string, let bytes = Base64URL.decode(text), !bytes.isEmpty else {
            throw Unusable(reason: "its \(name) is missing or not base64url")
        }
        return bytes
    }

    private static func rsa(_ jwk: [String: JSONValue]) throws(Unusable) -> PublicKey {
        let modulus = Array(try member("n", of: jwk).drop { $0 == 0 })
        let exponent = Array(try member("e", of: jwk).drop { $0 == 0 })
        guard let first = modulus.first, let last = modulus.last, last & 1 == 1 else {
            throw Unusable(reason: "its modulus is even")
        }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard bits >= 2048 else { throw Unusable(reason: "its modulus has fewer than 2048 bits") }
        guard bits <= 8192 else { throw Unusable(reason: "its modulus has more than 8192 bits") }
        guard let lowest = exponent.last, lowest & 1 == 1, exponent != [1], exponent.count <= 8 else {
            throw Unusable(reason: "its exponent is even, 1 or larger than 64 bits")
        }
        guard let pointer = gateway_rsa_public_key(modulus, Int32(modulus.count), exponent, Int32(exponent.count)) else {
            ERR_clear_error()
            throw Unusable(reason: "OpenSSL rejects it")
        }
        return PublicKey(kind: .rsa, handle: KeyHandle(owning: pointer))
    }

    private static func ec(_ jwk: [String: JSONValue]) throws(Unusable) -> PublicKey {
        guard let curve = jwk["crv"]?.string.flatMap(EllipticCurve.init(rawValue:)) else {
            throw Unusable(reason: "its curve is not P-256, P-384 or P-521")
        }
        let (x, y) = (try member("x", of: jwk), try member("y", of: jwk))
        guard x.count == curve.size, y.count == curve.size else {
            throw Unusable(reason: "its coordinates are not as long as the curve's")
        }
        let point = [0x04] + x + y  // SEC 1 section 2.3.3: uncompressed
        guard let pointer = gateway_ec_public_key(curve.groupName, point, point.count) else {
            ERR_clear_error()
            throw Unusable(reason: "its point is not on the curve")
        }
        let handle = KeyHandle(owning: pointer)
        // OpenSSL already checked this when it decoded the point; RFC 8725 section 3.4 justifies a second check.
        guard handle.isValidPublicKey else { throw Unusable(reason: "its point is not on the curve") }
        return PublicKey(kind: .ec(curve), handle: handle)
    }

    private static func okp(_ jwk: [String: JSONValue]) throws(Unusable) -> PublicKey {
        let name: String
        let kind: KeyKind
        switch jwk["crv"]?.string {
        case "Ed25519": (name, kind) = ("ED25519", .ed25519)
        case "Ed448": (name, kind) = ("ED448", .ed448)
        default: throw Unusable(reason: "its curve is not Ed25519 or Ed448")
        }
        let x = try member("x", of: jwk)
        guard let pointer = EVP_PKEY_new_raw_public_key_ex(nil, name, nil, x, x.count) else {
            ERR_clear_error()
            throw Unusable(reason: "its x does not fit the curve")
        }
        return PublicKey(kind: kind, handle: KeyHandle(owning: pointer))
    }
}
