/// A key of an issuer's set, with the issuer's statements about its use.
struct VerificationKey: Sendable {
    let key: PublicKey
    let keyID: String?
    /// Nil if the issuer does not say; then the kind of the key decides.
    let algorithm: JWSAlgorithm?

    /// Rejects keys that are not for signatures (`use`, `key_ops`), whose `alg` is not supported or
    /// does not fit the key, and those that `PublicKey` rejects.
    init(jwk: JSONValue) throws(PublicKey.Unusable) {
        guard let members = jwk.object else { throw PublicKey.Unusable(reason: "it is not an object") }
        keyID = try Self.text("kid", of: members)
        if let use = try Self.text("use", of: members), use != "sig" {
            throw PublicKey.Unusable(reason: "its use is not sig")
        }
        if let operations = members["key_ops"], !(operations.array ?? []).contains(.string("verify")) {
            throw PublicKey.Unusable(reason: "its key_ops do not contain verify")
        }
        let name = try Self.text("alg", of: members)
        algorithm = name.flatMap(JWSAlgorithm.init(rawValue:))
        guard name == nil || algorithm != nil else { throw PublicKey.Unusable(reason: "its alg is not a supported signature algorithm") }
        key = try PublicKey(jwk: members)
        guard algorithm?.fits(key.kind) ?? true else { throw PublicKey.Unusable(reason: "its alg does not fit its kty") }
    }

    func serves(_ requested: JWSAlgorithm) -> Bool {
        requested.fits(key.kind) && (algorithm == nil || algorithm == requested)
    }

    private static func text(_ name: String, of members: [String: JSONValue]) throws(PublicKey.Unusable) -> String? {
        guard let member = members[name] else { return nil }
        guard let text = member.string else { throw PublicKey.Unusable(reason: "its \(name) is not a string") }
        return text
    }
}
