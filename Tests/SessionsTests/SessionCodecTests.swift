import Accounts
import Testing
import TokenCrypto

@testable import Sessions

@Suite struct SessionCodecTests {
    static let bare = Session.issue(
        for: AccountOutcome(withoutStore: ProviderIdentity(provider: "p", issuer: "i", subject: "s")), authTime: nil,
        providerSessionID: nil, tokens: .init(), now: Example.start)

    static let varied: [Session] =
        [Example.session(), bare]
        + [nil, true, false].map { verified in
            var identity = Example.identity
            identity.emailVerified = verified
            identity.email = verified == nil ? nil : ""
            return Example.session(identity: identity)
        }
        + [nil, "", "x", String(repeating: "y", count: 127), String(repeating: "z", count: 20_000)].map { text in
            Example.session(tokens: .init(accessToken: text, accessTokenExpiresAt: text == nil ? nil : .min, idToken: text), sid: text)
        }

    @Test("a session comes back from its bytes", arguments: varied)
    func roundTrip(session: Session) {
        #expect(SessionCodec.decode(SessionCodec.encode(session)) == session)
    }

    @Test func `a refreshed session comes back with its generation and stamps`() throws {
        let session = try #require(Example.session().refreshed(tokens: .init(accessToken: "2"), identity: nil, now: Example.start + 5))
        let decoded = try #require(SessionCodec.decode(SessionCodec.encode(session)))
        #expect(decoded == session && decoded.generation == 1 && decoded.seenAt == Example.start + 5)
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

    @Test func `a flip of any bit gives another session or none, never the same and never a crash`() {
        let session = Example.session()
        let bytes = SessionCodec.encode(session)
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << UInt8(bit)
                #expect(SessionCodec.decode(flipped) != session, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func `another version is refused`() {
        var bytes = SessionCodec.encode(Example.session())
        for version in [UInt8(0), 2, 255] {
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
        for text in ["u"] { writer.write(text) }
        writer.write(count: 0)
        for text in ["p", "i", "s"] { writer.write(text) }
        writer.write(count: 0)
        writer.write(byte: 0)
        for _ in 0..<4 { writer.write(count: 0) }
        #expect(SessionCodec.decode(writer.bytes + [0xFF, 0xFF, 0xFF, 0x7F]) == nil)
        // The same bytes with no groups and the rest are a session: it was the count that was refused.
        #expect(SessionCodec.decode(writer.bytes + [0, 2] + Array("{}".utf8) + [0, 0, 0, 0]) != nil)
        #expect(SessionCodec.decode(writer.bytes + [0, 2] + Array("{]".utf8) + [0, 0, 0, 0]) == nil)
        #expect(SessionCodec.decode(writer.bytes + [0, 2] + Array("{}".utf8) + [0, 0, 0, 2]) == nil)
    }

    @Test func `an email flag beyond the three there are is refused`() {
        var session = Self.bare
        session.identity.emailVerified = true
        let bytes = SessionCodec.encode(session)
        let index = Self.prefix.count + 1 + session.uid.utf8.count + 1 + 6 + 1
        #expect(bytes[index] == 2)
        var broken = bytes
        broken[index] = 3
        #expect(SessionCodec.decode(broken) == nil)
    }
}
