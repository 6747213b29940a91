import Primitives
package import TokenCrypto

/// `RegistrationResponseJSON` of WebAuthn Level 3 section 5.1: what `PublicKeyCredential.toJSON()` gives after a registration.
package struct RegistrationResponse: Sendable {
    let id: [UInt8]
    let clientDataJSON: [UInt8]
    let attestationObject: [UInt8]
    let transports: [String]

    /// The members that repeat parts of the attestation object are ignored.
    package init(_ value: JSONValue) throws(WebAuthnError) {
        let response: JSONValue
        (id, response) = try CredentialResponse.parts(value)
        clientDataJSON = try CredentialResponse.bytes("clientDataJSON", of: response)
        attestationObject = try CredentialResponse.bytes("attestationObject", of: response)
        transports = Self.transports(response["transports"])
    }

    /// Names of the registry, and of later ones. At most eight; anything else is left out: they are only hints.
    private static func transports(_ value: JSONValue?) -> [String] {
        let names = (value?.array ?? []).compactMap(\.string).filter { name in
            (1...20).contains(name.utf8.count)
                && name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") }
        }
        return Array(names.prefix(8))
    }
}

/// `AuthenticationResponseJSON` of WebAuthn Level 3 section 5.1: what `PublicKeyCredential.toJSON()` gives after an assertion.
package struct AuthenticationResponse: Sendable {
    package let id: [UInt8]
    let clientDataJSON: [UInt8]
    let authenticatorData: [UInt8]
    let signature: [UInt8]
    let userHandle: [UInt8]?

    package init(_ value: JSONValue) throws(WebAuthnError) {
        let response: JSONValue
        (id, response) = try CredentialResponse.parts(value)
        clientDataJSON = try CredentialResponse.bytes("clientDataJSON", of: response)
        authenticatorData = try CredentialResponse.bytes("authenticatorData", of: response)
        signature = try CredentialResponse.bytes("signature", of: response)
        switch response["userHandle"] {
        case nil, .null: userHandle = nil
        default: userHandle = try CredentialResponse.bytes("userHandle", of: response)
        }
    }
}

/// The members that both responses have.
private enum CredentialResponse {
    private static let mostBytes = 1 << 16

    static func parts(_ value: JSONValue) throws(WebAuthnError) -> (id: [UInt8], response: JSONValue) {
        guard value["type"] == .string("public-key") else { throw .malformed("the type is not public-key") }
        let id = try bytes("rawId", of: value)
        // `id` is the base64url of `rawId` (section 5.1).
        guard value["id"] == .string(Base64URL.encode(id)), id.count <= 1_023 else { throw .malformed("id and rawId differ") }
        // Section 7.1 step 4, section 7.2 step 4: the outputs of client extensions. None was asked for, so they mean nothing.
        switch value["clientExtensionResults"] {
        case nil, .object: break
        default: throw .malformed("clientExtensionResults is no object")
        }
        guard let response = value["response"], response.object != nil else { throw .malformed("there is no response") }
        return (id, response)
    }

    static func bytes(_ name: String, of value: JSONValue) throws(WebAuthnError) -> [UInt8] {
        guard let text = value[name]?.string, text.utf8.count <= mostBytes, let bytes = Base64URL.decode(text), !bytes.isEmpty else {
            throw .malformed("\(name) is missing or no base64url")
        }
        return bytes
    }
}
