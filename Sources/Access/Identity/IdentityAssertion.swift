import Accounts
package import Config
package import Sessions
package import TokenCrypto

/// The signed identity assertion (contract section 4): an ES256 JWT that the upstream verifies with `/jwks.json`, to tell
/// requests from this gateway from others.
package struct IdentityAssertion: Sendable {
    package let header: String
    /// Nil for the upstream's origin.
    package let audience: String?
    /// Milliseconds.
    package let lifetime: Int64
    private let keys: [SigningKey]
    private let issuer: String

    /// Nil without a key, so that nothing is sent. Throws if a key is not a P-256 private key, which the linter reports as an error.
    package init?(_ configuration: AssertionConfiguration, issuer: String) throws(JWSError) {
        var keys: [SigningKey] = []
        for key in configuration.keys { keys.append(try SigningKey(pem: key.exposed, algorithm: .es256)) }
        if keys.isEmpty { return nil }
        self.keys = keys
        self.issuer = issuer
        header = configuration.header
        audience = configuration.audience
        lifetime = configuration.lifetime
    }

    /// The public keys, starting with the one that signs.
    package var publicKeys: JSONValue { .object(["keys": .array(keys.map(\.publicJWK))]) }

    /// Creates the token, with all groups of the user. `now` is in Unix milliseconds.
    package func token(for session: Session, audience: String, now: Int64) -> String {
        let identity = session.identity
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "aud": .string(audience), "sub": .string(session.uid), "iat": .integer(now / 1000),
            "exp": .integer((now + lifetime) / 1000), "email_verified": .bool(identity.emailVerified == true),
            "groups": .array(identity.groups.map { .string($0) }), "provider": .string(identity.provider),
            "auth_time": .integer(session.authTime / 1000),
        ]
        if let email = identity.email { claims["email"] = .string(email) }
        return keys[0].sign(payload: .object(claims), header: ["typ": .string("JWT")])
    }

    /// The Unix milliseconds after which a new token is created, so that each arrives with at least half its lifetime left.
    package func renewalAt(issuedAt now: Int64) -> Int64 { now + lifetime / 2 }
}

extension UpstreamConfiguration {
    /// The default audience of assertions: the origin of the upstream's first target.
    package var assertionAudience: String { targets.first?.text ?? "" }
}
