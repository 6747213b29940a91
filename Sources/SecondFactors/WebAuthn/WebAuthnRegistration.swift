package import Accounts
import TokenCrypto

/// Verifies a registration: WebAuthn Level 2 section 7.1, with its step numbers.
package enum WebAuthnRegistration {
    /// The credential to store. `challenge`: of the options that were sent (step 1); it is used once, which the caller ensures.
    /// `existing`: the account's credentials; the store refuses one of another account.
    package static func verify(
        _ response: RegistrationResponse, challenge: [UInt8], _ relyingParty: RelyingParty, _ verification: UserVerification,
        existing: [FactorCredential]
    ) throws(WebAuthnError) -> FactorCredential {
        // Steps 1 to 4 are the browser's, and the parser's of `RegistrationResponse`.
        // Steps 5 and 6: the client data as UTF-8 and JSON.
        let clientData = try ClientData(response.clientDataJSON)
        // Steps 7 to 10: type, challenge, origin, token binding.
        try clientData.check(type: "webauthn.create", challenge: challenge, relyingParty)
        // Step 11: the hash of the client data.
        let hash = SHA2.sha256(response.clientDataJSON)
        // Step 12: the attestation object.
        let attestation = try AttestationObject(response.attestationObject)
        let data = try AuthenticatorData(attestation.authenticatorData)
        // Steps 13 to 15: RP ID, user presence, user verification.
        try data.check(relyingParty, verification)
        guard let credential = data.credential else { throw .malformed("the authenticator data has no credential") }
        guard credential.id == response.id else { throw .malformed("the credential id is not the attested one") }
        // Step 16: an algorithm that was offered. `COSEKey` parses no other.
        guard COSEKey.algorithms.contains(credential.publicKey.algorithm) else { throw .algorithm }
        // Step 17: extension outputs. None was asked for; unsolicited ones are ignored.
        // Steps 18, 19 and 24: the format of the attestation statement, and its verification.
        try attestation.verify(credential, clientDataHash: hash)
        // Steps 20 and 21: no trust anchors. The options ask for no attestation, so none and self attestation are what the policy accepts.
        // Step 22: no account has the credential. The store has a constraint for the other accounts.
        guard !existing.contains(where: { $0.id == credential.id }) else { throw .registered }
        // Step 23: what to store.
        return FactorCredential(
            id: credential.id, publicKey: credential.encodedKey, counter: data.counter, transports: response.transports)
    }
}

/// The attestation object of a registration (section 6.5).
struct AttestationObject: Sendable {
    let format: String
    let statement: [CBORValue: CBORValue]
    let authenticatorData: [UInt8]

    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        let value: CBORValue
        do throws(CBORError) { value = try CBORDecoder.decode(bytes) } catch { throw .malformed("the attestation: \(error.reason)") }
        guard let map = value.map, let format = map[.text("fmt")]?.text, let statement = map[.text("attStmt")]?.map,
            let data = map[.text("authData")]?.bytes
        else { throw .malformed("the attestation object lacks a member") }
        self.format = format
        self.statement = statement
        authenticatorData = data
    }

    /// `none` (section 8.7), and `packed` without certificates (section 8.2): browsers pass this self attestation on, although the options
    /// ask for none (section 5.1.3). It is verified, and says nothing about the authenticator's maker.
    func verify(_ credential: AuthenticatorData.AttestedCredential, clientDataHash: [UInt8]) throws(WebAuthnError) {
        switch format {
        case "none":
            guard statement.isEmpty else { throw .attestation("none has a statement") }
        case "packed":
            guard statement[.text("x5c")] == nil, statement[.text("ecdaaKeyId")] == nil else {
                throw .attestation("packed has certificates, and none were asked for")
            }
            guard statement[.text("alg")] == .integer(Int(credential.publicKey.algorithm)) else {
                throw .attestation("its algorithm is not the credential's")
            }
            guard let signature = statement[.text("sig")]?.bytes,
                credential.publicKey.verifies(signature, of: authenticatorData + clientDataHash)
            else { throw .attestation("its signature is wrong") }
        default: throw .attestation("the format is neither none nor packed")
        }
    }
}
