import Accounts
import Backchannel
import Providers
import SignIn
import Synchronization
import Testing
import TokenCrypto

/// Stands for the pauses between attempts: each is reported, and ends when the test says so.
final class Pauses: Sendable {
    private let stream: AsyncStream<Duration>
    private let reports: AsyncStream<Duration>.Continuation
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    init() { (self.stream, self.reports) = AsyncStream.makeStream() }

    func sleep(_ duration: Duration) async throws {
        await withCheckedContinuation { continuation in
            self.waiting.withLock { $0.append(continuation) }
            self.reports.yield(duration)
        }
        try Task.checkCancellation()
    }

    /// The next pause's length, once it has begun.
    func next() async -> Duration? {
        var iterator = self.stream.makeAsyncIterator()
        return await iterator.next()
    }

    func end() {
        let all = self.waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }
}

@Suite struct DiscoveryTests {
    @Test func `a provider that is down is tried again with back-off until it is there, then hourly`() async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/.well-known/openid-configuration") { _ in .html(status: 503) }
            let pauses = Pauses()
            let client = try provider.client(sleep: { try await pauses.sleep($0) })
            #expect(client.status == .unavailable(reason: "not contacted yet", since: provider.clock.now))
            let since = provider.clock.now
            client.start()
            client.start()
            for seconds in [0.5, 1, 2, 4, 8, 15, 15] {
                #expect(await pauses.next() == .seconds(seconds))
                provider.clock.advance(by: 1000)
                guard case .unavailable(let reason, let stated) = client.status else {
                    Issue.record("ready without an answer")
                    return
                }
                #expect(reason.hasSuffix("answered with status 503"))
                #expect(stated == since)
                pauses.end()
            }
            #expect(await pauses.next() == .seconds(15))
            provider.restore("/.well-known/openid-configuration")
            pauses.end()
            #expect(await pauses.next() == .seconds(3600))
            #expect(client.status == .ready)
            client.stop()
            pauses.end()
        }
    }

    @Test func `the good copy serves while renewals fail, and a changed one replaces it`() async throws {
        try await ProviderFixture.run { provider in
            let pauses = Pauses()
            let client = try provider.client(sleep: { try await pauses.sleep($0) })
            client.start()
            #expect(await pauses.next() == .seconds(3600))
            provider.replace("/.well-known/openid-configuration") { _ in provider.discovery(["issuer": .string("https://evil.example")]) }
            pauses.end()
            #expect(await pauses.next() == .seconds(60))
            #expect(client.status == .ready)
            #expect(try await provider.signIn(client).identity.subject == "alice")
            provider.replace("/.well-known/openid-configuration") { _ in
                provider.discovery(["authorization_endpoint": .string(provider.issuer + "/new")])
            }
            pauses.end()
            #expect(await pauses.next() == .seconds(3600))
            #expect(try await client.beginLogin(returnPath: "/").url.hasPrefix(provider.issuer + "/new?"))
            client.stop()
            pauses.end()
        }
    }

    @Test func `a sign-in at a provider that was down tries at once`() async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/.well-known/openid-configuration") { _ in .hangUp }
            let client = try provider.client()
            #expect(try await provider.refusal(client).code == .providerUnavailable)
            provider.restore("/.well-known/openid-configuration")
            #expect(try await provider.signIn(client).identity.subject == "alice")
            #expect(client.status == .ready)
        }
    }

    @Test func `many sign-ins at once discover once`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 { group.addTask { _ = try await client.beginLogin(returnPath: "/") } }
                try await group.waitForAll()
            }
            #expect(provider.server.requests(to: "/.well-known/openid-configuration").count == 1)
        }
    }

    @Test func `Discovery 4.3: an issuer with one slash too many never becomes ready and says both`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client { $0.issuer = provider.issuer + "/" }
            let error = try await provider.refusal(client)
            #expect(error.code == .providerUnavailable)
            guard case .unavailable(let reason, _) = client.status else {
                Issue.record("ready with another issuer")
                return
            }
            #expect(reason.contains("\"\(provider.issuer)/\"") && reason.contains("\"\(provider.issuer)\""))
        }
    }

    @Test func `configured endpoints need no discovery, and iss is still compared`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client {
                $0.endpoints.authorization = provider.issuer + "/authorize"
                $0.endpoints.token = provider.issuer + "/token"
                $0.endpoints.jwks = provider.issuer + "/jwks"
                $0.idTokenAlgorithms = ["ES256"]
            }
            #expect(try await provider.signIn(client).identity.subject == "alice")
            #expect(provider.server.requests(to: "/.well-known/openid-configuration").isEmpty)
            let wrong = provider.idToken(["iss": .string("https://evil.example")])
            provider.replace("/token") { _ in provider.tokenAnswer(idToken: wrong) }
            #expect(try await provider.refusal(client).code == .invalidIDToken)
        }
    }

    @Test func `a client whose key cannot be read is unavailable, not a crash`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client {
                $0.clientAuthentication = .privateKeyJWT
                $0.privateKey = .init("-----BEGIN canary-----")
            }
            let error = try await provider.refusal(client)
            #expect(error.code == .providerUnavailable)
            #expect(!"\(error)".contains("canary"))
        }
    }
}
