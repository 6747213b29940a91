/// The counters of one event loop over all configurations since the start. They never decrease.
package final class LoopMetrics {
    /// The label of requests that never came to a route.
    package static let refusedLabel = "(refused)"
    /// The label of the gateway's own endpoints.
    package static let ownLabel = "(gateway)"

    @usableFromInline var begun = 0
    package var ended = 0
    @usableFromInline var sessionsCached = 0
    /// Sessions that were opened without a question to the session store, and with one.
    package var sessionsOpened = 0
    package var sessionsAsked = 0
    package var connectionsRefused = 0
    package var connectionsClosedForDescriptors = 0
    package let refused: RouteCounters
    package let own: RouteCounters
    private var byLabel: [String: RouteCounters] = [:]

    package init() {
        refused = RouteCounters(label: Self.refusedLabel)
        own = RouteCounters(label: Self.ownLabel)
        byLabel = [Self.refusedLabel: refused, Self.ownLabel: own]
    }

    /// Counts a request that has begun.
    @inlinable @inline(__always)
    package func began() { begun &+= 1 }

    /// Counts a session that was found in a cache.
    @inlinable @inline(__always)
    package func foundSession() { sessionsCached &+= 1 }

    /// The counters of the route with this label. They go on over reloads.
    package func counters(of label: String) -> RouteCounters {
        if let known = byLabel[label] { return known }
        let made = RouteCounters(label: label)
        byLabel[label] = made
        return made
    }

    package var figures: LoopFigures {
        var figures = LoopFigures()
        figures.inFlight = begun - ended
        figures.sessionsCached = sessionsCached
        figures.sessionsOpened = sessionsOpened
        figures.sessionsAsked = sessionsAsked
        figures.connectionsRefused = connectionsRefused
        figures.connectionsClosedForDescriptors = connectionsClosedForDescriptors
        figures.routes = byLabel.mapValues(\.figures)
        return figures
    }
}

/// The counts of one loop, or of all.
package struct LoopFigures: Sendable {
    package init() {}

    package var inFlight = 0
    package var sessionsCached = 0
    package var sessionsOpened = 0
    package var sessionsAsked = 0
    package var connectionsRefused = 0
    package var connectionsClosedForDescriptors = 0
    package var connections = 0
    package var upstreamOpened = 0
    package var upstreamIdle = 0
    package var upstreamWaiting = 0
    package var routes: [String: RouteFigures] = [:]

    package mutating func add(_ other: LoopFigures) {
        inFlight += other.inFlight
        sessionsCached += other.sessionsCached
        sessionsOpened += other.sessionsOpened
        sessionsAsked += other.sessionsAsked
        connectionsRefused += other.connectionsRefused
        connectionsClosedForDescriptors += other.connectionsClosedForDescriptors
        connections += other.connections
        upstreamOpened += other.upstreamOpened
        upstreamIdle += other.upstreamIdle
        upstreamWaiting += other.upstreamWaiting
        for (label, figures) in other.routes { routes[label, default: RouteFigures()].add(figures) }
    }
}
