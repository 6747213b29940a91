import Accounts
import Sessions
import Testing

@Suite struct SessionRecordTests {
    @Test(
        "what a client says of itself is cut, and control characters are dropped",
        arguments: [
            (nil, nil), ("", nil), ("\r\n\u{0}\u{7F}\u{9B}", nil), ("a\r\nb\u{1B}[31m", "ab[31m"),
            ("Mozilla/5.0 (X11)", "Mozilla/5.0 (X11)"),
            (String(repeating: "a", count: 257), String(repeating: "a", count: 256)),
            (String(repeating: "€", count: 100), String(repeating: "€", count: 85)),
            (String(repeating: "a", count: 255) + "€", String(repeating: "a", count: 255)),
        ] as [(String?, String?)])
    func client(text: String?, kept: String?) {
        #expect(SessionClient(userAgent: text, address: nil).userAgent == kept)
        let address = SessionClient(userAgent: nil, address: text).address
        #expect(address == nil || (address?.utf8.count ?? 0) <= 64)
    }

    @Test func `a reference names one session and is not its id`() {
        let session = Example.session()
        #expect(Session.isReference(session.reference))
        #expect(session.seen(at: Example.start + 9).reference == session.reference)
        #expect(Example.session().reference != session.reference)
        #expect(session.reference != session.id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    }

    @Test(
        "other texts are no references",
        arguments: [
            "", "0", String(repeating: "0", count: 31), String(repeating: "A", count: 32), String(repeating: "g", count: 32),
            String(repeating: "0", count: 33), String(repeating: "é", count: 16), "../" + String(repeating: "0", count: 29),
        ])
    func noReference(text: String) { #expect(!Session.isReference(text)) }

    @Test func `a list shows live sessions only`() async throws {
        let fixture = ServiceFixture(.waiting)
        let service = fixture.service
        let session = try await service.issue(
            for: VerifiedSignIn(
                account: AccountOutcome(supposing: Example.identity), authTime: nil, providerSessionID: nil, tokens: .init()),
            replacing: nil, to: .example, now: Example.start
        ).session
        var foreign = Example.identity
        foreign.provider = "removed.example"
        _ = try await service.store.save(Example.session(identity: foreign), client: nil, now: Example.start)
        func listed(_ now: Int64) async throws -> [String] { try await service.records(ofUser: session.uid, now: now).map(\.id) }
        let limits = ServiceFixture.limits
        #expect(try await listed(Example.start) == [session.reference])
        #expect(try await listed(Example.start + limits.idle - 1) == [session.reference])
        #expect(try await listed(Example.start + limits.idle) == [])
        for text in ["", "junk", String(repeating: "0", count: 32)] {
            #expect(try await service.end(reference: text, now: Example.start) == nil)
        }
        let other = try await service.issue(
            for: VerifiedSignIn(
                account: AccountOutcome(supposing: Example.identity), authTime: nil, providerSessionID: nil, tokens: .init()),
            replacing: nil, to: .example, now: Example.start
        ).session
        try await service.endOthers(than: other, now: Example.start)
        #expect(try await listed(Example.start) == [other.reference])
    }

    @Test func `the sealed cookie finds no session, not even by a text that is no reference`() async throws {
        let service = ServiceFixture(.sealed).service
        for text in ["", String(repeating: "0", count: 32)] {
            await #expect(throws: SessionStoreError.unsupported) { try await service.end(reference: text, now: Example.start) }
        }
        await #expect(throws: SessionStoreError.unsupported) {
            try await service.endOthers(than: Example.session(), now: Example.start)
        }
    }
}
