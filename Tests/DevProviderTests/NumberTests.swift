import DevProvider
import Testing
import TokenCrypto

/// Numbers of clients at the local provider: the extremes of 64 bits ended the process before.
@Suite struct NumberTests {
    private static let extremes = [Int64.min, .min + 1, -1, 0, 1, now / 1000 + 61, .max - 1, .max]

    @Test("A DPoP proof's iat is refused when it is not now (RFC 9449 section 4.3)", arguments: extremes)
    func proof(issuedAt: Int64) {
        var options = makeOptions()
        options.dpop = .required
        let provider = DevProvider(options)
        provider.automaticPerson = "alice"
        let client = TestClient(provider: provider)
        let key = SigningKey.generate(.es256, keyID: "p")
        let jwk = JSONValue.object((key.publicJWK.object ?? [:]).filter { ["kty", "crv", "x", "y"].contains($0.key) })
        func answer(_ issuedAt: Int64) -> DevResponse {
            let proof = key.sign(
                payload: .object([
                    "htm": .string("POST"), "htu": .string("https://id.example.com/token"), "jti": .string("1"), "iat": .integer(issuedAt),
                ]), header: ["typ": .string("dpop+jwt"), "jwk": jwk, "kid": .null])
            let fields = [
                ("grant_type", "authorization_code"), ("redirect_uri", client.redirectURI), ("code_verifier", verifier),
                ("code", parameter("code", client.authorize().header("Location")) ?? ""),
            ]
            return client.send("POST", "/token", headers: client.basic + [("DPoP", proof)], form: fields)
        }
        #expect(answer(issuedAt).errorCode == "invalid_dpop_proof")
        #expect(answer(now / 1000).errorCode == nil)
    }

    @Test("Apple's client secret lives six months at most", arguments: extremes)
    func clientSecret(time: Int64) {
        let key = SigningKey.generate(.es256, keyID: "ABC123DEFG")
        var options = makeOptions()
        options.emulation = .apple
        options.clientKey = key
        let client = TestClient(provider: DevProvider(options))
        func errorCode(issuedAt: Int64, expiry: Int64) -> String? {
            let secret = key.sign(
                payload: .object([
                    "iss": .string("DEF456GHIJ"), "aud": .string("https://id.example.com"), "sub": .string(client.id),
                    "iat": .integer(issuedAt), "exp": .integer(expiry),
                ]))
            let fields = [
                ("client_id", client.id), ("client_secret", secret), ("grant_type", "authorization_code"), ("code", "none"),
            ]
            return client.send("POST", "/token", form: fields).errorCode
        }
        let seconds = now / 1000
        #expect(errorCode(issuedAt: seconds, expiry: seconds + 300) == "invalid_grant")
        #expect(errorCode(issuedAt: time, expiry: seconds + 300) == "invalid_client")
        #expect(errorCode(issuedAt: seconds, expiry: time) == (time == seconds + 61 ? "invalid_grant" : "invalid_client"))
        #expect(errorCode(issuedAt: time, expiry: time) == "invalid_client")
    }

    @Test("A page of GitHub's lists that does not exist is empty", arguments: extremes.map(String.init) + ["x", "99999999999999999999"])
    func page(number: String) {
        let client = TestClient(provider: makeProvider())
        let location = client.send(
            "GET", "/login/oauth/authorize",
            query: form([("client_id", client.id), ("redirect_uri", client.redirectURI), ("scope", "read:org"), ("state", "s")])
        ).header("Location")
        let token = client.send(
            "POST", "/login/oauth/access_token", headers: [("Accept", "application/json")],
            form: [("client_id", client.id), ("client_secret", client.secret ?? ""), ("code", parameter("code", location) ?? "")])[
                "access_token"]
        let answer = client.send(
            "GET", "/api/v3/user/orgs", query: "page=\(number)", headers: [("Authorization", "Bearer \(token ?? "")"), ("User-Agent", "x")])
        #expect(answer.status == 200)
        #expect((answer.json?.array?.count ?? 0) <= 1)
    }
}
