import Access
import Accounts
import Backchannel
import Config
import Glibc
import Logging
import NIOPosix
import Providers
import Sessions
import SignIn
import Synchronization
import Testing
import TokenCrypto

@testable import Runtime

/// A port of 127.0.0.1 that accepts connections and never answers.
private final class SilentPort {
    let port: Int
    private let descriptor: CInt

    init?() {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0 && listen(descriptor, 16) == 0
            }
        }
        guard descriptor >= 0, isListening else { return nil }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { _ = close(descriptor) }
}

/// A clock that a test moves, and the calls that the provider got.
private final class Observations: Sendable {
    private let milliseconds: Mutex<Int64>
    private let readings = Mutex(0)
    private let callCount = Mutex(0)

    init(now: Int64) { milliseconds = Mutex(now) }

    var now: Int64 {
        readings.withLock { $0 += 1 }
        return milliseconds.withLock { $0 }
    }
    var clockReadings: Int { readings.withLock { $0 } }
    var calls: Int { callCount.withLock { $0 } }
    func advance(by delta: Int64) { milliseconds.withLock { $0 += delta } }
    func count() { callCount.withLock { $0 += 1 } }
}

@Suite struct RefresherTests {
    private let start: Int64 = 1_800_000_000_000

    private func session() -> Session {
        Session.issue(
            for: AccountOutcome(withoutStore: ProviderIdentity(provider: "oauth2.slow", issuer: "slow", subject: "alice")), authTime: nil,
            providerSessionID: nil,
            tokens: .init(accessTokenExpiresAt: start + 60_000, accessTokenLifetime: 60_000, refreshToken: "rt-1"), now: start)
    }

    private func client(at origin: String, _ transport: ProviderTransport) throws -> ProviderClient {
        let preset = try #require(ProviderCatalogue.preset(for: "oauth2.slow"))
        var settings = ProviderSettings(
            id: "oauth2.slow", preset: preset, site: .init(issuer: nil), clientID: "c", redirectBase: "http://127.0.0.1:4180/_gateway")
        settings.clientSecret = .init("s")
        settings.endpoints.authorization = origin + "/authorize"
        settings.endpoints.token = origin + "/token"
        settings.endpoints.userinfo = origin + "/userinfo"
        let transactions = LoginTransactions(
            ring: SealingKeyRing(keys: [[UInt8](repeating: 1, count: 32)], purpose: "login"),
            cookies: LoginCookies(sessionCookieName: "session", isSecure: false), sessions: SharedSessions())
        let start = self.start
        return ProviderClient(
            settings: settings, transactions: transactions, transport: transport,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), now: { start })
    }

    @Test func `issue 19, 25: a refresh that takes longer than the coordinator waits is not made a second time`() async throws {
        let provider = try #require(SilentPort())
        let observed = Observations(now: start + 61_000)
        let transport = ProviderTransport(group: MultiThreadedEventLoopGroup.singleton, timeout: .seconds(1)) { _ in observed.count() }
        let configuration = Configuration()
        let refresher = Refresher(
            clients: ["oauth2.slow": try client(at: "http://127.0.0.1:\(provider.port)", transport)],
            sessions: SharedSessions(), contents: SessionContents(configuration, try IdentityHeaders(configuration.identity)),
            log: EventLog(level: .critical, format: .json, writer: LogWriter(descriptor: STDERR_FILENO)), now: { observed.now })
        let session = session()
        var requests: [Task<Refresher.Outcome, Never>] = []
        for _ in 0..<4 {
            let before = observed.clockReadings
            requests.append(Task { await refresher.current(session) })
            // Whether it is due, and what the coordinator says.
            while observed.clockReadings < before + 2 { await Task.yield() }
            // The next request comes after the coordinator has given the attempt up.
            observed.advance(by: 31_000)
        }
        for request in requests { _ = await request.value }
        #expect(observed.calls == 1)
        try await transport.shutdown()
    }
}
