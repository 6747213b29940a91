import Access
import Config
import Sessions
import Testing
import TokenCrypto

@Suite struct DecisionTests {
    /// `permit`, `challenge` or the denial's code.
    private func decide(_ rule: AccessRule, _ session: Session?, now: Int64 = 1_000_000) throws -> String {
        switch try decision(rule, session, now: now) {
        case .permit: "permit"
        case .challenge: "challenge"
        case .deny(let denial): denial.code.rawValue
        }
    }

    private func decision(_ rule: AccessRule, _ session: Session?, now: Int64 = 1_000_000) throws -> Decision {
        let table = try RouteTable(makeConfiguration([makeRoute(access: rule)]))
        guard case .matched(let match) = table.resolve("/") else { throw NoMatch() }
        return Decision(for: match, session: session, now: now)
    }

    private struct NoMatch: Error {}

    private func rule(_ change: (inout AccessConditions) -> Void) -> AccessRule {
        var conditions = AccessConditions()
        change(&conditions)
        return .all(conditions)
    }

    private let permit = "permit"
    private let denied = "auth/access-denied"

    @Test("A public route permits everybody; every other rule challenges nobody signed in")
    func anonymous() throws {
        #expect(try decide(.public, nil) == permit)
        #expect(try decide(.public, makeSession()) == permit)
        #expect(try decide(.authenticated, nil) == "challenge")
        #expect(try decide(.authenticated, makeSession()) == permit)
        #expect(try decide(.all(AccessConditions()), nil) == "challenge")
        #expect(try decide(.anyOf([]), nil) == "challenge")
        #expect(try decide(rule { $0.groups = [] }, nil) == "challenge")
    }

    @Test("`public` among alternatives still asks for a sign-in")
    func nestedPublic() throws {
        #expect(try decide(.anyOf([.public]), nil) == "challenge")
        #expect(try decide(.anyOf([.public]), makeSession()) == permit)
    }

    @Test("CVE-2021-21411: an empty list admits nobody, in every condition")
    func emptyLists() throws {
        let session = makeSession(groups: ["admins"], claims: ["a": .string("b")])
        for rule in [
            rule { $0.emails = [] }, rule { $0.groups = [] }, rule { $0.users = [] }, rule { $0.providers = [] },
            rule { $0.claims = [("a", [])] },
            rule { $0.anyOf = [] }, .anyOf([]),
        ] { #expect(try decide(rule, session) == denied) }
        #expect(try decide(rule { $0.claims = [] }, session) == permit)
    }

    @Test(
        "CVE-2026-40574, CVE-2021-21291: addresses are compared whole, on one `@`",
        arguments: [
            ("*@example.com", "alice@example.com", true), ("*@example.com", "alice@EXAMPLE.com", true),
            ("*@Example.com", "alice@example.com", true),
            ("*@example.com", "a@evil.com@example.com", false), ("*@example.com", "alice@notexample.com", false),
            ("*@example.com", "alice@sub.example.com", false),
            ("*@example.com", "alice@example.com.evil", false), ("*@example.com", "alice@example.com.", false),
            ("*@example.com", "@example.com", false),
            ("*@example.com", "alice@", false), ("*@example.com", "alice", false), ("*@example.com", "example.com", false),
            ("*@example.com", "", false),
            ("*@example.com", "alice@example.com ", false), ("*@example.com", " alice@example.com", false),
            ("*@example.com", "alice\n@example.com", false),
            ("*@example.com", "alice@evil.com\u{0}@example.com", false), ("*@example.com", "\"a@b\"@example.com", false),
            ("*@example.com", "alice@example.c\u{14D}m", false), ("*@example.com", "alice\u{FF20}example.com", false),
            ("*@k.example", "a@\u{212A}.example", false),
            ("alice@example.com", "alice@example.com", true), ("alice@example.com", "Alice@Example.com", true),
            ("alice@example.com", "bob@example.com", false),
            ("alice@example.com", "xalice@example.com", false), ("*example.com", "alice@example.com", false),
            ("*", "alice@example.com", false),
            ("*@*", "alice@example.com", false), ("*@*.example.com", "a@b.example.com", false), ("*@", "alice@", false),
            ("@example.com", "alice@example.com", false),
            ("example.com", "alice@example.com", false), ("a*@example.com", "alice@example.com", false), ("", "", false),
            ("*@b\u{fc}cher.example", "a@b\u{fc}cher.example", true), ("ren\u{e9}@example.com", "rene\u{301}@example.com", false),
        ])
    func emails(_ pattern: String, _ address: String, _ admits: Bool) throws {
        let rule = rule { $0.emails = [pattern] }
        #expect(try decide(rule, makeSession(email: address)) == (admits ? permit : denied))
        #expect(try decide(rule, makeSession(email: address, emailVerified: false)) == denied)
        #expect(try decide(rule, makeSession(email: address, emailVerified: nil)) == denied)
        #expect(try decide(rule, makeSession(email: nil)) == denied)
    }

    @Test("Groups, users and providers are compared byte for byte")
    func lists() throws {
        let session = makeSession(provider: "oidc.acme", groups: ["staff", "caf\u{e9}"])
        #expect(try decide(rule { $0.groups = ["admins", "staff"] }, session) == permit)
        #expect(try decide(rule { $0.groups = ["Staff"] }, session) == denied)
        #expect(try decide(rule { $0.groups = ["staf", "staffs", ""] }, session) == denied)
        // Canonically equivalent, and equal to Swift's `==`.
        #expect(try decide(rule { $0.groups = ["cafe\u{301}"] }, session) == denied)
        #expect(try decide(rule { $0.groups = ["caf\u{e9}"] }, session) == permit)
        #expect(try decide(rule { $0.groups = ["staff"] }, makeSession()) == denied)
        #expect(try decide(rule { $0.users = [session.uid] }, session) == permit)
        #expect(try decide(rule { $0.users = [session.uid.uppercased()] }, session) == denied)
        #expect(try decide(rule { $0.users = ["alice", "alice@example.com"] }, session) == denied)
        #expect(try decide(rule { $0.providers = ["google.com", "oidc.acme"] }, session) == permit)
        #expect(try decide(rule { $0.providers = ["oidc.acme2", "acme"] }, session) == denied)
    }

    @Test(
        "Claims: a text equals, a list contains, flags and whole numbers count by their text",
        arguments: [
            (.string("engineering"), true), (.string("Engineering"), false), (.string(""), false),
            (.array([.string("x"), .string("ops")]), true), (.array([]), false),
            (.bool(true), true), (.bool(false), false), (.integer(7), true), (.integer(8), false), (.number(7.5), false), (.null, false),
            (.array([.integer(7)]), true), (.array([.array([.string("ops")])]), false), (.object(["ops": .bool(true)]), false),
            (.array([.bool(true)]), true),
        ] as [(JSONValue, Bool)])
    func claims(_ value: JSONValue, _ admits: Bool) throws {
        let rule = rule { $0.claims = [("department", ["engineering", "ops", "true", "7", "7.5", "null"])] }
        #expect(try decide(rule, makeSession(claims: ["department": value])) == (admits ? permit : denied))
        #expect(try decide(rule, makeSession(claims: ["departments": value])) == denied)
    }

    @Test("Claims are found by their path, and every one of several must hold")
    func claimPaths() throws {
        let session = makeSession(claims: ["realm_access": .object(["roles": .array([.string("admin")])]), "b": .string("2")])
        #expect(try decide(rule { $0.claims = [("realm_access.roles", ["admin"])] }, session) == permit)
        #expect(try decide(rule { $0.claims = [("realm_access.roles", ["admin"]), ("b", ["2"])] }, session) == permit)
        #expect(try decide(rule { $0.claims = [("realm_access.roles", ["admin"]), ("b", ["3"])] }, session) == denied)
        #expect(try decide(rule { $0.claims = [("realm_access", ["admin"])] }, session) == denied)
    }

    @Test("Every condition must hold, and one of the alternatives")
    func combination() throws {
        let session = makeSession(groups: ["finance"])
        #expect(try decide(rule { ($0.groups, $0.providers) = (["finance"], ["oidc.acme"]) }, session) == permit)
        #expect(try decide(rule { ($0.groups, $0.providers) = (["finance"], ["github.com"]) }, session) == denied)
        #expect(try decide(.anyOf([rule { $0.groups = ["x"] }, rule { $0.emails = ["alice@example.com"] }]), session) == permit)
        #expect(try decide(.anyOf([rule { $0.groups = ["x"] }, rule { $0.emails = ["bob@example.com"] }]), session) == denied)
        #expect(try decide(rule { ($0.groups, $0.anyOf) = (["finance"], [self.rule { $0.users = ["x"] }]) }, session) == denied)
        #expect(try decide(rule { ($0.groups, $0.anyOf) = (["finance"], [.anyOf([.authenticated])]) }, session) == permit)
        #expect(try decide(rule { ($0.groups, $0.anyOf) = (["x"], [.authenticated]) }, session) == denied)
    }

    @Test("A second factor that cannot be shown is never assumed")
    func secondFactor() throws {
        let missing = "auth/multi-factor-auth-required"
        #expect(try decide(rule { $0.secondFactor = true }, makeSession()) == missing)
        #expect(try decide(.anyOf([rule { $0.secondFactor = true }]), makeSession()) == missing)
        let strong = makeSession().with(account: SessionAccount(providers: ["oidc.acme"], secondFactor: "totp"))
        #expect(try decide(rule { $0.secondFactor = true }, strong) == permit)
        #expect(try decide(.anyOf([rule { $0.secondFactor = true }]), strong) == permit)
        let weak = makeSession().with(account: SessionAccount(providers: ["oidc.acme"]))
        #expect(try decide(rule { $0.secondFactor = true }, weak) == missing)
        // Where it would not help, nobody is asked for it.
        #expect(try decide(rule { ($0.secondFactor, $0.users) = (true, ["u"]) }, makeSession()) == denied)
        // A new sign-in asks for the second factor, too.
        #expect(
            try decide(rule { ($0.secondFactor, $0.maxAge) = (true, 1000) }, makeSession(), now: 9_000_000) == "auth/requires-recent-login")
    }

    @Test(
        "A sign-in that is too old asks for a new one (at the limit it still holds)",
        arguments: [
            (1_000_000, true), (1_060_000, true), (1_060_001, false), (940_000, true), (939_999, false), (Int64.max, false),
            (Int64.min, false),
        ] as [(Int64, Bool)])
    func maxAge(_ now: Int64, _ admits: Bool) throws {
        #expect(try decide(rule { $0.maxAge = 60_000 }, makeSession(), now: now) == (admits ? permit : "auth/requires-recent-login"))
    }

    @Test("A new sign-in is asked for only where it would help")
    func recentLogin() throws {
        let session = makeSession(groups: ["finance"])
        let late: Int64 = 9_000_000
        #expect(try decide(rule { ($0.maxAge, $0.groups) = (1000, ["finance"]) }, session, now: late) == "auth/requires-recent-login")
        #expect(try decide(rule { ($0.maxAge, $0.groups) = (1000, ["admins"]) }, session, now: late) == denied)
        let either = AccessRule.anyOf([rule { $0.groups = ["admins"] }, rule { ($0.maxAge, $0.groups) = (1000, ["finance"]) }])
        #expect(try decide(either, session, now: late) == "auth/requires-recent-login")
        #expect(try decide(either, makeSession(), now: late) == denied)
    }

    @Test("A sign-in without the authentication context class asks for it, where that would help")
    func contextClass() throws {
        let missing = "auth/insufficient-user-authentication"
        let high = makeSession(groups: ["finance"], claims: ["acr": .string("phr")])
        let wants = rule { $0.acr = ["phrh", "phr"] }
        #expect(try decide(wants, high) == permit)
        for claims in [[:], ["acr": .string("PHR")], ["acr": .array([.string("phr")])], ["acr": .string("")]] as [[String: JSONValue]] {
            #expect(try decide(wants, makeSession(claims: claims)) == missing, "\(claims)")
        }
        #expect(try decide(rule { $0.acr = [] }, high) == missing)
        #expect(try decide(rule { ($0.acr, $0.groups) = (["phr"], ["admins"]) }, makeSession(groups: ["finance"])) == denied)
        #expect(try decide(.anyOf([rule { $0.groups = ["admins"] }, wants]), makeSession()) == missing)
        // A sign-in that asks for the class is recent, and asks for the second factor.
        #expect(try decide(rule { ($0.acr, $0.maxAge, $0.secondFactor) = (["phr"], 1000, true) }, makeSession(), now: 9_000_000) == missing)
        #expect(try decide(rule { ($0.acr, $0.maxAge) = (["phr"], 1000) }, high, now: 9_000_000) == "auth/requires-recent-login")
        #expect(try decide(rule { ($0.acr, $0.secondFactor) = (["phr"], true) }, high) == "auth/multi-factor-auth-required")
        #expect(!AccessPolicy(wants).dependsOnTime)
    }

    @Test("Only a rule with `maxAge` depends on time")
    func dependsOnTime() {
        #expect(!AccessPolicy(.authenticated).dependsOnTime)
        #expect(!AccessPolicy(rule { $0.groups = ["a"] }).dependsOnTime)
        #expect(AccessPolicy(rule { $0.maxAge = 1 }).dependsOnTime)
        #expect(AccessPolicy(.anyOf([.public, rule { $0.anyOf = [self.rule { $0.maxAge = 1 }] }])).dependsOnTime)
    }

    @Test("The trace names every condition that failed and nothing about the person")
    func trace() throws {
        let rule = rule {
            $0.emails = ["boss@example.com"]
            $0.groups = ["secret-group"]
            $0.providers = ["github.com"]
            $0.users = ["u"]
            $0.claims = [("department", ["ops"])]
            $0.maxAge = 1000
            $0.secondFactor = true
            $0.anyOf = [self.rule { $0.groups = ["x"] }, self.rule { $0.claims = [("level", ["1"])] }]
        }
        let session = makeSession(groups: ["mine"], claims: ["level": .string("canary-claim")])
        guard case .deny(let denial) = try decision(rule, session, now: 9_000_000) else { throw NoMatch() }
        #expect(
            denial.trace == [
                .secondFactorMissing, .userNotListed, .providerNotListed, .groupNotListed, .emailNotListed,
                .claimMissing(path: "department"),
                .signInTooOld(maxAge: 1000), .noAlternative([[.groupNotListed], [.claimNotListed(path: "level")]]),
            ])
        for secret in ["alice", "boss", "mine", "secret-group", "canary", session.uid] { #expect(!denial.description.contains(secret)) }
        #expect(denial.description.hasPrefix("auth/access-denied on /**: secondFactor: no second factor was used; "))
    }
}
