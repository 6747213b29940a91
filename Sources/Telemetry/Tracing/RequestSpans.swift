import Primitives
import Decisions
package import Exchanges
import Glibc
import HTTPWire
import NIOCore

/// The spans of one request, under the names of OpenTelemetry's semantic conventions for HTTP 1.23.
package enum RequestSpans {
    package static func record(_ exchange: Exchange, _ request: FinishedRequest, to tracer: Tracer) {
        let head = exchange.head
        let trace = request.context.trace
        let route = request.counters.label
        let isEmpty = head.bytes.readableBytes == 0
        let path = isEmpty ? "" : head.loggedPath
        let end = UnixTime.nanoseconds()
        let start = end - min(end, UInt64(max(0, request.nanoseconds)))
        let method = isEmpty ? "_OTHER" : head.method == .other ? "_OTHER" : head.methodText
        var attributes: [(name: String, value: Span.Value)] = [
            ("http.request.method", .text(method)), ("url.scheme", .text(exchange.isSecure ? "https" : "http")),
            ("url.path", .text(path)), ("http.route", .text(route)),
            ("client.address", .text(String(decoding: request.context.client(head), as: UTF8.self))),
            ("network.peer.address", .text(exchange.peer.text)), ("gateway.request_id", .text(request.context.requestID.text)),
        ]
        if !isEmpty { attributes.append(("server.address", .text(head.loggedHost))) }
        if exchange.status > 0 { attributes.append(("http.response.status_code", .number(exchange.status))) }
        if exchange.status >= 500 { attributes.append(("error.type", .text(String(exchange.status)))) }
        if exchange.status == 0 { attributes.append(("error.type", .text("client-gone"))) }
        tracer.record(
            Span(
                traceHigh: trace.high, traceLow: trace.low, id: trace.span, parent: trace.parent, kind: .server,
                name: "\(method == "_OTHER" ? "HTTP" : method) \(route)", start: start, end: end, attributes: attributes,
                isError: exchange.status >= 500 || exchange.status == 0))
        guard trace.upstreamSpan != 0 else { return }
        let isFailed = request.forwardedAt == nil
        let began = request.forwardedAt.map { end - min(end, UInt64(max(0, (request.endedAt - $0).nanoseconds))) } ?? start
        var upstream: [(name: String, value: Span.Value)] = [
            ("http.request.method", .text(method)), ("url.path", .text(path)), ("http.route", .text(route)),
        ]
        if !isFailed { upstream.append(("http.response.status_code", .number(exchange.status))) }
        if isFailed { upstream.append(("error.type", .text("upstream"))) }
        tracer.record(
            Span(
                traceHigh: trace.high, traceLow: trace.low, id: trace.upstreamSpan, parent: trace.span, kind: .client, name: method,
                start: began, end: end, attributes: upstream, isError: isFailed || exchange.status >= 400))
    }
}

package enum UnixTime {
    /// Unix nanoseconds, now.
    package static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
