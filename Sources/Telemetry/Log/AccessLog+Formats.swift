import Primitives
import Config
import Decisions
import HTTPWire

/// The formats of access log lines.
extension AccessLog {
    func writeJSON(_ entry: AccessEntry) {
        lines.put("{\"time\":\"")
        clock.putRFC3339(into: &lines)
        lines.put("\",\"level\":\"info\",\"event\":\"access\",\"request_id\":\"")
        putRequestID(entry.request.context)
        lines.put("\",\"client\":\"")
        lines.put(entry.client)
        lines.put("\",\"method\":\"")
        lines.put(escaped: entry.method, limit: LogLimit.method)
        lines.put("\",\"host\":\"")
        lines.put(escaped: entry.host, limit: LogLimit.host)
        lines.put("\",\"path\":\"")
        lines.put(escaped: entry.path, limit: LogLimit.path)
        if !entry.query.isEmpty, query != .none {
            lines.put("\",\"query\":\"")
            putQuery(entry.query)
        }
        lines.put("\",\"protocol\":\"")
        putProtocol(entry)
        lines.put("\",\"status\":")
        lines.put(number: entry.status)
        lines.put(",\"duration_ms\":")
        lines.put(milliseconds: entry.request.nanoseconds)
        if entry.request.upstreamNanoseconds >= 0 {
            lines.put(",\"upstream_ms\":")
            lines.put(milliseconds: entry.request.upstreamNanoseconds)
        }
        lines.put(",\"bytes_in\":")
        lines.put(number: entry.received)
        lines.put(",\"bytes_out\":")
        lines.put(number: entry.sent)
        lines.put(",\"route\":\"")
        lines.put(entry.request.counters.escapedLabel)
        lines.put(UInt8(ascii: "\""))
        if let person = entry.request.caller {
            lines.put(",\"uid\":\"")
            lines.put(person.uid)
            lines.put("\",\"provider\":\"")
            lines.put(person.provider)
            lines.put(UInt8(ascii: "\""))
        }
        if let agent = entry.userAgent {
            lines.put(",\"user_agent\":\"")
            lines.put(escaped: agent, limit: LogLimit.userAgent)
            lines.put(UInt8(ascii: "\""))
        }
        if entry.request.context.trace.isActive {
            lines.put(",\"trace_id\":\"")
            lines.put(hexadecimal: entry.request.context.trace.high)
            lines.put(hexadecimal: entry.request.context.trace.low)
            lines.put(UInt8(ascii: "\""))
        }
        if entry.wasAborted { lines.put(",\"aborted\":true") }
        lines.put(UInt8(ascii: "}"))
    }

    func writeText(_ entry: AccessEntry) {
        clock.putRFC3339(into: &lines)
        lines.put(" info access: ")
        lines.put(escaped: entry.method, limit: LogLimit.method)
        lines.put(UInt8(ascii: " "))
        lines.put(escaped: entry.path, limit: LogLimit.path)
        putSuffix(entry)
        lines.put(UInt8(ascii: " "))
        lines.put(number: entry.status)
        lines.put("  ms=")
        lines.put(milliseconds: entry.request.nanoseconds)
        lines.put("  bytes=")
        lines.put(number: entry.sent)
        lines.put("  client=")
        lines.put(entry.client)
        if let person = entry.request.caller {
            lines.put("  uid=")
            lines.put(person.uid)
        }
        lines.put("  request_id=")
        putRequestID(entry.request.context)
        if entry.wasAborted { lines.put("  aborted=true") }
    }

    /// The "combined" format of Apache httpd and nginx.
    func writeCombined(_ entry: AccessEntry) {
        lines.put(entry.client)
        lines.put(" - ")
        if let person = entry.request.caller { lines.put(person.uid) } else { lines.put(UInt8(ascii: "-")) }
        lines.put(" [")
        clock.putCommon(into: &lines)
        lines.put("] \"")
        lines.put(escaped: entry.method, limit: LogLimit.method)
        lines.put(UInt8(ascii: " "))
        lines.put(escaped: entry.path, limit: LogLimit.path)
        putSuffix(entry)
        lines.put(UInt8(ascii: " "))
        putProtocol(entry)
        lines.put("\" ")
        lines.put(number: entry.status > 0 ? entry.status : StatusSlots.clientGone)
        lines.put(UInt8(ascii: " "))
        lines.put(number: entry.sent)
        lines.put(" \"")
        // An address that a page was reached from may hold what a query holds.
        if let referer = entry.referer {
            lines.put(escaped: Self.withoutQuery(referer), limit: LogLimit.referer)
        } else {
            lines.put(UInt8(ascii: "-"))
        }
        lines.put("\" \"")
        if let agent = entry.userAgent { lines.put(escaped: agent, limit: LogLimit.userAgent) } else { lines.put(UInt8(ascii: "-")) }
        lines.put(UInt8(ascii: "\""))
    }

    /// Elastic Common Schema 8.11.
    func writeECS(_ entry: AccessEntry) {
        lines.put("{\"@timestamp\":\"")
        clock.putRFC3339(into: &lines)
        lines.put("\",\"log.level\":\"info\",\"ecs.version\":\"8.11.0\",\"service.name\":\"gateway\",\"event.kind\":\"event\"")
        lines.put(",\"event.category\":[\"web\"],\"event.type\":[\"access\"],\"event.dataset\":\"gateway.access\",\"event.outcome\":\"")
        if entry.status > 0, entry.status < 400 { lines.put("success") } else { lines.put("failure") }
        lines.put("\",\"event.duration\":")
        lines.put(number: entry.request.nanoseconds)
        lines.put(",\"http.request.id\":\"")
        putRequestID(entry.request.context)
        lines.put("\",\"http.request.method\":\"")
        lines.put(escaped: entry.method, limit: LogLimit.method)
        lines.put("\",\"http.request.body.bytes\":")
        lines.put(number: entry.received)
        lines.put(",\"http.response.status_code\":")
        lines.put(number: entry.status)
        lines.put(",\"http.response.body.bytes\":")
        lines.put(number: entry.sent)
        lines.put(",\"source.ip\":\"")
        lines.put(entry.client)
        lines.put("\",\"url.domain\":\"")
        lines.put(escaped: entry.host, limit: LogLimit.host)
        lines.put("\",\"url.path\":\"")
        lines.put(escaped: entry.path, limit: LogLimit.path)
        if !entry.query.isEmpty, query != .none {
            lines.put("\",\"url.query\":\"")
            putQuery(entry.query)
        }
        lines.put("\",\"message\":\"")
        lines.put(escaped: entry.method, limit: LogLimit.method)
        lines.put(UInt8(ascii: " "))
        lines.put(escaped: entry.path, limit: LogLimit.path)
        lines.put(UInt8(ascii: " "))
        lines.put(number: entry.status)
        lines.put(UInt8(ascii: "\""))
        if let person = entry.request.caller {
            lines.put(",\"user.id\":\"")
            lines.put(person.uid)
            lines.put(UInt8(ascii: "\""))
        }
        if let agent = entry.userAgent {
            lines.put(",\"user_agent.original\":\"")
            lines.put(escaped: agent, limit: LogLimit.userAgent)
            lines.put(UInt8(ascii: "\""))
        }
        if entry.request.context.trace.isActive {
            lines.put(",\"trace.id\":\"")
            lines.put(hexadecimal: entry.request.context.trace.high)
            lines.put(hexadecimal: entry.request.context.trace.low)
            lines.put(UInt8(ascii: "\""))
        }
        lines.put(UInt8(ascii: "}"))
    }

    // MARK: Pieces

    private func putRequestID(_ context: RequestContext) {
        if let given = context.requestID.given { return lines.put(given) }
        lines.put(hexadecimal: context.requestID.high)
        lines.put(hexadecimal: context.requestID.low)
    }

    private func putProtocol(_ entry: AccessEntry) {
        if entry.speaksHTTP2 { return lines.put("HTTP/2.0") }
        lines.put("HTTP/1.")
        lines.put(48 + entry.minorVersion)
    }

    private func putSuffix(_ entry: AccessEntry) {
        guard !entry.query.isEmpty, query != .none else { return }
        lines.put(UInt8(ascii: "?"))
        putQuery(entry.query)
    }

    private func putQuery(_ text: RawSpan) {
        switch query {
        case .full:
            QueryRedaction.put(text, into: &lines) { SecretParameters.contains($0) || SecretParameters.areInside($1) }
        case .redacted, .none:
            QueryRedaction.put(text, into: &lines) { _, _ in true }
        }
    }

    @_lifetime(copy url)
    private static func withoutQuery(_ url: RawSpan) -> RawSpan {
        let end = url.byteOffsets.first { url[$0] == UInt8(ascii: "?") || url[$0] == UInt8(ascii: "#") }
        return url.extracting(first: end ?? url.byteCount)
    }
}
