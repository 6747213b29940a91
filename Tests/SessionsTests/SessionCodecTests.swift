import Accounts
import Primitives
import Testing
import TokenCrypto

@testable import Sessions

@Suite struct SessionCodecTests {
    static let bare = Session.issue(
        for: AccountOutcome(supposing: ProviderIdentity(provider: "p", issuer: "i", subject: "s")), authTime: nil,
        providerSessionID: nil, tokens: .init(), now: Example.start)

    private static let tokenForms = [nil, "", "opaque~", "b3BhcXVl", "a.b", "e30.e30.c2ln", "1//04dXy-_9z"]
    private static let accounts = [
        SessionAccount(providers: []), SessionAccount(providers: ["oidc.acme", "password", "github.com/partners"]),
        SessionAccount(providers: [], isAnonymous: true),
        SessionAccount(providers: ["oidc.acme"], claims: ["plan": .string("pro"), "department": .string("sales"), "n": .array([.null])]),
    ]
    static let varied: [Session] =
        [Example.session(), bare]
        + [nil, true, false].map { verified in
            var identity = Example.identity
            identity.emailVerified = verified
            identity.email = verified == nil ? nil : ""
            return Example.session(identity: identity)
        }
        + [nil, "", "x", String(repeating: "y", count: 127), String(repeating: "z", count: 20_000)].map { text in
            Example.session(tokens: .init(accessToken: text, accessTokenExpiresAt: text == nil ? nil : 0, idToken: text), sid: text)
        }
        + [nil, 0, 300_000, 253_402_300_799_000].map { lifetime in
            Example.session(tokens: .init(accessToken: "a", accessTokenExpiresAt: lifetime, accessTokenLifetime: lifetime))
        }
        + accounts.map { Example.session(account: $0) }
        + tokenForms.map { Example.session(tokens: .init(accessToken: $0, refreshToken: $0)) }

    @Test("a session comes back from its bytes", arguments: varied)
    func roundTrip(session: Session) {
        #expect(SessionCodec.decode(SessionCodec.encode(session)) == session)
    }

    @Test func `a refreshed session comes back with its generation and stamps`() throws {
        let session = try #require(Example.session().refreshed(tokens: .init(accessToken: "2"), identity: nil, now: Example.start + 5))
        let decoded = try #require(SessionCodec.decode(SessionCodec.encode(session)))
        #expect(decoded == session && decoded.generation == 1 && decoded.seenAt == Example.start + 5)
    }

    @Test func `a session without an account is written as builds before accounts read it`() {
        #expect(SessionCodec.encode(Example.session()).first == 2)
        #expect(SessionCodec.encode(Example.session(account: SessionAccount(providers: []))).first == 3)
    }

    @Test func `claims of a hook stand over the provider's, also after a refresh`() throws {
        let session = Example.session(account: SessionAccount(providers: [], claims: ["department": .string("sales")]))
        #expect(session.identity.claims["department"] == .string("sales"))
        #expect(session.identity.claims["level"] == .integer(3))
        let refreshed = try #require(session.refreshed(tokens: .init(accessToken: "2"), identity: Example.identity, now: Example.start))
        #expect(refreshed.identity.claims["department"] == .string("sales"))
    }

    @Test func `the payload is compact`() {
        let session = Self.bare
        #expect(SessionCodec.encode(session).count < 100)
    }

    @Test func `every truncation and every extension is refused`() {
        let bytes = SessionCodec.encode(Example.session())
        for length in 0..<bytes.count { #expect(SessionCodec.decode(Array(bytes.prefix(length))) == nil, "\(length) bytes") }
        #expect(SessionCodec.decode(bytes + [0]) == nil)
        #expect(SessionCodec.decode(bytes + bytes) == nil)
    }

    @Test(
        "a flip of any bit gives another session or none, never the same and never a crash",
        arguments: [Example.session(), session(), Example.session(account: accounts[3])])
    func flips(session: Session) {
        let bytes = SessionCodec.encode(session)
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << UInt8(bit)
                #expect(SessionCodec.decode(flipped) != session, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func `issue 19, 14: a session without the lifetime, as earlier versions wrote it, is read`() throws {
        func payload(_ present: UInt8, _ fields: [UInt8]) -> Session? {
            var writer = FieldWriter()
            writer.write(fixed: Self.prefix)
            writer.write("u")
            writer.write(fixed: [0, 0, 0, present])
            writer.write(fixed: fields)
            writer.write("{}")
            return SessionCodec.decode(writer.bytes + [0] + [1, 1, 0x70] + [1, 1, 0x69] + [1, 1, 0x73] + [0, 0, 0, 0, 0, 0, 0])
        }
        let expiry: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 0]
        let key = [UInt8](repeating: 7, count: 32)
        let session = try #require(payload(3, expiry + key))
        #expect(session.tokens == .init(accessTokenExpiresAt: 256, proofKey: key))
        #expect(payload(7, expiry + key + expiry)?.tokens.accessTokenLifetime == 256)
        #expect(payload(8, []) == nil)
    }

    @Test func `another version is refused`() {
        var bytes = SessionCodec.encode(Example.session())
        for version in [UInt8(0), 1, 3, 255] {
            bytes[0] = version
            #expect(SessionCodec.decode(bytes) == nil)
        }
    }

    @Test func `CVE-2023-35941: what moves from one field to the next is another payload`() {
        func payload(_ subject: String, _ email: String?, _ groups: [String]) -> [UInt8] {
            var session = Self.bare
            session.uid = "u"
            session.identity.subject = subject
            session.identity.email = email
            session.identity.groups = groups
            return SessionCodec.encode(session)
        }
        let payloads = [
            payload("ab", nil, []), payload("a", "b", []), payload("", "ab", []), payload("ab", "", []), payload("ab", nil, [""]),
            payload("", nil, ["ab"]), payload("", nil, ["a", "b"]), payload("", nil, ["b", "a"]), payload("", "a", ["b"]),
            payload("", nil, ["", "ab"]), payload("", nil, ["ab", ""]),
        ]
        #expect(Set(payloads).count == payloads.count)
    }

    /// What stands before the first text: version, id, generation and three times.
    private static let prefix = Array(SessionCodec.encode(bare).prefix(1 + 16 + 4 + 24))

    @Test(
        "lengths that lie are refused before memory is taken for them",
        arguments: [
            [0x7F], [0xFF, 0x01], [0xFF, 0xFF, 0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x80, 0x00], [0x81, 0x00], [0x80],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
        ] as [[UInt8]])
    func lyingLengths(length: [UInt8]) {
        #expect(SessionCodec.decode(Self.prefix + length) == nil)
        #expect(SessionCodec.decode(Self.prefix + length + [UInt8](repeating: 0x61, count: 100)) == nil)
    }

    @Test func `a length that is not in its shortest form is refused`() {
        let bytes = SessionCodec.encode(Self.bare)
        let length = Self.prefix.count
        #expect(bytes[length] == 26)
        for spelling in [[0x9A, 0x00], [0x9A, 0x80, 0x00], [0x9A, 0x80, 0x80, 0x00]] as [[UInt8]] {
            #expect(SessionCodec.decode(Array(bytes[..<length]) + spelling + bytes[(length + 1)...]) == nil)
        }
    }

    @Test func `a text that is not UTF-8 is refused`() {
        let bytes = SessionCodec.encode(Self.bare)
        var broken = bytes
        broken[Self.prefix.count + 1] = 0xFF
        #expect(SessionCodec.decode(broken) == nil)
    }

    @Test func `a group count beyond the bytes there are is refused`() {
        var writer = FieldWriter()
        writer.write(fixed: Self.prefix)
        writer.write("u")
        writer.write(fixed: [0, 0, 0, 0])  // no tokens
        let claims = writer.bytes + [2]
        let fields: [UInt8] = [0] + [1, 1, 0x70] + [1, 1, 0x69] + [1, 1, 0x73] + [0, 0, 0, 0, 0, 0]
        #expect(SessionCodec.decode(claims + Array("{}".utf8) + fields + [0xFF, 0xFF, 0xFF, 0x7F]) == nil)
        // The same bytes with no groups are a session: it was the count that was refused.
        #expect(SessionCodec.decode(claims + Array("{}".utf8) + fields + [0]) != nil)
        #expect(SessionCodec.decode(claims + Array("{]".utf8) + fields + [0]) == nil)
        #expect(SessionCodec.decode(claims + Array("{}".utf8) + fields + [1]) == nil)
    }

    // MARK: What the ID token says already

    /// Alice's ID token as a provider signs it, 256 bytes of signature.
    static let idToken = [
        Array(#"{"alg":"RS256","kid":"2026-11","typ":"JWT"}"#.utf8), Array(idTokenPayload.utf8), [UInt8](repeating: 0xA5, count: 256),
    ].map(Base64URL.encode).joined(separator: ".")
    private static let idTokenPayload = """
        {"iss":"https://auth.example.com","sub":"6f9c1f0a-7f0e-4a70-9d2c-1f6f3f0a7f0e","aud":"gateway","exp":1800000300,"iat":1800000000,
        "nonce":"n-0S6_WzA2Mj","sid":"08a5019c-17e1-4977-8f42-65a12843ea02","email":"alice@example.com","email_verified":true,
        "name":"Alice Ångström","preferred_username":"alice","groups":["staff","ops"],"address":{"country":"SE"}}
        """

    static func session(idToken: String? = idToken, _ change: (inout ProviderIdentity) -> Void = { _ in }) -> Session {
        let payload = try? JSONValue(parsing: idTokenPayload)
        let kept = ["sub", "email", "email_verified", "name", "preferred_username", "groups", "address"]
        var identity = ProviderIdentity(
            provider: "oidc.acme", issuer: "https://auth.example.com", subject: "6f9c1f0a-7f0e-4a70-9d2c-1f6f3f0a7f0e",
            email: "alice@example.com", emailVerified: true, username: "alice", name: "Alice Ångström", groups: ["staff", "ops"],
            claims: .object((payload?.object ?? [:]).filter { kept.contains($0.key) }))
        change(&identity)
        return Example.session(
            identity: identity, tokens: .init(idToken: idToken), sid: "08a5019c-17e1-4977-8f42-65a12843ea02")
    }

    @Test func `what the ID token says is not said again`() {
        let token = TokenParts.split(Self.idToken)?.reduce(0) { $0 + $1.count } ?? 0
        let session = Self.session()
        let bytes = SessionCodec.encode(session)
        #expect(bytes.count < token + 120)
        #expect(SessionCodec.decode(bytes) == session)
    }

    static let departures: [Session] = [
        session { $0.claims = .object([:]) },
        session { $0.claims = .object(["email": .string("else@example.com"), "more": .array([.string("x"), .null])]) },
        session { $0.claims = .string("not an object") },
        session { $0.email = "else@example.com" },
        session { $0.groups = ["ops", "staff", "staff", "else"] },
        // Canonically equivalent to what the token says, but other bytes.
        session { $0.name = "Alice A\u{30A}ngstro\u{308}m" },
        session { $0.claims = .object(["name": .string("Alice A\u{30A}ngstro\u{308}m")]) },
        session(idToken: nil), session(idToken: ""), session(idToken: "a.b.c"), session(idToken: "e30.e30.e30"),
        session(idToken: "e30.e30"), session(idToken: ".."), session(idToken: "e30.bm90IEpTT04.e30"), session(idToken: "a.b.c.d.e.f"),
        session(idToken: "e30..e30.e30.e30"), session(idToken: "e30.e30.e30=="), session(idToken: "e31.e30.e30"),
    ]

    @Test("what differs from the ID token comes back byte for byte", arguments: departures)
    func differences(session: Session) throws {
        let decoded = try #require(SessionCodec.decode(SessionCodec.encode(session)))
        #expect(decoded == session)
        #expect(decoded.identity.name.map { Array($0.utf8) } == session.identity.name.map { Array($0.utf8) })
        #expect(decoded.identity.claims.serializedBytes() == session.identity.claims.serializedBytes())
    }

    /// A payload up to the claims, with an ID token whose payload is `{"a":"x"}`.
    private static func withClaims(_ claims: [UInt8]) -> Session? {
        var writer = FieldWriter()
        writer.write(fixed: prefix)
        writer.write("u")
        writer.write(fixed: [0, 0])
        let token = [#"{"alg":"none"}"#, #"{"a":"x"}"#, ""].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        writer.write(token: token)
        writer.write(fixed: [0])
        return SessionCodec.decode(
            writer.bytes + claims + [0] + [1, 1, 0x70] + [1, 1, 0x69] + [1, 1, 0x73] + [0, 0, 0, 0, 0, 0, 0])
    }

    private static func json(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

    @Test func `claims that could have been referred to are refused when spelled out`() {
        #expect(Self.withClaims([1] + Self.json("{}"))?.identity.claims == .object(["a": .string("x")]))
        #expect(Self.withClaims([0] + Self.json(#"{"a":"y"}"#))?.identity.claims == .object(["a": .string("y")]))
        #expect(Self.withClaims([0] + Self.json(#"{"a":"x"}"#)) == nil)
        #expect(Self.withClaims([1] + Self.json(#"{"a":"y"}"#)) == nil)
    }

    @Test func `a bit for a claim that the token does not have is refused`() {
        for bits in [UInt8(2), 3, 0x80, 0xFF] { #expect(Self.withClaims([bits] + Self.json("{}")) == nil) }
        #expect(Self.withClaims([1] + Self.json("[]")) == nil)
        #expect(Self.withClaims([0] + Self.json("[]")) != nil)
    }

    @Test func `a text that could have been referred to is refused when spelled out, and one beyond the known ones`() {
        let known = KnownTexts(in: [.object(["a": .string("x")])])
        func read(_ bytes: [UInt8]) -> String?? {
            var reader = FieldReader(bytes.span.bytes)
            return known.readOptional(from: &reader)
        }
        #expect(read([2]) == .some("x") && read([0]) == .some(nil) && read([1, 1, 0x79]) == .some("y"))
        #expect(read([1, 1, 0x78]) == nil && read([3]) == nil && read([0xFF, 0xFF, 0xFF, 0x7F]) == nil && read([]) == nil)
    }

    @Test(
        "a token in another form than the writer's is refused",
        arguments: [[1, 3, 0x65, 0x33, 0x30], [7, 0, 0, 0, 0, 0, 0], [2, 5, 1], [0x80, 0], [2], []] as [[UInt8]])
    func tokenForms(bytes: [UInt8]) {
        var reader = FieldReader(bytes.span.bytes)
        let token = reader.token()
        #expect(token == nil)
    }

    @Test func `an email flag beyond the three there are is refused`() {
        var session = Self.bare
        session.identity.emailVerified = true
        let bytes = SessionCodec.encode(session)
        // uid, no tokens, no claims, no sid, provider, issuer, subject, no email
        let index = Self.prefix.count + 1 + session.uid.utf8.count + 4 + 3 + 1 + 9 + 1
        #expect(bytes[index] == 2)
        var broken = bytes
        broken[index] = 3
        #expect(SessionCodec.decode(broken) == nil)
    }
}
