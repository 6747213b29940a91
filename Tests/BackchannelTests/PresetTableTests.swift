import Accounts
import Config
import Diagnostics
import Foundation
import Primitives
import Providers
import Testing
import TokenCrypto

@testable import Backchannel
@testable import SignIn

/// One file in Fixtures/providers for each preset: an entry of `providers`, the authorization URL and the token request that it
/// makes, byte for byte, and the identity that comes of answers in the shape that the provider documents.
///
/// `{state}`, `{nonce}`, `{challenge}`, `{verifier}` stand for the sign-in's values; `{secret}` and `{assertion}` for what the client
/// signed, which `signed` describes; `{client}`, `{now}` and `{at_hash}` are filled into claims.
@Suite("Each preset does what its provider documents") struct PresetTableTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/providers")
    private static let now: Int64 = 1_767_225_600_000
    private static let ecKey = SigningKey.generate(.es256)
    private static let rsaKey = SigningKey.generate(.rs256)

    static let ids: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()

    private struct Row {
        let json: JSONValue
        let settings: ProviderSettings
        let resolved: ResolvedProvider
    }

    private func row(_ id: String) throws -> Row {
        let json = try JSONValue(parsing: Array(Data(contentsOf: Self.folder.appendingPathComponent(id + ".json"))))
        let provider = try #require(json["provider"])
        let text = """
            version: 1
            server: { publicURL: https://app.example.com }
            upstream: http://127.0.0.1:8080
            providers: [\(provider.serialized())]
            """
        let reading = ConfigReader.read(
            SourceFile(name: "gateway.yaml", text: text),
            surroundings: Surroundings(
                variable: { _ in nil },
                file: { path in .contents(Array((path == "./ec.pem" ? Self.ecKey : Self.rsaKey).pem.utf8), FileFacts()) }))
        #expect(reading.diagnostics.map(\.message) == [])
        let settings = try #require(reading.draft.providerSettings.first)
        let metadata = try json["metadata"].map { document in
            try ProviderMetadata(
                document, issuer: try #require(settings.issuer), overrides: settings.endpoints,
                admits: { settings.tenantIssuers?.admitsMetadata($0) ?? settings.issuerAliases.contains($0) })
        }
        return Row(json: json, settings: settings, resolved: try ResolvedProvider(settings: settings, metadata: metadata))
    }

    private func transaction(_ settings: ProviderSettings, _ request: AuthorizationRequest) -> LoginTransaction {
        LoginTransaction(
            provider: settings.id, issuer: settings.issuer, usesNonce: settings.kind == .oidc && settings.nonce != .unsupported,
            returnPath: "/", redirectURI: settings.redirectURI, requestedACR: settings.kind == .oidc ? request.requestedACR : [],
            now: Self.now)
    }

    private func filled(_ template: String, _ values: [String: String]) -> String {
        values.reduce(template) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
    }

    @Test func `Every preset has a row`() {
        let presets = ProviderCatalogue.presets.map(\.id).filter { $0 != ProviderCatalogue.oidc && $0 != ProviderCatalogue.oauth2 }
        // `preset~slug` is a second row of a preset.
        #expect(Set(Self.ids.filter { !$0.contains("~") }) == Set(presets + ["oidc.acme", "oauth2.legacy"]))
        #expect(Set(presets) == Set(ProviderCatalogue.contractPresetIDs))
    }

    @Test("The authorization URL, byte for byte", arguments: ids)
    func authorization(id: String) throws {
        let row = try row(id)
        let request = AuthorizationRequest(settings: row.settings, requested: [])
        let transaction = transaction(row.settings, request)
        let url = request.url(endpoint: row.resolved.authorization, settings: row.settings, transaction: transaction)
        let values = ["state": transaction.state, "nonce": transaction.nonce ?? "", "challenge": transaction.challenge]
        #expect(url == filled(try #require(row.json["authorization"]?.string), values))
    }

    @Test("The token request, byte for byte", arguments: ids)
    func token(id: String) throws {
        let row = try row(id)
        let transaction = transaction(row.settings, AuthorizationRequest(settings: row.settings, requested: []))
        let credentials = try ClientCredentials(settings: row.settings, provider: row.resolved)
        let (headers, fields) = credentials.applied(
            to: [
                ("grant_type", "authorization_code"), ("code", "the-code"), ("redirect_uri", transaction.redirectURI),
                ("code_verifier", transaction.verifier),
            ], now: Self.now)
        #expect(headers.first { $0.name == "Authorization" }?.value == row.json["token"]?["authorization"]?.string)
        var values = ["verifier": transaction.verifier]
        if let signed = row.json["signed"] {
            let compact = try #require(fields.first { $0.name == signed["field"]?.string }?.value)
            values[signed["field"]?.string == "client_secret" ? "secret" : "assertion"] = compact
            try check(compact, signed)
        }
        #expect(FormCoding.form(fields) == filled(try #require(row.json["token"]?["body"]?.string), values))
    }

    private func check(_ compact: String, _ signed: JSONValue) throws {
        let token = try UnverifiedJWS(compact: compact)
        #expect(token.algorithm == signed["algorithm"]?.string)
        if let keyID = signed["keyID"]?.string { #expect(token.keyID == keyID) }
        for (name, value) in signed["header"]?.object ?? [:] { #expect(token.header[name] == value, "\(name)") }
        let key = token.algorithm == "ES256" ? Self.ecKey : Self.rsaKey
        var jwk = key.publicJWK.object ?? [:]
        jwk["kid"] = token.keyID.map(JSONValue.string)
        jwk["alg"] = .string(token.algorithm)
        let keys = try JWKSet(parsing: .object(["keys": .array([.object(jwk)])]))
        let claims = try token.verified(with: keys, secret: nil, allowed: [.es256, .rs256, .ps256])
        for (name, value) in signed["claims"]?.object ?? [:] { #expect(claims[name] == value, "\(name)") }
        let lifetime = try #require(signed["lifetime"]?.integer)
        let issued = NumericDate.issued(at: Self.now)
        #expect(claims["iat"]?.integer == issued)
        #expect(claims["exp"]?.integer == issued + lifetime)
    }

    @Test("The identity, from answers as documented", arguments: ids)
    func identity(id: String) throws {
        let row = try row(id)
        let answers = try #require(row.json["answers"])
        let token = try TokenResponse(
            ProviderAnswer(status: 200, contentType: "application/json", body: try #require(answers["token"]).serializedBytes()),
            kind: row.settings.kind)
        let groups = listedGroups(row, answers)
        let identity: ProviderIdentity
        if row.settings.kind == .oidc {
            identity = try openIDIdentity(row, answers, groups)
        } else {
            #expect(token.idToken == nil)
            let mapper = IdentityMapper(settings: row.settings)
            let api = try UserinfoResponse(oauth2: answer(try #require(answers["userinfo"])))
            let endpoint = row.settings.emailEndpoint(userinfo: try #require(row.resolved.userinfo))
            let emails = endpoint.flatMap { endpoint in answers["emails"].map { mapper.listedEmails($0, endpoint: endpoint) } }
            #expect((emails == nil) == (answers["emails"] == nil))
            identity = try mapper.identity(api: api, emails: emails, extras: .init(groups: groups)).identity
        }
        #expect(described(identity) == row.json["identity"])
        #expect(identity.provider == row.settings.id)
    }

    private func answer(_ json: JSONValue) -> ProviderAnswer {
        ProviderAnswer(status: 200, contentType: "application/json", body: json.serializedBytes())
    }

    /// The lists in the order of the habits' endpoints that are due.
    private func listedGroups(_ row: Row, _ answers: JSONValue) -> [String] {
        let due = row.settings.habits.groupEndpoints.filter { endpoint in
            if case .scopes(let scopes) = endpoint.trigger { row.settings.requestsAny(of: scopes) } else { false }
        }
        let lists = answers["lists"]?.array ?? []
        #expect(due.count == lists.count)
        return zip(due, lists).flatMap { $0.names(in: $1) }
    }

    private func openIDIdentity(_ row: Row, _ answers: JSONValue, _ groups: [String]) throws -> ProviderIdentity {
        let settings = row.settings
        let accessToken = "the-access-token"
        let nonce = "the-nonce"
        var claims: [String: JSONValue] = [
            "iss": .string(try #require(settings.issuer)), "aud": .string(settings.clientID), "exp": .integer(Self.now / 1000 + 300),
            "iat": .integer(Self.now / 1000), "nonce": .string(nonce),
        ]
        for (name, value) in answers["idToken"]?.object ?? [:] {
            switch value {
            case .null: claims[name] = nil
            case .string("{client}"): claims[name] = .string(settings.clientID)
            case .string("{now}"): claims[name] = .integer(Self.now / 1000)
            case .string("{at_hash}"): claims[name] = .string(Base64URL.encode(Array(SHA2.sha256(Array(accessToken.utf8)).prefix(16))))
            default: claims[name] = value
            }
        }
        let keys = try JWKSet(parsing: .object(["keys": .array([Self.rsaKey.publicJWK])]))
        let secret = Array((settings.clientSecret?.exposed ?? "").utf8)
        let isSymmetric = row.resolved.idTokenAlgorithms.contains(.hs256)
        let compact =
            isSymmetric
            ? HMACSigner.sign(payload: .object(claims), algorithm: .hs256, secret: secret) : Self.rsaKey.sign(payload: .object(claims))
        let verifier = try #require(
            IDTokenVerifier(
                settings: settings, algorithms: row.resolved.idTokenAlgorithms, metadataIssuer: row.resolved.metadataIssuer))
        let request = AuthorizationRequest(settings: settings, requested: [])
        let token = try verifier.verify(
            compact, keys: keys, expecting: .init(nonce: nonce, requestedACR: request.requestedACR, accessToken: accessToken), now: Self.now
        )
        let userinfo =
            try row.resolved.userinfo == nil
            ? nil
            : UserinfoResponse(
                openID: answer(try #require(answers["userinfo"])), subject: token.subject, verifier: verifier, keys: keys)
        var extras = IdentityMapper.Extras(groups: groups)
        if var claims = answers["accessToken"]?.object {
            claims["iss"] = settings.issuer.map(JSONValue.string)
            extras.accessTokenClaims = verifier.accessTokenClaims(
                Self.rsaKey.sign(payload: .object(claims)), keys: keys, subject: token.subject)
            #expect(extras.accessTokenClaims != nil)
        }
        return try IdentityMapper(settings: settings).identity(token, userinfo: userinfo, extras: extras).identity
    }

    private func described(_ identity: ProviderIdentity) -> JSONValue {
        func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
        return .object([
            "issuer": .string(identity.issuer), "subject": .string(identity.subject), "email": text(identity.email),
            "emailVerified": identity.emailVerified.map(JSONValue.bool) ?? .null, "username": text(identity.username),
            "name": text(identity.name), "picture": text(identity.picture), "locale": text(identity.locale),
            "groups": .array(identity.groups.map(JSONValue.string)),
        ])
    }
}
