import DevProvider
import Primitives
import Testing
import TokenCrypto

/// The plain OAuth 2.0 side.
@Suite struct GitHubTests {
    private func code(_ client: TestClient, scope: String = "read:user user:email") -> String {
        let fields = [("client_id", client.id), ("redirect_uri", client.redirectURI), ("scope", scope), ("state", "s")]
        let location = client.send("GET", "/login/oauth/authorize", query: form(fields)).header("Location")
        #expect(parameter("state", location) == "s")
        #expect(parameter("iss", location) == nil)
        return parameter("code", location) ?? ""
    }

    private func exchange(_ client: TestClient, _ code: String, accept: String? = "application/json", changing: [(String, String)] = [])
        -> DevResponse
    {
        let fields = [("client_id", client.id), ("client_secret", client.secret ?? ""), ("code", code)]
        return client.send(
            "POST", "/login/oauth/access_token", headers: accept.map { [("Accept", $0)] } ?? [],
            form: fields.filter { pair in !changing.contains { $0.0 == pair.0 } } + changing)
    }

    private func api(_ client: TestClient, _ path: String, _ token: String?, agent: String? = "gateway") -> DevResponse {
        var headers: [(name: String, value: String)] = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        if let agent { headers.append(("User-Agent", agent)) }
        return client.send("GET", path, headers: headers)
    }

    @Test func `a sign-in gives a token, a numeric id and the addresses with their state`() {
        let client = TestClient(provider: makeProvider())
        let answer = exchange(client, code(client))
        #expect(answer["token_type"] == "bearer")
        #expect(answer["scope"] == "read:user,user:email")
        #expect(answer["access_token"]?.hasPrefix("gho_") == true)
        let user = api(client, "/api/v3/user", answer["access_token"])
        #expect(user.json?["id"]?.integer == Person.alice.number)
        #expect(user["login"] == "alice")
        #expect(user.json?["email"] == .null)
        let emails = api(client, "/api/v3/user/emails", answer["access_token"]).json?.array ?? []
        let primary = emails.first { $0["primary"]?.bool == true }
        #expect(primary?["email"]?.string == "alice@example.com")
        #expect(primary?["verified"]?.bool == true)
        #expect(emails.first?["primary"]?.bool == false)
    }

    @Test func `the answer is a form unless JSON is accepted`() {
        let client = TestClient(provider: makeProvider())
        let answer = exchange(client, code(client), accept: nil)
        #expect(answer.header("Content-Type")?.hasPrefix("application/x-www-form-urlencoded") == true)
        #expect(parameter("scope", "?" + answer.text) == "read:user,user:email")
        #expect(parameter("error", "?" + exchange(client, "wrong", accept: "*/*").text) == "bad_verification_code")
    }

    @Test func `errors come with status 200`() {
        let client = TestClient(provider: makeProvider())
        for (changing, error) in [
            ([("client_secret", "wrong")], "incorrect_client_credentials"), ([("client_id", "nobody")], "incorrect_client_credentials"),
            ([("code", "wrong")], "bad_verification_code"), ([("redirect_uri", "https://evil.example/")], "redirect_uri_mismatch"),
        ] {
            let answer = exchange(client, code(client), changing: changing)
            #expect(answer.status == 200)
            #expect(answer.errorCode == error)
            #expect(answer["access_token"] == nil)
        }
        let used = code(client)
        _ = exchange(client, used)
        #expect(exchange(client, used).errorCode == "bad_verification_code")
    }

    @Test func `PKCE is checked when it was sent, S256 only`() {
        let client = TestClient(provider: makeProvider())
        let challenge = Base64URL.encode(SHA2.sha256(Array(verifier.utf8)))
        func back(_ method: String) -> String? {
            client.send(
                "GET", "/login/oauth/authorize",
                query: form([
                    ("client_id", "web"), ("redirect_uri", callback), ("code_challenge", challenge), ("code_challenge_method", method),
                ])
            ).header("Location")
        }
        #expect(parameter("error", back("plain")) == "invalid_request")
        #expect(exchange(client, parameter("code", back("S256")) ?? "").errorCode == "bad_verification_code")
        let code = parameter("code", back("S256")) ?? ""
        #expect(exchange(client, code, changing: [("code_verifier", verifier)])["access_token"] != nil)
    }

    @Test func `the API wants a user agent, a good token and the scope`() {
        let client = TestClient(provider: makeProvider())
        let token = exchange(client, code(client))["access_token"]
        #expect(api(client, "/api/v3/user", token, agent: nil).status == 403)
        #expect(api(client, "/api/v3/user", nil).status == 401)
        #expect(api(client, "/api/v3/user", "gho_wrong")["message"] == "Bad credentials")
        let narrow = exchange(client, code(client, scope: "read:user"))["access_token"]
        #expect(api(client, "/api/v3/user", narrow).status == 200)
        #expect(api(client, "/api/v3/user/emails", narrow).status == 404)
        #expect(api(client, "/api/v3/user", client.signIn()["access_token"]).status == 401)
        #expect(client.userinfo(token).status == 401)
    }

    @Test func `codes of one side are worth nothing on the other`() {
        let client = TestClient(provider: makeProvider())
        #expect(exchange(client, parameter("code", client.authorize().header("Location")) ?? "").errorCode == "bad_verification_code")
        #expect(client.exchange(code(client), changing: ["code_verifier": nil]).errorCode == "invalid_grant")
    }

    @Test(arguments: GitHubFault.allCases)
    func `each fault shows`(fault: GitHubFault) {
        let provider = makeProvider()
        let client = TestClient(provider: provider)
        let token = exchange(client, code(client))["access_token"]
        let waiting = code(client)
        provider.faults = [.gitHub(fault)]
        let user = api(client, "/api/v3/user", token)
        let emails = api(client, "/api/v3/user/emails", token)
        switch fault {
        case .badVerificationCode: #expect(exchange(client, waiting).errorCode == "bad_verification_code")
        case .incorrectClientCredentials: #expect(exchange(client, waiting).errorCode == "incorrect_client_credentials")
        case .emailsEmpty: #expect(emails.json == .array([]))
        case .emailsUnverified: #expect(emails.json?.array?.last?["verified"]?.bool == false)
        case .emailsNotFound: #expect(emails.status == 404)
        case .idMissing: #expect(user.json != nil && user.json?["id"] == nil)
        case .idString: #expect(user["id"] == "1001")
        case .badCredentials: #expect(user.status == 401)
        case .organisationsForbidden: #expect(api(client, "/api/v3/user/orgs", token).status == 403)
        }
    }

    @Test func `the page's deny goes back with access_denied`() {
        let client = TestClient(provider: makeProvider())
        let request = form([("client_id", "web"), ("redirect_uri", callback), ("state", "s")])
        let answer = client.send("POST", "/login/oauth/authorize/answer", form: [("authorization_request", request), ("decision", "deny")])
        #expect(parameter("error", answer.header("Location")) == "access_denied")
    }
}
