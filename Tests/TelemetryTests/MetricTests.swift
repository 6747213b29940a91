import Decisions
import HTTPWire
import Testing

@testable import Telemetry

@Suite("Metrics as text")
struct MetricTextTests {
    private func family() -> MetricFamily {
        var family = MetricFamily("gateway_things", .counter, "Things\nwith a \\ in them.")
        family.add(.integer(3), ("route", "/a \"b\" \\ \n"))
        return family
    }

    @Test("Prometheus' format names a counter with its suffix and escapes help and labels")
    func prometheus() {
        #expect(
            MetricText.render([family()], as: .prometheus) == """
                # HELP gateway_things_total Things\\nwith a \\\\ in them.
                # TYPE gateway_things_total counter
                gateway_things_total{route="/a \\"b\\" \\\\ \\n"} 3

                """)
    }

    @Test("OpenMetrics names the family without the suffix and marks the end")
    func openMetrics() {
        let text = MetricText.render([family()], as: .openMetrics)
        #expect(text.contains("# TYPE gateway_things counter\ngateway_things_total{"))
        #expect(text.hasSuffix("\n# EOF\n"))
    }

    @Test("a histogram's buckets sum up, in seconds")
    func histogram() {
        var histogram = DurationHistogram()
        histogram.add(400_000)
        histogram.add(500_000)
        histogram.add(3_000_000_000)
        histogram.add(60_000_000_000)
        var family = MetricFamily("gateway_wait_seconds", .histogram, "Waiting.")
        family.add(.histogram(histogram))
        let lines = MetricText.render([family], as: .prometheus).split(separator: "\n").map(String.init)
        #expect(lines.contains("gateway_wait_seconds_bucket{le=\"0.0005\"} 2"))
        #expect(lines.contains("gateway_wait_seconds_bucket{le=\"2.5\"} 2"))
        #expect(lines.contains("gateway_wait_seconds_bucket{le=\"5.0\"} 3"))
        #expect(lines.contains("gateway_wait_seconds_bucket{le=\"+Inf\"} 4"))
        #expect(lines.contains("gateway_wait_seconds_count 4"))
        #expect(lines.contains("gateway_wait_seconds_sum 63.0009"))
    }

    @Test("A sum of durations beyond 64 bits wraps and does not end the process")
    func wraps() {
        var histogram = DurationHistogram()
        histogram.add(.max)
        histogram.add(2)
        var total = histogram
        total.add(histogram)
        #expect(histogram.nanoseconds == 1)
        #expect(total.nanoseconds == 2 && total.count == 4)
    }

    @Test("a family without samples is left out")
    func empty() { #expect(MetricText.render([MetricFamily("x", .gauge, "X.")], as: .prometheus).isEmpty) }

    @Test(
        "who asks for OpenMetrics gets it",
        arguments: [
            (nil, false), ("text/plain", false), ("*/*", false), ("application/openmetrics-text; version=1.0.0,text/plain;q=0.5", true),
            ("text/plain, Application/OpenMetrics-Text", true),
        ] as [(String?, Bool)])
    func accept(header: String?, isOpen: Bool) {
        let format = MetricText.Format(accept: header)
        #expect((format.contentType.hasPrefix("application/openmetrics-text")) == isOpen)
    }

    @Test(
        "a status that is not a usual one counts under its class, no status as 499",
        arguments: [(200, "200"), (299, "2xx"), (0, "499"), (599, "5xx"), (101, "101"), (700, "other"), (99, "other")])
    func statuses(status: Int, label: String) { #expect(StatusSlots.labels[StatusSlots.slot(status)] == label) }

    @Test("a route's counts come out as they went in")
    func route() throws {
        let counters = RouteCounters(label: "/a")
        for _ in 0..<3 { counters.ended(method: .get, status: 200, nanoseconds: 700_000) }
        counters.ended(method: .post, status: 503, nanoseconds: 2)
        counters.ended(method: .get, status: 101, nanoseconds: 3_600_000_000_000)
        counters.ended(method: .get, status: 0, nanoseconds: 1)
        counters.decided(.deny)
        let figures = counters.figures
        #expect(figures.requests[.init(method: 0, slot: StatusSlots.slot(200))] == 3)
        #expect(figures.requests[.init(method: 2, slot: StatusSlots.slot(503))] == 1)
        #expect(figures.requests[.init(method: 0, slot: StatusSlots.slot(499))] == 1)
        let durations = try #require(figures.durations[.init(method: 0, slot: 2)])
        #expect(durations.buckets[1] == 3 && durations.nanoseconds == 2_100_000)
        #expect(figures.durations[.init(method: 0, slot: 1)] == nil, "a tunnel's length is no duration")
        #expect(figures.durations[.init(method: 0, slot: 4)]?.count == 1)
        #expect(figures.decisions == [0, 0, 0, 1])
        var sum = figures
        sum.add(figures)
        #expect(sum.requests[.init(method: 0, slot: StatusSlots.slot(200))] == 6)
    }
}
