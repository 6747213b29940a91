import Primitives
import TokenCrypto

extension ProviderState {
    /// The claims as a compact JWS, with the faults of header and signature in force.
    mutating func signed(_ claims: [String: JSONValue], _ key: SigningKey, secret: String) -> String {
        let payload = JSONValue.object(claims)
        var header: [String: JSONValue] = ["typ": .string("JWT")]
        if has(.keys(.withoutKeyIDs)) { header["kid"] = .null }
        for fault in SignatureFault.allCases where has(.signature(fault)) {
            switch fault {
            case .flippedSignature: return key.sign(payload: payload, header: header).flippingLastSignatureByte()
            case .emptySignature:
                let token = key.sign(payload: payload, header: header)
                return token[..<(token.lastIndex(of: ".") ?? token.endIndex)] + "."
            case .otherKey: return keyChain.attackers().sign(payload: payload, header: ["typ": .string("JWT"), "kid": .string(key.keyID)])
            case .algorithmNone, .algorithmNoneMixedCase:
                return unsigned(payload, header: ["alg": .string(fault == .algorithmNone ? "none" : "nOnE"), "kid": .string(key.keyID)])
            case .publicKeyAsSecret:
                return HMACSigner.sign(
                    payload: payload, algorithm: .hs256, secret: Array(publicKeyText(key).utf8), header: ["kid": .string(key.keyID)])
            case .clientSecretAsKey:
                return HMACSigner.sign(payload: payload, algorithm: .hs256, secret: Array(secret.utf8), header: ["kid": .string(key.keyID)])
            case .otherAlgorithm:
                let other = SigningKey.generate(key.algorithm == .es256 ? .rs256 : .es256, keyID: key.keyID)
                return other.sign(payload: payload, header: ["typ": .string("JWT")])
            case .keyIDUnknown: header["kid"] = .string("no-such-key")
            case .keyIDMissing: header["kid"] = .null
            case .keyIDPath: header["kid"] = .string("../../../../etc/passwd")
            case .keyIDHuge: header["kid"] = .string(String(repeating: "k", count: 40_000))
            case .embeddedKey:
                let attacker = keyChain.attackers()
                header["kid"] = .string(attacker.keyID)
                header["jwk"] = attacker.publicJWK
                header["jku"] = .string("\(base)/redirected/jwks")
                header["x5u"] = .string("\(base)/redirected/jwks")
                return attacker.sign(payload: payload, header: header)
            case .criticalHeader: header["crit"] = .strings(["exp"])
            case .typeAccessToken: header["typ"] = .string("at+jwt")
            case .logoutToken:
                let logout = payload.setting("nonce", nil).setting("jti", "logout-1").setting("events", ProviderState.logoutEvent)
                return key.sign(payload: logout, header: ["typ": .string("logout+jwt")])
            case .duplicateMembers:
                let text = "{\"sub\":\"somebody-else\"," + payload.serialized().dropFirst()
                return key.sign(payloadBytes: Array(text.utf8), header: header)
            case .notJSON: return key.sign(payloadBytes: Array("\"\(claims["sub"]?.string ?? "")\"".utf8), header: header)
            }
        }
        return key.sign(payload: payload, header: header)
    }

    private func unsigned(_ payload: JSONValue, header: [String: JSONValue]) -> String {
        Base64URL.encode(JSONValue.object(header).serializedBytes()) + "." + Base64URL.encode(payload.serializedBytes()) + "."
    }

    /// The public key as PEM, which is what a confused verifier takes for an HMAC secret (RFC 8725 section 2.1); for keys
    /// other than RSA the JWK's text.
    private func publicKeyText(_ key: SigningKey) -> String {
        guard let n = key.publicJWK["n"]?.string.flatMap(Base64URL.decode), let e = key.publicJWK["e"]?.string.flatMap(Base64URL.decode)
        else { return key.publicJWK.serialized() }
        let rsaEncryption: [UInt8] = [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
        let integers = der(0x02, positive(n)) + der(0x02, positive(e))
        let info = der(0x30, rsaEncryption + der(0x03, [0] + der(0x30, integers)))
        let text = Base64.encode(info)
        var lines: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(rest.prefix(64))
            rest = rest.dropFirst(64)
        }
        return "-----BEGIN PUBLIC KEY-----\n\(lines.joined(separator: "\n"))\n-----END PUBLIC KEY-----\n"
    }

    private func positive(_ magnitude: [UInt8]) -> [UInt8] { (magnitude.first ?? 0) >= 0x80 ? [0] + magnitude : magnitude }

    /// X.690 section 8.1: tag, definite length, contents.
    private func der(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            count < 0x80 ? [UInt8(count)] : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + contents
    }
}

extension String {
    /// A compact JWS with the last byte of its signature inverted.
    fileprivate func flippingLastSignatureByte() -> String {
        guard let dot = lastIndex(of: "."), var signature = Base64URL.decode(String(self[index(after: dot)...])), !signature.isEmpty else {
            return self
        }
        signature[signature.count - 1] ^= 0xFF
        return self[...dot] + Base64URL.encode(signature)
    }
}
