import Primitives
package import HTTPWire
import NIOCore

/// Writes the forwarding fields that an upstream gets: `X-Forwarded-*`, `X-Request-Id`, `traceparent`.
package enum ForwardingLines {
    /// Appends the fields, complete lines.
    package static func write(
        _ head: RequestHead, _ context: RequestContext, into output: inout LineBytes
    ) {
        withBytes(of: head.bytes) { bytes, _ in
            if context.connection.peer.isTrusted {
                writeContinued(head, context, bytes, into: &output)
            } else {
                output.put("X-Forwarded-For: ")
                output.put(context.connection.forwardedFor)
                output.put(context.connection.isSecure ? "\r\nX-Forwarded-Proto: https\r\n" : "\r\nX-Forwarded-Proto: http\r\n")
                writeHost(head.slice(head.authorityRange, bytes), into: &output)
                writeRequestID(context, into: &output)
            }
            writeTraceParent(head, context, bytes, into: &output)
        }
    }

    private static func writeHost(_ host: UnsafeRawBufferPointer, into output: inout LineBytes) {
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
        _ head: RequestHead, _ context: RequestContext, _ bytes: UnsafePointer<UInt8>, into output: inout LineBytes
    ) {
        let connection = context.connection
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
                            peer: connection.peer, connectionScheme: connection.isSecure ? .https : .http, trusted: connection.trusted,
                            fields: fields)
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
        writeRequestID(context, into: &output)
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
    package static func client(_ head: RequestHead, _ connection: ConnectionFacts) -> String {
        guard head.bytes.readableBytes > 0 else { return String(decoding: connection.peerText, as: UTF8.self) }
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
                            peer: connection.peer, connectionScheme: connection.isSecure ? .https : .http, trusted: connection.trusted,
                            fields: fields
                        ).clientText
                }
            }
            return text
        }
    }

    /// Whether the client behind a trusted peer used https.
    static func isSecure(_ head: RequestHead, _ connection: ConnectionFacts) -> Bool {
        withBytes(of: head.bytes) { bytes, _ in
            let lists = lists(head, bytes)
            var isSecure = connection.isSecure
            withList(lists[.forwarded]) { forwarded in
                withList(lists[.xForwardedFor]) { chain in
                    withList(lists[.xForwardedProto]) { proto in
                        var fields = ForwardingFields()
                        fields.forwarded = forwarded
                        fields.xForwardedFor = chain
                        fields.xForwardedProto = proto
                        isSecure =
                            ClientResolution(
                                peer: connection.peer, connectionScheme: connection.isSecure ? .https : .http, trusted: connection.trusted,
                                fields: fields
                            ).scheme == .https
                    }
                }
            }
            return isSecure
        }
    }

    private static func withList(_ list: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Void) {
        guard let list else { return body(nil) }
        list.withUnsafeBytes { body($0) }
    }

    /// 1 to 128 letters, digits, `-`, `_`, `.`.
    package static func isPlainID(_ id: UnsafeRawBufferPointer) -> Bool {
        (1...128).contains(id.count)
            && id.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A) || $0 == 0x2D || $0 == 0x5F
                    || $0 == 0x2E
            }
    }

    /// The trace that came with the request goes on, and with it the client's `tracestate`.
    static func continuesTrace(_ head: RequestHead, _ bytes: UnsafePointer<UInt8>, _ context: RequestContext) -> Bool {
        context.trace.isActive ? context.trace.isContinued : head.value(.traceparent, bytes).flatMap(TraceParent.parse) != nil
    }

    private static func writeTraceParent(
        _ head: RequestHead, _ context: RequestContext, _ bytes: UnsafePointer<UInt8>, into output: inout LineBytes
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
        let continued = head.value(.traceparent, bytes).flatMap(TraceParent.parse)
        if let continued {
            output.put(continued.traceID)
        } else {
            context.writeOwnID(into: &output)
        }
        output.put(UInt8(ascii: "-"))
        output.put(hexadecimal: context.upstreamSpan)
        if let continued {
            output.put(UInt8(ascii: "-"))
            output.put(continued.flags)
            output.put("\r\n")
        } else {
            // Sampled: an app whose tracer follows its parent goes on recording as it would without us.
            output.put("-01\r\n")
        }
    }
}
