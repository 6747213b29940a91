import Backchannel
import Config
import Logging
import NIOCore
import Providers
import Sessions
import SignIn
import TokenCrypto

/// What all event loops share: the snapshot, the providers, the sessions that ended early, the log.
final class GatewayCore: Sendable {
    let snapshot: Snapshot
    let log: EventLog
    let sessions = SharedSessions()
    let transport: ProviderTransport
    let clients: [String: ProviderClient]
    let refresher: Refresher
    let bearerTokens: BearerTokens
    let transactions: LoginTransactions
    let upstreamHealth: UpstreamHealth

    init(snapshot: Snapshot, log: EventLog, group: any EventLoopGroup) {
        self.snapshot = snapshot
        self.log = log
        upstreamHealth = UpstreamHealth(snapshot.upstreams, log: log, group: group)
        let transport = ProviderTransport(group: group)
        let transactions = LoginTransactions(
            ring: SealingKeyRing(keys: snapshot.sessionKeys, purpose: "login"),
            cookies: LoginCookies(sessionCookieName: snapshot.cookies.effectiveName, isSecure: snapshot.isSecure))
        self.transport = transport
        self.transactions = transactions
        let clients = Dictionary(
            uniqueKeysWithValues: snapshot.providers.map { settings in
                (
                    settings.id,
                    ProviderClient(
                        settings: settings, transactions: transactions, transport: transport, logger: log.logger(label: "provider"),
                        now: wallClock)
                )
            })
        self.clients = clients
        bearerTokens = BearerTokens(clients: clients, log: log)
        refresher = Refresher(clients: clients, contents: snapshot.contents, log: log, now: wallClock)
    }

    func start() {
        for client in clients.values { client.start() }
        upstreamHealth.start()
    }

    func stop() async {
        for client in clients.values { client.stop() }
        await upstreamHealth.stop()
        try? await transport.shutdown()
    }

    /// The client of a provider by the form of its id in a URL, where `~` stands for `/`.
    func client(urlForm: String) -> ProviderClient? {
        clients[String(urlForm.map { $0 == "~" ? "/" : $0 })]
    }

    /// Contract section 6, "Readiness".
    func readiness() -> Readiness {
        var checks = [
            Readiness.Check(name: "configuration", isPassing: true, isRequired: true, detail: ""),
            Readiness.Check(name: "session-store", isPassing: true, isRequired: true, detail: ""),
        ]
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
                        detail: "\(reason), for \(seconds) s; sign-ins with it show a page that says so, retrying by itself"))
            }
        }
        checks += upstreamHealth.checks
        return Readiness(checks: checks)
    }
}
