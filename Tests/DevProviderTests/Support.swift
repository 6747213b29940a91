import DevProvider
import Pages
import Primitives
import TokenCrypto

/// One signing key for all tests: making an RSA key takes longer than the tests.
let sharedKey = SigningKey.generate(.rs256, keyID: "demo-1")
let now: Int64 = 1_800_000_000_000
let callback = "https://app.example.com/_gateway/callback/oidc.demo"
let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

/// A secret that has to be form-urlencoded before Basic (RFC 6749 section 2.3.1).
let secret = "a:b+c %/é"

func makeOptions(issuer: String = "https://id.example.com") -> DevProviderOptions {
    var options = DevProviderOptions(
        issuer: issuer,
        clients: [
            DevClient(id: "web", secret: secret, redirectURIs: [callback], postLogoutRedirectURIs: ["https://app.example.com/bye"]),
            DevClient(id: "other", secret: "another-secret", redirectURIs: ["https://other.example.com/cb"]),
            DevClient(id: "native", secret: nil, redirectURIs: ["http://127.0.0.1:9/cb"]),
        ])
    options.signingKey = sharedKey
    options.controlEnabled = true
    return options
}

func makeProvider(issuer: String = "https://id.example.com", faults: Set<Fault> = []) -> DevProvider {
    let provider = DevProvider(makeOptions(issuer: issuer))
    provider.automaticPerson = "alice"
    provider.faults = faults
    return provider
}

func form(_ fields: [(String, String)]) -> String {
    fields.map { "\(LinkTarget.percentEncoded($0.0))=\(LinkTarget.percentEncoded($0.1))" }.joined(separator: "&")
}

/// The value of the parameter in the query of `location`.
func parameter(_ name: String, _ location: String?) -> String? { parameters(name, location).first }

func parameters(_ name: String, _ location: String?) -> [String] {
    guard let query = location?.split(separator: "?", maxSplits: 1).last else { return [] }
    return query.split(separator: "&").compactMap { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts[0] == name ? decoded(parts.count > 1 ? parts[1] : "") : nil
    }
}

private func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
            bytes.append(value)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// What a well-behaved client does, with room to do otherwise.
struct TestClient {
    var provider: DevProvider
    var id = "web"
    var secret: String? = DevProviderTests.secret
    var redirectURI = callback
    var now = DevProviderTests.now
    var base = ""

    func send(
        _ method: String, _ path: String, query: String? = nil, headers: [(name: String, value: String)] = [],
        form fields: [(String, String)]? = nil
    ) -> DevResponse {
        var headers = headers
        if fields != nil { headers.append(("content-type", "application/x-www-form-urlencoded")) }
        return provider.respond(
            to: DevRequest(
                method: method, path: base + path, query: query, headers: headers, body: Array((fields.map { form($0) } ?? "").utf8)),
            now: now)
    }

    var authorizationFields: [(String, String)] {
        [
            ("response_type", "code"), ("client_id", id), ("redirect_uri", redirectURI), ("scope", "openid profile email offline_access"),
            ("state", "st4te"), ("nonce", "n0nce"), ("code_challenge", Base64URL.encode(SHA2.sha256(Array(verifier.utf8)))),
            ("code_challenge_method", "S256"),
        ]
    }

    func authorize(changing changes: [String: String?] = [:], headers: [(name: String, value: String)] = []) -> DevResponse {
        send("GET", "/authorize", query: form(authorizationFields(changing: changes)), headers: headers)
    }

    func authorizationFields(changing changes: [String: String?]) -> [(String, String)] {
        var fields = authorizationFields.filter { changes[$0.0] == nil }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) { if let value { fields.append((name, value)) } }
        return fields
    }

    var basic: [(name: String, value: String)] {
        let half = { (text: String) in LinkTarget.percentEncoded(text) }
        return [("Authorization", "Basic " + Base64.encode(Array("\(half(id)):\(half(secret ?? ""))".utf8)))]
    }

    func exchange(_ code: String?, changing changes: [String: String?] = [:]) -> DevResponse {
        var fields: [(String, String)] = [
            ("grant_type", "authorization_code"), ("redirect_uri", redirectURI), ("code_verifier", verifier), ("code", code ?? ""),
        ].filter { changes[$0.0] == nil }
        for (name, value) in changes { if let value { fields.append((name, value)) } }
        if secret == nil { fields.append(("client_id", id)) }
        return send("POST", "/token", headers: secret == nil ? [] : basic, form: fields)
    }

    /// A whole sign-in, to the token answer.
    func signIn() -> DevResponse { exchange(parameter("code", authorize().header("Location"))) }

    func refresh(_ token: String?) -> DevResponse {
        send("POST", "/token", headers: basic, form: [("grant_type", "refresh_token"), ("refresh_token", token ?? "")])
    }

    func userinfo(_ token: String?) -> DevResponse {
        send("GET", "/userinfo", headers: [("Authorization", "Bearer \(token ?? "")")])
    }
}

extension DevResponse {
    var json: JSONValue? { try? JSONValue(parsing: body) }
    var text: String { String(decoding: body, as: UTF8.self) }
    subscript(name: String) -> String? { json?[name]?.string }
    var errorCode: String? { self["error"] }
}

/// The claims of a token whose signature holds with the provider's published keys.
func verifiedClaims(_ token: String?, _ client: TestClient) throws -> JSONValue {
    let set = try JWKSet(parsing: client.send("GET", "/jwks").json ?? .null)
    return try UnverifiedJWS(compact: token ?? "").verified(with: set, secret: nil, allowed: [.rs256])
}
