import Config
import Diagnostics
import Providers
import Testing

@testable import Lint

private func answers(_ pairs: [(StarterAnswers.Question, String)]) throws(StarterAnswers.Problem) -> StarterAnswers {
    var answers = StarterAnswers()
    for (question, text) in pairs { try answers.set(question, to: text) }
    return answers
}

private func check(_ starter: StarterConfiguration) -> Linter.Outcome {
    Linter.check(SourceFile(name: "gateway.yaml", text: starter.text), surroundings: exampleSurroundings)
}

/// Every id that a starter can be made for.
private let providerIDs =
    ProviderCatalogue.presets.map(\.id).filter { $0 != "oidc" && $0 != "oauth2" } + ["oidc.acme", "oauth2.legacy", "github.com/partners"]

@Suite struct StarterConfigurationTests {
    @Test("The starter of each provider has no finding but the placeholders that are left", arguments: providerIDs)
    func everyone(id: String) throws {
        let starter = StarterConfiguration(try answers([(.provider, id), (.allow, "everyone")]))
        let findings = check(starter).findings.diagnostics
        #expect(findings.allSatisfy { $0.rule == .placeholderValue }, "\(findings) in\n\(starter.text)")
        // `oauth2.legacy` lacks its endpoints, most presets their client ID.
        #expect(starter.placeholders.map(\.message) == findings.map(\.message))
        #expect(starter.placeholders.contains { $0.message == "`clientID` is a placeholder" })
        #expect(starter.text.contains(starter.redirectURI))
        if let variable = starter.secretVariable { #expect(starter.text.contains("${env:\(variable)}")) }
    }

    @Test("Once its placeholders are replaced, the starter of each provider has no finding", arguments: providerIDs)
    func complete(id: String) throws {
        var answers = try answers([(.provider, id), (.allow, "everyone")])
        for question in StarterAnswers.Question.allCases where answers.isOpen(question) {
            switch question {
            case .issuer: try answers.set(question, to: "https://auth.example.com")
            case .baseURL: try answers.set(question, to: "https://login.example.com")
            case .realm: try answers.set(question, to: "main")
            case .tenant: try answers.set(question, to: "contoso.onmicrosoft.com")
            case .clientID: try answers.set(question, to: "0123456789")
            case .publicURL, .upstream, .provider, .allow: break
            }
        }
        let starter = StarterConfiguration(answers)
        let text = starter.text.split(separator: "\n").map { line in
            String(line).replacing("replace-me.invalid", with: "auth.example.com").replacing("replace-me", with: "ABC123DEFG")
        }.joined(separator: "\n")
        let outcome = Linter.check(SourceFile(name: "gateway.yaml", text: text), surroundings: exampleSurroundings)
        #expect(outcome.findings.diagnostics.map { "\($0.rule.rawValue): \($0.message)" } == [], "\(text)")
        let configuration = try #require(outcome.configuration)
        #expect(configuration.providers.map(\.id) == [id])
        #expect(configuration.settings(for: configuration.providers[0])?.redirectURI == starter.redirectURI)
    }

    @Test func `Without answers every value that cannot be known is a placeholder`() {
        let starter = StarterConfiguration(StarterAnswers())
        #expect(
            starter.placeholders.map(\.message) == [
                "`issuer` is a placeholder", "`clientID` is a placeholder", "`emails` is a placeholder",
            ])
        let lines = starter.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 80 })
        for placeholder in starter.placeholders { #expect(lines[placeholder.line - 1].contains("replace-me")) }
        #expect(check(starter).configuration == nil)
    }

    @Test(
        "The rule admits exactly those who were named",
        arguments: [
            ("everyone", "access: authenticated"), ("alice@example.com", "emails: [alice@example.com]"),
            ("example.com", "emails: [\"*@example.com\"]"), ("@example.com", "emails: [\"*@example.com\"]"),
            ("*@example.com, bob@example.org", "emails: [\"*@example.com\", bob@example.org]"), ("group:staff", "groups: [staff]"),
            ("group:a group:\"b\"", "groups: [a, \"\\\"b\\\"\"]"),
        ])
    func access(text: String, rule: String) throws {
        let starter = StarterConfiguration(try answers([(.provider, "oidc.acme"), (.allow, text)]))
        #expect(starter.text.contains(rule + "\n"), "\(starter.text)")
    }

    @Test func `Addresses and groups are alternatives`() throws {
        let starter = StarterConfiguration(
            try answers([
                (.provider, "oidc.acme"), (.issuer, "https://id.example.com"), (.clientID, "web"), (.allow, "a@example.com,group:staff"),
            ]))
        let rule = try #require(check(starter).configuration?.routes.last?.access)
        guard case .anyOf(let alternatives) = rule else { throw Unexpected() }
        #expect(alternatives.count == 2)
    }

    @Test func `Groups at GitHub come with the scope that lists them`() throws {
        let starter = StarterConfiguration(try answers([(.provider, "github.com"), (.allow, "group:acme")]))
        #expect(starter.text.contains("scopes: [read:org]"))
    }

    @Test(
        "An answer that cannot work is refused with the linter's reason",
        arguments: [
            ([(.publicURL, "app.example.com")], "https origin"), ([(.publicURL, "http://app.example.com")], "must be https"),
            ([(.upstream, "localhost:3000")], "not an upstream"),
            ([(.publicURL, "http://localhost:9000"), (.upstream, "http://localhost:9000")], "itself listens"),
            ([(.provider, "githib.com")], "no provider `githib.com`"), ([(.provider, "oidc")], "no provider"),
            ([(.provider, "github.com"), (.issuer, "https://github.com")], "has no issuer"),
            ([(.issuer, "https://id.example.com/.well-known/openid-configuration")], "issuer"),
            ([(.allow, "staff")], "no e-mail address, domain or group"), ([(.allow, " , ")], "nobody may enter"),
            ([(.allow, "everyone, a@example.com")], "includes the rest"), ([(.allow, "*example.com")], "e-mail address"),
            ([(.provider, "google.com"), (.allow, "group:staff")], "sends no groups"),
            ([(.provider, "facebook.com"), (.allow, "example.com")], "does not say whether an address is verified"),
            ([(.clientID, "your-client-id\u{0}")], ""),
        ] as [([(StarterAnswers.Question, String)], String)])
    func refused(pairs: [(StarterAnswers.Question, String)], reason: String) {
        do throws(StarterAnswers.Problem) {
            _ = try answers(pairs)
            #expect(reason.isEmpty)
        } catch {
            #expect(error.message.contains(reason), "\(error.message)")
        }
    }

    @Test func `The gateway does not listen where the app does`() throws {
        let starter = StarterConfiguration(try answers([(.publicURL, "https://app.example.com"), (.upstream, "http://localhost:4180")]))
        #expect(starter.text.contains("listen: 127.0.0.1:4181\n"))
        #expect(
            StarterConfiguration(try answers([(.publicURL, "http://localhost:8080")])).text.contains("upstream: http://127.0.0.1:3000\n"))
    }

    @Test("The configuration on each provider's page is valid, without a finding", arguments: ProviderCatalogue.presets.map(\.id))
    func page(id: String) throws {
        let preset = try #require(ProviderCatalogue.presets.first { $0.id == id })
        let page = ProviderPage.markdown(preset)
        let block = try #require(page.split(separator: "```yaml\n").dropFirst().first?.split(separator: "```").first)
        let rest = """
            version: 1
            server: { publicURL: https://app.example.com }
            upstream: http://127.0.0.1:8080
            session: { keys: ["${file:./session.key}"] }
            routes: [{ path: /**, access: { users: [mfrggzdfmztwq2lknnwg23tpob] } }]

            """
        let outcome = Linter.check(SourceFile(name: "gateway.yaml", text: rest + block), surroundings: exampleSurroundings)
        #expect(outcome.findings.diagnostics.map { "\($0.rule.rawValue): \($0.message)" } == [], "\(block)")
        #expect(outcome.configuration?.providers.map(\.id) == [ProviderPage.exampleID(preset)])
    }

    @Test(
        "There is no starter for an id that this version has no provider for",
        arguments: ["acme", "oidc", "oidc."] + ProviderCatalogue.contractPresetIDs.filter { ProviderCatalogue.preset(for: $0) == nil })
    func unknown(id: String) {
        #expect(throws: StarterAnswers.Problem.self) { try answers([(.provider, id)]) }
    }

    @Test(
        "The secret's variable is named after the provider",
        arguments: [
            ("github.com", "GITHUB_CLIENT_SECRET"), ("oidc.my-acme", "MY_ACME_CLIENT_SECRET"), ("oidc.1st", "_1ST_CLIENT_SECRET"),
            ("apple.com", "APPLE_PRIVATE_KEY"),
        ])
    func variable(id: String, name: String) throws {
        #expect(StarterConfiguration(try answers([(.provider, id)])).secretVariable == name)
    }

    private struct Unexpected: Error {}
}
