import Exchanges
import Logging
import Proxy
import Server
package import Telemetry

/// The state of one event loop that outlives reloads: its connections to upstreams and its counters.
package final class LoopResources {
    let services: ServerLoop
    let metrics = LoopMetrics()
    let streams: SessionStreams
    private var groups: [(definition: UpstreamDefinition, group: UpstreamGroup)] = []
    private var timeouts: [Int64] = []
    /// Of the configuration that is served now: groups outlive the one they were made for.
    private var log: EventLog?
    /// By groups that a reload took away.
    private var openedByOthers = 0

    init(services: ServerLoop) {
        self.services = services
        streams = SessionStreams(eventLoop: services.eventLoop)
    }

    /// The next configuration's upstreams. Connections to those that it leaves as they are, with the same limits, are kept; unused
    /// others close now, those in use with their request.
    func adopt(_ context: ServingContext) -> [UpstreamGroup] {
        log = context.log
        let settings = context.upstreamSettings
        let timeouts = [settings.connectTimeout, settings.responseTimeout, settings.idleTimeout]
        let kept = timeouts == self.timeouts ? groups : []
        self.timeouts = timeouts
        let earlier = groups
        groups = context.upstreams.map { definition in
            let group =
                kept.first { $0.definition === definition }?.group
                ?? UpstreamGroup(definition, settings: settings, services: services.services) { [weak self] in self?.reportEjection(of: $0)
                }
            return (definition, group)
        }
        for (_, group) in earlier where !groups.contains(where: { $0.group === group }) {
            group.drain()
            openedByOthers += group.opened
        }
        return groups.map(\.group)
    }

    private func reportEjection(of target: String) {
        log?.write(
            .warning, "upstream-ejected", "target ejected after repeated failures; it gets no requests for ejection.for",
            [("reason", .text("upstream-ejected")), ("upstream", .text(target))])
    }

    /// The counters of this event loop.
    package var figures: LoopFigures {
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
    package func drain() {
        for (_, group) in groups { group.drain() }
    }
}
