import HTTPWire
import NIOCore
import Server

/// Writes the forwarding fields that an upstream gets: `X-Forwarded-*`, `X-Request-Id`, `traceparent`.
enum ForwardingLines {
    /// True when the client's `tracestate` goes on.
    static func write(
        for exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, trusted: CIDRSet, ids: inout IDGenerator,
        into output: inout LineBytes
    ) -> Bool {
        output.removeAll()
        return withBytes(of: head.bytes) { bytes, _ in
            if connection.peer.isTrusted {
                writeContinued(exchange, head, connection, trusted, bytes, into: &output)
            } else {
                output.put("X-Forwarded-For: ")
                output.put(connection.forwardedFor)
                output.put(exchange.isSecure ? "\r\nX-Forwarded-Proto: https\r\n" : "\r\nX-Forwarded-Proto: http\r\n")
                writeHost(head.slice(head.authorityRange, bytes), into: &output)
                writeRequestID(connection, into: &output)
            }
            return writeTraceParent(head, connection, bytes, ids: &ids, into: &output)
        }
    }

    private static func writeHost(_ host: UnsafeRawBufferPointer, into output: inout LineBytes) {
        output.put("X-Forwarded-Host: ")
        output.put(host)
        output.put("\r\n")
    }

    private static func writeRequestID(_ connection: ConnectionState, into output: inout LineBytes) {
        output.put("X-Request-Id: ")
        if let given = connection.requestID.given { output.put(given) } else { connection.writeOwnID(into: &output) }
        output.put("\r\n")
    }

    /// A trusted proxy's chain goes on, with the proxy itself appended.
    private static func writeContinued(
        _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState, _ trusted: CIDRSet, _ bytes: UnsafePointer<UInt8>,
        into output: inout LineBytes
    ) {
        let lists = lists(head, bytes)
        withList(lists[.forwarded]) { forwarded in
            withList(lists[.xForwardedFor]) { chain in
                withList(lists[.xForwardedProto]) { proto in
                    withList(lists[.xForwardedHost]) { host in
                        var fields = ForwardingFields()
                        fields.forwarded = forwarded
                        fields.xForwardedFor = chain
                        fields.xForwardedProto = proto
                        fields.xForwardedHost = host
                        let client = ClientResolution(
                            peer: connection.peer, connectionScheme: exchange.isSecure ? .https : .http, trusted: trusted, fields: fields)
                        var value: [UInt8] = []
                        client.appendForwardedFor(peerText: connection.peerText, to: &value)
                        output.put("X-Forwarded-For: ")
                        output.put(value)
                        output.put(
                            client.scheme == .https ? "\r\nX-Forwarded-Proto: https\r\n" : "\r\nX-Forwarded-Proto: http\r\n")
                        writeHost(client.forwardedHost ?? head.slice(head.authorityRange, bytes), into: &output)
                        value.removeAll()
                        client.appendForwarded(peer: connection.peer.address, to: &value)
                        if !value.isEmpty {
                            output.put("Forwarded: ")
                            output.put(value)
                            output.put("\r\n")
                        }
                    }
                }
            }
        }
        writeRequestID(connection, into: &output)
    }

    /// The values of the forwarding fields: lines of one name are one list (RFC 9110 section 5.3).
    private static func lists(_ head: RequestHead, _ bytes: UnsafePointer<UInt8>) -> [KnownField: [UInt8]] {
        var lists: [KnownField: [UInt8]] = [:]
        for known in [KnownField.forwarded, .xForwardedFor, .xForwardedProto, .xForwardedHost] {
            guard head.has(known) else { continue }
            let lines = head.fields.filter { $0.known == known }.map { Array(head.value($0, bytes)) }
            lists[known] = Array(lines.joined(separator: [0x2C, 0x20]))
        }
        return lists
    }

    /// The address of the client behind a trusted peer.
    static func client(of exchange: Exchange, _ connection: ConnectionState, _ trusted: CIDRSet) -> String {
        let head = exchange.head
        guard head.bytes.readableBytes > 0 else { return exchange.peer.text }
        return withBytes(of: head.bytes) { bytes, _ in
            let lists = lists(head, bytes)
            var text = ""
            withList(lists[.forwarded]) { forwarded in
                withList(lists[.xForwardedFor]) { chain in
                    var fields = ForwardingFields()
                    fields.forwarded = forwarded
                    fields.xForwardedFor = chain
                    text =
                        ClientResolution(
                            peer: connection.peer, connectionScheme: exchange.isSecure ? .https : .http, trusted: trusted, fields: fields
                        ).clientText
                }
            }
            return text
        }
    }

    private static func withList(_ list: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Void) {
        guard let list else { return body(nil) }
        list.withUnsafeBytes { body($0) }
    }

    /// 1 to 128 letters, digits, `-`, `_`, `.`.
    static func isPlainID(_ id: UnsafeRawBufferPointer) -> Bool {
        (1...128).contains(id.count)
            && id.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A) || $0 == 0x2D || $0 == 0x5F
                    || $0 == 0x2E
            }
    }

    private static func writeTraceParent(
        _ head: RequestHead, _ connection: ConnectionState, _ bytes: UnsafePointer<UInt8>, ids: inout IDGenerator,
        into output: inout LineBytes
    ) -> Bool {
        output.put("traceparent: 00-")
        if connection.trace.isActive {
            let trace = connection.trace
            output.put(hexadecimal: trace.high)
            output.put(hexadecimal: trace.low)
            output.put(UInt8(ascii: "-"))
            connection.trace.upstreamSpan = ids.next() | 1
            output.put(hexadecimal: connection.trace.upstreamSpan)
            output.put(trace.isSampled ? "-01\r\n" : "-00\r\n")
            return trace.isContinued
        }
        let continued = head.value(.traceparent, bytes).flatMap(TraceParent.parse)
        if let continued {
            output.put(continued.traceID)
        } else {
            connection.writeOwnID(into: &output)
        }
        output.put(UInt8(ascii: "-"))
        output.put(hexadecimal: ids.next() | 1)
        if let continued {
            output.put(UInt8(ascii: "-"))
            output.put(continued.flags)
            output.put("\r\n")
        } else {
            // Sampled: an app whose tracer follows its parent goes on recording as it would without us.
            output.put("-01\r\n")
        }
        return continued != nil
    }
}
