import Endpoints
import KeptSessions
import Logging
import Sessions
import Telemetry
import TestTools
import Testing

@testable import Accounts
@testable import Stores

@Suite("Endings of the account store (reading of 2026-11-28, finding 3)")
struct EndingFollowerTests {
    private static let day: Int64 = 86_400_000
    private let log = EventLog(level: .critical, format: .json, writer: LogWriter(descriptor: -1))

    /// An account store with endings.
    private struct Accounts {
        let folder: TemporaryFolder
        let service: AccountService

        init() throws {
            folder = try TemporaryFolder()
            service = AccountService(
                store: SQLAccountStore(SQLiteDatabase(path: folder.path + "/accounts.db")), policy: AccountPolicy())
        }

        func end(_ uid: String, _ provider: String? = nil, before: Int64) async throws {
            var changes = AccountChanges(claimsAddresses: true)
            changes.endings = [SessionEnding(uid: uid, provider: provider, before: before)]
            try await service.store.apply(changes)
        }
    }

    private func sessions(_ store: any SessionStore, absolute: Int64 = day) -> SessionService {
        let limits = SessionLimits(idle: 1_000, absolute: absolute, admitsTokens: false)
        let contents = SessionContents(keepsAccessToken: false, referencedClaims: [], referencedGroups: [], groupClaims: [:])
        return SessionService(
            store: store, cookies: SessionCookies(publicURL: true), limits: limits, contents: contents, activity: SessionActivity(),
            refresher: SessionRefresher(providers: [:], contents: contents, now: wallClock, report: { _, _ in }),
            providerRefusal: { _ in nil })
    }

    private func sealed(_ memory: SharedSessions, absolute: Int64 = day) -> SessionService {
        let seal = SessionSeal(keys: [[UInt8](repeating: 5, count: 32)], cookieName: "session", publicURL: "https://app.example.com")
        let limits = SessionLimits(idle: 1_000, absolute: absolute, admitsTokens: false)
        return sessions(SealedCookieStore(seal: seal, limits: limits, memory: memory), absolute: absolute)
    }

    private func count(_ sessions: SessionService) -> Int? {
        sessions.store.revocationLists(now: wallClock()).first { $0.name == .accounts }?.count
    }

    @Test func `an ending that fails is tried again, and stops none behind it`() async throws {
        let accounts = try Accounts()
        let now = wallClock()
        for uid in ["a", "b", "c"] { try await accounts.end(uid, before: now) }
        let store = WaitingStore(limits: SessionLimits(idle: 1_000, absolute: Self.day))
        let (follower, sessions) = (EndingFollower(), sessions(store))
        store.refused = ["a", "b"]
        await follower.follow(accounts.service, sessions, log)
        #expect(count(sessions) == 1 && follower.failure.isEmpty)
        store.refused = ["b"]
        await follower.follow(accounts.service, sessions, log)
        #expect(count(sessions) == 2)
        try await accounts.end("d", before: now)
        await follower.follow(accounts.service, sessions, log)
        #expect(count(sessions) == 3)
        store.refused = []
        await follower.follow(accounts.service, sessions, log)
        #expect(count(sessions) == 4)
    }

    @Test func `a start keeps no ending that is older than sessions can be`() async throws {
        let accounts = try Accounts()
        let now = wallClock()
        for age in 0..<20 as Range<Int64> { try await accounts.end("uid \(age)", before: now - age * Self.day / 2) }
        let sessions = sealed(SharedSessions())
        await EndingFollower().follow(accounts.service, sessions, log)
        #expect(count(sessions) == 2)
    }

    @Test func `a longer limit and a new list read older endings again`() async throws {
        let accounts = try Accounts()
        let now = wallClock()
        for age in 0..<20 as Range<Int64> { try await accounts.end("uid \(age)", before: now - age * Self.day / 2) }
        let memory = SharedSessions()
        let follower = EndingFollower()
        await follower.follow(accounts.service, sealed(memory), log)
        await follower.follow(accounts.service, sealed(memory, absolute: 5 * Self.day), log)
        #expect(count(sealed(memory)) == 10)
        await follower.follow(accounts.service, sealed(memory), log)
        #expect(count(sealed(memory)) == 10)
        let other = SharedSessions()
        await follower.follow(accounts.service, sealed(other, absolute: 2 * Self.day), log)
        #expect(count(sealed(other)) == 4)
    }
}
