import DevProvider
import Pages
import Primitives
import Testing
import TokenCrypto

/// What a person with a browser does at the provider.
@Suite struct BrowserTests {
    private func provider() -> DevProvider {
        let provider = makeProvider()
        provider.automaticPerson = nil
        return provider
    }

    private func cookie(_ response: DevResponse) -> [(name: String, value: String)] {
        [("Cookie", response.header("Set-Cookie")?.split(separator: ";").first.map(String.init) ?? "")]
    }

    private func click(
        _ client: TestClient, _ name: String, _ value: String, headers: [(name: String, value: String)] = [],
        request: [String: String?] = [:]
    )
        -> DevResponse
    {
        client.send(
            "POST", "/authorize/answer", headers: headers,
            form: [("authorization_request", form(client.authorizationFields(changing: request))), (name, value)])
    }

    @Test func `the page lists everybody and lets its form lead to the client's origin`() {
        let page = TestClient(provider: provider()).authorize()
        #expect(page.status == 200)
        for person in Person.demo { #expect(page.text.contains("name=\"person\" value=\"\(person.id)\"")) }
        #expect(page.text.contains("name=\"decision\" value=\"deny\""))
        #expect(page.header("Content-Security-Policy")?.contains("form-action 'self' https://app.example.com;") == true)
        #expect(page.header("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
    }

    @Test func `one click signs in, sets a cookie and goes back with 303`() {
        let client = TestClient(provider: provider())
        let answer = click(client, "person", "carol")
        #expect(answer.status == 303)
        #expect(parameter("code", answer.header("Location")) != nil)
        let setCookie = answer.header("Set-Cookie") ?? ""
        for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"] { #expect(setCookie.contains(attribute), "\(attribute)") }
    }

    @Test func `the next time it asks whether to continue as the same person`() {
        let client = TestClient(provider: provider())
        let signedIn = cookie(click(client, "person", "bob"))
        let page = client.authorize(headers: signedIn)
        #expect(page.text.contains("Continue as Bob"))
        let answer = click(client, "decision", "continue", headers: signedIn)
        #expect(client.exchange(parameter("code", answer.header("Location"))).status == 200)
        #expect(click(client, "decision", "other", headers: signedIn).text.contains("value=\"alice\""))
        #expect(client.authorize(changing: ["prompt": "login"], headers: signedIn).text.contains("value=\"alice\""))
    }

    @Test func `deny goes back with access_denied`() {
        let location = click(TestClient(provider: provider()), "decision", "deny").header("Location")
        #expect(parameter("error", location) == "access_denied")
        #expect(parameter("state", location) == "st4te")
    }

    @Test func `prompt none answers login_required, or a code where somebody is signed in`() {
        let client = TestClient(provider: provider())
        #expect(parameter("error", client.authorize(changing: ["prompt": "none"]).header("Location")) == "login_required")
        let signedIn = cookie(click(client, "person", "bob"))
        #expect(parameter("code", client.authorize(changing: ["prompt": "none"], headers: signedIn).header("Location")) != nil)
    }

    @Test func `max_age asks again when the sign-in is too old, and auth_time says when it was`() throws {
        var client = TestClient(provider: provider())
        let signedIn = cookie(click(client, "person", "bob"))
        client.now += 100_000
        #expect(client.authorize(changing: ["max_age": "99"], headers: signedIn).text.contains("value=\"alice\""))
        #expect(client.authorize(changing: ["max_age": "100"], headers: signedIn).text.contains("Continue as Bob"))
        let answer = click(client, "decision", "continue", headers: signedIn)
        let token = client.exchange(parameter("code", answer.header("Location")))["id_token"]
        #expect(try verifiedClaims(token, client)["auth_time"]?.integer == now / 1000)
    }

    @Test func `silent sign-on goes straight back`() {
        var options = makeOptions()
        options.silentSignOn = true
        let client = TestClient(provider: DevProvider(options))
        let signedIn = cookie(click(client, "person", "bob"))
        #expect(parameter("code", client.authorize(headers: signedIn).header("Location")) != nil)
    }

    @Test func `the hinted person comes first`() {
        let page = TestClient(provider: provider()).authorize(changing: ["login_hint": "carol@example.org"]).text
        #expect(page.split(separator: "name=\"person\" value=\"").dropFirst().first?.hasPrefix("carol") == true)
    }

    @Test func `form_post hands over the code in a form (Form Post Response Mode 2)`() {
        let page = click(TestClient(provider: provider()), "person", "alice", request: ["response_mode": "form_post"])
        #expect(page.status == 200)
        #expect(page.text.contains("<form method=\"post\" action=\"\(callback)\">"))
        #expect(page.text.contains("name=\"code\" value=\"code-"))
        #expect(page.text.contains("name=\"state\" value=\"st4te\""))
    }

    @Test func `text of the request is escaped on the pages`() {
        let client = TestClient(provider: provider())
        let hostile = "\"><script>alert(1)</script>"
        for page in [
            client.authorize(changing: ["state": hostile, "nonce": hostile]), client.authorize(changing: ["client_id": hostile]),
            client.authorize(changing: [hostile: "x", "login_hint": hostile]),
            click(client, "person", "alice", request: ["response_mode": "form_post", "state": hostile]),
        ] {
            #expect(!page.text.contains("<script"))
        }
    }

    @Test func `sign-out with a hint ends the session and goes to a registered address only, with state (RP-Initiated Logout 2, 3)`() {
        let client = TestClient(provider: provider())
        let answer = click(client, "person", "bob")
        let signedIn = cookie(answer)
        let token = client.exchange(parameter("code", answer.header("Location")))["id_token"] ?? ""
        func logout(_ fields: [(String, String)]) -> DevResponse {
            client.send("GET", "/end-session", query: form(fields), headers: signedIn)
        }

        let hint = ("id_token_hint", token)
        for wrong in ["https://evil.example/", "https://app.example.com/bye/", "https://app.example.com/bye?x=1"] {
            #expect(logout([hint, ("post_logout_redirect_uri", wrong)]).status == 400)
        }
        #expect(logout([("id_token_hint", token + "x")]).status == 400)
        #expect(logout([hint, ("client_id", "other")]).status == 400)
        #expect(
            logout([("client_id", "web"), ("post_logout_redirect_uri", "https://app.example.com/bye")]).text.contains(
                "Sign out of the demo provider?"))
        #expect(client.authorize(headers: signedIn).text.contains("Continue as Bob"))

        let done = logout([hint, ("post_logout_redirect_uri", "https://app.example.com/bye"), ("state", "a b")])
        #expect(done.status == 302)
        #expect(done.header("Location") == "https://app.example.com/bye?state=a%20b")
        #expect(done.header("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(!client.authorize(headers: signedIn).text.contains("Continue as Bob"))
    }

    @Test func `the overview says who is signed in and signs out by POST`() {
        let client = TestClient(provider: provider())
        let signedIn = cookie(click(client, "person", "bob"))
        #expect(client.send("GET", "/", headers: signedIn).text.contains("<bdi>Bob Brown</bdi></strong>"))
        #expect(client.send("GET", "/sign-out", headers: signedIn).status == 405)
        #expect(client.send("POST", "/sign-out", headers: signedIn, form: []).status == 303)
        #expect(client.send("GET", "/", headers: signedIn).text.contains("Nobody is signed in"))
    }

    @Test func `the policy of the demo's pages allows exactly their style sheets`() {
        for sheet in [StyleSheet.base, .demo] {
            #expect(sheet.hash == "sha256-\(Base64.encode(SHA2.sha256(Array(sheet.css.utf8))))")
            #expect(!sheet.css.isEmpty)
        }
        let page = TestClient(provider: provider()).authorize()
        #expect(page.header("Content-Security-Policy")?.contains("'\(StyleSheet.demo.hash)'") == true)
        #expect(page.text.contains("<style>\(StyleSheet.demo.css)</style>"))
    }
}
