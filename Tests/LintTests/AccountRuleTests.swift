import Config
import Diagnostics
import Testing

@testable import Lint

@Suite struct AccountRuleTests {
    private func findings(
        accounts: String = "", _ rest: String = "", store: String = "sqlite:./accounts.db", variables: [String: String] = [:],
        answers: OnlineAnswers? = nil
    ) -> [Diagnostic] {
        let accounts = "accounts: { store: \"\(store)\", keys: [\"${file:./accounts.key}\"]\(accounts) }\n"
        let text = Rule.Example(accounts + rest).completed
        return Linter.check(SourceFile(name: "f", text: text), surroundings: exampleSurroundings.with(variables), answers: answers).findings
            .diagnostics
    }

    private static let narrow = "routes: [{ path: /**, access: { emails: [\"*@example.com\"] } }]\n"
    private static let acme =
        "{ id: oidc.acme, issuer: \"https://auth.example.com\", clientID: a, clientSecret: \"${env:ACME_SECRET}\" }"

    @Test(
        "Which database on another machine is verified",
        arguments: [
            ("postgres://db.example.com/a", true), ("postgres://db.example.com/a?sslmode=disable", true),
            ("postgres://db.example.com/a?sslmode=verify-ca", true), ("postgres://db.example.com/a?sslmode=verify-full", false),
            ("postgres:///a?host=/run/postgresql", false), ("postgres://localhost/a?sslmode=disable", false),
            ("postgres://127.0.0.1/a", false),
            ("postgres://[::1]/a", false), ("postgres://127.0.0.1,db.example.com/a", true),
        ])
    func database(url: String, isReported: Bool) {
        #expect(findings(store: url).map(\.rule) == (isReported ? [.insecureDatabase] : []))
    }

    @Test(
        "What is wrong with the path of an SQLite file",
        arguments: [
            ("./accounts.db", nil), ("./existing.db", nil), ("/missing/a.db", "does not exist"), ("/read-only/a.db", "cannot create files"),
            ("./read-only.db", "cannot write"), ("./folder.db", "is not a file"), ("./world-readable.db", "can read"),
            ("./world-writable.db", "can write"),
        ] as [(String, String?)])
    func path(path: String, message: String?) {
        let found = findings(store: "sqlite:" + path)
        #expect(found.map(\.rule) == (message == nil ? [] : [.accountStorePath]))
        #expect(found.first?.message.contains(message ?? "") ?? true)
    }

    @Test func `SQLite is an error with several replicas alone`() {
        #expect(findings(variables: ["GATEWAY_REPLICAS": "2"]).filter { $0.rule == .localAccountStore }.map(\.severity) == [.error])
        #expect(findings(variables: ["GATEWAY_REPLICAS": "1"]).isEmpty)
        let postgres = findings(store: "postgres://127.0.0.1/a", variables: ["GATEWAY_REPLICAS": "2"])
        #expect(postgres.map(\.rule) == [.processLocalSessions])
    }

    @Test func `password without mail is an error only where users may register`() {
        let open = findings("providers: [{ id: password }]\n" + Self.narrow)
        #expect(open.map { "\($0.rule.rawValue) \($0.severity.rawValue)" } == ["password-without-mail error"])
        let closed = findings(accounts: ", signUp: closed", "providers: [{ id: password }]\n" + Self.narrow)
        #expect(closed.map { "\($0.rule.rawValue) \($0.severity.rawValue)" } == ["password-without-mail warning"])
        let operators = findings(accounts: ", signUp: closed", "providers: [{ id: password, signUp: false }]\n" + Self.narrow)
        #expect(operators.map { "\($0.rule.rawValue) \($0.severity.rawValue)" } == ["password-without-mail warning"])
        #expect(findings("providers: [{ id: password, enabled: false }, \(Self.acme)]\n").isEmpty)
    }

    @Test(
        "Linking with one provider has no effect, except to refuse",
        arguments: [("confirm", true), ("verified-email", true), ("never", false)])
    func oneProvider(linking: String, isReported: Bool) {
        #expect(findings(accounts: ", linking: \(linking)").map(\.rule) == (isReported ? [.ineffectiveLinking] : []))
        let two = "providers: [\(Self.acme), { id: anonymous }]\n" + Self.narrow
        #expect(findings(accounts: ", linking: \(linking)", two).map(\.rule) == (isReported ? [.ineffectiveLinking] : []))
    }

    @Test func `A closed sign-up narrows who may pass`() {
        let github = "providers: [{ id: github.com, clientID: Iv1.8a61f9b3a7aba766, clientSecret: \"${env:GITHUB_SECRET}\" }]\n"
        #expect(findings(github).map(\.rule) == [.noAccessRule])
        #expect(findings(accounts: ", signUp: closed", github).isEmpty)
        #expect(findings("providers: [{ id: anonymous }]\n").map(\.rule) == [.noAccessRule])
    }

    @Test func `password and anonymous count as providers of a rule`() {
        let own = "providers: [{ id: anonymous }]\n"
        #expect(
            findings(own + "routes: [{ path: /**, access: { providers: [anonymous], users: [abcdefghijklmnopqrstuvwxyz] } }]\n").isEmpty)
        let groups = findings(own + "routes: [{ path: /**, access: { groups: [staff] } }]\n")
        #expect(
            groups.map { "\($0.rule.rawValue) \($0.message)" } == ["no-group-source `anonymous` sends no groups: no user passes this rule"])
        let off = findings(
            "providers: [{ id: anonymous, enabled: false }, \(Self.acme)]\nroutes: [{ path: /**, access: { providers: [anonymous] } }]\n")
        #expect(off.map(\.rule) == [.unconfiguredProvider])
        #expect(off.first?.related.count == 1)
        #expect(findings("providers: [{ id: anonymous, enabled: false }]\n").map(\.rule) == [.noEnabledProvider])
    }

    @Test func `Accounts change nothing for a file without them`() {
        let text = Rule.Example("").completed
        let outcome = Linter.check(SourceFile(name: "f", text: text), surroundings: exampleSurroundings)
        #expect(outcome.configuration?.accounts == nil)
        #expect(outcome.findings.diagnostics.isEmpty)
    }

    @Test(
        "The time of a recent sign-in",
        arguments: [("29s", true), ("30s", false), ("24h", false), ("25h", true)])
    func recentLogin(text: String, isReported: Bool) {
        #expect(findings(accounts: ", recentLogin: \(text)").map(\.rule) == (isReported ? [.recentLogin] : []))
    }

    @Test(
        "The state of the account store",
        arguments: [
            (OnlineAnswers.AccountStore.unreachable(reason: "connection refused"), "account-store-unreachable warning"),
            (.schema(version: nil, supported: 3), "account-store-schema note"),
            (.schema(version: 2, supported: 3), "account-store-schema note"),
            (.schema(version: 3, supported: 3), "account-store-schema note"),
            (.schema(version: 4, supported: 3), "account-store-schema error"),
        ])
    func online(state: OnlineAnswers.AccountStore, expected: String) {
        var answers = OnlineAnswers()
        answers.accountStore = state
        #expect(findings(answers: answers).map { "\($0.rule.rawValue) \($0.severity.rawValue)" } == [expected])
    }

    @Test func `The plan has the account store, with its path from the working directory`() {
        func plan(_ store: String) -> AccountStoreLocation? {
            let text = "version: 1\naccounts: { store: \"\(store)\", keys: [\"${file:./accounts.key}\"] }\n"
            return OnlinePlan(SourceFile(name: "conf/gateway.yaml", text: text), surroundings: exampleSurroundings).accountStore
        }
        #expect(plan("sqlite:a.db") == .sqlite(path: "conf/a.db"))
        #expect(plan("postgres://127.0.0.1/a") == .postgres(Secret("postgres://127.0.0.1/a")))
        #expect(plan("mysql://127.0.0.1/a") == nil && plan("${env:UNSET}") == nil)
    }

    @Test func `The effective configuration has the new keys with their origins, and no secret`() throws {
        let text = """
            version: 1
            server: { publicURL: https://app.example.com }
            upstream: http://127.0.0.1:8080
            accounts:
              store: postgres://u:${env:DATABASE_PASSWORD}@127.0.0.1/accounts
              keys: ["${file:./accounts.key}"]
              mergeHook: { url: https://app.example.com/merge, secret: "${file:./hook.secret}" }
            providers: [{ id: password }]
            mail: { url: "smtps://u:hunter2@mail.example", from: a@b.example }
            session: { keys: ["${file:./session.key}"] }
            routes: [{ path: /**, access: { emails: ["*@example.com"] } }]
            """
        let printed = try EffectiveConfiguration.text(SourceFile(name: "f", text: text), surroundings: exampleSurroundings).get()
        let lines = printed.split(separator: "\n").map { String($0).replacing(#/ +# /#, with: " # ") }
        for line in [
            "  store: \"<redacted>\" # env DATABASE_PASSWORD", "    - \"<redacted>\" # file ./accounts.key", "  linking: confirm # default",
            "  recentLogin: 5m # default", "    url: https://app.example.com/merge # f:7",
            "    secret: \"<redacted>\" # file ./hook.secret",
            "    timeout: 7s # default", "  - id: password # f:8", "    minimumLength: 12 # default", "  url: \"<redacted>\" # f:9",
            "  from: a@b.example # f:9",
        ] { #expect(lines.contains(line), "\(line) in\n\(printed)") }
        #expect(!printed.contains("hunter2") && !printed.contains("value-of-") && !lines.contains { $0.contains("clientID") })
    }

    @Test(
        "A URL with a password in any place is redacted",
        arguments: [
            ("postgres://127.0.0.1/a?password=hunter2", true), ("postgres://127.0.0.1/a", false), ("sqlite:./a.db", false),
            ("postgres://u:hunter2%2F@127.0.0.1/a", true),
        ])
    func redaction(store: String, isRedacted: Bool) throws {
        let text = Rule.Example("accounts: { store: \"\(store)\", keys: [\"${file:./accounts.key}\"] }\n").completed
        let printed = try EffectiveConfiguration.text(SourceFile(name: "f", text: text), surroundings: exampleSurroundings).get()
        #expect(printed.contains("store: \"<redacted>\"") == isRedacted)
        #expect(!printed.contains("hunter2"))
    }
}
