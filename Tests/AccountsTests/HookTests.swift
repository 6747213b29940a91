import Testing
import TokenCrypto

@testable import Accounts

@Suite("Hooks")
struct HookTests {
    @Test("the signature is HMAC-SHA256 over the time, a dot and the body")
    func signature() {
        // openssl dgst -sha256 -hmac, of `1700000000.{"event":"merge"}`
        #expect(
            HookSignature.value(secret: Array("geheim".utf8), body: Array(#"{"event":"merge"}"#.utf8), now: 1_700_000_000)
                == "t=1700000000,v1=6a0b94b7969929f5f7bb917ecc616a6d92ef96b9a71ad26aae20868887cc6eab")
    }

    @Test("the bodies are those of the contract")
    func bodies() {
        let user = HookUser(uid: "u1", email: "a\"@example.com", emailVerified: true, name: "Änne", providers: ["google.com", "password"])
        let signIn = HookSignIn(
            user: user, provider: "google.com", profile: .object(["hd": .string("example.com")]),
            client: HookClientFacts(address: "2001:db8::1", userAgent: "curl/8\r\n"))
        let text = String(decoding: HookEvent.beforeSignIn(signIn).body, as: UTF8.self)
        #expect(
            text
                == #"{"client":{"address":"2001:db8::1","user_agent":"curl/8\r\n"},"event":"beforeSignIn","profile":{"hd":"example.com"},"#
                + #""provider":"google.com","user":{"anonymous":false,"email":"a\"@example.com","email_verified":true,"name":"Änne","#
                + #""providers":["google.com","password"],"uid":"u1"}}"#)
        #expect(
            String(decoding: HookEvent.beforeCreate(signIn).body, as: UTF8.self) == text.replacing("beforeSignIn", with: "beforeCreate"))
        let anonymous = HookUser(uid: "u2", isAnonymous: true)
        #expect(
            String(decoding: HookEvent.merge(id: "m1", previous: anonymous, current: user).body, as: UTF8.self)
                == #"{"current":{"anonymous":false,"email":"a\"@example.com","email_verified":true,"name":"Änne","#
                + #""providers":["google.com","password"],"uid":"u1"},"event":"merge","id":"m1","#
                + #""previous":{"anonymous":true,"email":null,"email_verified":false,"name":null,"providers":[],"uid":"u2"}}"#)
    }

    @Test(
        "the three answers",
        arguments: [
            (200, "{}", .allow(claims: .object([:]))), (204, " {\n} ", .allow(claims: .object([:]))),
            (200, #"{"deny":"not on the list"}"#, .deny(reason: "not on the list")), (299, #"{"deny":""}"#, .deny(reason: nil)),
            (200, #"{"deny":"a\nb\u0000\u202Ec"}"#, .deny(reason: "a\u{FFFD}b\u{FFFD}\u{FFFD}c")),
            (200, #"{"claims":{"a":1},"deny":"x"}"#, .deny(reason: "x")),
            (200, #"{"claims":{}}"#, .allow(claims: .object([:]))),
            (
                200, #"{"claims":{"plan":"gold","seats":3,"tags":["a"],"x":{"y":null}}}"#,
                .allow(
                    claims: .object([
                        "plan": .string("gold"), "seats": .integer(3), "tags": .array([.string("a")]), "x": .object(["y": .null]),
                    ]))
            ),
        ] as [(Int, String, HookVerdict)])
    func answers(status: Int, body: String, verdict: HookVerdict) throws {
        #expect(try HookVerdict(status: status, body: Array(body.utf8)) == verdict)
    }

    private static let nested = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)

    @Test(
        "answers that let nobody pass",
        arguments: [
            (199, "{}"), (300, "{}"), (302, "{}"), (401, "{}"), (500, #"{"claims":{}}"#), (0, "{}"), (-1, "{}"),
            (200, ""), (200, "null"), (200, "true"), (200, "[]"), (200, "[{}]"), (200, #""{}""#), (200, "0"), (200, "{"), (200, "{}{}"),
            (200, "{} x"),
            (200, "\u{FEFF}{}"), (200, "<html>"), (200, #"{"deny":true}"#), (200, #"{"deny":false}"#), (200, #"{"deny":null}"#),
            (200, #"{"deny":{"reason":"x"}}"#), (200, #"{"Deny":"x"}"#), (200, #"{"denied":"x"}"#), (200, #"{"deny ":"x"}"#),
            (200, #"{"deny":"a","deny":"b"}"#), (200, #"{"allow":true}"#), (200, #"{"claims":null}"#), (200, #"{"claims":[]}"#),
            (200, #"{"claims":"a"}"#), (200, #"{"claims":{"a":1,"a":2}}"#), (200, #"{"claims":{"":1}}"#), (200, #"{"claims":{"a b":1}}"#),
            (200, #"{"claims":{"ä":1}}"#), (200, #"{"claims":{"a\u0000":1}}"#),
            (200, #"{"claims":{"\#(String(repeating: "a", count: 65))":1}}"#),
            (200, #"{"claims":{"sub":"root"}}"#), (200, #"{"claims":{"s\u0075b":"root"}}"#), (200, #"{"claims":{"email_verified":true}}"#),
            (200, #"{"claims":{"amr":["mfa"]}}"#), (200, #"{"claims":{"firebase":{}}}"#), (200, #"{"claims":{"second_factor":"totp"}}"#),
            (200, #"{"claims":{"a":\#(nested)}}"#), (200, #"{"claims":{"a":1e999}}"#), (200, #"{"claims":{"a":"\uD800"}}"#),
            (200, #"{"claims":{"a":"\#(String(repeating: "x", count: 993))"}}"#), (200, #"{"claims":{"a":NaN}}"#),
            (200, #"{"claims":{"a":"\#(String(repeating: "x", count: 1 << 17))"}}"#),
        ])
    func hostile(status: Int, body: String) {
        #expect(throws: HookVerdict.Problem.self) { try HookVerdict(status: status, body: Array(body.utf8)) }
    }

    @Test("claims have up to 1,000 bytes, and a reason up to 200 characters")
    func limits() throws {
        // {"a":"…"} has 8 bytes besides its text.
        let largest = #"{"claims":{"a":"\#(String(repeating: "x", count: 992))"}}"#
        guard case .allow(let claims) = try HookVerdict(status: 200, body: Array(largest.utf8)) else { return #expect(Bool(false)) }
        #expect(claims.serializedBytes().count == 1_000)
        let denial = #"{"deny":"\#(String(repeating: "x", count: 300))"}"#
        #expect(try HookVerdict(status: 200, body: Array(denial.utf8)) == .deny(reason: String(repeating: "x", count: 200)))
    }

    @Test("every reserved claim is refused, in any position", arguments: HookVerdict.reservedClaims.sorted())
    func reserved(name: String) {
        let body = #"{"claims":{"a":1,"\#(name)":1,"zzz":1}}"#
        #expect(throws: HookVerdict.Problem("the claim `\(name)` is reserved for the gateway")) {
            try HookVerdict(status: 200, body: Array(body.utf8))
        }
    }

    @Test("a problem never quotes the answer, but for the name of a reserved claim")
    func quotes() {
        #expect {
            try HookVerdict(status: 200, body: Array(#"{"geheim":1}"#.utf8))
        } throws: { !"\($0)".contains("geheim") }
    }

    @Test("invalid UTF-8 is no answer")
    func invalidBytes() {
        #expect(throws: HookVerdict.Problem.self) { try HookVerdict(status: 200, body: Array(#"{"deny":""#.utf8) + [0xFF, 0x22, 0x7D]) }
    }
}
