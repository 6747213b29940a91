import Primitives
package import HTTPWire
import NIOCore

/// Writes the forwarding fields that an upstream gets: `X-Forwarded-*`, `X-Request-Id`, `traceparent`.
package enum ForwardingLines {
    /// Appends the fields, complete lines.
    package static func write(
        _ head: RequestHead, _ context: RequestContext, into output: inout LineBytes
    ) {
        let bytes = head.bytes.byteSpan
        if context.connection.peer.isTrusted {
            writeContinued(head, context, bytes, into: &output)
        } else {
            output.put("X-Forwarded-For: ")
            output.put(context.connection.forwardedFor)
            output.put(context.connection.isSecure ? "\r\nX-Forwarded-Proto: https\r\n" : "\r\nX-Forwarded-Proto: http\r\n")
            writeHost(bytes.extracting(head.authorityRange), into: &output)
            writeRequestID(context, into: &output)
        }
        writeTraceParent(head, context, bytes, into: &output)
    }

    private static func writeHost(_ host: RawSpan, into output: inout LineBytes) {
        output.put("X-Forwarded-Host: ")
        output.put(host)
        output.put("\r\n")
    }

    private static func writeRequestID(_ context: RequestContext, into output: inout LineBytes) {
        output.put("X-Request-Id: ")
        if let given = context.requestID.given { output.put(given) } else { context.writeOwnID(into: &output) }
        output.put("\r\n")
    }

    /// A trusted proxy's chain goes on, with the proxy itself appended.
    private static func writeContinued(
        _ head: RequestHead, _ context: RequestContext, _ bytes: RawSpan, into output: inout LineBytes
    ) {
        let connection = context.connection
        let client = ClientResolution(connection, fields(head, bytes))
        var value: [UInt8] = []
        client.appendForwardedFor(peerText: connection.peerText, to: &value)
        output.put("X-Forwarded-For: ")
        output.put(value)
        output.put(client.scheme == .https ? "\r\nX-Forwarded-Proto: https\r\n" : "\r\nX-Forwarded-Proto: http\r\n")
        if let host = client.forwardedHost {
            writeHost(host.span.bytes, into: &output)
        } else {
            writeHost(bytes.extracting(head.authorityRange), into: &output)
        }
        value.removeAll()
        client.appendForwarded(peer: connection.peer.address, to: &value)
        if !value.isEmpty {
            output.put("Forwarded: ")
            output.put(value)
            output.put("\r\n")
        }
        writeRequestID(context, into: &output)
    }

    /// The forwarding fields: lines of one name are one list (RFC 9110 section 5.3).
    private static func fields(_ head: RequestHead, _ bytes: RawSpan) -> ForwardingFields {
        func list(_ known: KnownField) -> [UInt8]? {
            guard head.has(known) else { return nil }
            let lines = head.fields.filter { $0.known == known }.map { Array($0.value(in: bytes)) }
            return Array(lines.joined(separator: [0x2C, 0x20]))
        }
        var fields = ForwardingFields()
        fields.forwarded = list(.forwarded)
        fields.xForwardedFor = list(.xForwardedFor)
        fields.xForwardedProto = list(.xForwardedProto)
        fields.xForwardedHost = list(.xForwardedHost)
        return fields
    }

    /// The address of the client behind a trusted peer.
    package static func client(_ head: RequestHead, _ connection: ConnectionFacts) -> String {
        guard head.bytes.readableBytes > 0 else { return String(decoding: connection.peerText, as: UTF8.self) }
        return ClientResolution(connection, fields(head, head.bytes.byteSpan)).clientText
    }

    /// Whether the client behind a trusted peer used https.
    static func isSecure(_ head: RequestHead, _ connection: ConnectionFacts) -> Bool {
        ClientResolution(connection, fields(head, head.bytes.byteSpan)).scheme == .https
    }

    /// 1 to 128 letters, digits, `-`, `_`, `.`.
    package static func isPlainID(_ id: RawSpan) -> Bool {
        (1...128).contains(id.byteCount)
            && id.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A) || $0 == 0x2D || $0 == 0x5F
                    || $0 == 0x2E
            }
    }

    /// The trace that came with the request goes on, and with it the client's `tracestate`.
    static func continuesTrace(_ head: RequestHead, _ bytes: RawSpan, _ context: RequestContext) -> Bool {
        context.trace.isActive ? context.trace.isContinued : validTraceParent(head, bytes) != nil
    }

    @_lifetime(copy bytes)
    private static func validTraceParent(_ head: RequestHead, _ bytes: RawSpan) -> RawSpan? {
        guard let value = head.value(.traceparent, in: bytes), TraceParent.isValid(value) else { return nil }
        return value
    }

    private static func writeTraceParent(
        _ head: RequestHead, _ context: RequestContext, _ bytes: RawSpan, into output: inout LineBytes
    ) {
        output.put("traceparent: 00-")
        if context.trace.isActive {
            output.put(hexadecimal: context.trace.high)
            output.put(hexadecimal: context.trace.low)
            output.put(UInt8(ascii: "-"))
            context.trace.upstreamSpan = context.upstreamSpan
            output.put(hexadecimal: context.upstreamSpan)
            output.put(context.trace.isSampled ? "-01\r\n" : "-00\r\n")
            return
        }
        let continued = validTraceParent(head, bytes)
        if let continued {
            output.put(continued.extracting(TraceParent.traceID))
        } else {
            context.writeOwnID(into: &output)
        }
        output.put(UInt8(ascii: "-"))
        output.put(hexadecimal: context.upstreamSpan)
        if let continued {
            output.put(UInt8(ascii: "-"))
            output.put(continued.extracting(TraceParent.flags))
            output.put("\r\n")
        } else {
            // Sampled: an app whose tracer follows its parent goes on recording as it would without us.
            output.put("-01\r\n")
        }
    }
}

extension ClientResolution {
    fileprivate init(_ connection: ConnectionFacts, _ fields: ForwardingFields) {
        self.init(
            peer: connection.peer, connectionScheme: connection.isSecure ? .https : .http, trusted: connection.trusted, fields: fields)
    }
}
