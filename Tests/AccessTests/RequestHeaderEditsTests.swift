import Config
import HTTPWire
import Testing

@testable import Access

@Suite("Header edits of requests")
struct RequestHeaderEditsTests {
    private static func edits(
        set: [(name: String, value: String)] = [], remove: [String] = [], _ identity: IdentityConfiguration = .init()
    ) throws(HeaderEditError) -> RequestHeaderEdits {
        var configuration = HeaderEditsConfiguration()
        configuration.set = set
        configuration.remove = remove
        return try RequestHeaderEdits(configuration, identity: identity)
    }

    private static func text(_ rendered: RenderedIdentity) -> String { String(decoding: rendered.bytes, as: UTF8.self) }

    @Test("values are templates of the session; a visitor gets those that need none")
    func rendering() throws {
        let edits = try Self.edits(
            set: [("X-Mail", "{{ email }}"), ("X-Tenant", "acme"), ("X-Phone", "{{ claims.phone }}")], remove: ["X-Old"])
        #expect(Self.text(edits.render(session: makeSession())) == "X-Mail: alice@example.com\r\nX-Tenant: acme\r\n")
        #expect(Self.text(edits.render(session: nil)) == "X-Tenant: acme\r\n")
        #expect(edits.names == ["X-Old", "X-Mail", "X-Tenant", "X-Phone"])
        #expect(edits.claimPaths == ["phone"])
    }

    @Test("an address that nobody vouches for is not sent, as in the identity headers")
    func unverified() throws {
        let edits = try Self.edits(set: [("X-Mail", "{{ email }}")])
        #expect(Self.text(edits.render(session: makeSession(emailVerified: false))).isEmpty)
    }

    @Test("a value from a provider cannot end the line")
    func controlCharacters() throws {
        let edits = try Self.edits(set: [("X-Name", "{{ name }}")])
        let rendered = edits.render(session: makeSession(name: "a\r\nX-Admin: 1"))
        #expect(rendered.bytes.isEmpty)
        #expect(rendered.omissions == [HeaderOmission(header: "X-Name", reason: .controlCharacter)])
    }

    @Test(
        "what frames messages, says who somebody is or is written by the gateway cannot be edited, in any spelling",
        arguments: [
            ("Host", .framing), ("content-length", .framing), ("Transfer-Encoding", .framing), ("transfer_encoding", .framing),
            ("Connection", .framing), ("Upgrade", .framing), ("TE", .framing), ("Expect", .framing), ("Cookie", .cookie),
            ("X-Forwarded-User", .identity), ("x_forwarded_user", .identity), ("Remote-User", .identity), ("X-WEBAUTH-USER", .identity),
            ("X-Gateway-Assertion", .identity), ("X-Own", .identity), ("x.own", .identity), ("X-Forwarded-For", .ours),
            ("X-Forwarded-Prefix", .ours), ("Forwarded", .ours), ("Via", .ours), ("X-Request-Id", .ours), ("traceparent", .ours),
            ("X Y", .invalidName), ("", .invalidName), ("X:Y", .invalidName), ("X\r\nY", .invalidName),
        ] as [(String, HeaderEditError.Reason)])
    func uneditable(name: String, reason: HeaderEditError.Reason) {
        var identity = IdentityConfiguration()
        identity.headers = .templates([("X-Own", "{{ uid }}")])
        #expect(throws: HeaderEditError(name: name, reason: reason)) { try Self.edits(remove: [name], identity) }
        #expect(throws: HeaderEditError(name: name, reason: reason)) { try Self.edits(set: [(name, "x")], identity) }
    }

    @Test("a name twice, or set and removed, is refused")
    func repeated() {
        #expect(throws: HeaderEditError(name: "x_a", reason: .repeated)) { try Self.edits(set: [("X-A", "1"), ("x_a", "2")]) }
        #expect(throws: HeaderEditError(name: "X-A", reason: .repeated)) { try Self.edits(set: [("X-A", "1")], remove: ["X-A"]) }
    }

    @Test(
        "responses: framing, our cookies and CORS stay ours; the app's cookies may be taken away",
        arguments: [
            ("Content-Length", true, .framing), ("Connection", false, .framing), ("Date", true, .framing), ("Set-Cookie", true, .cookie),
            ("Set-Cookie", false, nil), ("Access-Control-Allow-Origin", true, .crossOrigin), ("Server", false, nil),
            ("Cache-Control", true, nil), ("X-Frame-Options", true, nil), ("a b", true, .invalidName),
        ] as [(String, Bool, HeaderEditError.Reason?)])
    func responses(name: String, isSet: Bool, reason: HeaderEditError.Reason?) {
        #expect(UneditableHeaders.reason(inResponses: name, isSet: isSet) == reason)
    }
}
