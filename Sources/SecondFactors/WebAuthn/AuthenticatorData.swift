/// What the authenticator signs about a registration or an assertion (WebAuthn section 6.1).
package struct AuthenticatorData: Sendable {
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let hasAttestedCredential = Flags(rawValue: 0x40)
        static let hasExtensions = Flags(rawValue: 0x80)
    }

    package struct AttestedCredential: Sendable {
        let aaguid: [UInt8]
        package let id: [UInt8]
        let publicKey: COSEKey
        /// The bytes of the COSE key.
        package let encodedKey: [UInt8]
    }

    private static let headSize = 37
    private static let mostCredentialID = 1_023

    let relyingPartyHash: [UInt8]
    let flags: Flags
    let counter: UInt32
    package let credential: AttestedCredential?

    /// Nothing may follow the parts that the flags announce. Extension outputs are parsed and ignored: none was asked for.
    package init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard bytes.count >= Self.headSize, bytes.count <= CBORDecoder.mostBytes else {
            throw .malformed("the authenticator data's length")
        }
        relyingPartyHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[Self.headSize...]
        if flags.contains(.hasAttestedCredential) {
            guard rest.count >= 18 else { throw .malformed("the attested credential is cut off") }
            let aaguid = Array(rest.prefix(16))
            let size = rest.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(18)
            guard (1...Self.mostCredentialID).contains(size), rest.count > size else { throw .malformed("the credential id's length") }
            let id = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let (key, keySize) = try Self.item(rest, "the public key")
            credential = AttestedCredential(aaguid: aaguid, id: id, publicKey: try COSEKey(key), encodedKey: Array(rest.prefix(keySize)))
            rest = rest.dropFirst(keySize)
        } else {
            credential = nil
        }
        if flags.contains(.hasExtensions) {
            let (extensions, size) = try Self.item(rest, "the extensions")
            guard extensions.map != nil else { throw .malformed("the extensions are no map") }
            rest = rest.dropFirst(size)
        }
        guard rest.isEmpty else { throw .malformed("bytes follow the authenticator data") }
    }

    private static func item(_ bytes: ArraySlice<UInt8>, _ name: String) throws(WebAuthnError) -> (CBORValue, size: Int) {
        do throws(CBORError) { return try CBORDecoder.decodePrefix(Array(bytes)) } catch { throw .malformed("\(name): \(error.reason)") }
    }
}
