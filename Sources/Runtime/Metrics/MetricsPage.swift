import Access
import Config
import Exchanges
import Server
import Backchannel
import Proxy

/// Everything that `/metrics` says, gathered from the loops, the providers and the process.
struct MetricsPage: Sendable {
    var figures: LoopFigures
    var core: GatewayCore
    var reload: ReloadStatus

    func families() async -> [MetricFamily] {
        var families = [build] + requests + upstream
        families += core.operations.counters.families
        families += await providers
        families += configuration + streams + ProcessFigures.families
        return families
    }

    private var build: MetricFamily {
        var family = MetricFamily("gateway_build_info", .gauge, "The program's version; always 1.")
        family.add(.integer(1), ("version", core.operations.version))
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
            for (failure, count) in figures.upstreamFailures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                errors.add(.integer(count), ("route", label), ("reason", failure.rawValue))
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

    private var providers: [MetricFamily] {
        get async {
            var reachable = MetricFamily(
                "gateway_provider_reachable", .gauge, "1 when sign-ins with the provider can work as far as is known, else 0.")
            var keys = MetricFamily("gateway_jwks_keys", .gauge, "Keys that verify the provider's tokens.")
            var fetched = MetricFamily(
                "gateway_jwks_last_refresh_timestamp_seconds", .gauge, "When the provider's keys were last fetched.")
            for (id, client) in core.clients.sorted(by: { $0.key < $1.key }) {
                reachable.add(.integer(client.status == .ready ? 1 : 0), ("provider", id))
                guard let status = await client.keyStatus() else { continue }
                keys.add(.integer(status.count), ("provider", id))
                fetched.add(.number(Double(status.fetchedAt) / 1_000), ("provider", id))
            }
            return [reachable, keys, fetched]
        }
    }

    private var configuration: [MetricFamily] {
        var successful = MetricFamily(
            "gateway_config_last_reload_successful", .gauge, "0 when the configuration was last read in vain, else 1.")
        successful.add(.integer(reload.failure == nil ? 1 : 0))
        var moment = MetricFamily(
            "gateway_config_last_reload_success_timestamp_seconds", .gauge, "When the configuration that is served was read.")
        moment.add(.number(Double(reload.servedSince) / 1_000))
        var reloads = MetricFamily("gateway_config_reloads", .counter, "How often the configuration was read again.")
        reloads.add(.integer(reload.successes), ("outcome", "success"))
        reloads.add(.integer(reload.failures), ("outcome", "failure"))
        var info = MetricFamily("gateway_config_info", .gauge, "The configuration that is served: the beginning of its SHA-256; always 1.")
        info.add(.integer(1), ("hash", String(reload.hash.prefix(16))))
        var routes = MetricFamily("gateway_config_routes", .gauge, "Routes of the configuration that is served.")
        routes.add(.integer(core.snapshot.routes.routes.count))
        var expiry = MetricFamily("gateway_tls_certificate_not_after_seconds", .gauge, "When the certificate ends.")
        let certificates = core.snapshot.configuration.server.tls?.certificates.map(\.certificate) ?? []
        for (file, notAfter) in zip(certificates, core.tls?.expiries ?? []) { expiry.add(.integer(Int(notAfter / 1_000)), ("file", file)) }
        return [successful, moment, reloads, info, routes, expiry]
    }

    private var streams: [MetricFamily] {
        var dropped = MetricFamily(
            "gateway_log_lines_dropped", .counter, "Lines that were lost: their reader fell behind, or a write failed.")
        var failing = MetricFamily("gateway_log_failing", .gauge, "1 while a destination takes no lines, else 0.")
        let used = core.snapshot.configuration.logDestinations
        for (destination, writer) in core.operations.sinks.all {
            let name = destination.description
            for (stream, lines) in writer.lostLines { dropped.add(.integer(lines), ("to", name), ("stream", stream.rawValue)) }
            if used.contains(destination) { failing.add(.integer(writer.isFailing ? 1 : 0), ("to", name)) }
        }
        guard let tracer = core.operations.tracer else { return [dropped, failing] }
        var exported = MetricFamily("gateway_trace_spans_exported", .counter, "Spans that the collector took.")
        exported.add(.integer(tracer.exported))
        var lost = MetricFamily("gateway_trace_spans_dropped", .counter, "Spans that were lost: too many, or no collector.")
        lost.add(.integer(tracer.dropped))
        return [dropped, failing, exported, lost]
    }
}
