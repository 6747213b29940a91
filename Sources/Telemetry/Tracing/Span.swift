import Decisions

/// One finished span.
package struct Span: Sendable {
    package enum Kind: Int, Sendable {
        case server = 2
        case client = 3
    }
    package enum Value: Sendable {
        case text(String)
        case number(Int)
    }

    package var traceHigh: UInt64
    package var traceLow: UInt64
    package var id: UInt64
    /// 0: the trace starts here.
    package var parent: UInt64
    package var kind: Kind
    package var name: String
    /// Unix nanoseconds.
    package var start: UInt64
    package var end: UInt64
    package var attributes: [(name: String, value: Value)]
    package var isError: Bool

    package init(
        traceHigh: UInt64, traceLow: UInt64, id: UInt64, parent: UInt64, kind: Kind, name: String, start: UInt64, end: UInt64,
        attributes: [(name: String, value: Value)], isError: Bool
    ) {
        self.traceHigh = traceHigh
        self.traceLow = traceLow
        self.id = id
        self.parent = parent
        self.kind = kind
        self.name = name
        self.start = start
        self.end = end
        self.attributes = attributes
        self.isError = isError
    }
}

/// Spans as the collector takes them: OTLP 1.3 over HTTP, in its JSON form.
enum OTLPPayload {
    static func render(_ spans: [Span], _ options: TracingOptions, version: String) -> [UInt8] {
        var resource = [attribute("service.name", .text(options.serviceName)), attribute("service.version", .text(version))]
        for (name, value) in options.resource.sorted(by: { $0.key < $1.key }) where name != "service.version" {
            resource.append(attribute(name, .text(value)))
        }
        var line = JSONLine()
        var resourceSpans = JSONLine()
        resourceSpans.object("resource") { $0.array("attributes", resource) }
        var scope = JSONLine()
        scope.object("scope") { $0.add("name", .text("gateway")) }
        scope.array("spans", spans.map(span))
        resourceSpans.array("scopeSpans", [scope])
        line.array("resourceSpans", [resourceSpans])
        line.end()
        return line.bytes
    }

    private static func span(_ span: Span) -> JSONLine {
        var line = JSONLine()
        line.add("traceId", .text(TraceState.hexadecimal(span.traceHigh) + TraceState.hexadecimal(span.traceLow)))
        line.add("spanId", .text(TraceState.hexadecimal(span.id)))
        if span.parent != 0 { line.add("parentSpanId", .text(TraceState.hexadecimal(span.parent))) }
        line.add("name", .text(span.name))
        line.add("kind", .number(span.kind.rawValue))
        // 64-bit numbers are strings in the JSON form of protocol buffers.
        line.add("startTimeUnixNano", .text(String(span.start)))
        line.add("endTimeUnixNano", .text(String(span.end)))
        line.array("attributes", span.attributes.map { attribute($0.name, $0.value) })
        line.object("status") { if span.isError { $0.add("code", .number(2)) } }
        return line
    }

    private static func attribute(_ name: String, _ value: Span.Value) -> JSONLine {
        var line = JSONLine()
        line.add("key", .text(name))
        line.object("value") { inner in
            switch value {
            case .text(let text): inner.add("stringValue", .text(text))
            case .number(let number): inner.add("intValue", .text(String(number)))
            }
        }
        return line
    }
}
