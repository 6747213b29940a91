import Accounts
import Backchannel
import NIOPosix
import NIOSSL
import ServerProcesses
import Synchronization
import Testing
import TokenCrypto

@Suite("Calls of hooks")
struct HookClientTests {
    private let secret = Array("geheim".utf8)
    private let event = HookEvent.beforeSignIn(
        HookSignIn(user: HookUser(uid: "u1"), provider: "google.com", client: HookClientFacts(address: "192.0.2.1")))

    private struct Outcome {
        var verdict: HookVerdict?
        var failure: HookClient.Failure?
        var requests: [ScriptedServer.Request]
    }

    /// Asks a server that answers like this.
    private func decide(
        timeout: Duration = .seconds(600), tls: NIOSSLContext? = nil, trusting roots: [NIOSSLCertificate] = [],
        _ reply: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply
    ) async throws -> Outcome {
        let server = try await ScriptedServer(tls: tls)
        server.script(reply)
        let client = HookClient(group: MultiThreadedEventLoopGroup.singleton, additionalTrustRoots: roots, now: { 1_700_000_000 })
        let target = HookTarget(url: server.origin + "/hook?a=b", secret: secret, timeout: timeout)
        var outcome = Outcome(requests: [])
        do throws(HookClient.Failure) {
            outcome.verdict = try await client.decide(event, at: target)
        } catch {
            outcome.failure = error
        }
        outcome.requests = server.requests(to: "/hook")
        await server.stop()
        try await client.shutdown()
        return outcome
    }

    @Test("posts signed JSON, and reads the decision")
    func signed() async throws {
        let outcome = try await decide { _ in .json(#"{"claims":{"plan":"gold"}}"#) }
        #expect(outcome.verdict == .allow(claims: .object(["plan": .string("gold")])))
        let request = try #require(outcome.requests.first)
        #expect(request.method == "POST" && request.target == "/hook?a=b" && request.header("Content-Type") == "application/json")
        #expect(Array(request.body.utf8) == event.body)
        #expect(
            request.header("Gateway-Signature") == HookSignature.value(secret: secret, body: Array(request.body.utf8), now: 1_700_000_000))
        #expect(outcome.requests.count == 1)
    }

    @Test("a denial is a decision")
    func denied() async throws {
        #expect(try await decide { _ in .json(#"{"deny":"not yet"}"#) }.verdict == .deny(reason: "not yet"))
    }

    @Test("a call on a kept connection that closes before the answer is made once more, on a new one")
    func keptConnection() async throws {
        let asked = Mutex(0)
        let server = try await ScriptedServer()
        let client = HookClient(group: MultiThreadedEventLoopGroup.singleton, now: { 1_700_000_000 })
        let target = HookTarget(url: server.origin + "/hook", secret: secret, timeout: .seconds(600))
        func decide(_ closed: Set<Int>) async throws -> HookClient.Failure? {
            asked.withLock { $0 = 0 }
            server.script { _ in
                let number = asked.withLock { count in
                    count += 1
                    return count
                }
                return closed.contains(number) ? .hangUp : .json("{}")
            }
            do throws(HookClient.Failure) {
                _ = try await client.decide(event, at: target)
                return nil
            } catch {
                return error
            }
        }
        // A connection that nobody kept says that the server fails.
        #expect(try await decide([1]) != nil && asked.withLock { $0 } == 1)
        #expect(try await decide([]) == nil && asked.withLock { $0 } == 1)
        #expect(try await decide([1]) == nil && asked.withLock { $0 } == 2)
        #expect(try await decide([1, 2]) != nil && asked.withLock { $0 } == 2)
        await server.stop()
        try await client.shutdown()
    }

    @Test("redirects are not followed, and are a failure")
    func redirects() async throws {
        let outcome = try await decide { _ in .answer(status: 307, headers: [("Location", "/hook")], body: Array("{}".utf8)) }
        #expect(outcome.failure == .unusable("it answered with status 307") && outcome.requests.count == 1)
    }

    @Test("an answer has at most 64 KiB, with or without an end")
    func size() async throws {
        #expect(try await decide { _ in .endless }.failure == .tooLarge)
        let spaces = String(repeating: " ", count: 64 << 10)
        #expect(try await decide { _ in .json(spaces + "{}") }.failure == .tooLarge)
        #expect(try await decide { _ in .json(spaces.dropLast(2) + "{}") }.verdict == .allow(claims: .object([:])))
    }

    @Test("a server that never answers is left after the timeout of the target")
    func timeout() async throws {
        #expect(try await decide(timeout: .milliseconds(100)) { _ in .silence }.failure == .timeout(.milliseconds(100)))
    }

    @Test("a cut off answer, a closed connection, a refused connection and an HTML page are failures")
    func broken() async throws {
        guard case .unreachable = try await decide({ _ in .hangUp }).failure else { return #expect(Bool(false)) }
        guard case .unreachable = try await decide({ _ in .truncated("{") }).failure else { return #expect(Bool(false)) }
        guard case .unusable = try await decide({ _ in .html() }).failure else { return #expect(Bool(false)) }
        let client = HookClient(group: MultiThreadedEventLoopGroup.singleton, now: { 0 })
        let port = try #require(RefusingPort())
        defer { port.close() }
        await #expect(throws: HookClient.Failure.unreachable("ECONNREFUSED (Connection refused)")) {
            try await client.deliver(event, to: HookTarget(url: "http://127.0.0.1:\(port.port)/", secret: secret))
        }
        await #expect(throws: HookClient.Failure.self) { try await client.deliver(event, to: HookTarget(url: "ftp://x", secret: secret)) }
        try await client.shutdown()
    }

    @Test("certificates are verified")
    func certificates() async throws {
        let untrusted = try await decide(tls: try Untrusted.context()) { _ in .json("{}") }
        guard case .unreachable(let reason) = untrusted.failure else { return #expect(Bool(false)) }
        #expect(reason.contains("TLS failed") && untrusted.requests.isEmpty)
        let certificate = try NIOSSLCertificate(bytes: Array(Untrusted.certificate.utf8), format: .pem)
        let trusted = try await decide(tls: try Untrusted.context(), trusting: [certificate]) { _ in .json("{}") }
        #expect(trusted.verdict == .allow(claims: .object([:])))
    }

    @Test("a delivery needs a status of success and no body")
    func delivery() async throws {
        let server = try await ScriptedServer()
        let client = HookClient(group: MultiThreadedEventLoopGroup.singleton, now: { 0 })
        let target = HookTarget(url: server.origin + "/merge", secret: secret)
        let merge = HookEvent.merge(id: "m1", previous: HookUser(uid: "a"), current: HookUser(uid: "b"))
        server.script { _ in .answer(status: 204, headers: [], body: []) }
        try await client.deliver(merge, to: target)
        server.script { _ in .json("{}", status: 500) }
        await #expect(throws: HookClient.Failure.unusable("it answered with status 500")) { try await client.deliver(merge, to: target) }
        await server.stop()
        try await client.shutdown()
        await #expect(throws: HookClient.Failure.unreachable("the gateway stops")) { try await client.deliver(merge, to: target) }
    }
}
