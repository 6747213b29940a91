import Decisions
import Testing
import TokenCrypto

@testable import Telemetry

@Suite("OpenTelemetry's variables")
struct TracingOptionsTests {
    private func read(_ environment: [String: String]) throws -> TracingOptions? { try TracingOptions.read { environment[$0] } }

    @Test(
        "nothing is traced unless an endpoint is named",
        arguments: [
            [:], ["OTEL_SERVICE_NAME": "x"], ["OTEL_EXPORTER_OTLP_ENDPOINT": ""],
            ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "true"],
            ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"],
        ])
    func off(environment: [String: String]) throws { #expect(try read(environment) == nil) }

    @Test("the path is added to the common endpoint, and not to the one for traces")
    func endpoints() throws {
        #expect(try read(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"])?.endpoint == "http://c:4318/v1/traces")
        #expect(try read(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318/p/"])?.endpoint == "http://c:4318/p/v1/traces")
        #expect(
            try read(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:1", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://d/x"])?.endpoint
                == "http://d/x")
    }

    @Test("headers and resource attributes are read as W3C Baggage")
    func pairs() throws {
        let options = try #require(
            try read([
                "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_EXPORTER_OTLP_HEADERS": "a=1%202, b=x=y,broken,=z",
                "OTEL_RESOURCE_ATTRIBUTES": "service.name=named,zone=eu",
            ]))
        #expect(options.headers == ["a": "1 2", "b": "x=y"])
        #expect(options.serviceName == "named")
        #expect(options.resource == ["zone": "eu"])
    }

    @Test(
        "samplers",
        arguments: [
            ("always_on", nil, TracingOptions.Sampler.always, false), ("always_off", nil, .never, false),
            ("traceidratio", "0.25", .ratio(0.25), false), ("parentbased_traceidratio", "1", .ratio(1), true),
            ("parentbased_always_off", nil, .never, true),
        ] as [(String, String?, TracingOptions.Sampler, Bool)])
    func samplers(name: String, argument: String?, sampler: TracingOptions.Sampler, followsParent: Bool) throws {
        var environment = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_SAMPLER": name]
        environment["OTEL_TRACES_SAMPLER_ARG"] = argument
        let options = try #require(try read(environment))
        #expect(options.sampler == sampler)
        #expect(options.followsParent == followsParent)
    }

    @Test(
        "what cannot be followed is refused, naming the variable",
        arguments: [
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"), ("OTEL_TRACES_SAMPLER", "jaeger_remote"), ("OTEL_TRACES_EXPORTER", "zipkin"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "collector:4317"),
        ])
    func refused(name: String, value: String) {
        #expect { try read(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", name: value]) } throws: { error in
            (error as? TracingOptions.Refusal)?.reason.contains(name.replacing("_TRACES_ENDPOINT", with: "_ENDPOINT")) ?? false
        }
    }

    @Test("a ratio takes about its share of the traces")
    func ratio() throws {
        let options = try #require(
            try read([
                "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.5",
            ]))
        let tracer = Tracer(options, version: "0")
        #expect(tracer.samples(0))
        #expect(tracer.samples(.max / 2 - 1_000_000))
        #expect(!tracer.samples(.max / 2 + 1_000_000))
        #expect(!tracer.samples(.max))
    }
}

@Suite("Spans")
struct SpanTests {
    private let span = Span(
        traceHigh: 0x0102, traceLow: 0xFF, id: 0xAB, parent: 0, kind: .server, name: "GET \"/a\"", start: 1, end: 2,
        attributes: [("http.response.status_code", .number(200)), ("url.path", .text("/a\n"))], isError: false)

    @Test("the payload is OTLP's JSON: ids in hexadecimal, 64-bit numbers as strings")
    func payload() throws {
        var options = TracingOptions(endpoint: "http://c")
        options.resource = ["zone": "eu"]
        var failed = span
        failed.parent = 7
        failed.isError = true
        let json = try JSONValue(parsing: OTLPPayload.render([span, failed], options, version: "9"))
        let resource = try #require(json["resourceSpans"]?.array?.first)
        let attributes = try #require(resource["resource"]?["attributes"]?.array).map { $0["key"]?.string }
        #expect(attributes == ["service.name", "service.version", "zone"])
        let spans = try #require(resource["scopeSpans"]?.array?.first?["spans"]?.array)
        #expect(spans[0]["traceId"]?.string == "000000000000010200000000000000ff")
        #expect(spans[0]["spanId"]?.string == "00000000000000ab")
        #expect(spans[0]["parentSpanId"] == nil)
        #expect(spans[0]["kind"]?.integer == 2)
        #expect(spans[0]["startTimeUnixNano"]?.string == "1")
        #expect(spans[0]["attributes"]?.array?[0]["value"]?["intValue"]?.string == "200")
        #expect(spans[0]["attributes"]?.array?[1]["value"]?["stringValue"]?.string == "/a\n")
        #expect(spans[0]["status"]?["code"] == nil)
        #expect(spans[1]["parentSpanId"]?.string == "0000000000000007")
        #expect(spans[1]["status"]?["code"]?.integer == 2)
    }

    @Test("spans beyond the queue are dropped and counted")
    func bounded() {
        var options = TracingOptions(endpoint: "http://c")
        options.queueSize = 3
        let tracer = Tracer(options, version: "0")
        for _ in 0..<5 { tracer.record(span) }
        #expect(tracer.dropped == 2)
    }

    @Test(
        "a traceparent is continued only in its one form, W3C Trace Context section 3.2",
        arguments: [
            ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
            ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
            ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
            ("", false),
        ])
    func traceparent(text: String, isRead: Bool) {
        let state = TraceState(traceparent: text.utf8.span.bytes)
        #expect((state != nil) == isRead)
        guard let state else { return }
        #expect(state.traceID == "0af7651916cd43dd8448eb211c80319c")
        #expect(TraceState.hexadecimal(state.parent) == "b7ad6b7169203331")
        #expect(state.isSampled && state.isContinued)
    }
}
