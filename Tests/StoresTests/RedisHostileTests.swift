import Accounts
import NIOPosix
import Sessions
import TokenCrypto
import TestTools
import Testing

@testable import Stores

/// No reply of a server leads to a session, to an end that is confirmed, or to a crash.
@Suite struct RedisHostileTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let keys = [[UInt8](repeating: 5, count: 32)]

    private static func session() -> Session {
        let identity = ProviderIdentity(provider: "oidc.acme", issuer: "https://auth.example.com", subject: "alice")
        return .issue(
            for: AccountOutcome(supposing: identity), authTime: now, providerSessionID: "sid-1", tokens: .init(idToken: "a.b.c"), now: now)
    }

    private static func store(_ port: Int) throws -> (RedisSessions, RedisSessionStore) {
        var settings = try RedisSettings(url: "redis://127.0.0.1:\(port)")
        settings.timeout = .seconds(2)
        let shared = try RedisSessions(settings, loops: Array(MultiThreadedEventLoopGroup.singleton.makeIterator())) { now }
        let limits = SessionLimits(idle: 1_000_000, absolute: 86_400_000)
        return (
            shared,
            RedisSessionStore(shared, keys: keys, cookieName: "__Host-session", publicURL: "https://app.example.com", limits: limits)
        )
    }

    private static let replies = [
        "-LOADING Redis is loading the dataset in memory\r\n", "-READONLY You can't write against a read only replica.\r\n",
        "-NOAUTH Authentication required.\r\n", "-ERR unknown\r\n", "-OOM command not allowed\r\n", "-MOVED 1 127.0.0.1:1\r\n",
        "-ASK 1 :0\r\n", "-\r\n", "+OK\r\n", "+\r\n", ":1\r\n", ":0\r\n", ":-9223372036854775808\r\n", ":x\r\n", "$-1\r\n", "$0\r\n\r\n",
        "$3\r\nabc\r\n", "$1000000000\r\nabc", "$-7\r\n", "*-1\r\n", "*0\r\n", "*1\r\n$1\r\na\r\n", "*2\r\n$-1\r\n$-1\r\n",
        "*2\r\n$3\r\nabc\r\n$3\r\nabc\r\n", "*1000000000\r\n", "*65536\r\n*65536\r\n*65536\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
        "HTTP/1.1 200 OK\r\n\r\n", "\r\n", "\0\0\0\0", "%1\r\n+a\r\n:1\r\n", ",1.5\r\n", "#t\r\n", "_\r\n",
        ">3\r\n+message\r\n+a\r\n+b\r\n",
    ]

    @Test(arguments: replies)
    func `a reply is never a session nor a confirmation`(reply: String) async throws {
        // Well-behaved until it is connected.
        let server = try await RedisFakeServer { bytes in
            Array(String(repeating: "+OK\r\n", count: RedisFakeServer.commands(in: bytes)).utf8)
        }
        defer { server.close() }
        let (shared, store) = try Self.store(server.port)
        try await eventually { shared.client.status.isReady }
        server.setAnswer { bytes in Array(String(repeating: reply, count: RedisFakeServer.commands(in: bytes)).utf8) }
        let session = Self.session()
        let cookie = Array(store.tickets.ticket(for: session, store.names.sharedDigests(of: session)).utf8)
        #expect((try? await store.load(cookie, now: Self.now)) ?? nil == nil)
        if case .known = store.lookup(cookie.span.bytes, now: Self.now) { Issue.record("it is known") }
        let alive = store.knownEnd(of: session, digests: nil, now: Self.now)
        #expect(alive != .alive)
        // Only an answer that the server gives to these commands may be believed.
        if !["$-1\r\n", "*-1\r\n"].contains(reply) {
            let isEnded = try? await store.isEnded(session, now: Self.now)
            #expect(isEnded != false)
        }
        if !reply.hasPrefix("+") { #expect((try? await store.finishLogin("login", now: Self.now)) != true) }
        if case .start? = try? await store.lock(.init(session), now: Self.now) { Issue.record("it holds the lock") }
        if case .useResult? = try? await store.lock(.init(session), now: Self.now) { Issue.record("it has a result") }
        #expect((try? await store.records(ofUser: session.uid, now: Self.now))?.isEmpty ?? true)
        #expect((try? await store.end(reference: session.reference, ofUser: nil, now: Self.now)) ?? nil == nil)
        await shared.close()
    }

    @Test(.seeded) func `bytes in any pieces make the same replies, and random bytes no crash`() throws {
        let library = try HiredisLibrary.shared.get()
        let bytes = Array("*3\r\n$7\r\nmessage\r\n:12\r\n*2\r\n$-1\r\n+OK\r\n-MOVED 7 host:1\r\n$0\r\n\r\n".utf8)
        let expected: [RedisReply] = [
            .array([.text(Array("message".utf8)), .integer(12), .array([.null, .status(Array("OK".utf8))])]),
            .error(RedisErrorCode(Array("MOVED 7 host:1".utf8))), .text([]),
        ]
        for size in 1...bytes.count {
            let reader = RedisReader(library)
            var found: [RedisReply] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                try Array(bytes[start..<min(bytes.count, start + size)]).withUnsafeBytes { try reader.feed($0) }
                while let reply = try reader.next() { found.append(reply) }
            }
            #expect(found == expected)
        }
        var generator = SeededGenerator()
        for _ in 0..<2_000 {
            let reader = RedisReader(library)
            let junk = (0..<64).map { _ in Array("*$+-:0123456789\r\nab\0".utf8).randomElement(using: &generator) ?? 0 }
            try? junk.withUnsafeBytes { bytes throws(RedisFailure) in
                try reader.feed(bytes)
                while try reader.next() != nil {}
            }
        }
    }

    @Test func `a reply that never ends is refused`() throws {
        let reader = RedisReader(try HiredisLibrary.shared.get())
        let chunk = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        try Array("$500000000\r\n".utf8).withUnsafeBytes { try reader.feed($0) }
        #expect(throws: RedisFailure.self) {
            for _ in 0..<16 {
                try chunk.withUnsafeBytes { try reader.feed($0) }
                _ = try reader.next()
            }
        }
    }

    @Test(arguments: [
        [], [0], [1], [1, 1], [2], [3], Array(repeating: 1, count: 34), [1] + Array(repeating: 0xFF, count: 33),
        Array(repeating: 2, count: 18), [1] + Array(repeating: 1, count: 33 * 65),
    ])
    func `a message that is none is ignored`(bytes: [UInt8]) {
        switch RedisMessage(bytes) {
        case nil: break
        case .changed, .ends: #expect(bytes == [1] || bytes == Array(repeating: 1, count: 34))
        }
    }

    @Test func `a message comes back from its bytes`() {
        let digest = RevocationDigest(high: 1, low: .max)
        let messages: [RedisMessage] = [
            .changed(digest),
            .ends([RevocationRecord(.session, digest, issuedUpTo: .max, expiry: 7), RevocationRecord(.token, digest, expiry: 9)]),
        ]
        for message in messages { #expect(RedisMessage(message.bytes) == message) }
    }

    @Test func `a library that is missing is an error that says what to install`() {
        guard case .failure(let failure) = HiredisLibrary.load("libhiredis-none.so.0") else { return #expect(Bool(false)) }
        #expect(failure.reason.contains("apt-get install"))
    }

    @Test func `a command is an array of bulk strings`() {
        let long = [UInt8](repeating: 7, count: 12_345)
        let command = RedisCommand("SET", Array("name".utf8), long, [], Array("0123456789".utf8))
        let text = "*5\r\n$3\r\nSET\r\n$4\r\nname\r\n$12345\r\n"
        #expect(command.bytes == Array(text.utf8) + long + Array("\r\n$0\r\n\r\n$10\r\n0123456789\r\n".utf8))
        #expect(command.key == Array("name".utf8))
        let script = RedisCommand(script: "return 1", keys: [[1], [2]], [[3]])
        let evaluation = "*6\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n$1\r\n2\r\n$1\r\n\u{1}\r\n$1\r\n\u{2}\r\n$1\r\n\u{3}\r\n"
        #expect(script.bytes == Array(evaluation.utf8))
        #expect(script.key == [1])
        #expect(RedisCommand("MGET", keys: [[1], [2]]).bytes == Array("*3\r\n$4\r\nMGET\r\n$1\r\n\u{1}\r\n$1\r\n\u{2}\r\n".utf8))
        #expect(RedisCommand("PING").bytes == Array("*1\r\n$4\r\nPING\r\n".utf8) && RedisCommand("PING").key == nil)
    }

    @Test func `slots are those of the specification`() {
        #expect(RedisSlot.of(Array("123456789".utf8)) == 0x31C3)
        #expect(RedisSlot.of(Array("a{123456789}b".utf8)) == 0x31C3)
        #expect(RedisSlot.of(Array("{}123456789".utf8)) != 0x31C3)
    }
}
