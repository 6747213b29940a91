package import Config

/// The content of `/metrics`, gathered from the loops, the providers and the process.
package struct MetricsPage: Sendable {
    /// An identity provider.
    package struct Provider: Sendable {
        package var id: String
        package var isReachable: Bool
        /// The number of keys that verify its tokens, and when they were fetched, in Unix milliseconds; nil: not fetched yet.
        package var keys: (count: Int, fetchedAt: Int64)?

        package init(id: String, isReachable: Bool, keys: (count: Int, fetchedAt: Int64)?) {
            self.id = id
            self.isReachable = isReachable
            self.keys = keys
        }
    }

    /// The connections to the session store.
    package struct SessionStore: Sendable {
        /// Commands are answered.
        package var isConnected: Bool
        /// Messages of all replicas arrive.
        package var isHearing: Bool
        /// Commands fail at once.
        package var isCircuitOpen: Bool

        package init(isConnected: Bool, isHearing: Bool, isCircuitOpen: Bool) {
            self.isConnected = isConnected
            self.isHearing = isHearing
            self.isCircuitOpen = isCircuitOpen
        }
    }

    /// A list of revocations.
    package struct RevocationList: Sendable {
        package var name: String
        package var count: Int
        /// nil: it has none.
        package var limit: Int?

        package init(name: String, count: Int, limit: Int?) {
            self.name = name
            self.count = count
            self.limit = limit
        }
    }

    /// The reloads so far. Times are Unix milliseconds.
    package struct Reloads: Sendable {
        package var hasFailed: Bool
        package var servedSince: Int64
        package var successes: Int
        package var failures: Int
        /// SHA-256 of the configuration that is served.
        package var hash: String

        package init(hasFailed: Bool, servedSince: Int64, successes: Int, failures: Int, hash: String) {
            self.hasFailed = hasFailed
            self.servedSince = servedSince
            self.successes = successes
            self.failures = failures
            self.hash = hash
        }
    }

    private let figures: LoopFigures
    private let operations: Operations
    private let served: Configuration
    private let routeCount: Int
    /// The end of each certificate of `served`, in Unix milliseconds.
    private let certificateExpiries: [Int64]
    private let reloads: Reloads
    /// In the order of the page.
    private let clients: [Provider]
    private let revocations: [RevocationList]
    /// nil: sessions are in cookies.
    private let store: SessionStore?

    package init(
        figures: LoopFigures, operations: Operations, configuration: Configuration, routeCount: Int, certificateExpiries: [Int64],
        reloads: Reloads, providers: [Provider], revocations: [RevocationList], sessionStore: SessionStore?
    ) {
        self.figures = figures
        self.operations = operations
        served = configuration
        self.routeCount = routeCount
        self.certificateExpiries = certificateExpiries
        self.reloads = reloads
        clients = providers
        self.revocations = revocations
        store = sessionStore
    }

    /// The families of the page, in its order.
    package var families: [MetricFamily] {
        [build] + requests + upstream + operations.counters.families + sessions + providers + configuration + streams
            + ProcessFigures.families
    }

    private var build: MetricFamily {
        var family = MetricFamily("gateway_build_info", .gauge, "The program's version; always 1.")
        family.add(.integer(1), ("version", operations.version))
        return family
    }

    private var routes: [(label: String, figures: RouteFigures)] {
        figures.routes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var requests: [MetricFamily] {
        var requests = MetricFamily("gateway_http_requests", .counter, "Requests that ended, by route, method and status code.")
        var durations = MetricFamily(
            "gateway_http_request_duration_seconds", .histogram, "From the end of a request's head to the end of its response.")
        var decisions = MetricFamily("gateway_auth_decisions", .counter, "What the rules of access said.")
        for (label, figures) in routes {
            for (key, count) in figures.requests.sorted(by: { ($0.key.method, $0.key.slot) < ($1.key.method, $1.key.slot) }) {
                requests.add(
                    .integer(Int(count)), ("route", label), ("method", RouteCounters.methods[key.method]),
                    ("code", StatusSlots.labels[key.slot]))
            }
            for (key, histogram) in figures.durations.sorted(by: { ($0.key.method, $0.key.slot) < ($1.key.method, $1.key.slot) }) {
                durations.add(
                    .histogram(histogram), ("route", label), ("method", RouteCounters.methods[key.method]),
                    ("code_class", RouteCounters.classes[key.slot]))
            }
            let words = ["allow", "public", "challenge", "deny"]
            for (index, count) in figures.decisions.enumerated() where count > 0 {
                decisions.add(.integer(count), ("route", label), ("decision", words[index]))
            }
        }
        var inFlight = MetricFamily("gateway_http_requests_in_flight", .gauge, "Requests that are being answered now.")
        inFlight.add(.integer(max(0, figures.inFlight)))
        var connections = MetricFamily("gateway_connections", .gauge, "Open client connections.")
        connections.add(.integer(figures.connections))
        var refused = MetricFamily(
            "gateway_connections_refused", .counter, "Client connections that were closed at once: there were too many.")
        refused.add(.integer(figures.connectionsRefused))
        var spared = MetricFamily(
            "gateway_connections_closed_for_descriptors", .counter, "Idle client connections that were closed to free descriptors.")
        spared.add(.integer(figures.connectionsClosedForDescriptors))
        return [requests, durations, decisions, inFlight, connections, refused, spared]
    }

    private var upstream: [MetricFamily] {
        var durations = MetricFamily(
            "gateway_upstream_request_duration_seconds", .histogram, "From handing a request to an upstream to the head of its answer.")
        var errors = MetricFamily("gateway_upstream_errors", .counter, "Requests that an upstream gave no usable answer to.")
        for (label, figures) in routes {
            if figures.upstream.count > 0 { durations.add(.histogram(figures.upstream), ("route", label)) }
            for (failure, count) in figures.upstreamFailures.sorted(by: { $0.key < $1.key }) {
                errors.add(.integer(count), ("route", label), ("reason", failure))
            }
        }
        var opened = MetricFamily("gateway_upstream_connections_opened", .counter, "Connections that were opened to upstreams.")
        opened.add(.integer(figures.upstreamOpened))
        var idle = MetricFamily("gateway_upstream_connections_idle", .gauge, "Kept connections to upstreams that wait for a request.")
        idle.add(.integer(figures.upstreamIdle))
        var waiting = MetricFamily(
            "gateway_upstream_requests_waiting", .gauge, "Requests that wait because `maxConnections` of an upstream is reached.")
        waiting.add(.integer(figures.upstreamWaiting))
        return [durations, errors, opened, idle, waiting]
    }

    private var sessions: [MetricFamily] {
        var lookups = MetricFamily(
            "gateway_session_lookups", .counter,
            "Cookies of sessions: found in a cache, opened without a question, or asked about at the session store.")
        lookups.add(.integer(figures.sessionsCached), ("result", "cache"))
        lookups.add(.integer(figures.sessionsOpened), ("result", "opened"))
        lookups.add(.integer(figures.sessionsAsked), ("result", "store"))
        var entries = MetricFamily("gateway_revocations", .gauge, "Entries of the lists of ended sessions.")
        var most = MetricFamily("gateway_revocations_limit", .gauge, "The most entries that the list takes.")
        for list in revocations {
            entries.add(.integer(list.count), ("list", list.name))
            if let limit = list.limit { most.add(.integer(limit), ("list", list.name)) }
        }
        guard let store else { return [lookups, entries, most] }
        var connected = MetricFamily(
            "gateway_session_store_connected", .gauge, "1 while the connection to the session store works, else 0.")
        connected.add(.integer(store.isConnected ? 1 : 0), ("connection", "commands"))
        connected.add(.integer(store.isHearing ? 1 : 0), ("connection", "messages"))
        var circuit = MetricFamily(
            "gateway_session_store_circuit_open", .gauge, "1 while the session store is not asked, because no connection works, else 0.")
        circuit.add(.integer(store.isCircuitOpen ? 1 : 0))
        return [lookups, entries, most, connected, circuit] + operations.sessionStore.families
    }

    private var providers: [MetricFamily] {
        var reachable = MetricFamily(
            "gateway_provider_reachable", .gauge, "1 when sign-ins with the provider can work as far as is known, else 0.")
        var keys = MetricFamily("gateway_jwks_keys", .gauge, "Keys that verify the provider's tokens.")
        var fetched = MetricFamily("gateway_jwks_last_refresh_timestamp_seconds", .gauge, "When the provider's keys were last fetched.")
        for client in clients {
            reachable.add(.integer(client.isReachable ? 1 : 0), ("provider", client.id))
            guard let status = client.keys else { continue }
            keys.add(.integer(status.count), ("provider", client.id))
            fetched.add(.number(Double(status.fetchedAt) / 1_000), ("provider", client.id))
        }
        return [reachable, keys, fetched]
    }

    private var configuration: [MetricFamily] {
        var successful = MetricFamily(
            "gateway_config_last_reload_successful", .gauge, "0 when the configuration was last read in vain, else 1.")
        successful.add(.integer(reloads.hasFailed ? 0 : 1))
        var moment = MetricFamily(
            "gateway_config_last_reload_success_timestamp_seconds", .gauge, "When the configuration that is served was read.")
        moment.add(.number(Double(reloads.servedSince) / 1_000))
        var counts = MetricFamily("gateway_config_reloads", .counter, "How often the configuration was read again.")
        counts.add(.integer(reloads.successes), ("outcome", "success"))
        counts.add(.integer(reloads.failures), ("outcome", "failure"))
        var info = MetricFamily("gateway_config_info", .gauge, "The configuration that is served: the beginning of its SHA-256; always 1.")
        info.add(.integer(1), ("hash", String(reloads.hash.prefix(16))))
        var routes = MetricFamily("gateway_config_routes", .gauge, "Routes of the configuration that is served.")
        routes.add(.integer(routeCount))
        var expiry = MetricFamily("gateway_tls_certificate_not_after_seconds", .gauge, "When the certificate ends.")
        let certificates = served.server.tls?.certificates.map(\.certificate) ?? []
        for (file, notAfter) in zip(certificates, certificateExpiries) { expiry.add(.integer(Int(notAfter / 1_000)), ("file", file)) }
        return [successful, moment, counts, info, routes, expiry]
    }

    private var streams: [MetricFamily] {
        var dropped = MetricFamily(
            "gateway_log_lines_dropped", .counter, "Lines that were lost: their reader fell behind, or a write failed.")
        var failing = MetricFamily("gateway_log_failing", .gauge, "1 while a destination takes no lines, else 0.")
        let used = served.logDestinations
        for (destination, writer) in operations.sinks.all {
            let name = destination.description
            for (stream, lines) in writer.lostLines { dropped.add(.integer(lines), ("to", name), ("stream", stream.rawValue)) }
            if used.contains(destination) { failing.add(.integer(writer.isFailing ? 1 : 0), ("to", name)) }
        }
        guard let tracer = operations.tracer else { return [dropped, failing] }
        var exported = MetricFamily("gateway_trace_spans_exported", .counter, "Spans that the collector took.")
        exported.add(.integer(tracer.exported))
        var lost = MetricFamily("gateway_trace_spans_dropped", .counter, "Spans that were lost: too many, or no collector.")
        lost.add(.integer(tracer.dropped))
        return [dropped, failing, exported, lost]
    }
}
