package import Decisions
package import Exchanges
package import HTTPWire
import NIOCore

/// One app on one event loop: its targets' pools, and the choice among them.
package final class UpstreamGroup {
    private let definition: UpstreamDefinition
    private let eventLoop: any EventLoop
    private let pools: [UpstreamPool]
    /// The first one, mostly the only one.
    private let main: UpstreamPool
    private var balancer = Balancer()
    /// Hears that requests keep failing at a target.
    private let onEjection: (_ target: String) -> Void

    package init(
        _ definition: UpstreamDefinition, settings: UpstreamSettings, services: LoopServices,
        onEjection: @escaping (_ target: String) -> Void = { _ in }
    ) {
        self.definition = definition
        eventLoop = services.eventLoop
        self.onEjection = onEjection
        pools = definition.targets.enumerated().map { index, target in
            UpstreamPool(target: target, index: index, settings: settings, services: services)
        }
        main = pools[0]
        adoptPools()
    }

    /// For tests: pools without sockets.
    init(
        _ definition: UpstreamDefinition, eventLoop: any EventLoop, pools: [UpstreamPool],
        onEjection: @escaping (_ target: String) -> Void = { _ in }
    ) {
        self.definition = definition
        self.eventLoop = eventLoop
        self.onEjection = onEjection
        self.pools = pools
        main = pools[0]
        adoptPools()
    }

    /// A target that stands alone is asked whatever it did before.
    private func adoptPools() {
        guard pools.count > 1 else { return }
        for pool in pools {
            pool.group = self
            pool.spareRequests = main.spareRequests
        }
    }

    var hasOtherTarget: Bool { pools.count > 1 }
    var ejection: PassiveHealth.Rule { definition.ejection }

    /// Milliseconds of a steady clock.
    func now() -> Int64 { Int64(eventLoop.now.uptimeNanoseconds / 1_000_000) }

    /// Sends the request whose head `writer` wrote into `lines` from `head`.
    package func forward(
        _ lines: borrowing LineBytes, from head: RequestHead, _ plan: borrowing ForwardPlan, _ writer: RequestHeadWriter,
        leftOutIdentity: Bool, authenticatesConnection: Bool, of exchange: Exchange, observer: any ForwardObserver
    ) {
        let request = main.spareRequests.take()
        request.become(lines, from: head, plan, writer, leftOutIdentity: leftOutIdentity, authenticatesConnection: authenticatesConnection)
        forward(request, of: exchange, observer: observer)
    }

    /// Sends a request to the target with the fewest requests in flight.
    func forward(_ request: consuming ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver) {
        if exchange.bound != nil, let connection = ownedConnection(of: exchange, observer) {
            return connection.start(request, of: exchange, observer: observer)
        }
        guard pools.count > 1, let pool = pool(excluding: nil) else {
            return main.forward(request, of: exchange, observer: observer)
        }
        pool.forward(request, of: exchange, observer: observer)
    }

    /// The authenticated connection of the caller, if one waits.
    private func ownedConnection(of exchange: Exchange, _ observer: any ForwardObserver) -> UpstreamConnection? {
        guard let owned = exchange.bound as? OwnedConnections, let owner = observer.connectionOwner(of: exchange) else { return nil }
        return owned.take(for: owner) { connection in pools.contains { $0 === connection.pool } }
    }

    func pool(excluding excluded: Int?) -> UpstreamPool? {
        let now = now()
        let index = balancer.pick(of: pools.count, excluding: excluded) { index in
            let pool = pools[index]
            return .init(load: pool.inFlight, isUsable: pool.target.isHealthy && !pool.health.isEjected(now: now))
        }
        return index.map { pools[$0] }
    }

    /// Sends a request to another usable target with a free connection. False: there is none.
    func forwardAtOnce(
        _ request: ForwardedRequest, of exchange: Exchange, observer: any ForwardObserver, excluding excluded: Int
    ) -> Bool {
        let now = now()
        let others = pools.filter { $0.index != excluded && $0.target.isHealthy && !$0.health.isEjected(now: now) }
        return others.sorted { $0.inFlight < $1.inFlight }.contains {
            $0.forwardAtOnce(request, of: exchange, observer: observer)
        }
    }

    func ejected(_ pool: UpstreamPool) { onEjection(pool.target.label) }

    /// Connections opened since the start.
    package var opened: Int { pools.reduce(0) { $0 + $1.opened } }
    /// Connections that wait for their next request.
    package var idleCount: Int { pools.reduce(0) { $0 + $1.idleCount } }

    /// Requests that wait until a target may have a further connection.
    package var waitingCount: Int { pools.reduce(0) { $0 + $1.queued.count } }

    /// Closes the unused connections; those in use end with their exchange.
    package func drain() {
        for pool in pools { pool.drain() }
    }
}
