import Accounts
import NIOPosix
import ServerProcesses
import Sessions
import Stores
import Synchronization
import TestTools
import Testing
import TokenCrypto

/// The store on a real server. Each test has a server of its own.
@Suite(.serialized) struct RedisSessionStoreTests {
    private static let limits = SessionLimits(idle: 1_000_000, absolute: 86_400_000)

    private final class Calls: Sendable {
        private let operations = Mutex<[RedisOperation]>([])

        /// Whether the last call ended without a question to the server.
        let wasRefused = Atomic(false)

        func add(_ operation: RedisOperation, _ failure: RedisFailureKind?) {
            operations.withLock { $0.append(operation) }
            wasRefused.store(failure == .circuitOpen, ordering: .sequentiallyConsistent)
        }
        func count(_ operation: RedisOperation) -> Int { operations.withLock { $0.count { $0 == operation } } }
        func take() -> [RedisOperation] {
            operations.withLock { operations in
                defer { operations = [] }
                return operations
            }
        }
    }

    /// A process with a store.
    private final class Replica: Sendable {
        let shared: RedisSessions
        let store: RedisSessionStore
        private let counted: Calls

        /// The calls to the server since the last question.
        func calls() -> [RedisOperation] { counted.take() }
        func count(_ operation: RedisOperation) -> Int { counted.count(operation) }
        var wasRefused: Bool { counted.wasRefused.load(ordering: .sequentiallyConsistent) }

        init(_ url: String, keys: [[UInt8]] = Example.keys, timeout: Duration = .seconds(120)) throws {
            var settings = try RedisSettings(url: url)
            settings.timeout = timeout
            let calls = Calls()
            counted = calls
            shared = try RedisSessions(
                settings, loops: Array(MultiThreadedEventLoopGroup.singleton.makeIterator()), now: { Example.start },
                observe: { event in
                    if case .call(let operation, let failure, _, _) = event { calls.add(operation, failure) }
                })
            store = RedisSessionStore(
                shared, keys: keys, cookieName: "__Host-session", publicURL: Example.publicURL, limits: RedisSessionStoreTests.limits)
        }

        /// Returns when it hears the others.
        func hearing() async throws -> Replica {
            try await eventually { self.store.status.isServing && self.store.status.detail.isEmpty }
            return self
        }

        func lookup(_ cookie: String) -> Session? {
            guard case .known(let session) = store.lookup(cookie.utf8.span.bytes, now: Example.start) else {
                return nil
            }
            return session
        }

        func load(_ cookie: String) async throws -> Session? { try await store.load(Array(cookie.utf8), now: Example.start) }
    }

    @Test func `it does what every store must do`() async throws {
        let server = try RedisProcess()
        let replica = try await Replica(server.url).hearing()
        try await SessionStoreConformance(store: replica.store, limits: Self.limits).check()
        await replica.shared.close()
    }

    @Test func `it does what every store must do while it does not hear the others`() async throws {
        let server = try RedisProcess(["user default on nopass ~* &* +@all -subscribe"])
        let replica = try Replica(server.url)
        try await eventually { replica.store.status.isServing }
        try await SessionStoreConformance(store: replica.store, limits: Self.limits).check()
        #expect(replica.store.status.detail.contains("NOPERM"))
        await replica.shared.close()
    }

    @Test func `a session opened on one replica ends on another within a second`() async throws {
        let server = try RedisProcess()
        let (one, two) = (try await Replica(server.url).hearing(), try await Replica(server.url).hearing())
        let session = Example.session()
        let cookie = try await one.store.save(session, now: Example.start)
        #expect(cookie.utf8.count <= 200)
        // It was opened, and needs no question.
        try await eventually { try await two.load(cookie) == session && two.lookup(cookie) == session }
        let ends = two.store.ends.value
        try await one.store.end(session, replacedBy: nil, now: Example.start)
        try await eventually { two.lookup(cookie) == nil && two.store.ends.value > ends }
        #expect(two.store.knownEnd(of: session, digests: nil, now: Example.start) == .ended)
        #expect(try await two.load(cookie) == nil)
    }

    @Test func `an ending of an account is heard by the other replicas before they ask the account store`() async throws {
        let server = try RedisProcess()
        let (one, two) = (try await Replica(server.url).hearing(), try await Replica(server.url).hearing())
        let session = Example.session()
        let cookie = try await one.store.save(session, now: Example.start)
        #expect(try await two.load(cookie) == session && two.lookup(cookie) == session)
        try await one.store.end(AccountEnding(uid: session.uid, provider: nil, issuedUpTo: Example.start), now: Example.start + 1_000)
        #expect(one.store.knownEnd(of: session, digests: nil, now: Example.start) == .ended)
        try await eventually { two.store.knownEnd(of: session, digests: nil, now: Example.start) == .ended }
    }

    @Test(arguments: [nil, "sid-1"], [nil, "another-subject"])
    func `a session is opened with one call, which finds every end`(sid: String?, subject: String?) async throws {
        let server = try RedisProcess()
        let one = try await Replica(server.url).hearing()
        var identity = Example.identity
        if let subject { identity.claims = .object(["sub": .string(subject)]) }
        let session = Example.session(identity: identity, sid: sid)
        let cookie = try await one.store.save(session, now: Example.start)
        #expect(cookie.utf8.count <= 200)
        let two = try await Replica(server.url).hearing()
        _ = two.calls()
        #expect(try await two.load(cookie) == session && two.lookup(cookie) == session)
        // Five names do not fit into the ticket: the fifth is asked for with a second call.
        #expect(two.calls() == (sid != nil && subject != nil ? [.load, .check] : [.load]))
        // The user's end is one of those that were asked for.
        let logout = ProviderLogout(
            issuer: identity.issuer, subject: subject ?? identity.subject, sessionID: nil, tokenID: "1", expiresAt: Example.start + 60_000)
        #expect(try await one.store.end(logout, now: Example.start))
        let three = try await Replica(server.url).hearing()
        _ = try await three.load(cookie)
        #expect(three.lookup(cookie) == nil)
        #expect(three.store.knownEnd(of: session, digests: nil, now: Example.start) == .ended)
    }

    @Test func `an end under a key that is newer than the ticket is found`() async throws {
        let server = try RedisProcess()
        let (old, new) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let before = try await Replica(server.url, keys: [old]).hearing()
        let session = Example.session()
        let cookie = try await before.store.save(session, now: Example.start)
        let after = try await Replica(server.url, keys: [new, old]).hearing()
        _ = after.calls()
        #expect(try await after.load(cookie) == session)
        #expect(after.calls() == [.load, .check])
        try await after.store.end(AccountEnding(uid: session.uid, provider: nil, issuedUpTo: Example.start), now: Example.start + 60_000)
        let logout = ProviderLogout(
            issuer: session.identity.issuer, subject: session.identity.subject, sessionID: nil, tokenID: "1",
            expiresAt: Example.start + 60_000)
        #expect(try await after.store.end(logout, now: Example.start))
        let fresh = try await Replica(server.url, keys: [new, old]).hearing()
        _ = try await fresh.load(cookie)
        #expect(fresh.lookup(cookie) == nil)
    }

    @Test func `a session of any size has a short ticket, and belongs to its public URL and cookie`() async throws {
        let server = try RedisProcess()
        let replica = try await Replica(server.url).hearing()
        var identity = Example.identity
        identity.groups = (0..<500).map { "a-group-with-a-long-name-\($0)" }
        var tokens = Example.tokens
        tokens.accessToken = String(repeating: "a", count: 8_000)
        tokens.idToken = String(repeating: "i", count: 8_000)
        let session = Example.session(identity: identity, tokens: tokens)
        let cookie = try await replica.store.save(session, now: Example.start)
        #expect(cookie.utf8.count <= 200)
        #expect(try await Replica(server.url).hearing().load(cookie) == session)
        for (name, url) in [("__Host-session", "https://staging.example.com"), ("__Host-other", Example.publicURL)] {
            let other = RedisSessionStore(replica.shared, keys: Example.keys, cookieName: name, publicURL: url, limits: Self.limits)
            #expect(try await other.load(Array(cookie.utf8), now: Example.start) == nil)
            if case .none = other.lookup(cookie.utf8.span.bytes, now: Example.start) {} else { Issue.record("it is no ticket of \(url)") }
        }
        // Every byte of the ticket counts.
        for index in cookie.utf8.indices {
            var changed = Array(cookie.utf8)
            let offset = cookie.utf8.distance(from: cookie.utf8.startIndex, to: index)
            changed[offset] = changed[offset] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(try await replica.store.load(changed, now: Example.start) == nil, "byte \(offset)")
        }
    }

    @Test func `who can write to the store forges no session and moves none to another ticket`() async throws {
        let server = try RedisProcess()
        let replica = try await Replica(server.url).hearing()
        let (alice, bob) = (Example.session(), Example.session(subject: "bob"))
        let (hers, his) = (
            try await replica.store.save(alice, now: Example.start), try await replica.store.save(bob, now: Example.start)
        )
        let stranger = try await Replica(server.url).hearing()
        func key(_ session: Session) -> String { "gateway:session:{\(session.reference)}" }
        // The whole entry of one session under the name of another, and garbage.
        try server.run("COPY", key(alice), key(bob), "REPLACE")
        #expect(try await stranger.load(his) == nil)
        #expect(try await stranger.load(hers) == alice)
        #expect(try await stranger.store.records(ofUser: bob.uid, now: Example.start) == [])
        try server.run("HSET", key(alice), "s", "garbage")
        #expect(try await stranger.load(hers) == nil)
    }

    @Test func `an end counts although the session is still there`() async throws {
        let server = try RedisProcess()
        let replica = try await Replica(server.url).hearing()
        let session = Example.session()
        let cookie = try await replica.store.save(session, now: Example.start)
        // As if the connection had been lost between the record of the end and the deletion.
        try server.run("SET", "gateway:end:{\(session.reference)}", "9007199254740991")
        let other = try await Replica(server.url).hearing()
        #expect(try await other.load(cookie) == nil)
        #expect(try await other.store.isEnded(session, now: Example.start))
        #expect(try await other.store.records(ofUser: session.uid, now: Example.start) == [])
        // A refresh that comes late revives nothing.
        let late = try #require(session.refreshed(tokens: session.tokens, identity: session.identity, now: Example.start))
        _ = try await other.store.save(late, now: Example.start)
        #expect(try await Replica(server.url).hearing().load(cookie) == nil)
    }

    @Test func `a refreshed session replaces the one that another replica knows`() async throws {
        let server = try RedisProcess()
        let (one, two) = (try await Replica(server.url).hearing(), try await Replica(server.url).hearing())
        let session = Example.session()
        let cookie = try await one.store.save(session, now: Example.start)
        #expect(try await two.load(cookie) == session)
        let next = try #require(session.refreshed(tokens: .init(refreshToken: "next"), identity: session.identity, now: Example.start))
        _ = try await one.store.save(next, now: Example.start)
        try await eventually { two.lookup(cookie) == nil }
        #expect(try await two.load(cookie) == next)
        // An earlier generation takes nothing back, and an ended session is not revived.
        _ = try await two.store.save(session, now: Example.start)
        #expect(try await one.load(cookie) == next)
        try await two.store.end(next, replacedBy: nil, now: Example.start)
        _ = try await one.store.save(next, now: Example.start)
        #expect(try await one.load(cookie) == nil)
        let name = "gateway:session:{\(session.reference)}"
        #expect(try server.run("EXISTS", name) == "0\n", "an ended session is not stored again")
        // Nor is one that the store has lost, with its end.
        try server.run("FLUSHALL")
        _ = try await one.store.save(next, now: Example.start)
        #expect(try server.run("EXISTS", name) == "0\n")
    }

    @Test func `while the others are not heard, nothing is known without a question`() async throws {
        let server = try RedisProcess()
        let replica = try await Replica(server.url).hearing()
        let session = Example.session()
        let cookie = try await replica.store.save(session, now: Example.start)
        try await eventually { try await replica.load(cookie) == session && replica.lookup(cookie) == session }
        try server.run("CLIENT", "KILL", "TYPE", "pubsub")
        try server.run("ACL", "SETUSER", "default", "resetchannels")
        try await eventually { replica.lookup(cookie) == nil }
        #expect(replica.store.knownEnd(of: session, digests: nil, now: Example.start) == .ask)
        #expect(replica.store.ends.value != replica.store.ends.value, "caches compare each time")
        #expect(try await replica.load(cookie) == session, "the store is asked")
        #expect(replica.lookup(cookie) == nil)
        try server.run("ACL", "SETUSER", "default", "allchannels")
        try await eventually { try await replica.load(cookie) == session && replica.lookup(cookie) == session }
    }

    @Test func `a paused server fails within the time limit, then at once, and recovers`() async throws {
        let server = try RedisProcess()
        let replica = try await Replica(server.url, timeout: .seconds(3)).hearing()
        let session = Example.session()
        let cookie = try await replica.store.save(session, now: Example.start)
        try server.pause()
        await #expect(throws: SessionStoreError.self) { try await replica.load(cookie) }
        try await eventually { !replica.store.status.isServing }
        try await eventually {
            _ = try? await replica.load(cookie)
            return replica.wasRefused
        }
        try server.resume()
        try await eventually { (try? await replica.load(cookie)) == session }
    }

    @Test func `two replicas refresh once, and the one that waits gets the result`() async throws {
        let server = try RedisProcess()
        let (one, two) = (try await Replica(server.url).hearing(), try await Replica(server.url).hearing())
        let session = Example.session()
        _ = try await one.store.save(session, now: Example.start)
        let provider = ScriptedProvider()
        let contents = SessionContents(keepsAccessToken: true, referencedClaims: [], referencedGroups: [], groupClaims: [:])
        // The access token has expired, so that both have to wait.
        let now = Example.start + 400_000
        let refreshed = Session.Tokens(accessToken: "next", accessTokenExpiresAt: now + 3_600_000, refreshToken: "next")
        let outcomes = [one, two].map { replica in
            Task {
                await SessionRefresher(providers: ["oidc.acme": provider], contents: contents, now: { now }, report: { _, _ in })
                    .current(session, in: replica.store)
            }
        }
        try await eventually { provider.calls > 0 && one.count(.refresh) > 0 && two.count(.refresh) > 0 }
        provider.answer(.refreshed(refreshed, session.identity))
        for outcome in outcomes {
            guard case .session(let current) = await outcome.value else {
                Issue.record("the session has ended")
                continue
            }
            #expect(current.generation == 1 && current.tokens.accessToken == "next")
        }
        #expect(provider.calls == 1)
    }

    @Test func `an outage rests all replicas, and a holder that lost the lock decides nothing`() async throws {
        let server = try RedisProcess()
        let (one, two) = (try await Replica(server.url).hearing(), try await Replica(server.url).hearing())
        let (resting, contested) = (RefreshCoordinator.Key(Example.session()), Example.session())
        #expect(try await one.store.lock(resting, now: Example.start) == .start)
        try await one.store.unlock(resting, .failed(.outage), now: Example.start)
        guard case .notNow(let retryAt) = try await two.store.lock(resting, now: Example.start) else {
            Issue.record("it does not rest")
            return
        }
        #expect((Example.start...Example.start + 1_000).contains(retryAt))
        let key = RefreshCoordinator.Key(contested)
        #expect(try await one.store.lock(key, now: Example.start) == .start)
        // As after the time limit of an attempt.
        for name in try server.run("KEYS", "gateway:refresh:*").split(separator: "\n") { try server.run("DEL", String(name)) }
        #expect(try await two.store.lock(key, now: Example.start) == .start)
        try await one.store.unlock(key, .failed(.invalidGrant), now: Example.start)
        #expect(try await one.store.lock(key, now: Example.start) == .wait, "another holder is at it")
        try await two.store.unlock(key, .refreshed(contested), now: Example.start)
        #expect(try await one.store.lock(key, now: Example.start) == .useResult(contested))
    }

    @Test func `the last use is written once a minute, and entries expire with the limits`() async throws {
        let server = try RedisProcess()
        let (one, two) = (try await Replica(server.url).hearing(), try await Replica(server.url).hearing())
        let session = Example.session()
        let cookie = try await one.store.save(session, now: Example.start)
        let name = "gateway:session:{\(session.reference)}"
        func remaining() throws -> Int { try Int(server.run("PTTL", name).filter(\.isNumber)) ?? 0 }
        #expect(try (900_000...1_000_000).contains(remaining()), "the idle limit")
        try server.run("PEXPIRE", name, "500000")
        _ = try await one.store.touch(session.seen(at: Example.start + 59_000), now: Example.start + 59_000)
        #expect(try await two.load(cookie)?.seenAt == session.seenAt)
        #expect(try remaining() <= 500_000)
        _ = try await one.store.touch(session.seen(at: Example.start + 60_000), now: Example.start + 60_000)
        #expect(try await two.store.load(Array(cookie.utf8), now: Example.start + 60_000)?.seenAt == Example.start + 60_000)
        #expect(try remaining() > 900_000)
        // Near the absolute limit, no later than that.
        let late = Self.limits.absoluteEnd(of: session) - 100_000
        _ = try await one.store.touch(session.seen(at: late), now: late)
        #expect(try remaining() <= 100_000)
    }

    @Test func `keys are rotated without a sign-out`() async throws {
        let server = try RedisProcess()
        let (old, new) = (Example.keys[0], [UInt8](repeating: 9, count: 32))
        let before = try await Replica(server.url).hearing()
        let after = try await Replica(server.url, keys: [new, old]).hearing()
        let session = Example.session()
        let cookie = try await before.store.save(session, client: Example.client, now: Example.start)
        #expect(try await after.load(cookie) == session)
        #expect(try await after.store.records(ofUser: session.uid, now: Example.start).count == 1)
        let both = try await Replica(server.url, keys: [old, new]).hearing()
        let logout = ProviderLogout(
            issuer: session.identity.issuer, subject: "alice", sessionID: nil, tokenID: "jti", expiresAt: Example.start + 60_000)
        #expect(try await after.store.end(logout, now: Example.start))
        #expect(try await both.store.isEnded(session, now: Example.start))
        #expect(try await !both.store.end(logout, now: Example.start), "used once, whatever the keys are")
    }

    @Test func `another key opens nothing, and names hold no id, user or token`() async throws {
        let server = try RedisProcess()
        let replica = try await Replica(server.url).hearing()
        let session = Example.session()
        let cookie = try await replica.store.save(session, client: Example.client, now: Example.start)
        let stranger = try await Replica(server.url, keys: [[UInt8](repeating: 7, count: 32)]).hearing()
        #expect(try await stranger.load(cookie) == nil)
        #expect(try await stranger.store.records(ofUser: session.uid, now: Example.start) == [])
        var dump = ""
        for key in try server.run("KEYS", "*").split(separator: "\n") {
            dump += key + "\n"
            #expect(key.hasPrefix("gateway:"))
            #expect(try Int(server.run("PTTL", String(key)).filter(\.isNumber)) ?? 0 > 0, "\(key) never expires")
            dump += try server.run("DUMP", String(key), options: ["--no-raw"])
        }
        let id = session.id.map { String($0, radix: 16) }.joined()
        for secret in ["alice", session.uid, "refresh-", "sid-1", id, "example.com", "test agent"] {
            #expect(!dump.contains(secret), "the store has \(secret)")
        }
    }
}
