import Config
import Diagnostics
import Testing

@testable import Lint

/// `rule line:column` of each finding in a text that is completed as an example is.
private func findings(_ text: String, whole: Bool = false) -> [String] {
    let source = SourceFile(name: "gateway.yaml", text: Rule.Example(text, whole: whole).completed)
    return Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics.map { finding in
        let place = source.position(at: finding.span.start)
        return "\(finding.rule.rawValue) \(place.line):\(place.column)"
    }
}

@Suite struct RuleTests {
    private static let github = "providers: [{ id: github.com, clientID: a, clientSecret: \"${env:GITHUB}\" }]\n"

    @Test(
        "A provider that admits anyone needs every route narrowed, the one for other paths included",
        arguments: [
            ("routes: [{ path: /**, access: { groups: [a] } }]", true),
            ("routes: [{ path: /**, access: { emails: [\"*@a.example\"] } }]", true),
            ("routes: [{ path: /**, access: { users: [mfrggzdfmztwq2lknnwg23tpob] } }]", true),
            ("routes: [{ path: /**, access: { claims: { a: b } } }]", true),
            ("routes: [{ path: /**, access: { providers: [oidc.other] } }]", true),
            ("routes: [{ path: /x, access: public }, { path: /**, access: { groups: [a] } }]", true),
            ("routes: [{ path: /**, access: { anyOf: [{ groups: [a] }, { users: [b] }] } }]", true),
            ("routes: [{ host: a.example, path: /**, access: { groups: [a] } }]", true),
            ("routes: [{ host: a.example, path: /x, access: { groups: [a] } }]", false),
            ("routes: [{ path: /x, access: { groups: [a] } }]", false), ("routes: []", false),
            ("routes: [{ path: /x, access: authenticated }, { path: /**, access: { groups: [a] } }]", false),
            ("routes: [{ path: /**, access: { providers: [github.com] } }]", false),
            ("routes: [{ path: /**, access: { maxAge: 15m } }]", false),
            ("routes: [{ path: /**, access: { anyOf: [{ groups: [a] }, { maxAge: 15m }] } }]", false),
            ("routes: [{ path: /**, methods: [GET], access: { groups: [a] } }]", false),
            ("routes: [{ path: /**, access: { networks: [10.0.0.0/8] } }]", true),
            ("routes: [{ path: /**, access: { condition: 'auth.emailVerified' } }]", true),
            ("routes: [{ path: /**, access: { condition: 'request.method == \"GET\"' } }]", false),
        ])
    func noAccessRule(routes: String, isNarrowed: Bool) {
        // The short rules of the table name providers, users, groups and hosts that do not exist.
        let others = ["unconfigured-provider", "invalid-user-id", "host-without-sign-in", "no-group-source"]
        let found = findings(Self.github + routes).filter { finding in !others.contains { finding.hasPrefix($0) } }
        #expect(found == (isNarrowed ? [] : ["no-access-rule 1:19"]))
    }

    @Test(
        "Who admits anyone",
        arguments: [
            ("{ id: google.com, clientID: a, clientSecret: \"${env:A}\" }", true),
            ("{ id: google.com, clientID: a, clientSecret: \"${env:A}\", customParameters: { hd: example.com } }", false),
            ("{ id: yahoo.com, clientID: a, clientSecret: \"${env:A}\" }", true),
            ("{ id: gitlab.com, clientID: a, clientSecret: \"${env:A}\" }", true),
            ("{ id: gitlab.com, clientID: a, clientSecret: \"${env:A}\", baseURL: https://git.example.com }", false),
            ("{ id: github.com, clientID: a, clientSecret: \"${env:A}\", baseURL: https://github.example.com }", false),
            ("{ id: github.com, clientID: a, clientSecret: \"${env:A}\", enabled: false }", false),
            ("{ id: github.com/partners, clientID: a, clientSecret: \"${env:A}\" }", true),
            ("{ id: keycloak, clientID: a, clientSecret: \"${env:A}\", baseURL: https://k.example, realm: r }", false),
            ("{ id: linkedin.com, clientID: a, clientSecret: \"${env:A}\" }", true),
            ("{ id: discord.com, clientID: a, clientSecret: \"${env:A}\" }", true),
        ])
    func admission(provider: String, admitsAnyone: Bool) {
        let found = findings("providers: [\(provider)]\n").filter { !$0.hasPrefix("no-enabled-provider") }
        #expect(found == (admitsAnyone ? ["no-access-rule 1:19"] : []))
    }

    @Test(
        "A route behind one that matches all of it is unreachable",
        arguments: [
            ("{ path: /** }", "{ path: /a }", true), ("{ path: /a/** }", "{ path: /a }", true), ("{ path: /a/** }", "{ path: /a/ }", true),
            ("{ path: /a/** }", "{ path: /a/b/** }", true), ("{ path: /a/* }", "{ path: \"/a/{id}\" }", true),
            ("{ path: /a }", "{ path: /a }", true),
            ("{ path: \"/{x}/b\" }", "{ path: /a/b }", true), ("{ path: /**/b }", "{ path: /a/c/b }", true),
            ("{ path: /a/**/z }", "{ path: /a/z }", true),
            ("{ path: /a }", "{ path: /a/ }", false), ("{ path: /a }", "{ path: /a/** }", false), ("{ path: /a/* }", "{ path: /a }", false),
            ("{ path: /a/* }", "{ path: /a/b/c }", false), ("{ path: /a/* }", "{ path: /a/ }", false),
            ("{ path: /a/* }", "{ path: /a/** }", false),
            ("{ path: /A }", "{ path: /a }", false), ("{ path: /%61 }", "{ path: /a }", true), ("{ path: /**/b }", "{ path: /a/c }", false),
            ("{ path: /**, methods: [GET] }", "{ path: /a }", false),
            ("{ path: /**, methods: [GET, POST] }", "{ path: /a, methods: [GET] }", true),
            ("{ path: /**, methods: [GET] }", "{ path: /a, methods: [GET, POST] }", false),
            ("{ methods: [GET] }", "{ path: /a, methods: [GET] }", true),
            ("{ host: a.example, path: /** }", "{ path: /a }", false), ("{ path: /** }", "{ host: a.example, path: /a }", true),
            ("{ host: A.example. , path: /** }", "{ host: \"a.example:443\", path: /a }", true),
            ("{ host: \"*.example.com\", path: /** }", "{ host: a.b.example.com, path: /a }", true),
            ("{ host: \"*.example.com\", path: /** }", "{ host: example.com, path: /a }", false),
            ("{ host: \"*.example.com\", path: /** }", "{ host: evilexample.com, path: /a }", false),
        ])
    func unreachable(first: String, second: String, isUnreachable: Bool) {
        let found = findings("routes:\n  - \(first)\n  - \(second)\n").filter { !$0.hasPrefix("host-") }
        #expect(found == (isUnreachable ? ["unreachable-route 3:7"] : []))
    }

    @Test func `Patterns of many wildcards are compared quickly`() {
        let many = "/" + Array(repeating: "**/x", count: 60).joined(separator: "/")
        let long = "/" + Array(repeating: "x", count: 200).joined(separator: "/") + "/y"
        let clock = ContinuousClock()
        let elapsed = clock.measure { #expect(findings("routes: [{ path: \(many) }, { path: \(long) }]\n") == []) }
        #expect(elapsed < .seconds(5))
    }

    @Test(
        "Everybody is trusted when the ranges cover every address, which is reported at the range that completes them",
        arguments: [
            ("[0.0.0.0/0]", "0.0.0.0/0"), ("[\"::/0\"]", "\"::/0\""), ("[0.0.0.0/1]", nil), ("[10.0.0.0/8, 192.168.0.0/16]", nil),
            ("[128.0.0.0/1, 64.0.0.0/2, 0.0.0.0/2]", "0.0.0.0/2"), ("[0.0.0.0/1, 128.0.0.0/2]", nil),
            ("[\"::/1\", \"8000::/1\"]", "\"8000::/1\""),
            ("[0.0.0.0/0, 10.0.0.0/8]", "0.0.0.0/0"), ("[1.2.3.4/0]", "1.2.3.4/0"),
            ("[10.0.0.0/8, 0.0.0.0/1, 64.0.0.0/1, 128.0.0.0/1]", "128.0.0.0/1"),
            ("[8000::/1, 128.0.0.0/1]", nil), ("[\"::ffff:0:0/96\"]", "\"::ffff:0:0/96\""), ("[\"::/8\"]", nil),
            ("[\"::ffff:0:0/97\", 128.0.0.0/1]", "128.0.0.0/1"),
        ] as [(String, String?)])
    func everyone(ranges: String, place: String?) {
        let text = "server: { publicURL: \"https://app.example.com\", trustedProxies: \(ranges) }\n"
        let source = SourceFile(name: "f", text: Rule.Example(text).completed)
        let found = Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics
        #expect(found.map { source.text(of: $0.span) } == (place.map { [$0] } ?? []))
        #expect(found.allSatisfy { $0.rule == .untrustedEveryone })
    }

    /// The columns of the table count from a shorter line.
    private static func shift(_ finding: String, by columns: Int) -> String {
        guard let colon = finding.lastIndex(of: ":"), let column = Int(finding[finding.index(after: colon)...]) else { return finding }
        return finding[...colon] + String(column + columns)
    }

    @Test(
        "A cookie domain is the host of the public URL or above it",
        arguments: [
            ("example.com", true), ("app.example.com", true), (".example.com", true), ("EXAMPLE.com", true), ("pp.example.com", false),
            ("example.org", false), ("x.app.example.com", false),
        ])
    func cookieDomain(domain: String, isAllowed: Bool) {
        let text = "session: { keys: [\"${file:./session.key}\"], cookie: { domain: \(domain) } }\n"
        #expect(findings(text) == (isAllowed ? [] : ["cookie-domain 1:63"]))
    }

    @Test(
        "Idle beyond absolute is an error at the idle limit, absolute beyond 30 days a warning",
        arguments: [
            ("idleTimeout: 1h, absoluteTimeout: 1h", [String]()), ("idleTimeout: 2h, absoluteTimeout: 1h", ["invalid-value 1:57"]),
            ("idleTimeout: 25h", ["invalid-value 1:57"]),
            ("absoluteTimeout: 30d", []), ("absoluteTimeout: 30d1ms", ["session-timeout 1:61"]), ("absoluteTimeout: 30m", []),
        ])
    func timeouts(keys: String, expected: [String]) {
        #expect(findings("session: { keys: [\"${file:./session.key}\"], \(keys) }\n") == expected.map { Self.shift($0, by: 1) })
    }

    @Test(
        "Every built-in reserved parameter is refused, in any case, set or offered",
        arguments: [
            "client_id", "redirect_uri", "response_type", "scope", "state", "response_mode", "nonce", "code_challenge",
            "code_challenge_method", "request",
            "request_uri", "client_secret", "client_assertion", "client_assertion_type", "code", "code_verifier", "grant_type",
            "id_token_hint", "registration",
        ])
    func reserved(name: String) {
        let head = "providers:\n  - id: oidc.a\n    issuer: https://a.example\n    clientID: a\n    clientSecret: ${env:A}\n"
        #expect(findings(head + "    customParameters:\n      \(name): \"x\"\n") == ["reserved-parameter 7:7"])
        #expect(findings(head + "    customParameters: { \(name.uppercased()): \"x\" }\n") == ["reserved-parameter 6:25"])
        #expect(findings(head + "    requestParameters: [\(name)]\n") == ["reserved-parameter 6:25"])
    }

    @Test(
        "Scopes must be exactly what the console grants",
        arguments: [
            ("scopes: [sdct-w]", "[openid, profile, email, sdct-w]", [String]()),
            ("scopes: [sdct-r]", "[openid, profile, email, sdct-w]", ["scope-mismatch 5:14"]),
            ("scopes: [sdct-w]", "[openid, profile, email, sdct-r]", ["scope-mismatch 5:14"]),
            ("scopes: [mail-r]", "[openid, profile, email]", ["scope-mismatch 5:14"]),
            ("scopes: []", "[openid, profile, email, mail-r]", ["scope-mismatch 6:51"]),
            ("scopes: [mail-r]", "[openid, profile, email, sdct-w]", ["scope-mismatch 5:14", "scope-mismatch 6:51"]),
            ("scopes: [email]", "[openid, profile]", ["missing-base-scope 6:26"]),
            ("scopes: []", "[openid]", ["missing-base-scope 6:26", "missing-base-scope 6:26"]),
            ("scopes: []", "[]", ["missing-base-scope 6:26", "missing-base-scope 6:26", "missing-base-scope 6:26"]),
        ])
    func scopes(requested: String, granted: String, expected: [String]) {
        let text = """
            providers:
              - id: oidc.a
                issuer: https://a.example
                clientID: a
                \(requested)
                preconfiguredScopes: \(granted)
                clientSecret: ${env:A}

            """
        #expect(findings(text) == expected)
    }

    @Test(
        "What authenticates the client",
        arguments: [
            ("clientSecret: ${env:A}", [String]()), ("clientAuthentication: none", []), ("enabled: true", ["missing-client-secret 2:5"]),
            ("clientSecret: \"\"", ["missing-client-secret 2:5"]), ("clientAuthentication: private_key_jwt", ["missing-key 2:5"]),
            ("privateKey: ${env:KEY}", []), ("clientAuthentication: client_secret_post", ["missing-client-secret 2:5"]),
            ("clientSecret: ${env:UNSET}", ["unresolved-reference 5:19"]), ("client_secret: ${env:A}", ["unknown-key 5:5"]),
            ("clientSecret: ${env:A}\n    clientAuthentication: private_key_jwt\n    privateKey: ${env:KEY}", ["unused-client-secret 5:5"]),
            ("privateKey: ${env:A}", ["unusable-private-key 5:17"]), ("privateKey: ${file:./locked.pem}", ["unusable-private-key 5:17"]),
            ("privateKey: ${file:./client.pem}", []), ("privateKey: ${env:UNSET}", ["unresolved-reference 5:17"]),
        ])
    func clientAuthentication(keys: String, expected: [String]) {
        #expect(findings("providers:\n  - id: oidc.a\n    issuer: https://a.example\n    clientID: a\n    \(keys)\n") == expected)
    }

    @Test(
        "What a provider without client secrets of its own making needs",
        arguments: [
            ("apple.com", "enabled: true", ["missing-key 2:5"]), ("apple.com", "clientSecret: ${env:A}", []),
            ("apple.com", "privateKey: ${file:./AuthKey.p8}", ["missing-key 2:5", "missing-key 2:5"]),
            ("apple.com", "privateKey: ${file:./AuthKey.p8}\n    keyID: K\n    teamID: T", []),
            ("apple.com", "privateKey: ${file:./client.pem}\n    keyID: K\n    teamID: T", ["unusable-private-key 4:17"]),
            ("login.gov", "enabled: true", ["missing-key 2:5"]), ("login.gov", "clientAuthentication: none", []),
            ("login.gov", "privateKey: ${file:./client.pem}", []),
            ("login.gov", "privateKey: ${file:./AuthKey.p8}", ["unusable-private-key 4:17"]),
        ])
    func keys(id: String, keys: String, expected: [String]) {
        let rest = "session: { keys: [\"${file:./session.key}\"] }\nroutes: [{ path: /**, access: { claims: { a: b } } }]\n"
        #expect(findings("providers:\n  - id: \(id)\n    clientID: a\n    \(keys)\n" + rest) == expected)
    }

    @Test(
        "What a provider needs to have an address",
        arguments: [
            ("oidc.a", "issuer: https://a.example", [String]()), ("oidc.a", "enabled: true", ["missing-key 2:5"]),
            ("oidc.a", "baseURL: https://a.example", ["missing-key 2:5", "unused-provider-key 5:5"]),
            ("okta", "enabled: true", ["missing-key 2:5"]), ("okta", "issuer: https://a.okta.com", []),
            ("keycloak", "baseURL: https://a.example", ["missing-key 2:5"]), ("keycloak", "issuer: https://a.example/realms/r", []),
            ("keycloak", "realm: r", ["missing-key 2:5"]), ("gitea", "baseURL: https://a.example", []),
            ("gitea", "enabled: true", ["missing-key 2:5"]),
            ("nextcloud", "issuer: https://a.example", ["missing-key 2:5"]), ("nextcloud", "baseURL: https://a.example", []),
            ("oauth2.a", "enabled: true", ["missing-key 2:5"]), ("microsoft.com", "enabled: true", ["missing-key 2:5"]),
            ("microsoft.com", "tenant: contoso.com", []), ("cognito", "enabled: true", ["missing-key 2:5"]),
            ("oauth2.a", "endpoints: { token: https://a.example/t }", ["missing-key 5:18", "missing-key 5:18"]),
        ])
    func addresses(id: String, keys: String, expected: [String]) {
        let rest = "session: { keys: [\"${file:./session.key}\"] }\nroutes: [{ path: /**, access: { claims: { a: b } } }]\n"
        #expect(findings("providers:\n  - id: \(id)\n    clientID: a\n    clientSecret: ${env:A}\n    \(keys)\n" + rest) == expected)
    }

    @Test(
        "Templates of identity headers",
        arguments: [
            ("{{ uid }}", true), ("{{uid}}", true), ("Bearer {{ accessToken }}", true), ("{{ claims.a.b }}", true),
            ("{{ groups | join(\\\"|\\\") | base64 }}", true),
            ("plain", true), ("{{ email | urlencode }}", true), ("{ {uid} }", true), ("{{ }}", false), ("{{ claims. }}", false),
            ("{{ claims..a }}", false),
            ("{{ uid", false), ("uid }}", false), ("{{ Uid }}", false), ("{{ uid | join }}", false), ("{{ uid | }}", false),
            ("{{ groups | join(,) }}", false),
            ("a\\nb", false), ("{{ uid }} }}", false), ("{{ {{ uid }}", false),
        ])
    func templates(text: String, isValid: Bool) {
        let found = findings("identity: { headers: { X-A: \"\(text)\" } }\n").filter { !$0.hasPrefix("forwarded-token") }
        #expect(found == (isValid ? [] : ["invalid-template 1:29"]))
    }

    @Test(
        "The file of a secret is nobody else's",
        arguments: [
            ("./session.key", [String]()), ("./world-readable.key", ["warning"]), ("./world-writable.key", ["error"]),
            ("/var/run/secrets/session.key", []),
        ])
    func permissions(path: String, expected: [String]) {
        let source = SourceFile(name: "f", text: Rule.Example("session: { keys: [\"${file:\(path)}\"] }\n").completed)
        let found = Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics
        #expect(found.map(\.severity.rawValue) == expected)
        #expect(found.allSatisfy { $0.rule == .secretFilePermissions })
    }

    @Test(
        "Placeholders of templates are no credentials",
        arguments: [
            ("changeme", true), ("<client-id>", true), ("YOUR_CLIENT_ID", true), ("xxxxxxxx", true), ("TODO", true), ("replace-me", true),
            ("…", true),
            ("acme-web", false), ("Iv1.8a61f9b3a7aba766", false), ("1234.apps.googleusercontent.com", false), ("web", false),
            ("yourbank-web", false), ("insertia", false),
            ("0123456789", false),
        ])
    func placeholders(text: String, isPlaceholder: Bool) {
        let found = findings(
            "providers:\n  - id: oidc.a\n    issuer: https://a.example\n    clientID: \(text)\n    clientSecret: ${env:A}\n")
        #expect(found == (isPlaceholder ? ["placeholder-value 4:15"] : []))
    }

    @Test(
        "An ignore comment silences a warning on the next line of content",
        arguments: [
            ("# gateway-ignore: public-everything a reason", [String]()), ("#gateway-ignore: public-everything a reason", []),
            ("# gateway-ignore: public-everything a reason\n\n    # another comment", []),
            ("# gateway-ignore: public-everything", ["ignore-without-reason 3:5", "public-everything 4:13"]),
            ("# gateway-ignore:", ["ignore-without-reason 3:5", "public-everything 4:13"]),
            ("# gateway-ignore: no-access-rule a reason", ["unused-ignore 3:5", "public-everything 4:13"]),
            ("# gateway-ignore: nonsense a reason", ["unused-ignore 3:5", "public-everything 4:13"]),
            ("# gateway-ignores: public-everything a reason", ["public-everything 4:13"]),
        ])
    func ignores(comment: String, expected: [String]) {
        let found = findings("routes:\n  - path: /**\n    \(comment)\n    access: public\n")
        #expect(found == expected)
    }

    @Test func `An error cannot be silenced`() {
        let text = "routes:\n  - path: /**\n    # gateway-ignore: unknown-key it is fine\n    acces: { groups: [a] }\n"
        #expect(findings(text) == ["unused-ignore 3:5", "unknown-key 4:5"])
    }

    @Test func `An unused ignore comment goes with its line`() {
        let source = SourceFile(
            name: "f",
            text: Rule.Example("routes:\n  - path: /a\n    # gateway-ignore: public-everything why\n    access: public\n").completed)
        let fixed = Linter.check(source, surroundings: exampleSurroundings).findings.applyingSafeFixes()
        #expect(fixed.map { String(decoding: $0.bytes, as: UTF8.self).hasPrefix("routes:\n  - path: /a\n    access: public\n") } == true)
    }

    @Test(
        "What follows from another finding is not reported",
        arguments: [
            ("provders: []\n", ["unknown-key 1:1"]), ("route: []\n", ["unknown-key 1:1"]), ("providers: x\n", ["wrong-type 1:12"]),
            ("routes: x\n", ["wrong-type 1:9"]),
            ("server: x\n", ["wrong-type 1:9"]), ("server: { publicUrl: https://app.example.com }\n", ["unknown-key 1:11"]),
            ("session: x\n", ["wrong-type 1:10"]),
            ("session: { keys: [\"${file:./none}\"] }\n", ["unresolved-reference 1:20"]), ("upstream: [[a]]\n", ["wrong-type 1:12"]),
            ("providers: [{ id: \"${env:UNSET}\", clientID: a }]\n", ["unresolved-reference 1:20"]),
        ])
    func consequences(text: String, expected: [String]) {
        // The misspelt list of providers hides the real one, which the completion would add.
        #expect(findings(text).filter { !$0.hasPrefix("duplicate-key") } == expected)
    }
}

@Suite struct LinterTests {
    @Test func `A configuration comes only from a file without an error`() {
        func outcome(_ text: String) -> Linter.Outcome {
            Linter.check(SourceFile(name: "f", text: Rule.Example(text).completed), surroundings: exampleSurroundings)
        }
        #expect(outcome("logging: { level: debug }\n").configuration?.logging.level == .debug)
        #expect(outcome("logging: { level: loud }\n").configuration == nil)
        // Warnings do not stop it.
        let warned = outcome("routes: [{ path: /**, access: public }]\n")
        #expect(warned.findings.diagnostics.map(\.rule) == [.publicEverything])
        #expect(warned.configuration != nil)
    }

    @Test func `Loading refuses with the report that checking gives`() {
        let source = SourceFile(name: "f", text: "version: 2\n")
        guard case .failure(let refusal) = ConfigLoader.load(source, surroundings: exampleSurroundings) else {
            Issue.record("loaded")
            return
        }
        let checked = Linter.check(files: [(source, exampleSurroundings)])
        #expect(TextRenderer().render(refusal.report) == TextRenderer().render(checked))
    }

    @Test func `Several files make one report`() {
        let files = [SourceFile(name: "a", text: "version: 2\n"), SourceFile(name: "b", text: "version: 3\n")]
        let report = Linter.check(files: files.map { ($0, exampleSurroundings) })
        #expect(report.files.map(\.source.name) == ["a", "b"])
        let text = TextRenderer().render(report)
        #expect(text.contains("a: 3 errors, 0 warnings\nb: 3 errors, 0 warnings\n"))
    }

    @Test func `A file of 500 routes is checked`() {
        var text = "routes:\n"
        for index in 0..<500 { text += "  - path: /app\(index)/**\n    access: { groups: [team\(index)] }\n" }
        let source = SourceFile(name: "f", text: Rule.Example(text).completed)
        let outcome = Linter.check(source, surroundings: exampleSurroundings)
        #expect(outcome.findings.diagnostics.isEmpty)
        #expect(outcome.configuration?.routes.count == 500)
    }
}

@Suite struct AliasTests {
    @Test(
        "A finding of any stage about what an alias brings is at the alias, with the anchor as related place",
        arguments: [
            ("x-a: &a { emials: [b@c.example] }\nroutes: [{ path: /**, access: *a }]\n", "unknown-key"),
            ("x-a: &a [1]\nroutes: [{ path: *a }]\n", "wrong-type"),
            ("x-a: &a http://a.example\nserver: { publicURL: *a }\n", "public-url"),
            (
                "x-a: &a { state: x }\nproviders: [{ id: oidc.a, issuer: https://a, clientID: b, clientSecret: \"${env:A}\", customParameters: *a }]\n",
                "reserved-parameter"
            ),
            ("x-a: &a /_gateway/x\nroutes: [{ path: *a }]\n", "route-shadows-gateway"),
            ("x-a: &a 2d\nsession: { keys: [\"${file:./session.key}\"], idleTimeout: *a }\n", "invalid-value"),
        ])
    func alias(text: String, rule: String) throws {
        let source = SourceFile(name: "f", text: Rule.Example(text).completed)
        let found = Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics
        #expect(found.map(\.rule.rawValue) == [rule])
        let finding = try #require(found.first)
        #expect(source.text(of: finding.span) == "*a")
        #expect(source.text(of: try #require(finding.related.first).span) == "&a")
    }

    @Test(
        "A header that folds to one of the profile's, or to the assertion's, is a collision",
        arguments: [
            ("identity: { assertion: { header: x_forwarded_user } }", ["header-collision 1:34"]),
            ("identity: { assertion: { header: X.Forwarded.Groups }, headers: forwarded }", ["header-collision 1:34"]),
            ("identity: { headers: [webauth], assertion: { header: X-WebAuth-User } }", ["header-collision 1:54"]),
            ("identity: { headers: [forwarded, remote-user], assertion: { header: Remote_Email } }", ["header-collision 1:69"]),
            ("identity: { headers: { X-User: \"{{ uid }}\" }, assertion: { header: x_user } }", ["header-collision 1:68"]),
            ("identity: { assertion: { header: X_Request_Id } }", ["header-collision 1:34"]),
            ("identity: { headers: [webauth], assertion: { header: X-Forwarded-User } }", []),
            ("identity: { headers: none, assertion: { header: Remote-User } }", []),
            ("identity: { assertion: { header: x_gateway_assertion } }", []),
            ("identity: { assertion: { header: X-Jwt } }\nrequestHeaders: { set: { x_jwt: a } }", ["uneditable-header 2:26"]),
            ("identity: { headers: { X-User: \"{{ uid }}\" } }\nrequestHeaders: { set: { X.User: a } }", ["uneditable-header 2:26"]),
        ] as [(String, [String])])
    func foldedHeaders(text: String, expected: [String]) { #expect(findings(text + "\n") == expected) }

    @Test(
        "A scope one edit away from a standard one is unknown at every provider",
        arguments: [
            ("google.com", "emial", true), ("google.com", "profil", true), ("google.com", "openidd", true), ("google.com", "mail", true),
            ("google.com", "email", false), ("google.com", "https://www.googleapis.com/auth/drive", false), ("oidc.acme", "emial", true),
            ("oidc.acme", "offline_acces", true), ("oidc.acme", "phone", false), ("oidc.acme", "mail", false),
            ("oidc.acme", "emails", false),
            ("oidc.acme", "groups", false), ("oidc.acme", "mail.read", false), ("github.com", "user:emial", true),
            ("github.com", "repo", false), ("slack.com", "emial", true), ("microsoft.com", "User.Read", false),
            ("twitter.com", "tweet.write", false), ("twitter.com", "users.raed", true),
        ])
    func misspeltScopes(provider: String, scope: String, isReported: Bool) {
        let keys =
            switch provider {
            case "oidc.acme": ", issuer: \"https://a.example\""
            case "microsoft.com": ", tenant: common"
            default: ""
            }
        let text =
            "providers: [{ id: \(provider), clientID: aaaa-bbbb, clientSecret: \"${env:A}\"\(keys), scopes: [\"\(scope)\"] }]\n"
            + "routes: [{ path: /**, access: { groups: [a] } }]\n"
        let column = text.unicodeScalars.distance(
            from: text.startIndex, to: text.firstRange(of: "\"\(scope)\"")?.lowerBound ?? text.endIndex)
        #expect(findings(text).filter { $0.hasPrefix("unknown-scope") } == (isReported ? ["unknown-scope 1:\(column + 1)"] : []))
    }

    @Test("Endpoints of a provider on loopback may be on any loopback host", arguments: ["localhost", "127.0.0.1", "[::1]"])
    func loopbackEndpoints(host: String) {
        let text = """
            providers:
              - id: oidc.a
                issuer: http://127.0.0.1:8081
                clientID: a
                clientSecret: ${env:A}
                endpoints: { token: "http://\(host):9000/token", userinfo: "https://login.example.net/u" }

            """
        #expect(findings(text) == ["endpoint-host 6:\(57 + host.count)"])
    }

    @Test(
        "A provider that is not configured is reported at its item",
        arguments: [
            ("[oidc.acne]", 44), ("[nobody, oidc.acne]", 52), ("[first, second]", 44), ("[oidc.acme, second]", nil),
        ] as [(String, Int?)])
    func unconfiguredProvider(list: String, column: Int?) {
        #expect(
            findings("routes: [{ path: /**, access: { providers: \(list) } }]\n")
                == (column.map { ["unconfigured-provider 1:\($0 + 1)"] } ?? []))
    }

    @Test(
        "An empty list of a condition is reported wherever it stands, since no user passes",
        arguments: [
            ("{ users: [] }", ["users"]), ("{ emails: [], groups: [a] }", ["emails"]), ("{ groups: [] }", ["groups"]),
            ("{ providers: [] }", ["providers"]), ("{ claims: { team: [] } }", ["team"]),
            ("{ anyOf: [{ users: [] }, { groups: [a] }] }", ["users"]), ("{ users: [mfrggzdfmztwq2lknnwg23tpob] }", []),
            ("{ claims: { team: blue } }", []),
        ])
    func emptyCondition(access: String, keys: [String]) {
        let source = SourceFile(name: "f", text: Rule.Example("routes: [{ path: /**, access: \(access) }]\n").completed)
        let found = Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics
        #expect(found.map(\.message) == keys.map { "`\($0)` is empty: no user passes this rule" })
        #expect(found.allSatisfy { $0.rule == .emptyCondition && source.text(of: $0.span) == "[" })
    }

    @Test(
        "A rule on groups needs a provider that sends some",
        arguments: [
            (["google.com"], "", "{ groups: [a] }", true), (["github.com"], "", "{ groups: [a] }", true),
            (["github.com"], ", scopes: [read:org]", "{ groups: [a] }", false),
            (["google.com"], ", claims: { groups: hd }", "{ groups: [a] }", false),
            (["google.com", "gitlab.com"], "", "{ groups: [a] }", false),
            (["google.com", "gitlab.com"], "", "{ groups: [a], providers: [google.com] }", true),
            (["google.com"], "", "{ anyOf: [{ groups: [a] }, { emails: [a@example.com] }] }", true),
            (["google.com"], "", "{ emails: [a@example.com] }", false), (["microsoft.com"], ", tenant: t", "{ groups: [a] }", false),
        ])
    func noGroupSource(providers: [String], settings: String, access: String, isReported: Bool) {
        let list = providers.map { "{ id: \($0), clientID: a, clientSecret: \"${env:A}\"\(settings) }" }.joined(separator: ", ")
        let found = findings("providers: [\(list)]\nroutes: [{ path: /**, access: \(access) }]\n").filter {
            $0.hasPrefix("no-group-source")
        }
        #expect(found.count == (isReported ? 1 : 0), "\(found)")
    }

    @Test func `The finding about groups at GitHub names the scope that lists them`() {
        let text =
            "providers: [{ id: github.com, clientID: a, clientSecret: \"${env:GITHUB}\" }]\n"
            + "routes: [{ path: /**, access: { groups: [acme] } }]\n"
        let source = SourceFile(name: "f", text: Rule.Example(text).completed)
        let found = Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics
        #expect(found.first?.help?.contains("`scopes: [read:org]` to `github.com`") == true)
    }

    @Test(
        "The host that init writes is a placeholder, whatever key holds it",
        arguments: [
            ("server: { publicURL: https://replace-me.invalid }", "https://replace-me.invalid"),
            ("upstream: http://replace-me.invalid:8080", "http://replace-me.invalid:8080"),
            ("upstream: http://app.invalid:8080", nil),
            ("routes: [{ path: /**, access: { emails: [you@replace-me.invalid] } }]", "you@replace-me.invalid"),
            (
                "providers: [{ id: oidc.acme, clientID: a, clientSecret: \"${env:A}\", issuer: https://replace-me.invalid/a }]",
                "https://replace-me.invalid/a"
            ),
            ("upstream: http://invalid:8080", nil), ("upstream: http://invalid.example.com:8080", nil),
        ] as [(String, String?)])
    func placeholderHost(text: String, place: String?) {
        let source = SourceFile(name: "f", text: Rule.Example(text + "\n").completed)
        let found = Linter.check(source, surroundings: exampleSurroundings).findings.diagnostics
        #expect(found.map { source.text(of: $0.span) } == (place.map { [$0] } ?? []))
        #expect(found.allSatisfy { $0.rule == .placeholderValue })
    }

    @Test(
        "A route that asks for a sign-in is on a host that the session cookie reaches",
        arguments: [
            ("null", "host: app.example.com", true), ("null", "host: \"APP.example.com.\"", true),
            ("null", "host: admin.example.com", false),
            ("null", "host: admin.example.com, access: public", true), ("null", "host: \"*.example.com\"", true),
            ("null", "host: \"*.app.example.com\"", false), ("null", "host: \"*.example.org\"", false),
            ("null", "host: admin.example.com, access: { anyOf: [{ groups: [a] }, { users: [mfrggzdfmztwq2lknnwg23tpob] }] }", false),
            ("null", "host: api.example.com, bearer: { providers: [oidc.acme] }", true), ("example.com", "host: admin.example.com", true),
            ("example.com", "host: example.com", true), ("example.com", "host: a.b.example.com", true),
            ("example.com", "host: \"*.b.example.com\"", true), ("example.com", "host: \"*.com\"", true),
            ("example.com", "host: notexample.com", false), ("app.example.com", "host: admin.example.com", false),
            ("app.example.com", "host: x.app.example.com", true), ("app.example.com", "host: \"*.example.com\"", true),
        ])
    func hostWithoutSignIn(domain: String, route: String, isReachable: Bool) {
        let text = """
            session: { keys: ["${file:./session.key}"], cookie: { domain: \(domain) } }
            routes:
              - { path: /**, \(route) }

            """
        #expect(findings(text).filter { $0.hasPrefix("host-without") } == (isReachable ? [] : ["host-without-sign-in 3:24"]))
    }

    @Test("A route that is never reached is not reported for its host as well")
    func unreachableHost() {
        #expect(findings("routes:\n  - path: /**\n  - host: x.example.com\n") == ["unreachable-route 3:5"])
    }

    @Test("A cookie domain that is wrong itself says nothing about hosts")
    func hostsAndCookieDomain() {
        let text = """
            session: { keys: ["${file:./session.key}"], cookie: { domain: example.org } }
            routes: [{ path: /**, host: admin.example.com }]

            """
        #expect(findings(text) == ["cookie-domain 1:63"])
    }

    @Test(
        "Several replicas with a session store in the cookie are warned about at the store",
        arguments: [
            ("session: { keys: [\"${file:./session.key}\"], store: cookie }", "3", "1:52"),
            ("session: { keys: [\"${file:./session.key}\"] }", "2", "1:12"), ("session: { keys: [\"${file:./session.key}\"] }", "1", nil),
            ("session: { keys: [\"${file:./session.key}\"] }", "", nil), ("session: { keys: [\"${file:./session.key}\"] }", "many", nil),
            ("session: { keys: [\"${file:./session.key}\"] }", "99999999999999999999", nil),
            ("session: { keys: [\"${file:./session.key}\"], store: \"redis://127.0.0.1/0\" }", "3", nil),
            ("session: { keys: [\"${file:./session.key}\"] }\nproviders: []\nroutes: [{ path: /**, access: public }]", "3", nil),
        ] as [(String, String, String?)])
    func processLocalSessions(text: String, replicas: String, place: String?) {
        let source = SourceFile(name: "f", text: Rule.Example(text + "\n").completed)
        let outcome = Linter.check(source, surroundings: exampleSurroundings.with(["GATEWAY_REPLICAS": replicas]))
        let found = outcome.findings.diagnostics.filter { $0.rule == .processLocalSessions }.map { source.position(at: $0.span.start) }
        #expect(found.map { "\($0.line):\($0.column)" } == (place.map { [$0] } ?? []))
    }

    @Test("A redirect loop is reported for the route that takes the target")
    func redirectLoops() {
        let text = """
            routes:
              - { path: /a/start, access: public }
              - { path: /a/**, access: public, redirect: { to: /a/start } }
              - { path: /b/**, access: public, redirect: { to: /b/start } }
              - { path: /c/**, access: public, methods: [POST], redirect: { to: /c/start } }

            """
        #expect(findings(text) == ["redirect-loop 4:52"])
    }
}
