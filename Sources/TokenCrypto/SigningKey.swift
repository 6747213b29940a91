/// A private key for signatures.
package struct SigningKey: Sendable {
    package let keyID: String
    package let algorithm: JWSAlgorithm
    let handle: KeyHandle
    let kind: KeyKind

    init(handle: KeyHandle, kind: KeyKind, algorithm: JWSAlgorithm, keyID: String?) {
        self.handle = handle
        self.kind = kind
        self.algorithm = algorithm
        self.keyID = keyID ?? handle.thumbprint(kind)
    }

    /// Generates a key. RSA has 2048 bits.
    ///
    /// `algorithm` must be asymmetric; HS* belongs to `HMACSigner` and traps.
    package static func generate(_ algorithm: JWSAlgorithm, keyID: String? = nil) -> SigningKey {
        precondition(!algorithm.isSymmetric)
        let kind: KeyKind =
            switch algorithm {
            case .es256: .ec(.p256)
            case .es384: .ec(.p384)
            case .es512: .ec(.p521)
            case .edDSA: .ed25519
            default: .rsa
            }
        return SigningKey(handle: KeyHandle.generate(kind), kind: kind, algorithm: algorithm, keyID: keyID)
    }

    /// Reads PKCS#8 or traditional PEM, and rejects a key whose type does not fit the algorithm. The default `keyID` is the RFC 7638
    /// thumbprint.
    ///
    /// Throws `.malformed` unless the text is a private key in PEM without a passphrase, and `.noUsableKey` if its type does not
    /// fit or an RSA key does not have 2048 to 8192 bits.
    package init(pem: String, algorithm: JWSAlgorithm, keyID: String? = nil) throws(JWSError) {
        guard let handle = KeyHandle(privatePEM: pem) else { throw .malformed("this is not an unencrypted private key in PEM") }
        guard let kind = handle.kind, algorithm.fits(kind) else { throw .noUsableKey }
        guard kind != .rsa || (2048...8192).contains(handle.bits) else { throw .noUsableKey }
        self.init(handle: handle, kind: kind, algorithm: algorithm, keyID: keyID)
    }

    /// The key in PKCS#8. This is a secret.
    package var pem: String { handle.privatePEM }

    /// The public key as a JWK with `kid`, `use: sig`, `alg`.
    package var publicJWK: JSONValue {
        var members = handle.publicMembers(kind)
        members["kid"] = .string(keyID)
        members["use"] = .string("sig")
        members["alg"] = .string(algorithm.rawValue)
        return .object(members)
    }

    /// Signs in compact serialisation. `header` members are added to `alg` and `kid`.
    ///
    /// A member of the same name replaces the default, and `null` removes it.
    package func sign(payload: JSONValue, header: [String: JSONValue] = [:]) -> String {
        sign(payloadBytes: payload.serializedBytes(), header: header)
    }

    /// Signs exact payload bytes, for tests with malformed tokens.
    package func sign(payloadBytes: [UInt8], header: [String: JSONValue]) -> String {
        let ours: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "kid": .string(keyID)]
        return CompactJWS.make(payloadBytes, header: ours, replacing: header) { handle.sign($0, algorithm, kind) }
    }
}
