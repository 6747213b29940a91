import Primitives
import Providers
import SignIn
import TokenCrypto

/// The client authentication at the token and revocation endpoints.
struct ClientCredentials: Sendable {
    private enum Proof: Sendable {
        case basic(String)
        case post(String)
        case assertion(SigningKey, audience: String, header: [String: JSONValue])
        /// Apple: the secret itself is a signed statement.
        case signedSecret(SigningKey, team: String, audience: String)
        case none
    }

    struct Refusal: Error, Sendable {
        let reason: String
    }

    private let clientID: String
    private let proof: Proof

    init(settings: ProviderSettings, provider: ResolvedProvider) throws(Refusal) {
        self.clientID = settings.clientID
        switch provider.clientAuthentication {
        case .basic: self.proof = .basic(try Self.secret(settings))
        case .post where settings.habits.signsClientSecret && settings.clientSecret == nil:
            guard settings.keyID != nil, let team = settings.teamID, let issuer = settings.issuer else {
                throw Refusal(reason: "privateKey also needs keyID and teamID")
            }
            self.proof = .signedSecret(try Self.key(settings, allowed: settings.habits.keyAlgorithms), team: team, audience: issuer)
        case .post: self.proof = .post(try Self.secret(settings))
        case .none: self.proof = .none
        case .privateKeyJWT:
            let key = try Self.key(settings, allowed: provider.assertionAlgorithms ?? settings.habits.keyAlgorithms)
            // The issuer, as one string: an audience that no other server can mistake for itself (FAPI 2.0 section 5.3.3.1).
            let audience = settings.habits.addressesAssertionsToTokenEndpoint ? nil : provider.metadataIssuer ?? settings.issuer
            var header: [String: JSONValue] = [:]
            if let name = settings.habits.assertionKeyHeader { header[name] = settings.keyID.map(JSONValue.string) }
            self.proof = .assertion(
                key, audience: settings.tenantIssuers == nil ? audience ?? provider.token : provider.token, header: header)
        }
    }

    /// The header fields and body fields of one call. `now` in Unix milliseconds.
    func applied(
        to fields: [(name: String, value: String)], now: Int64
    ) -> (headers: [(name: String, value: String)], fields: [(name: String, value: String)]) {
        // An authorization request that is pushed names the client already.
        let others = fields.filter { $0.name != "client_id" }
        switch self.proof {
        case .basic(let secret):
            // RFC 6749 section 2.3.1: both are form-encoded before base64. A space goes as %20, which form decoders read as well as
            // those providers that undo percent-encoding only.
            let pair = FormCoding.queryComponent(self.clientID) + ":" + FormCoding.queryComponent(secret)
            return ([("Authorization", "Basic " + Base64.encode(Array(pair.utf8)))], fields)
        case .post(let secret):
            return ([], others + [("client_id", self.clientID), ("client_secret", secret)])
        case .none:
            return ([], others + [("client_id", self.clientID)])
        case .assertion(let key, let audience, let header):
            let added = [
                (name: "client_id", value: self.clientID),
                (name: "client_assertion_type", value: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                (name: "client_assertion", value: self.assertion(key, audience: audience, header: header, now: now)),
            ]
            return ([], others + added)
        case .signedSecret(let key, let team, let audience):
            let issued = NumericDate.issued(at: now)
            let secret = key.sign(
                payload: .object([
                    "iss": .string(team), "sub": .string(self.clientID), "aud": .string(audience), "iat": .integer(issued),
                    "exp": .integer(issued + 300),
                ]))
            return ([], others + [("client_id", self.clientID), ("client_secret", secret)])
        }
    }

    /// RFC 7523 section 3, valid for a minute.
    private func assertion(_ key: SigningKey, audience: String, header: [String: JSONValue], now: Int64) -> String {
        let issued = NumericDate.issued(at: now)
        return key.sign(
            payload: .object([
                "iss": .string(self.clientID), "sub": .string(self.clientID), "aud": .string(audience),
                "jti": .string(Base64URL.encode(SecureRandom.bytes(16))), "iat": .integer(issued), "exp": .integer(issued + 60),
            ]), header: header)
    }

    private static func secret(_ settings: ProviderSettings) throws(Refusal) -> String {
        guard let secret = settings.clientSecret else { throw Refusal(reason: "clientSecret is not set") }
        return secret.exposed
    }

    /// The first algorithm that the key fits and the provider lists.
    private static func key(_ settings: ProviderSettings, allowed: [String]?) throws(Refusal) -> SigningKey {
        guard let pem = settings.privateKey else { throw Refusal(reason: "privateKey is not set") }
        let preferred: [JWSAlgorithm] = [.es256, .edDSA, .ps256, .rs256, .es384, .es512, .ps384, .ps512, .rs384, .rs512]
        for algorithm in preferred where allowed?.contains(algorithm.rawValue) ?? (algorithm != .ps256) {
            if let key = try? SigningKey(pem: pem.exposed, algorithm: algorithm, keyID: settings.keyID) { return key }
        }
        throw Refusal(reason: "the private key cannot be read, or the provider lists no algorithm for this kind of key")
    }
}
