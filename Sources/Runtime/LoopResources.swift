import Config
import Proxy
import Server

/// What one event loop keeps over reloads: its connections to upstreams, its counts.
final class LoopResources {
    let services: LoopServices
    let metrics = LoopMetrics()
    private var groups: [(definition: UpstreamDefinition, group: UpstreamGroup)] = []
    private var timeouts: [Int64] = []
    /// By groups that a reload took away.
    private var openedByOthers = 0

    init(services: LoopServices) { self.services = services }

    /// The next configuration's upstreams. Connections to those that it leaves as they are, with the same limits, are kept; unused
    /// others close now, those in use with their request.
    func adopt(_ snapshot: Snapshot, log: EventLog) -> [UpstreamGroup] {
        let settings = snapshot.upstreamSettings
        let timeouts = [settings.connectTimeout, settings.responseTimeout, settings.idleTimeout]
        let kept = timeouts == self.timeouts ? groups : []
        self.timeouts = timeouts
        let earlier = groups
        groups = snapshot.upstreams.map { definition in
            (definition, kept.first { $0.definition === definition }?.group ?? snapshot.makeUpstreamGroup(definition, services, log: log))
        }
        for (_, group) in earlier where !groups.contains(where: { $0.group === group }) {
            group.drain()
            openedByOthers += group.opened
        }
        return groups.map(\.group)
    }

    /// What is counted here, on the event loop.
    var figures: LoopFigures {
        var figures = metrics.figures
        figures.connections = services.connectionCount
        figures.upstreamOpened = openedByOthers
        for (_, group) in groups {
            figures.upstreamOpened += group.opened
            figures.upstreamIdle += group.idleCount
            figures.upstreamWaiting += group.waitingCount
        }
        return figures
    }

    /// Unused upstream connections close; the gateway stops.
    func drain() {
        for (_, group) in groups { group.drain() }
    }
}
