/// The reason why a registration or an assertion is refused: the step of WebAuthn Level 2 that failed, for the log. Never shown to users.
package enum WebAuthnError: Error, Sendable, Equatable {
    /// A part cannot be parsed.
    case malformed(String)
    /// Section 7.1 step 7, section 7.2 step 11.
    case type
    /// Section 7.1 step 8, section 7.2 step 12.
    case challenge
    /// Section 7.1 step 9, section 7.2 step 13. Also a page inside a frame of another origin.
    case origin
    /// Section 7.1 step 10, section 7.2 step 14.
    case tokenBinding
    /// Section 7.1 step 13, section 7.2 step 15.
    case relyingParty
    /// Section 7.1 step 14, section 7.2 step 16.
    case userPresence
    /// Section 7.1 step 15, section 7.2 step 17.
    case userVerification
    /// Section 7.1 step 16.
    case algorithm
    /// Section 7.1 steps 18 and 19.
    case attestation(String)
    /// Section 7.1 step 22: the account has the credential.
    case registered
    /// Section 7.2 step 5: not one of the account's credentials.
    case unknownCredential
    /// Section 7.2 step 6.
    case userHandle
    /// Section 7.2 step 6, where the user was not identified before.
    case noUserHandle
    /// Section 7.2 step 20.
    case signature
    /// Section 7.2 step 21: the authenticator may be a copy.
    case counter

    /// For the log.
    package var reason: String {
        switch self {
        case .malformed(let reason): "the WebAuthn response is malformed: \(reason)"
        case .type: "the client data is of another type"
        case .challenge: "the challenge is another one"
        case .origin: "the origin is not the gateway's"
        case .tokenBinding: "the client data claims a token binding"
        case .relyingParty: "the hash of the RP ID is another one"
        case .userPresence: "the authenticator did not ask for the user's presence"
        case .userVerification: "the authenticator did not verify the user"
        case .algorithm: "the key is of an algorithm that was not offered"
        case .attestation(let reason): "the attestation is refused: \(reason)"
        case .registered: "the credential is registered already"
        case .unknownCredential: "the credential is none of the account's"
        case .userHandle: "the credential belongs to another user"
        case .noUserHandle: "the response names no user"
        case .signature: "the signature is wrong"
        case .counter: "the signature counter did not grow: the authenticator may be a copy"
        }
    }
}
