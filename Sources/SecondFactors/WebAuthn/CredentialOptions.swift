package import Accounts
import Primitives
package import TokenCrypto

/// The options of a registration: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3 section 5.1.8.
package struct CredentialCreationOptions: Sendable {
    /// Milliseconds; within the range of section 5.4.
    static let timeout: Int64 = 300_000

    let relyingParty: RelyingParty
    let uid: String
    /// The account's address or name, which authenticators show.
    let userName: String
    let displayName: String
    let challenge: [UInt8]
    let verification: UserVerification
    /// The account's credentials: an authenticator that has one makes no second.
    let existing: [FactorCredential]

    package init(
        _ relyingParty: RelyingParty, uid: String, userName: String, displayName: String, challenge: [UInt8],
        verification: UserVerification, existing: [FactorCredential]
    ) {
        self.relyingParty = relyingParty
        self.uid = uid
        self.userName = userName
        self.displayName = displayName
        self.challenge = challenge
        self.verification = verification
        self.existing = existing
    }

    package var json: JSONValue {
        .object([
            "rp": .object(["id": .string(relyingParty.id), "name": .string(relyingParty.name)]),
            "user": .object([
                "id": .string(Base64URL.encode(RelyingParty.userHandle(uid: uid))), "name": .string(userName),
                "displayName": .string(displayName),
            ]),
            "challenge": .string(Base64URL.encode(challenge)),
            "pubKeyCredParams": .array(
                COSEKey.algorithms.map { .object(["type": .string("public-key"), "alg": .integer($0)]) }),
            "timeout": .integer(Self.timeout),
            "excludeCredentials": .array(existing.map(\.descriptor)),
            // A credential that the authenticator finds by itself can sign in without a name (docs/decisions/0044-passkeys.md).
            "authenticatorSelection": .object([
                "residentKey": .string("preferred"), "requireResidentKey": .bool(false),
                "userVerification": .string(verification.rawValue),
            ]),
            "attestation": .string("none"),
        ])
    }
}

/// The options of an assertion: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3 section 5.1.9.
package struct CredentialRequestOptions: Sendable {
    let relyingParty: RelyingParty
    let challenge: [UInt8]
    let verification: UserVerification
    /// Empty: the authenticator offers those that it has found by itself.
    let allowed: [FactorCredential]

    package init(_ relyingParty: RelyingParty, challenge: [UInt8], verification: UserVerification, allowed: [FactorCredential]) {
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.verification = verification
        self.allowed = allowed
    }

    package var json: JSONValue {
        .object([
            "rpId": .string(relyingParty.id),
            "challenge": .string(Base64URL.encode(challenge)),
            "timeout": .integer(CredentialCreationOptions.timeout),
            "allowCredentials": .array(allowed.map(\.descriptor)),
            "userVerification": .string(verification.rawValue),
        ])
    }
}

extension FactorCredential {
    /// `PublicKeyCredentialDescriptorJSON`.
    fileprivate var descriptor: JSONValue {
        var members: [String: JSONValue] = ["type": .string("public-key"), "id": .string(Base64URL.encode(id))]
        if !transports.isEmpty { members["transports"] = .array(transports.map { .string($0) }) }
        return .object(members)
    }
}
