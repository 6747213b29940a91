import Accounts
package import Config
package import Sessions
package import TokenCrypto

/// The signed statement of who it is (contract section 4): an ES256 JWT for the upstream, which can verify it with `/jwks.json` and so tell
/// requests of this gateway from others.
package struct IdentityAssertion: Sendable {
    package let header: String
    /// nil: the upstream's origin.
    package let audience: String?
    /// Milliseconds.
    package let lifetime: Int64
    private let keys: [SigningKey]
    private let issuer: String

    /// nil without a key: nothing is sent. Throws for what is no P-256 private key, which the linter reports as an error.
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

    /// The public halves, the one that signs first.
    package var publicKeys: JSONValue { .object(["keys": .array(keys.map(\.publicJWK))]) }

    /// The token; its groups are all of the person's, whatever they are called. `now` in Unix milliseconds.
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

    /// Unix milliseconds from which a new one is made, so that each lives for half its lifetime at least when it arrives.
    package func renewalAt(issuedAt now: Int64) -> Int64 { now + lifetime / 2 }
}

extension UpstreamConfiguration {
    /// What an assertion for this upstream is addressed to, unless the configuration says: the origin of its first target.
    package var assertionAudience: String { targets.first?.text ?? "" }
}
