import Config
import Diagnostics
import Testing

@Suite struct AccountsConfigurationTests {
    private static let key = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="

    private func reading(_ text: String, name: String = "gateway.yaml") -> ConfigReader.Reading {
        ConfigReader.read(
            SourceFile(name: name, text: "version: 1\n" + text),
            surroundings: Surroundings(
                variable: { ["PASSWORD": "hunter2", "URL": "postgres://u:hunter2@h/d"][$0] },
                file: { $0 == "./key" ? .contents(Array(Self.key.utf8), FileFacts()) : .unreadable(reason: "no such file") }))
    }

    private func findings(_ text: String) -> [String] { reading(text).diagnostics.map { "\($0.rule.rawValue) \($0.message)" } }

    @Test func `Every key of accounts reaches its field`() throws {
        let reading = reading(
            """
            accounts:
              store: postgres://u:${env:PASSWORD}@h/d
              keys: ["${file:./key}"]
              onePerEmail: false
              linking: trusted-domains
              signUp: closed
              recentLogin: 90s
              mergeHook: { url: https://a.example/merge, secret: "${env:PASSWORD}", timeout: 1s }
              hooks:
                beforeCreate: { url: https://a.example/create, secret: s }
                beforeSignIn: { url: http://127.0.0.1/sign-in, secret: s, timeout: 500ms }
            providers:
              - { id: password, displayName: E-mail, enabled: false, signUp: false, minimumLength: 8 }
              - { id: oidc.a, clientID: c, trustedDomains: [Example.com, a.example] }
              - { id: anonymous, displayName: Guest }
            mail: { url: "smtps://u:p@mail.example", from: "A <a@b.example>" }
            """)
        #expect(reading.diagnostics.map(\.message) == [])
        let configuration = reading.draft
        let accounts = try #require(configuration.accounts)
        #expect(accounts.store == .postgres(Secret("postgres://u:hunter2@h/d")))
        #expect(accounts.keys.map(\.count) == [32])
        #expect(
            !accounts.onePerEmail && accounts.linking == .trustedDomains && accounts.signUp == .closed && accounts.recentLogin == 90_000)
        #expect(accounts.mergeHook?.url == "https://a.example/merge" && accounts.mergeHook?.secret == Secret("hunter2"))
        #expect(accounts.mergeHook?.timeout == 1000 && accounts.beforeCreate?.timeout == 7000 && accounts.beforeSignIn?.timeout == 500)
        #expect(accounts.beforeCreate?.url == "https://a.example/create" && accounts.beforeSignIn?.url == "http://127.0.0.1/sign-in")
        #expect(accounts.password?.enabled == false && accounts.password?.signUp == false && accounts.password?.minimumLength == 8)
        #expect(accounts.password?.displayName == "E-mail" && accounts.anonymous?.displayName == "Guest")
        #expect(accounts.mail?.url == Secret("smtps://u:p@mail.example") && accounts.mail?.from == "A <a@b.example>")
        #expect(configuration.providers.map(\.id) == ["oidc.a"])
        #expect(configuration.trustedDomains == ["oidc.a": ["example.com", "a.example"]])
        #expect(configuration.enabledProviderIDs == ["oidc.a", "anonymous"])
        #expect(!"\(accounts)".contains("hunter2"))
    }

    @Test(arguments: [(nil, 1_000), ("1", 1), ("100000", 100_000)] as [(String?, Int)])
    func `The messages of a day reach their field`(written: String?, expected: Int) throws {
        let more = written.map { ", messagesPerDay: \($0)" } ?? ""
        let reading = reading(
            """
            accounts: { store: "sqlite:./a.db", keys: ["${file:./key}"] }
            secondFactor: { factors: [totp, phone], phone: { url: https://sms.example/send, secret: s\(more) } }
            """)
        #expect(reading.diagnostics.map(\.message) == [])
        #expect(reading.draft.secondFactor?.messagesPerDay == expected && reading.draft.secondFactor?.phone?.timeout == 5_000)
    }

    @Test(arguments: ["0", "100001", "many", "-1"])
    func `Messages of a day that are none or too many are refused`(written: String) {
        let found = findings("secondFactor: { phone: { url: https://sms.example/send, secret: s, messagesPerDay: \(written) } }")
        #expect(found.contains { $0.contains("messagesPerDay") }, "\(found)")
    }

    @Test func `Only providers with ID tokens are trusted with second factors`() {
        let reading = reading(
            """
            server: { publicURL: https://app.example }
            providers:
              - { id: oidc.a, issuer: https://id.example, clientID: c, secondFactor: trusted, secondFactorACR: [phr] }
              - { id: oidc.b, issuer: https://id.example, clientID: c }
              - { id: github.com, clientID: c, clientSecret: s, secondFactor: trusted }
            """)
        #expect(reading.draft.trustedSecondFactors == ["oidc.a": ["phr"]])
    }

    @Test func `The defaults in the reference are the defaults of the fields`() throws {
        let documented = Dictionary(
            uniqueKeysWithValues: [ShapeName.accounts, .hook, .passwordProvider, .anonymousProvider].flatMap { shape in
                shape.keys.compactMap { key in key.fallback.map { ("\(shape.rawValue).\(key.name)", $0) } }
            })
        let accounts = AccountsConfiguration(store: .sqlite(path: "a"))
        #expect(documented["accounts.onePerEmail"] == String(accounts.onePerEmail))
        #expect(documented["accounts.linking"] == accounts.linking.rawValue)
        #expect(documented["accounts.signUp"] == accounts.signUp.rawValue)
        #expect(documented["accounts.recentLogin"] == "\(accounts.recentLogin / 60_000)m")
        #expect(documented["hook.timeout"] == "\(HookConfiguration(url: "", secret: Secret("")).timeout / 1000)s")
        let password = PasswordProviderConfiguration()
        #expect(documented["passwordProvider.signUp"] == String(password.signUp))
        #expect(documented["passwordProvider.minimumLength"] == "\(password.minimumLength)")
        #expect(documented["passwordProvider.enabled"] == String(password.enabled))
        #expect(documented["anonymousProvider.enabled"] == String(AnonymousProviderConfiguration().enabled))
        #expect(documented.count == 9)
    }

    @Test func `A relative SQLite path starts at the configuration file`() {
        func store(_ path: String, in file: String) -> AccountStoreLocation? {
            reading("accounts: { store: \"\(path)\", keys: [\"${file:./key}\"] }\n", name: file).draft.accounts?.store
        }
        #expect(store("sqlite:./accounts.db", in: "/etc/gateway/gateway.yaml") == .sqlite(path: "/etc/gateway/./accounts.db"))
        #expect(store("sqlite:accounts.db", in: "gateway.yaml") == .sqlite(path: "accounts.db"))
        #expect(store("sqlite:/var/lib/a.db", in: "conf/gateway.yaml") == .sqlite(path: "/var/lib/a.db"))
    }

    @Test(
        "A store that is none is refused",
        arguments: [
            ("./accounts.db", "write `sqlite:./accounts.db`"), ("accounts.db", "write `sqlite:accounts.db`"),
            ("mysql://h/d", "write `sqlite:./accounts.db` or"), ("sqlite:", "write `sqlite:./accounts.db`"),
            ("sqlite::memory:", "write `sqlite:./accounts.db`"), ("sqlite:./folder/", "write `sqlite:./accounts.db`"),
            ("sqlite:///var/lib/a.db", "write `sqlite:/var/lib/a.db`, or"), ("postgres://h:x/d", "write it like `postgres://"),
            ("postgres://h/d?sslmod=require", "write it like `postgres://"), ("${env:PASSWORD}", "write `sqlite:./accounts.db` or"),
        ])
    func stores(text: String, help: String) throws {
        let diagnostics = reading("accounts: { store: \"\(text)\", keys: [\"${file:./key}\"] }\n").diagnostics
        #expect(diagnostics.map(\.rule) == [.invalidValue])
        let finding = try #require(diagnostics.first)
        #expect(finding.help?.hasPrefix(help) == true, "\(finding)")
        #expect(!"\(finding)".contains("hunter2"))
    }

    @Test func `Keys of other providers are errors at password and anonymous`() {
        #expect(
            findings("providers: [{ id: password, clientID: c, scopes: [a] }, { id: anonymous, issuer: \"https://a.example\" }]\n") == [
                "unknown-key unknown key `clientID` in `providers[password]`", "unknown-key unknown key `scopes` in `providers[password]`",
                "unknown-key unknown key `issuer` in `providers[anonymous]`",
            ])
        let moved = reading("providers: [{ id: oidc.a, clientID: c, minimumLength: 12 }]\n").diagnostics
        #expect(moved.map(\.help) == ["`minimumLength` belongs under `providers[password]`"])
    }

    @Test("The minimum length of a password has limits", arguments: [("7", false), ("8", true), ("128", true), ("129", false)])
    func minimumLength(text: String, isValid: Bool) {
        #expect(findings("providers: [{ id: password, minimumLength: \(text) }]\n").isEmpty == isValid)
    }

    @Test func `A provider id that differs in case keeps its form`() {
        let diagnostics = reading("providers: [{ id: Password }, { id: ANONYMOUS }]\n").diagnostics
        #expect(diagnostics.map(\.rule) == [.unknownProvider, .unknownProvider])
        #expect(diagnostics.map { $0.fix?.edits.first?.text } == ["password", "anonymous"])
        #expect(diagnostics.allSatisfy { $0.fix?.isSafe == true })
    }

    @Test func `An entry of providers that is no mapping is one finding`() {
        #expect(findings("providers: [password]\n") == ["wrong-type `providers` must be a mapping, not a single value"])
        let dashless = reading("providers: { id: password }\n").diagnostics
        #expect(dashless.map(\.help) == ["put a dash before the first key of each item: `- id: …`"])
    }

    @Test(
        "The domains of a provider's mailboxes are whole domains",
        arguments: [
            ("example.com", true), ("Example.COM", true), ("xn--bcher-kva.example", true), ("\"*.example.com\"", false),
            ("\"@example.com\"", false), ("a@example.com", false), (".example.com", false), ("example.com.", false),
            ("b\u{fc}cher.example", false),
            ("10.0.0.1", false), ("exa mple.com", false),
        ])
    func trustedDomains(text: String, isValid: Bool) {
        #expect(findings("providers: [{ id: oidc.a, clientID: c, trustedDomains: [\(text)] }]\n").isEmpty == isValid)
    }

    @Test(
        "The sender of mail",
        arguments: [
            ("a@b.example", true), ("A B <a@b.example>", true), ("\\\"A, B\\\" <a@b.example>", true), ("a.b+c@b.example", true),
            ("a", false),
            ("@b.example", false), ("a@", false), ("A <a@b.example", false), ("A <a>", false), ("A \\\" <a@b.example>", false),
            ("A\\nBcc: x <a@b.example>", false), ("a@b.example\\r\\nBcc: x@y.example", false), ("a b@c.example", false),
            ("a@b_c.example", false), ("A <a@b_c.example>", false),
        ])
    func sender(text: String, isValid: Bool) {
        #expect(findings("mail: { url: \"smtps://mail.example\", from: \"\(text)\" }\n").isEmpty == isValid, "\(text)")
    }

    @Test(
        "A password that stands in the file is hidden in reports",
        arguments: [
            ("postgres://u:hunter2@h/d", true), ("postgres://u:${env:PASSWORD}@h/d", false), ("postgres://h/d?password=hunter2", true),
            ("postgres://h/d?sslmode=require&password=${env:PASSWORD}", false), ("postgres://u:${env:PASSWORD}x@h/d", true),
            ("postgres://u@h/d", false),
            ("postgres://u:${env:NONE:-hunter2}@h/d", true), ("postgres://u:$${hunter2}@h/d", true), ("${env:URL}", false),
            ("postgres://u:a/hunter2@h/d", true), ("sqlite:./a:b@c.db", false),
        ])
    func literalPassword(text: String, isLiteral: Bool) {
        #expect(URLPassword.isLiteral(in: text) == isLiteral)
        let reading = reading("accounts: { store: \"\(text)\", keys: [\"${file:./key}\"] }\n")
        #expect(reading.secrets.isEmpty == !isLiteral)
    }

    @Test func `Without secrets, a store and a mail server stay unresolved`() {
        let text =
            "version: 1\naccounts: { store: \"postgres://u:${env:NONE}@h/d\", keys: [\"${env:NONE}\"] }\nmail: { url: \"smtps://u:${env:NONE}@h\", from: a@b.example }\n"
        let bare = Surroundings(variable: { _ in nil }, file: { _ in .unreadable(reason: "no such file") })
        let reading = ConfigReader.read(SourceFile(name: "f", text: text), surroundings: bare.optional(.credentials))
        #expect(reading.diagnostics.map(\.message) == [])
        #expect(reading.draft.accounts?.store == .postgres(Secret("")) && reading.draft.accounts?.mail?.url == Secret(""))
    }
}
