import Accounts
import Backchannel
import Config
import Endpoints
import Exchanges
import Logging
import NIOCore
import Primitives
import Providers
import Server
import Serving
import Sessions
import SignIn
import Stores
import Telemetry
import TokenCrypto

/// The state of one configuration that all event loops share: its snapshot, its providers, the log.
///
/// Made anew by each reload. What must outlive it (sessions that ended early, refreshes under way, sign-ins that were finished,
/// what was discovered of an unchanged provider) goes on from the one before.
final class GatewayCore: Sendable {
    let snapshot: Snapshot
    let log: EventLog
    let operations: Operations
    /// What the sealed-cookie store keeps in this process.
    let sessionMemory: SharedSessions
    /// nil: the cookie is the session.
    let redis: RedisRuntime?
    let transport: ProviderTransport
    let clients: [String: ProviderClient]
    let refresher: SessionRefresher
    /// The fingerprint of each client's settings, to recognise unchanged ones.
    private let fingerprints: [String: [UInt8]]
    let upstreamHealth: UpstreamHealth
    /// The certificates of the public listeners; nil: they are in clear text.
    let tls: TLSContexts?
    /// What requests are served with.
    let serving: ServingContext
    /// nil without an account store.
    let accounts: ServedAccounts?

    init(
        snapshot: Snapshot, tls: TLSContexts?, log: EventLog, operations: Operations, calls: ProviderCalls, group: any EventLoopGroup,
        callGroup: any EventLoopGroup, sessionMemory: SharedSessions, redis: RedisRuntime?, accounts runtime: AccountRuntime?
    ) {
        self.snapshot = snapshot
        self.log = log
        self.operations = operations
        self.tls = tls
        self.sessionMemory = sessionMemory
        self.redis = redis
        transport = ProviderTransport(group: callGroup) { calls.ended($0) }
        upstreamHealth = UpstreamHealth(snapshot.upstreams, log: log, group: group)
        let store = Self.store(snapshot, sessionMemory, redis)
        let transactions = Self.transactions(snapshot, store)
        (clients, fingerprints) = Self.clients(snapshot, transactions, transport, log, continuing: nil)
        refresher = SessionRefresher(providers: clients, contents: snapshot.contents, now: wallClock, report: log.reportRefresh)
        let sessions = Self.sessions(snapshot, store, clients, sessionMemory, refresher)
        accounts = ServedAccounts(runtime, snapshot.configuration, sessions, log, group: callGroup, continuing: nil)
        serving = Self.serving(
            snapshot, tls, log, operations, sessions, clients, transactions, accounts?.context, continuing: nil)
    }

    /// The core of the next configuration.
    init(
        snapshot: Snapshot, tls: TLSContexts?, log: EventLog, continuing earlier: GatewayCore, group: any EventLoopGroup,
        callGroup: any EventLoopGroup, redis: RedisRuntime?, accounts runtime: AccountRuntime?
    ) {
        self.snapshot = snapshot
        self.tls = tls
        self.log = log
        operations = earlier.operations
        sessionMemory = earlier.sessionMemory
        self.redis = redis
        transport = earlier.transport
        refresher = earlier.refresher
        let isSame = earlier.snapshot.upstreams.elementsEqual(snapshot.upstreams) { $0 === $1 }
        upstreamHealth = isSame ? earlier.upstreamHealth : UpstreamHealth(snapshot.upstreams, log: log, group: group)
        let store = Self.store(snapshot, sessionMemory, redis)
        let transactions = Self.transactions(snapshot, store)
        (clients, fingerprints) = Self.clients(snapshot, transactions, transport, log, continuing: earlier)
        let sessions = Self.sessions(snapshot, store, clients, sessionMemory, refresher)
        accounts = ServedAccounts(runtime, snapshot.configuration, sessions, log, group: callGroup, continuing: earlier.accounts)
        serving = Self.serving(
            snapshot, tls, log, operations, sessions, clients, transactions, accounts?.context, continuing: earlier)
    }

    private static func store(_ snapshot: Snapshot, _ memory: SharedSessions, _ redis: RedisRuntime?) -> any SessionStore {
        guard let redis else { return SealedCookieStore(seal: snapshot.seal, limits: snapshot.limits, memory: memory) }
        return RedisSessionStore(
            redis.sessions, keys: snapshot.sessionKeys, cookieName: snapshot.cookies.effectiveName,
            publicURL: snapshot.configuration.server.publicURL?.text ?? "", limits: snapshot.limits)
    }

    private static func transactions(_ snapshot: Snapshot, _ store: any SessionStore) -> LoginTransactions {
        LoginTransactions(
            ring: SealingKeyRing(keys: snapshot.sessionKeys, purpose: "login"),
            cookies: LoginCookies(snapshot.cookies.host), store: store)
    }

    private static func clients(
        _ snapshot: Snapshot, _ transactions: LoginTransactions, _ transport: ProviderTransport, _ log: EventLog,
        continuing earlier: GatewayCore?
    ) -> ([String: ProviderClient], [String: [UInt8]]) {
        var clients: [String: ProviderClient] = [:]
        var fingerprints: [String: [UInt8]] = [:]
        let logger = log.logger(label: "provider")
        let secretFiles = snapshot.configuration.clientSecretFiles
        for settings in snapshot.providers {
            let fingerprint = ValueFingerprint.of(settings)
            fingerprints[settings.id] = fingerprint
            if let earlier, let client = earlier.clients[settings.id], earlier.fingerprints[settings.id] == fingerprint {
                clients[settings.id] = ProviderClient(continuing: client, transactions: transactions, logger: logger)
            } else {
                clients[settings.id] = ProviderClient(
                    settings: settings, transactions: transactions, transport: transport, logger: logger, now: wallClock,
                    secretFiles: secretFiles[settings.id] ?? ClientSecretFiles())
            }
        }
        return (clients, fingerprints)
    }

    private static func sessions(
        _ snapshot: Snapshot, _ store: any SessionStore, _ clients: [String: ProviderClient], _ memory: SharedSessions,
        _ refresher: SessionRefresher
    ) -> SessionService {
        let own = Set(snapshot.configuration.enabledProviderIDs).intersection(Configuration.ownProviderIDs)
        return SessionService(
            store: store, cookies: snapshot.cookies,
            limits: snapshot.limits, contents: snapshot.contents, activity: memory.activity, refresher: refresher
        ) { identity in
            if own.contains(identity.provider), identity.issuer == Account.issuer(of: identity.provider) { return nil }
            guard let client = clients[identity.provider] else { return .unknownProvider }
            return client.vouches(forIssuer: identity.issuer) ? nil : .issuerChanged
        }
    }

    /// Its generation is 1 for the configuration of the start, and grows with each reload.
    private static func serving(
        _ snapshot: Snapshot, _ tls: TLSContexts?, _ log: EventLog, _ operations: Operations, _ sessions: SessionService,
        _ clients: [String: ProviderClient], _ transactions: LoginTransactions, _ accounts: AccountContext?,
        continuing earlier: GatewayCore?
    ) -> ServingContext {
        let endpoints = EndpointContext(
            site: snapshot.context, sessions: sessions, clients: clients, transactions: transactions, logoutRing: snapshot.logoutRing,
            log: log, counters: operations.counters, onceNotices: earlier?.serving.endpoints.onceNotices ?? OnceNotices(),
            auditGate: operations.auditGate(snapshot.configuration), accounts: accounts)
        return ServingContext(
            endpoints: endpoints, generation: (earlier?.serving.generation ?? 0) + 1, operations: operations, seal: snapshot.seal,
            upstreams: snapshot.upstreams, upstreamSettings: snapshot.upstreamSettings, serverSettings: ServerSettings(snapshot, tls))
    }

    /// What must be done before the first request is answered: a token that arrives at once waits for a provider that has been asked,
    /// and a session that ended while the process was down does not open.
    func prepare() async {
        for client in clients.values { client.start() }
        await accounts?.catchUp()
    }

    /// Begins the work beside the requests, after `prepare()`.
    func start() {
        upstreamHealth.start()
        accounts?.start()
    }

    /// The same for a configuration that comes after another: what goes on is not begun again.
    func start(after earlier: GatewayCore) {
        if upstreamHealth === earlier.upstreamHealth { upstreamHealth.adopt(log) } else { upstreamHealth.start() }
        accounts?.start()
    }

    /// The next configuration is served: the work for providers that it does not know, or knows otherwise, ends.
    func retire(for next: GatewayCore) async {
        for (id, client) in clients where next.fingerprints[id] != fingerprints[id] { client.stop() }
        if upstreamHealth !== next.upstreamHealth { await upstreamHealth.stop() }
        if redis !== next.redis { await redis?.sessions.close() }
        await accounts?.retire(for: next.accounts)
    }

    func stop() async {
        for client in clients.values { client.stop() }
        await upstreamHealth.stop()
        await accounts?.retire(for: nil)
        await redis?.sessions.close()
        try? await transport.shutdown()
    }

    /// Contract section 6, "Readiness".
    func readiness() -> Readiness {
        let store = serving.sessions.store.status
        var checks = [
            Readiness.Check(name: "configuration", isPassing: true, isRequired: true, detail: ""),
            Readiness.Check(name: "session-store", isPassing: store.isServing, isRequired: true, detail: store.detail),
        ]
        checks.append(RevocationReadiness.check(serving.sessions.store.revocationLists(now: wallClock())))
        if let journal = sessionMemory.journal {
            let failure = journal.failure
            checks.append(
                .init(
                    name: "revocations", isPassing: failure == nil, isRequired: false,
                    detail: failure.map { "\(journal.path): \($0); sign-outs answer 503" } ?? ""))
        }
        if let failure = accounts?.runtime.endings.failure {
            checks.append(
                .init(
                    name: "account-store", isPassing: failure.isEmpty, isRequired: false,
                    detail: failure.isEmpty ? "" : "\(failure); sign-ins return 503"))
        }
        for settings in snapshot.providers {
            guard let client = clients[settings.id] else { continue }
            let isRequired = snapshot.configuration.admin.readyRequiresProviders
            switch client.status {
            case .ready:
                checks.append(.init(name: "provider \(settings.id)", isPassing: true, isRequired: isRequired, detail: ""))
            case .unavailable(let reason, let since):
                let seconds = max(0, (wallClock() - since) / 1_000)
                checks.append(
                    .init(
                        name: "provider \(settings.id)", isPassing: false, isRequired: isRequired,
                        detail: "\(reason), for \(seconds) s; sign-ins with it fail; the gateway retries"))
            }
        }
        checks += upstreamHealth.checks()
        checks += operations.checks(snapshot.configuration)
        return Readiness(checks: checks)
    }
}

extension Configuration {
    /// By a provider's id: its secret and key, read again from the files they came from.
    fileprivate var clientSecretFiles: [String: ClientSecretFiles] {
        let read = secretFile
        func again(_ path: String?) -> (@Sendable () -> String?)? {
            guard let path else { return nil }
            return { read(path) }
        }
        let files = providers.map {
            ($0.id, ClientSecretFiles(secret: again($0.clientSecretFile), privateKey: again($0.privateKeyFile)))
        }
        return Dictionary(files, uniquingKeysWith: { first, _ in first })
    }
}
