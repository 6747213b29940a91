package import Access
package import HTTPWire
package import NIOCore

/// What surrounds a request on its way to the upstream, besides the request itself.
package struct RequestSurroundings {
    /// The peer's forwarding fields are believed and continued.
    package var isPeerTrusted: Bool
    /// `tracestate` goes on only with the `traceparent` it belongs to (W3C Trace Context section 3.3).
    package var keepsTracestate: Bool
    /// `X-Forwarded-*`, `X-Request-Id` and `traceparent`: complete lines.
    package var forwardingLines: ByteBuffer
    /// The identity headers of the session on this route: complete lines, empty for an anonymous request.
    package var identityLines: ByteBuffer
    package var bodyLimit: Int?
    package var response: ResponseEdits
    /// The signed assertion: a complete line.
    package var assertionLine: ByteBuffer?
    /// `Authorization` held a token for the gateway, and ends here.
    package var dropsAuthorization = false
    /// The protocol that the request asks to switch to and that the route allows.
    package var upgrade: UpgradeProtocol?
    /// What the route takes away from the client's headers.
    package var edits: RequestEdits?
    /// Milliseconds; 0: the pool's.
    package var responseTimeout: Int64 = 0
    package var idleTimeout: Int64 = 0
    /// Milliseconds until the session ends; nil: no session.
    package var tunnelLimit: Int64?

    package init(
        isPeerTrusted: Bool, keepsTracestate: Bool, forwardingLines: ByteBuffer, identityLines: ByteBuffer, bodyLimit: Int?,
        response: ResponseEdits
    ) {
        self.isPeerTrusted = isPeerTrusted
        self.keepsTracestate = keepsTracestate
        self.forwardingLines = forwardingLines
        self.identityLines = identityLines
        self.bodyLimit = bodyLimit
        self.response = response
    }
}

/// Writes the head that an upstream gets: the client's, less what is not the client's to say, plus what is ours.
package struct RequestWriter: Sendable {
    /// Names that no client may send, in any spelling that folds to them.
    private let strippedAlways: FoldedNameSet
    /// The same, and the forwarding fields, which only a trusted proxy may send.
    private let strippedFromUntrusted: FoldedNameSet
    private let cookies: GatewayCookieNames
    /// Known fields among the stripped names, a bit each: an identity header may be called `Authorization`.
    private let strippedKnown: UInt64
    private let trailers: RequestTrailers

    /// Names this process in `Via`, so that a request which comes back is known.
    package static let pseudonym = "gateway-" + String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
    private static let viaLine = ByteBuffer(string: "Via: 1.1 \(pseudonym)\r\n")
    private static let viaLineOfHTTP2 = ByteBuffer(string: "Via: 2.0 \(pseudonym)\r\n")

    package init(strippedAlways: FoldedNameSet, strippedFromUntrusted: FoldedNameSet, cookies: GatewayCookieNames) {
        self.strippedAlways = strippedAlways
        self.strippedFromUntrusted = strippedFromUntrusted
        self.cookies = cookies
        trailers = RequestTrailers(stripped: strippedFromUntrusted)
        strippedKnown = KnownField.bits { strippedAlways.contains($0) }
    }

    /// Nothing is forwarded without a permit. Hop-by-hop fields go first and ours come last, so no `Connection` option of
    /// the client's can take away a field that we set (RFC 9110 section 7.6.1; CVE-2025-48865).
    package func request(
        from head: RequestHead, permit: borrowing Permit, _ surroundings: RequestSurroundings, output: inout ByteBuffer
    ) -> ForwardedRequest {
        output.clear(minimumCapacity: head.bytes.readableBytes + 512)
        let leftOutIdentity = withBytes(of: head.bytes) { bytes, _ in
            writeRequestLine(head, bytes, permit, into: &output)
            return writeFields(head, bytes, surroundings, into: &output)
        }
        switch head.framing {
        case .length(let length):
            output.writeStaticString("Content-Length: ")
            output.writeDecimal(length)
            output.writeStaticString("\r\n")
        case .chunked:
            output.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .none, .untilClose:
            // A POST without a body says so, as its client did (RFC 9110 section 8.6).
            if head.has(.contentLength) { output.writeStaticString("Content-Length: 0\r\n") }
        }
        if head.method == .options, let hops = head.text(.maxForwards).flatMap({ MaxForwards($0) }), hops.count > 0 {
            output.writeStaticString("Max-Forwards: ")
            output.writeDecimal(hops.count - 1)
            output.writeStaticString("\r\n")
        }
        if let upgrade = surroundings.upgrade { output.writeImmutableBuffer(upgrade.lines) }
        output.writeImmutableBuffer(head.majorVersion == 2 ? Self.viaLineOfHTTP2 : Self.viaLine)
        output.writeImmutableBuffer(surroundings.forwardingLines)
        output.writeImmutableBuffer(surroundings.identityLines)
        if let line = surroundings.assertionLine { output.writeImmutableBuffer(line) }
        output.writeStaticString("\r\n")
        var request = ForwardedRequest(
            head: output, method: head.method, framing: head.framing, bodyLimit: surroundings.bodyLimit, response: surroundings.response,
            tunnel: surroundings.upgrade.map { .init(limit: surroundings.tunnelLimit, upgrade: $0) })
        request.leftOutIdentity = leftOutIdentity
        request.acceptsTrailers = head.acceptsTrailers
        if head.framing == .chunked { request.trailers = surroundings.edits?.trailers ?? trailers }
        request.responseTimeout = surroundings.responseTimeout
        request.idleTimeout = surroundings.idleTimeout
        return request
    }

    /// Path and query as they came, byte for byte: what was matched is what is sent (RFC 9110 section 7.7). Where the route rewrites the
    /// path, the one that was made and judged with the permit's.
    private func writeRequestLine(
        _ head: RequestHead, _ bytes: UnsafePointer<UInt8>, _ permit: borrowing Permit, into output: inout ByteBuffer
    ) {
        write(bytes, head.methodRange, into: &output)
        output.writeInteger(UInt8(ascii: " "))
        if head.isAsteriskForm {
            output.writeInteger(UInt8(ascii: "*"))
        } else if let path = permit.forwardedPath {
            output.writeBytes(path)
            write(bytes, head.queryRange, into: &output)
        } else if head.pathRange.isEmpty {
            output.writeInteger(UInt8(ascii: "/"))
            write(bytes, head.queryRange, into: &output)
        } else {
            write(bytes, head.pathRange.lowerBound..<head.queryRange.upperBound, into: &output)
        }
        output.writeStaticString(" HTTP/1.1\r\nHost: ")
        write(bytes, head.authorityRange, into: &output)
        output.writeStaticString("\r\n")
    }

    @inline(__always)
    private func write(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, into output: inout ByteBuffer) {
        output.writeBytes(UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.count))
    }

    /// True when a name was left out that no client, or none that is not trusted, may send.
    private func writeFields(
        _ head: RequestHead, _ bytes: UnsafePointer<UInt8>, _ surroundings: RequestSurroundings, into output: inout ByteBuffer
    ) -> Bool {
        var hasLeftOut = false
        let stripped = surroundings.isPeerTrusted ? strippedAlways : strippedFromUntrusted
        let named = head.has(.connection) ? ConnectionOptions(head.fields, bytes) : nil
        func isDropped(_ field: FieldLine) -> Bool {
            switch field.known {
            case .host, .contentLength, .expect, .cookie, .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto, .xRequestID,
                .traceparent:
                return true
            case .authorization where surroundings.dropsAuthorization:
                return true
            case .accept, .referer, .contentType, .authorization, .origin, .via, .date, .secFetchMode, .secFetchDest,
                .secFetchSite:
                return strippedKnown & (1 << UInt64(field.known.rawValue)) != 0 || named?.contains(field, bytes) ?? false
            case .tracestate:
                return !surroundings.keepsTracestate
            case .maxForwards:
                return head.method == .options
            default:
                if field.known.isHopByHop { return true }
                if stripped.contains(UnsafeRawBufferPointer(start: bytes + Int(field.nameStart), count: Int(field.nameLength))) {
                    hasLeftOut = true
                    return true
                }
                return named?.contains(field, bytes) ?? false
            }
        }
        if let removed = surroundings.edits?.removed {
            copySurvivors(head.fields, bytes, into: &output) { field in
                isDropped(field)
                    || removed.contains(UnsafeRawBufferPointer(start: bytes + Int(field.nameStart), count: Int(field.nameLength)))
            }
        } else {
            copySurvivors(head.fields, bytes, into: &output, isDropped: isDropped)
        }
        if head.has(.cookie) { writeCookies(head, bytes, into: &output) }
        return hasLeftOut
    }

    /// The names in a head that no client may send, folded: for the log, which is told after the request went on without them.
    package func identityNames(in head: RequestHead) -> [String] {
        withBytes(of: head.bytes) { bytes, _ in
            head.fields.compactMap { field in
                let name = UnsafeRawBufferPointer(start: bytes + Int(field.nameStart), count: Int(field.nameLength))
                return field.known == .other && strippedAlways.contains(name)
                    ? String(decoding: name.map(FoldedName.fold), as: UTF8.self) : nil
            }
        }
    }

    /// All cookie pairs but ours, on one line (RFC 6265 section 5.4 allows one only).
    private func writeCookies(_ head: RequestHead, _ bytes: UnsafePointer<UInt8>, into output: inout ByteBuffer) {
        var hasAny = false
        for field in head.fields where field.known == .cookie {
            let value = UnsafeRawBufferPointer(start: bytes + Int(field.valueStart), count: Int(field.valueLength))
            for pair in CookieHeader(value) where !cookies.isOurs(UnsafeRawBufferPointer(rebasing: value[pair.name])) {
                output.writeStaticString(hasAny ? "; " : "Cookie: ")
                output.writeBytes(UnsafeRawBufferPointer(rebasing: value[pair.whole]))
                hasAny = true
            }
        }
        if hasAny { output.writeStaticString("\r\n") }
    }
}
