import Accounts
import KeptSessions
import Sessions
import Testing

@Suite struct SealedCookieStoreTests {
    private let limits = SessionLimits(idle: 1_000_000, absolute: 86_400_000)

    private func store(_ memory: SharedSessions = SharedSessions()) -> SealedCookieStore {
        SealedCookieStore(
            seal: SessionSeal(keys: Example.keys, cookieName: "__Host-session", publicURL: Example.publicURL), limits: limits,
            memory: memory)
    }

    @Test func `the sealed cookie does what every store must do`() async throws {
        try await SessionStoreConformance(store: store(), limits: limits).check()
    }

    @Test func `a store that answers later does what every store must do`() async throws {
        try await SessionStoreConformance(store: WaitingStore(limits: limits), limits: limits).check()
    }

    @Test func `the sealed cookie never asks to wait`() async throws {
        let store = store()
        let cookie = try await store.save(Example.session(), now: Example.start)
        for text in [cookie, "junk"] {
            if case .ask = store.lookup(text.utf8.span.bytes, now: Example.start) { Issue.record("it asks") }
        }
    }

    @Test func `what ended, was used or is locked goes on under the next configuration`() async throws {
        let memory = SharedSessions()
        let session = Example.session()
        try await store(memory).end(session, replacedBy: nil, now: Example.start)
        #expect(try await store(memory).finishLogin("login", now: Example.start))
        #expect(try await store(memory).lock(.init(session), now: Example.start) == .start)
        #expect(try await store(memory).isEnded(session, now: Example.start))
        #expect(try await !store(memory).finishLogin("login", now: Example.start))
        #expect(try await store(memory).lock(.init(session), now: Example.start) == .wait)
    }

    private final class FailingJournal: EndedSessionJournal {
        let failure: String? = "no space"
        let path = "/none"
        func append(_ records: [RevocationRecord]) {}
        func synchronise() async -> Bool { false }
        func close() async {}
    }

    @Test func `an end that the journal cannot write is refused, and the provider may send its token again`() async throws {
        let memory = SharedSessions()
        memory.setJournal(FailingJournal())
        let store = store(memory)
        let session = Example.session(sid: "sid-1")
        await #expect(throws: SessionStoreError.notKept) { try await store.end(session, replacedBy: nil, now: Example.start) }
        #expect(try await store.isEnded(session, now: Example.start), "it has ended in this process all the same")
        let logout = ProviderLogout(
            issuer: session.identity.issuer, subject: nil, sessionID: "sid-9", tokenID: "jti", expiresAt: Example.start + 60_000)
        for _ in 0..<2 {
            await #expect(throws: SessionStoreError.notKept) { try await store.end(logout, now: Example.start) }
        }
    }
}
