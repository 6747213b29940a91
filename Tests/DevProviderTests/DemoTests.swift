import DevProvider
import Testing
import TokenCrypto

@Suite struct DemoTests {
    private let demo = DemoConfiguration(
        ports: .init(gateway: 4180, acme: 4181, partner: 4182, admin: 9180, mail: 4183), app: .example(port: 4184),
        folder: "/tmp/a \"b\"\\c", clientSecret: "s3cret-of-this-run")

    @Test func `each provider knows exactly the redirect address of the gateway's configuration`() {
        let yaml = demo.yaml
        #expect(yaml.contains("publicURL: http://127.0.0.1:4180\n"))
        #expect(yaml.contains("upstream: \"http://127.0.0.1:4184\"\n"))
        for (provider, id, name) in [(demo.acme, "oidc.acme", "Acme"), (demo.partner, "oidc.partner", "Partner")] {
            let client = provider.clients[0]
            #expect(provider.clients.count == 1)
            #expect(
                yaml.contains(
                    """
                      - id: \(id)
                        displayName: \(name)
                        issuer: \(provider.issuer)
                        clientID: \(client.id)

                    """))
            #expect(provider.name == name)
            #expect(client.secret == "s3cret-of-this-run")
            #expect(client.redirectURIs == ["http://127.0.0.1:4180/_gateway/callback/\(id)"])
            #expect(client.postLogoutRedirectURIs == ["http://127.0.0.1:4180/_gateway/logged-out"])
        }
    }

    @Test func `the providers know the same users by different subjects`() {
        #expect(demo.acme.people.map(\.email) == demo.partner.people.map(\.email))
        #expect(Set(demo.acme.people.map(\.subject)).isDisjoint(with: demo.partner.people.map(\.subject)))
    }

    @Test func `the demo's pages show which of the providers asks`() {
        let names = [demo.acme, demo.partner].map { options in
            DevProvider(options).respond(to: DevRequest(method: "GET", path: "/", query: nil, headers: []), now: 0).text
        }
        #expect(names[0].contains("<h1>Acme</h1>"))
        #expect(names[1].contains("<h1>Partner</h1>"))
    }

    @Test func `without a mail server there are no passwords`() {
        var demo = demo
        #expect(demo.yaml.contains("  - id: anonymous\n\nmail:\n  url: smtp://127.0.0.1:4183\n"))
        #expect(demo.yaml.contains("  - id: password\n"))
        demo.ports.mail = nil
        #expect(demo.yaml.contains("  - id: anonymous\n\nsession:\n"))
        #expect(!demo.yaml.contains("password") && !demo.yaml.contains("mail:"))
    }

    @Test func `a path with quotes stays one YAML scalar`() {
        #expect(demo.yaml.contains(#"keys: ["${file:/tmp/a \"b\"\\c/session.key}"]"#))
        #expect(demo.yaml.contains(#"store: "sqlite:/tmp/a \"b\"\\c/accounts.db""#))
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
