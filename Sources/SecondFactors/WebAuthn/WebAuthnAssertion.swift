package import Accounts
import TokenCrypto

/// Verifies an assertion: WebAuthn Level 2 section 7.2, with its step numbers.
package enum WebAuthnAssertion {
    /// The counter to store. `challenge`: of the options that were sent (step 1). `credential`: of the factor that the user chose.
    ///
    /// `isIdentified`: the user was known before, as for a second factor; otherwise the user handle must name them.
    /// The store raises the counter in a transaction of its own, which decides between parallel assertions (step 21).
    package static func verify(
        _ response: AuthenticationResponse, credential: FactorCredential, uid: String, isIdentified: Bool = true, challenge: [UInt8],
        _ relyingParty: RelyingParty, _ verification: UserVerification
    ) throws(WebAuthnError) -> UInt32 {
        // Steps 1 to 4 are the browser's, and the parser's of `AuthenticationResponse`.
        // Step 5: the credential is one that the options allowed.
        guard response.id == credential.id else { throw .unknownCredential }
        // Step 6: the user handle is this user's. It may be missing only where the user was identified before.
        if let handle = response.userHandle {
            guard handle == RelyingParty.userHandle(uid: uid) else { throw .userHandle }
        } else if !isIdentified {
            throw .noUserHandle
        }
        // Step 7: the public key.
        let key = try COSEKey(decoding: credential.publicKey)
        // Step 8: client data, authenticator data and signature. Steps 9 and 10: the client data as UTF-8 and JSON.
        let clientData = try ClientData(response.clientDataJSON)
        // Steps 11 to 14: type, challenge, origin, token binding.
        try clientData.check(type: "webauthn.get", challenge: challenge, relyingParty)
        let data = try AuthenticatorData(response.authenticatorData)
        // Steps 15 to 17: RP ID, user presence, user verification.
        try data.check(relyingParty, verification)
        // Step 18: extension outputs. None was asked for; unsolicited ones are ignored.
        // Step 19: the hash of the client data. Step 20: the signature over both.
        guard key.verifies(response.signature, of: response.authenticatorData + SHA2.sha256(response.clientDataJSON)) else {
            throw .signature
        }
        // Step 21: the counter grows, unless the authenticator has none.
        guard data.counter > credential.counter || (data.counter == 0 && credential.counter == 0) else { throw .counter }
        return data.counter
    }
}
