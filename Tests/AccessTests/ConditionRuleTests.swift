import Accounts
import Conditions
import Config
import Primitives
import Sessions
import Testing
import TokenCrypto

@testable import Access

/// A request with fields that a test sets, by their names.
private final class FakeRequest: ConditionRequest {
    let fields: [RequestField: ConditionValue]
    let clientAddress: NetworkAddress?
    let canonicalPath: [UInt8]
    var typeName: String { "request" }

    init(_ fields: [RequestField: ConditionValue] = [:], address: String? = "192.0.2.7", path: String = "/") {
        self.fields = fields
        clientAddress = address.flatMap { NetworkAddress($0) }
        canonicalPath = Array(path.utf8)
    }

    func field(at index: Int) -> ConditionValue? {
        guard let field = RequestField(rawValue: index) else { return nil }
        return field == .address ? clientAddress.map { .address($0) } : fields[field]
    }
}

@Suite struct ConditionRuleTests {
    private struct NoMatch: Error {}

    private func rule(_ change: (inout AccessConditions) -> Void) -> AccessRule {
        var conditions = AccessConditions()
        change(&conditions)
        return .all(conditions)
    }

    private func condition(_ text: String, optional: Bool = false) -> AccessRule {
        rule { ($0.condition, $0.admitsNobody) = (text, optional) }
    }

    private func match(_ rule: AccessRule, path: String = "/**", request: String) throws -> RouteMatch {
        let table = try RouteTable(makeConfiguration([makeRoute(path, access: rule)])).copy()
        guard case .matched(let match) = table.resolve(request) else { throw NoMatch() }
        return match
    }

    /// `permit`, `challenge` with its failures, or the code and the trace of a denial.
    private func outcome(
        _ rule: AccessRule, _ session: Session?, path: String = "/**", request: (any ConditionRequest)? = FakeRequest(),
        now: Int64 = 1_000_000
    ) throws -> String {
        let target = request.map { String(decoding: $0.canonicalPath, as: UTF8.self) } ?? "/"
        switch Decision(for: try match(rule, path: path, request: target), session: session, now: now, request: request) {
        case .permit: return "permit"
        case .challenge(let challenge): return "challenge" + challenge.failures.map { " \($0)" }.joined()
        case .deny(let denial): return "\(denial.code.rawValue) " + denial.trace.map(\.description).joined(separator: "; ")
        }
    }

    private static let alice = makeSession(
        groups: ["staff"], claims: ["department": .string("engineering"), "level": .integer(3), "share": .number(0.5), "on": .bool(true)])

    @Test(
        "A condition reads the session with its types",
        arguments: [
            "auth.uid != ''", "auth.provider == 'oidc.acme'", "'staff' in auth.groups", "auth.email == 'alice@example.com'",
            "auth.emailVerified", "auth.time == timestamp('1970-01-01T00:16:40Z')", "!auth.secondFactor",
            "auth.token.department == 'engineering'", "auth.token.level >= 3", "auth.token.share < 1.0", "auth.token.on",
            "has(auth.email) && has(auth.token.level) && !has(auth.token.other)", "auth != null", "auth.token.size() == 4",
        ])
    func session(text: String) throws {
        #expect(try outcome(condition(text), Self.alice) == "permit")
        let refused = try outcome(condition("!(\(text))"), Self.alice)
        #expect(refused.hasPrefix("auth/") && refused.contains(" condition: `"))
    }

    @Test("A person without an address, groups or claims has absent fields and empty lists")
    func absent() throws {
        let nameless = makeSession(email: nil, emailVerified: nil)
        #expect(try outcome(condition("!has(auth.email) && auth.groups == [] && !auth.emailVerified"), nameless) == "permit")
        #expect(
            try outcome(condition("auth.email == 'a'"), nameless) == "auth/access-denied condition: no such field: email, in `auth.email`")
    }

    @Test(
        "Captures are the segments that the route matched",
        arguments: [("/users/{user}/**", "/users/alice/x"), ("/**/{user}", "/a/b/alice")])
    func captures(path: String, request: String) throws {
        #expect(try outcome(condition("path.user == 'alice'"), Self.alice, path: path, request: FakeRequest(path: request)) == "permit")
        let other = request.replacing("alice", with: "bob")
        #expect(
            try outcome(condition("path.user == 'alice'"), Self.alice, path: path, request: FakeRequest(path: other))
                == "auth/access-denied condition: `path.user == 'alice'` is false")
    }

    @Test("An error refuses with its reason, whatever the rest says, and so does an exceeded budget")
    func errors() throws {
        #expect(
            try outcome(condition("auth.token.missing == 1"), Self.alice)
                == "auth/access-denied condition: no such key, in `auth.token.missing`")
        #expect(try outcome(condition("auth.token.missing == 1 || 'staff' in auth.groups"), Self.alice) == "permit")
        #expect(
            try outcome(condition("!(auth.token.missing == 1)"), Self.alice).hasPrefix("auth/access-denied condition: no such key"))
        #expect(
            try outcome(condition("auth.token.department > 1"), Self.alice).hasPrefix("auth/access-denied condition: no matching overload"))
        let many = FakeRequest([.path: .string(String(repeating: "a", count: 100_000))])
        #expect(
            try outcome(condition("request.path.matches('(a|b|ab)*c') || true"), Self.alice, request: many)
                == "auth/access-denied condition: the evaluation exceeds its budget of steps, in `request.path.matches('(a|b|ab)*c')`")
        // An invalid text never gets here; if it does, it refuses.
        #expect(try outcome(condition("auth.uid =="), Self.alice) == "auth/access-denied condition: the expression is invalid")
        // Neither does a request that nobody described.
        #expect(try outcome(condition("request.method == 'GET'"), Self.alice, request: nil).hasPrefix("auth/access-denied"))
        #expect(try outcome(rule { $0.networks = ["192.0.2.0/24"] }, Self.alice, request: nil).hasPrefix("auth/access-denied"))
    }

    @Test("Values of the request and of the session are in no reason, and strings of the condition are not shown to users")
    func secrecy() throws {
        let request = FakeRequest([.headers: .map(ConditionMap(strings: [("x", .string("hunter2"))]))])
        let rule = condition("ip(request.headers.x).inNetwork('10.0.0.0/8')")
        #expect(
            try outcome(rule, Self.alice, request: request) == "auth/access-denied condition: invalid value, in `ip(request.headers.x)`")
        let match = try match(condition("auth.email == 'boss@example.com' && auth.emailVerified"), request: "/")
        guard case .deny(let denial) = Decision(for: match, session: Self.alice, now: 0, request: request) else { throw NoMatch() }
        #expect(denial.trace.map(\.description) == ["condition: `auth.email == 'boss@example.com'` is false"])
        #expect(denial.trace.map(\.userDescription) == ["condition: `auth.email == \"…\"` is false"])
    }

    @Test("For nobody, `auth` is null: what holds is permitted, all else asks for a sign-in")
    func nobody() throws {
        let get = FakeRequest([.method: .string("GET")])
        #expect(try outcome(condition("auth == null", optional: true), nil) == "permit")
        #expect(try outcome(condition("auth == null", optional: false), nil) == "challenge")
        #expect(try outcome(condition("auth != null || request.method == 'GET'", optional: true), nil, request: get) == "permit")
        #expect(try outcome(condition("request.method == 'POST'", optional: true), nil, request: get) == "challenge")
        #expect(
            try outcome(condition("auth.uid == 'a'", optional: true), nil)
                == "challenge condition: no such field: uid, because the object is null, in `auth.uid`")
        // Signed in and refused is refused: a sign-in would change nothing.
        #expect(try outcome(condition("auth == null", optional: true), Self.alice).hasPrefix("auth/access-denied"))
    }

    @Test("`signedIn: optional` makes no rule public by accident")
    func optionalAlone() throws {
        #expect(try outcome(rule { $0.admitsNobody = true }, nil) == "challenge")
        #expect(try outcome(rule { ($0.admitsNobody, $0.groups) = (true, ["staff"]) }, nil) == "challenge")
        #expect(try outcome(rule { ($0.admitsNobody, $0.groups, $0.condition) = (true, ["staff"], "auth == null") }, nil) == "challenge")
        #expect(try outcome(rule { ($0.admitsNobody, $0.anyOf) = (true, []) }, nil) == "challenge")
        #expect(try outcome(rule { ($0.admitsNobody, $0.anyOf) = (true, [.public, .authenticated]) }, nil) == "challenge")
        #expect(try outcome(rule { ($0.admitsNobody, $0.anyOf) = (true, [.all(AccessConditions())]) }, nil) == "challenge")
        #expect(try outcome(.anyOf([condition("true", optional: true)]), nil) == "challenge")
    }

    @Test("In the office network without a sign-in, elsewhere for a group")
    func networks() throws {
        let office = rule { $0.networks = ["10.0.0.0/8", "fd00::/8"] }
        let rule = rule { ($0.admitsNobody, $0.anyOf) = (true, [office, self.rule { $0.groups = ["admins"] }]) }
        for (address, isInside) in [("10.1.2.3", true), ("::ffff:10.1.2.3", true), ("fd00::1", true), ("192.0.2.1", false)] {
            #expect(try outcome(rule, nil, request: FakeRequest(address: address)) == (isInside ? "permit" : "challenge"))
            #expect(try outcome(rule, makeSession(groups: ["admins"]), request: FakeRequest(address: address)) == "permit")
            #expect(try outcome(rule, Self.alice, request: FakeRequest(address: address)).hasPrefix(isInside ? "permit" : "auth/"))
        }
        #expect(
            try outcome(office, Self.alice, request: FakeRequest(address: nil))
                == "auth/access-denied networks: the client has no IP address")
        #expect(
            try outcome(office, Self.alice)
                == "auth/access-denied networks: the client's address is in none of the networks")
        let mapped = condition("request.address.inNetwork('10.0.0.0/8') && ip('::ffff:10.9.9.9').inNetwork('10.0.0.0/8')")
        #expect(try outcome(mapped, Self.alice, request: FakeRequest(address: "::ffff:10.0.0.1")) == "permit")
    }

    @Test("What a second factor or a new sign-in would change is asked for")
    func stepUp() throws {
        #expect(
            try outcome(condition("auth.secondFactor || 'admins' in auth.groups"), Self.alice).hasPrefix("auth/multi-factor-auth-required"))
        let recent = condition("request.time - auth.time < duration('15m')")
        let later = FakeRequest([.time: .time(milliseconds: 10_000_000)].compactMapValues { $0 })
        #expect(try outcome(recent, Self.alice, request: later, now: 10_000_000).hasPrefix("auth/requires-recent-login"))
        #expect(try outcome(recent, makeSession(authTime: 9_900_000), request: later, now: 10_000_000) == "permit")
    }

    @Test("A permit is reused only where the condition reads nothing but the session")
    func memory() throws {
        func decides(_ text: String, _ requests: [FakeRequest]) throws -> [Bool] {
            let table = try RouteTable(makeConfiguration([makeRoute("/u/{user}", access: condition(text))])).copy()
            var memory = PermitMemory()
            return try requests.map { request in
                guard case .matched(let match) = table.resolve(String(decoding: request.canonicalPath, as: UTF8.self)) else {
                    throw NoMatch()
                }
                if case .permit = memory.decide(for: match, signedIn: Self.alice, now: 0, request: request) { return true }
                return false
            }
        }
        let get = FakeRequest([.method: .string("GET")], path: "/u/alice")
        let post = FakeRequest([.method: .string("POST")], path: "/u/alice")
        #expect(try decides("request.method == 'GET'", [get, post, get]) == [true, false, true])
        #expect(try decides("path.user == 'alice'", [get, FakeRequest(path: "/u/bob"), get]) == [true, false, true])
        #expect(
            try decides("[request].all(r, r.method == 'GET')", [get, post]) == [true, false],
            "a request that is passed on as a value")
        #expect(
            try decides("request.address.inNetwork('192.0.2.0/24')", [get, FakeRequest(address: "10.0.0.1", path: "/u/alice")]) == [
                true, false,
            ])
        #expect(AccessPolicy(condition("request.method == 'GET'")).dependsOnRequest)
        #expect(AccessPolicy(.anyOf([rule { $0.anyOf = [self.condition("path == null")] }])).dependsOnRequest)
        #expect(AccessPolicy(rule { $0.networks = ["10.0.0.0/8"] }).dependsOnRequest)
        #expect(!AccessPolicy(condition("'a' in auth.groups")).dependsOnRequest)
    }

    @Test("What conditions read is known: headers, parameters and claims by name, or all of them")
    func reads() {
        let named = AccessPolicy(
            condition("request.headers['x-a'] == 'b' && has(request.query.q) && auth.token.t == 1 && 'g' in auth.groups")
        ).reads
        #expect(named?.headers == ["x-a"] && named?.query == ["q"] && named?.claims == ["t"] && named?.groups == true)
        let all = AccessPolicy(condition("request.headers.size() > 1 && auth.token[request.method] == 1")).reads
        #expect(all?.headers == nil && all?.query == [] && all?.claims == nil && all?.groups == false)
        let present = AccessPolicy(condition("'x-a' in request.headers && !('admins' in auth.groups) && 't' in auth.token")).reads
        #expect(present?.headers == ["x-a"] && present?.claims == ["t"] && present?.groups == true)
        #expect(present?.fields == [.headers])
        let whole = AccessPolicy(condition("[auth].exists(a, a.token.x == 1)")).reads
        #expect(whole?.claims == nil && whole?.groups == true)
        #expect(AccessPolicy(.authenticated).reads == nil)
    }

    @Test("Each condition is explained by itself, with the values of its operands")
    func explanation() throws {
        let rule = rule { ($0.groups, $0.networks, $0.condition) = (["staff"], ["10.0.0.0/8"], "auth.uid == 'x' || auth.token.level > 5") }
        let verdicts = RuleExplanation.verdicts(of: rule, on: nil, for: Self.alice, now: 0, request: FakeRequest())
        #expect(verdicts.map { "\($0.holds) \($0.condition)" } == ["true groups", "false networks", "false condition"])
        #expect(verdicts[2].reason == "`auth.uid == 'x'` is false, `auth.token.level > 5` is false")
        #expect(
            verdicts[2].operands.map { "\($0.depth) \($0.text) \($0.value)" }.suffix(2) == [
                "1 auth.token.level > 5 false", "2 auth.token.level 3",
            ])
        let optional = self.rule { ($0.admitsNobody, $0.condition) = (true, "auth == null") }
        #expect(RuleExplanation.verdicts(of: optional, for: nil, now: 0, request: FakeRequest()).map(\.holds) == [true])
        #expect(RuleExplanation.verdicts(of: condition("auth == null"), for: nil, now: 0).map(\.reason) == ["no user is signed in"])
    }

    @Test("Several `**` leave captures open, so a condition cannot read them")
    func ambiguous() throws {
        let pattern = try RoutePattern("/**/a/**/{user}")
        #expect(pattern.hasAmbiguousCaptures)
        #expect(throws: ConditionProblems.self) { try Condition("path.user == ''", in: ConditionScope(pattern).environment) }
    }
}
