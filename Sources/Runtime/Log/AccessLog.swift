import Config
import Decisions
import Exchanges
import Glibc
import HTTPWire
import NIOCore

/// The access log of one event loop: a line for each request, put together on the loop and written elsewhere, many at a time.
final class AccessLog {
    private let writer: LogWriter
    private let format: AccessLogConfiguration.Format
    private let query: AccessLogConfiguration.Query
    private let eventLoop: any EventLoop
    private var lines = LineBytes(capacity: 64 * 1024)
    private var waiting = 0
    private var clock = AccessClock()

    /// Lines wait for company up to here, or up to this long.
    private static let batch = 32 * 1024
    private static let flushDelay = TimeAmount.milliseconds(200)

    /// `format` is not `auto`.
    init(writer: LogWriter, format: AccessLogConfiguration.Format, query: AccessLogConfiguration.Query, eventLoop: any EventLoop) {
        self.writer = writer
        self.format = format
        self.query = query
        self.eventLoop = eventLoop
    }

    func append(_ exchange: Exchange, _ connection: ConnectionState, nanoseconds: Int, now: NIODeadline) {
        clock.refresh(now)
        let head = exchange.head
        withBytes(of: head.bytes) { bytes, _ in
            var entry = AccessEntry(exchange, connection, bytes, nanoseconds: nanoseconds)
            entry.client = connection.client(exchange)
            switch format {
            case .json, .auto: writeJSON(entry)
            case .text: writeText(entry)
            case .combined: writeCombined(entry)
            case .ecs: writeECS(entry)
            }
        }
        lines.put(0x0A)
        waiting += 1
        if lines.count >= Self.batch {
            flush()
        } else if waiting == 1 {
            let bound = NIOLoopBound(self, eventLoop: eventLoop)
            eventLoop.scheduleTask(in: Self.flushDelay) { bound.value.flush() }
        }
    }

    /// Hands over what is there.
    func flush() {
        guard waiting > 0 else { return }
        writer.write(lines: lines.bytes, count: waiting, of: .access)
        lines.removeAll()
        waiting = 0
    }

    // MARK: Formats

    private func writeJSON(_ entry: AccessEntry) {
        lines.put("{\"time\":\"")
        clock.putRFC3339(into: &lines)
        lines.put("\",\"level\":\"info\",\"event\":\"access\",\"request_id\":\"")
        putRequestID(entry.connection)
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
        lines.put(milliseconds: entry.nanoseconds)
        if entry.upstreamNanoseconds >= 0 {
            lines.put(",\"upstream_ms\":")
            lines.put(milliseconds: entry.upstreamNanoseconds)
        }
        lines.put(",\"bytes_in\":")
        lines.put(number: entry.received)
        lines.put(",\"bytes_out\":")
        lines.put(number: entry.sent)
        lines.put(",\"route\":\"")
        lines.put(entry.connection.routeLabel)
        lines.put(UInt8(ascii: "\""))
        if let person = entry.connection.caller {
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
        if entry.connection.trace.isActive {
            lines.put(",\"trace_id\":\"")
            lines.put(hexadecimal: entry.connection.trace.high)
            lines.put(hexadecimal: entry.connection.trace.low)
            lines.put(UInt8(ascii: "\""))
        }
        if entry.wasAborted { lines.put(",\"aborted\":true") }
        lines.put(UInt8(ascii: "}"))
    }

    private func writeText(_ entry: AccessEntry) {
        clock.putRFC3339(into: &lines)
        lines.put(" info access: ")
        lines.put(escaped: entry.method, limit: LogLimit.method)
        lines.put(UInt8(ascii: " "))
        lines.put(escaped: entry.path, limit: LogLimit.path)
        putSuffix(entry)
        lines.put(UInt8(ascii: " "))
        lines.put(number: entry.status)
        lines.put("  ms=")
        lines.put(milliseconds: entry.nanoseconds)
        lines.put("  bytes=")
        lines.put(number: entry.sent)
        lines.put("  client=")
        lines.put(entry.client)
        if let person = entry.connection.caller {
            lines.put("  uid=")
            lines.put(person.uid)
        }
        lines.put("  request_id=")
        putRequestID(entry.connection)
        if entry.wasAborted { lines.put("  aborted=true") }
    }

    /// The "combined" format of Apache httpd and nginx.
    private func writeCombined(_ entry: AccessEntry) {
        lines.put(entry.client)
        lines.put(" - ")
        if let person = entry.connection.caller { lines.put(person.uid) } else { lines.put(UInt8(ascii: "-")) }
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
    private func writeECS(_ entry: AccessEntry) {
        lines.put("{\"@timestamp\":\"")
        clock.putRFC3339(into: &lines)
        lines.put("\",\"log.level\":\"info\",\"ecs.version\":\"8.11.0\",\"service.name\":\"gateway\",\"event.kind\":\"event\"")
        lines.put(",\"event.category\":[\"web\"],\"event.type\":[\"access\"],\"event.dataset\":\"gateway.access\",\"event.outcome\":\"")
        if entry.status > 0, entry.status < 400 { lines.put("success") } else { lines.put("failure") }
        lines.put("\",\"event.duration\":")
        lines.put(number: entry.nanoseconds)
        lines.put(",\"http.request.id\":\"")
        putRequestID(entry.connection)
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
        if let person = entry.connection.caller {
            lines.put(",\"user.id\":\"")
            lines.put(person.uid)
            lines.put(UInt8(ascii: "\""))
        }
        if let agent = entry.userAgent {
            lines.put(",\"user_agent.original\":\"")
            lines.put(escaped: agent, limit: LogLimit.userAgent)
            lines.put(UInt8(ascii: "\""))
        }
        if entry.connection.trace.isActive {
            lines.put(",\"trace.id\":\"")
            lines.put(hexadecimal: entry.connection.trace.high)
            lines.put(hexadecimal: entry.connection.trace.low)
            lines.put(UInt8(ascii: "\""))
        }
        lines.put(UInt8(ascii: "}"))
    }

    // MARK: Pieces

    private func putRequestID(_ connection: ConnectionState) {
        if let given = connection.requestID.given { return lines.put(given) }
        lines.put(hexadecimal: connection.requestID.high)
        lines.put(hexadecimal: connection.requestID.low)
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

    private func putQuery(_ text: UnsafeRawBufferPointer) {
        switch query {
        case .full:
            QueryRedaction.put(text, into: &lines) { SecretParameters.contains($0) }
        case .redacted, .none:
            QueryRedaction.put(text, into: &lines) { _ in true }
        }
    }

    private static func withoutQuery(_ url: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let end = url.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else { return url }
        return UnsafeRawBufferPointer(rebasing: url[..<end])
    }
}

/// The fields of a line, as they stand in the request.
private struct AccessEntry {
    let connection: ConnectionState
    let method: UnsafeRawBufferPointer
    let host: UnsafeRawBufferPointer
    let path: UnsafeRawBufferPointer
    /// Without its `?`.
    let query: UnsafeRawBufferPointer
    let userAgent: UnsafeRawBufferPointer?
    let referer: UnsafeRawBufferPointer?
    let minorVersion: UInt8
    let speaksHTTP2: Bool
    let status: Int
    let sent: Int
    let received: Int
    let nanoseconds: Int
    /// Negative: nothing was forwarded.
    let upstreamNanoseconds: Int
    let wasAborted: Bool
    var client: [UInt8] = []

    init(_ exchange: Exchange, _ connection: ConnectionState, _ bytes: UnsafePointer<UInt8>, nanoseconds: Int) {
        let head = exchange.head
        self.connection = connection
        method = head.slice(head.methodRange, bytes)
        host = head.slice(head.authorityRange, bytes)
        path = head.slice(head.pathRange, bytes)
        let query = head.slice(head.queryRange, bytes)
        self.query = query.isEmpty ? query : UnsafeRawBufferPointer(rebasing: query.dropFirst())
        var agent: UnsafeRawBufferPointer?
        for field in head.fields where field.known == .other && field.nameLength == 10 {
            if equalsIgnoringASCIICase(bytes + Int(field.nameStart), 10, "user-agent") {
                agent = head.value(field, bytes)
                break
            }
        }
        userAgent = agent
        referer = head.has(.referer) ? head.value(.referer, bytes) : nil
        minorVersion = head.minorVersion
        speaksHTTP2 = exchange.speaksHTTP2
        status = exchange.status
        sent = exchange.sentBodyBytes
        received = exchange.receivedBodyBytes
        self.nanoseconds = nanoseconds
        upstreamNanoseconds = connection.upstreamNanoseconds
        wasAborted = exchange.wasAborted
    }
}

/// Writes a query without its confidential values.
enum QueryRedaction {
    /// Names stay, and so does a value whose name `isSecret` lets through. A part without `=` is a value.
    ///
    /// Writes about `limit` bytes, and `…` instead of the rest: `[redacted]` is longer than many a value.
    static func put(
        _ query: UnsafeRawBufferPointer, into lines: inout LineBytes, limit: Int = LogLimit.query,
        isSecret: (UnsafeRawBufferPointer) -> Bool
    ) {
        let first = lines.count
        var start = 0
        while start <= query.count {
            let left = limit - (lines.count - first)
            guard left > 0 else { return lines.put("…") }
            var end = start
            var equals = -1
            while end < query.count, query[end] != UInt8(ascii: "&") {
                if equals < 0, query[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if start > 0 { lines.put(UInt8(ascii: "&")) }
            if equals >= 0 {
                let name = UnsafeRawBufferPointer(rebasing: query[start..<equals])
                lines.put(escaped: name, limit: left)
                lines.put(UInt8(ascii: "="))
                let value = UnsafeRawBufferPointer(rebasing: query[equals + 1..<end])
                if value.isEmpty {
                } else if isSecret(name) {
                    lines.put("[redacted]")
                } else {
                    lines.put(escaped: value, limit: left)
                }
            } else if end > start {
                lines.put("[redacted]")
            }
            start = end + 1
        }
    }
}

/// Names whose values are never logged, `query: full` or not.
enum SecretParameters {
    private static let words = [
        "code", "state", "token", "secret", "password", "passwd", "pwd", "assertion", "signature", "sig", "key", "auth", "session", "jwt",
        "nonce", "credential", "ticket", "otp",
    ]

    /// True when the name holds one of them, in any case: `access_token`, `X-Amz-Signature`, `apiKey`.
    static func contains(_ name: UnsafeRawBufferPointer) -> Bool {
        let text = String(decoding: name, as: UTF8.self).lowercased()
        // Spelled with escapes it could be anything.
        return text.contains("%") || words.contains { text.contains($0) }
    }
}

/// The time of lines: rendered once a second, from the monotonic clock that requests are measured with anyway.
struct AccessClock {
    private var second: Int = -1
    private var offset: Int64 = 0
    private var readAt = NIODeadline.uptimeNanoseconds(0)
    private var milliseconds = 0
    private var rfc3339: [UInt8] = []
    private var common: [UInt8] = []

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    mutating func refresh(_ now: NIODeadline) {
        if rfc3339.isEmpty || now - readAt > .seconds(1) {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            offset = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - Int64(now.uptimeNanoseconds)
            readAt = now
        }
        let nanoseconds = Int64(now.uptimeNanoseconds) + offset
        let current = Int(nanoseconds / 1_000_000_000)
        milliseconds = Int(nanoseconds / 1_000_000 % 1_000)
        if current != second { render(current) }
    }

    private mutating func render(_ current: Int) {
        second = current
        var time = time_t(current)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ value: CInt) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        rfc3339 = Array("\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(clock).".utf8)
        common = Array("\(two(parts.tm_mday))/\(Self.months[Int(parts.tm_mon)])/\(parts.tm_year + 1900):\(clock) +0000".utf8)
    }

    func putRFC3339(into lines: inout LineBytes) {
        lines.put(rfc3339)
        lines.put(UInt8(truncatingIfNeeded: 48 + milliseconds / 100))
        lines.put(UInt8(truncatingIfNeeded: 48 + milliseconds / 10 % 10))
        lines.put(UInt8(truncatingIfNeeded: 48 + milliseconds % 10))
        lines.put(UInt8(ascii: "Z"))
    }

    /// As in the Common Log Format.
    func putCommon(into lines: inout LineBytes) { lines.put(common) }
}
