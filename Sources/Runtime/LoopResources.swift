import Access
import Config
import Proxy
import Server

/// What one event loop keeps over reloads: its connections to upstreams.
final class LoopResources {
    let services: LoopServices
    let metrics = LoopMetrics()
    private var pools: [UpstreamAddress: UpstreamPool] = [:]
    private var settings = UpstreamSettings()

    init(services: LoopServices) { self.services = services }

    /// The next configuration: connections to upstreams that it still names, with the same limits, are kept; unused others close now,
    /// those in use with their request.
    func adopt(_ snapshot: Snapshot) {
        let timeouts = snapshot.configuration.server.timeouts
        var next = UpstreamSettings()
        next.connectTimeout = timeouts.upstreamConnect
        next.responseTimeout = timeouts.upstreamResponse
        next.idleTimeout = timeouts.idle
        let isSame =
            next.connectTimeout == settings.connectTimeout && next.responseTimeout == settings.responseTimeout
            && next.idleTimeout == settings.idleTimeout
        settings = next
        let named = Set((snapshot.routes.routes + [snapshot.routes.implicit]).compactMap(\.upstream))
        for (address, pool) in pools where !isSame || !named.contains(address) {
            pool.drain()
            openedByOthers += pool.opened
            pools[address] = nil
        }
    }

    func pool(for upstream: UpstreamAddress) -> UpstreamPool {
        if let pool = pools[upstream] { return pool }
        let pool = UpstreamPool(
            endpoint: UpstreamEndpoint(upstream), eventLoop: services.eventLoop, settings: settings, wheel: services.wheel)
        pools[upstream] = pool
        return pool
    }

    /// What is counted here, on the event loop.
    var figures: LoopFigures {
        var figures = metrics.figures
        figures.connections = services.connectionCount
        for pool in pools.values {
            figures.upstreamOpened += pool.opened
            figures.upstreamIdle += pool.idleCount
        }
        figures.upstreamOpened += openedByOthers
        return figures
    }

    /// By pools that a reload took away.
    private var openedByOthers = 0

    /// Unused upstream connections close; the gateway stops.
    func drain() {
        for pool in pools.values { pool.drain() }
    }
}
