import Access
import Backchannel
import Config
import Exchanges
import Sessions
import Server
import Serving
import Stores
import Telemetry

extension GatewayCore {
    /// Posts spans to the collector until the task is cancelled.
    func exportTraces() async { await operations.tracer?.export(over: postSpans) }

    /// Posts the spans that wait, once.
    func postTraces() async { await operations.tracer?.post(over: postSpans) }

    private var postSpans: Tracer.Post {
        { [transport] in await transport.postJSON($0, to: $1, headers: $2.map { (name: $0.0, value: $0.1) }) }
    }
}

extension MetricsPage {
    /// The page of the configuration that is served.
    init(_ figures: LoopFigures, _ core: GatewayCore, _ reload: ReloadStatus) async {
        var providers: [Provider] = []
        for (id, client) in core.clients.sorted(by: { $0.key < $1.key }) {
            let keys = await client.keyStatus()
            providers.append(Provider(id: id, isReachable: client.status == .ready, keys: keys.map { ($0.count, $0.fetchedAt) }))
        }
        self.init(
            figures: figures, operations: core.operations, configuration: core.snapshot.configuration,
            routeCount: core.snapshot.routes.routes.count, certificateExpiries: core.tls?.expiries ?? [],
            reloads: Reloads(
                hasFailed: reload.failure != nil, servedSince: reload.servedSince, successes: reload.successes,
                failures: reload.failures, hash: reload.hash),
            providers: providers,
            revocations: core.serving.sessions.store.revocationLists(now: wallClock()).map {
                RevocationList(name: $0.name.rawValue, count: $0.count, limit: $0.limit)
            },
            sessionStore: core.redis.map { redis in
                let state = redis.sessions.connections
                return SessionStore(isConnected: state.isReady, isHearing: state.isHearing, isCircuitOpen: state.isCircuitOpen)
            })
    }
}
