import DevProvider
import Testing
import TokenCrypto

@Suite struct DemoTests {
    private let demo = DemoConfiguration(
        gatewayPort: 4180, providerPort: 4181, app: .example(port: 4182), adminPort: 9180, keyFile: "/tmp/a \"b\"\\c.key",
        clientSecret: "s3cret-of-this-run")

    @Test func `the provider knows exactly the redirect addresses of the gateway's configuration`() {
        let yaml = demo.yaml
        let options = demo.provider
        #expect(yaml.contains("issuer: \(options.issuer)\n"))
        #expect(yaml.contains("baseURL: \(options.issuer)\n"))
        #expect(yaml.contains("publicURL: http://127.0.0.1:4180\n"))
        #expect(yaml.contains("upstream: \"http://127.0.0.1:4182\"\n"))
        for client in options.clients {
            #expect(yaml.contains("clientID: \(client.id)\n"))
            #expect(client.secret == "s3cret-of-this-run")
        }
        #expect(
            options.clients.flatMap(\.redirectURIs) == [
                "http://127.0.0.1:4180/_gateway/callback/oidc.demo", "http://127.0.0.1:4180/_gateway/callback/github.com",
            ])
        #expect(options.clients[0].postLogoutRedirectURIs == ["http://127.0.0.1:4180/_gateway/logged-out"])
    }

    @Test func `a path with quotes stays one YAML scalar`() {
        #expect(demo.yaml.contains(#"keys: ["${file:/tmp/a \"b\"\\c.key}"]"#))
    }

    @Test func `the user's own app is the upstream, and only a sign-in opens it`() {
        var demo = demo
        demo.app = .own(upstream: "http://localhost:3000")
        #expect(demo.yaml.contains("upstream: \"http://localhost:3000\"\n"))
        #expect(demo.yaml.hasSuffix("  - path: /**\n"))
    }

    @Test func `an upstream of several lines stays one YAML scalar`() {
        var demo = demo
        demo.app = .own(upstream: "http://a\nadmin: {}\"\\")
        #expect(demo.yaml.contains(#"upstream: "http://a admin: {}\"\\"# + "\"\n"))
    }

    @Test func `every line of the configuration is indented with spaces by twos`() {
        for line in demo.yaml.split(separator: "\n") {
            #expect(line.prefix { $0 == " " }.count % 2 == 0)
            #expect(!line.contains("\t"))
        }
    }
}

@Suite struct ExampleAppTests {
    private func get(_ path: String, query: String? = nil, headers: [(name: String, value: String)] = []) -> DevResponse {
        ExampleApp().respond(to: DevRequest(method: "GET", path: path, query: query, headers: headers))
    }

    @Test func `the page shows every header, marks those that say who it is, and links to the sign-out`() {
        let page = get(
            "/reports", query: "a=1",
            headers: [
                ("Host", "app"), ("X-Forwarded-Name", "Alice Adams"), ("X-Forwarded-Email", "alice@example.com"), ("Accept", "text/html"),
            ])
        #expect(page.text.contains("GET /reports?a=1"))
        #expect(page.text.contains("<tr class=\"identity\"><th scope=\"row\">X-Forwarded-Name</th><td>Alice Adams</td></tr>"))
        #expect(page.text.contains("<tr><th scope=\"row\">Accept</th><td>text/html</td></tr>"))
        #expect(page.text.contains("href=\"/_gateway/logout\""))
        #expect(page.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
    }

    @Test func `without identity it says so and offers no sign-out`() {
        let page = get("/", headers: [("Host", "app")])
        #expect(page.text.contains("No user is signed in"))
        #expect(!page.text.contains("/logout"))
    }

    @Test func `what comes in is escaped`() {
        let page = get(
            "/<script>", query: "<script>", headers: [("X-<script>", "<script>alert(1)</script>"), ("X-Forwarded-Name", "<script>")])
        #expect(!page.text.contains("<script"))
    }

    @Test func `echo gives the request back as JSON, header order and doubles kept`() {
        let answer = ExampleApp().respond(
            to: DevRequest(
                method: "PUT", path: "/echo/x", query: "q", headers: [("B", "1"), ("A", "2"), ("B", "3")], body: Array("hi".utf8)))
        #expect(answer["method"] == "PUT")
        #expect(answer["path"] == "/echo/x")
        #expect(answer["query"] == "q")
        #expect(answer.json?["headers"] == .array([["B", "1"], ["A", "2"], ["B", "3"]].map { .array($0.map(JSONValue.string)) }))
        #expect(answer["body"] == "hi")
        #expect(answer.json?["bodyBytes"]?.integer == 2)
    }

    @Test func `health is plain text`() {
        let answer = get("/health")
        #expect(answer.status == 200)
        #expect(answer.text == "ok\n")
    }
}
