import Access

/// The counters of one event loop over all configurations since the start. They never decrease.
final class LoopMetrics {
    /// The label of requests that never came to a route.
    static let refusedLabel = "(refused)"
    /// The label of the gateway's own endpoints.
    static let ownLabel = "(gateway)"

    private(set) var begun = 0
    var ended = 0
    var connectionsRefused = 0
    var connectionsClosedForDescriptors = 0
    let refused: RouteCounters
    let own: RouteCounters
    private var byLabel: [String: RouteCounters] = [:]

    init() {
        refused = RouteCounters(label: Self.refusedLabel)
        own = RouteCounters(label: Self.ownLabel)
        byLabel = [Self.refusedLabel: refused, Self.ownLabel: own]
    }

    @inline(__always)
    func began() { begun &+= 1 }

    /// The counters of a route, by its label: a route that a reload leaves as it is counts on.
    func counters(of route: Route) -> RouteCounters {
        if let known = byLabel[route.label] { return known }
        let made = RouteCounters(label: route.label)
        byLabel[route.label] = made
        return made
    }

    var figures: LoopFigures {
        LoopFigures(
            inFlight: begun - ended, connectionsRefused: connectionsRefused,
            connectionsClosedForDescriptors: connectionsClosedForDescriptors, connections: 0, upstreamOpened: 0, upstreamIdle: 0,
            routes: byLabel.mapValues(\.figures))
    }
}

/// The counts of one loop, or of all.
struct LoopFigures: Sendable {
    var inFlight = 0
    var connectionsRefused = 0
    var connectionsClosedForDescriptors = 0
    var connections = 0
    var upstreamOpened = 0
    var upstreamIdle = 0
    var upstreamWaiting = 0
    var routes: [String: RouteFigures] = [:]

    mutating func add(_ other: LoopFigures) {
        inFlight += other.inFlight
        connectionsRefused += other.connectionsRefused
        connectionsClosedForDescriptors += other.connectionsClosedForDescriptors
        connections += other.connections
        upstreamOpened += other.upstreamOpened
        upstreamIdle += other.upstreamIdle
        upstreamWaiting += other.upstreamWaiting
        for (label, figures) in other.routes { routes[label, default: RouteFigures()].add(figures) }
    }
}
