package import Access
package import HTTPWire
package import NIOCore

/// The edits and limits of a forwarded request.
package struct ForwardOptions: ~Copyable {
    /// The identity headers of the session on this route: complete lines, empty for an anonymous request.
    package var identityLines: ByteBuffer
    package var bodyLimit: Int?
    package var response: ResponseEdits
    /// The signed assertion: a complete line.
    package var assertionLine: ByteBuffer?
    /// `Authorization` held a token for the gateway, and ends here.
    package var dropsAuthorization = false
    /// All cookies of the request are ours, of which none goes on: there is no need to look at each.
    package var dropsCookies = false
    /// The protocol that the request asks to switch to and that the route allows.
    package var upgrade: UpgradeProtocol?
    /// The client's headers that the route removes.
    package var edits: RequestEdits?
    /// Milliseconds; 0: the pool's.
    package var responseTimeout: Int64 = 0
    package var idleTimeout: Int64 = 0

    package init(
        identityLines: ByteBuffer, bodyLimit: Int?, response: ResponseEdits
    ) {
        self.identityLines = identityLines
        self.bodyLimit = bodyLimit
        self.response = response
    }
}

/// Writes the head that an upstream gets: the client's, less what is not the client's to say, plus what is ours.
package final class RequestHeadWriter: Sendable {
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
    private let viaLine = ByteBuffer(string: "Via: 1.1 \(pseudonym)\r\n")
    private let viaLineOfHTTP10 = ByteBuffer(string: "Via: 1.0 \(pseudonym)\r\n")
    private let viaLineOfHTTP2 = ByteBuffer(string: "Via: 2 \(pseudonym)\r\n")

    package init(strippedAlways: FoldedNameSet, strippedFromUntrusted: FoldedNameSet, cookies: GatewayCookieNames) {
        self.strippedAlways = strippedAlways
        self.strippedFromUntrusted = strippedFromUntrusted
        self.cookies = cookies
        trailers = RequestTrailers(stripped: strippedFromUntrusted)
        strippedKnown = KnownField.bits { strippedAlways.contains($0) }
    }

    /// Writes the head for the upstream into `lines`. True when a header was left out that only the gateway may set; `identityHeaders`
    /// tells which.
    ///
    /// Nothing is forwarded without a permit. Hop-by-hop fields go first and ours come last, so no `Connection` option of
    /// the client's can take away a field that we set (RFC 9110 section 7.6.1; CVE-2025-48865).
    ///
    package func write(
        _ head: RequestHead, _ context: RequestContext, permit: borrowing Permit, _ options: borrowing ForwardOptions,
        into lines: inout LineBytes
    ) -> Bool {
        lines.removeAll()
        let leftOutIdentity = withBytes(of: head.bytes) { bytes, _ in
            writeRequestLine(head, bytes, permit, into: &lines)
            return writeFields(head, bytes, context, options, into: &lines)
        }
        switch head.framing {
        case .length(let length):
            lines.put("Content-Length: ")
            lines.put(number: length)
            lines.put("\r\n")
        case .chunked:
            lines.put("Transfer-Encoding: chunked\r\n")
        case .none, .untilClose:
            // A POST without a body says so, as its client did (RFC 9110 section 8.6).
            if head.has(.contentLength) { lines.put("Content-Length: 0\r\n") }
        }
        if head.method == .options, let hops = head.text(.maxForwards).flatMap({ MaxForwards($0) }), hops.count > 0 {
            lines.put("Max-Forwards: ")
            lines.put(number: hops.count - 1)
            lines.put("\r\n")
        }
        if let upgrade = options.upgrade { lines.put(upgrade.lines) }
        lines.put(head.majorVersion == 2 ? viaLineOfHTTP2 : head.minorVersion == 0 ? viaLineOfHTTP10 : viaLine)
        ForwardingLines.write(head, context, into: &lines)
        lines.put(options.identityLines)
        if let line = options.assertionLine { lines.put(line) }
        lines.put("\r\n")
        return leftOutIdentity
    }

    /// The trailers that may follow the body of a request; nil for a body that has none.
    package func trailers(after head: RequestHead, _ options: borrowing ForwardOptions) -> RequestTrailers? {
        head.framing == .chunked ? options.edits?.trailers ?? trailers : nil
    }

    /// Path and query as they came, byte for byte: what was matched is what is sent (RFC 9110 section 7.7). Where the route rewrites the
    /// path, the one that was made and judged with the permit's.
    private func writeRequestLine(
        _ head: RequestHead, _ bytes: UnsafePointer<UInt8>, _ permit: borrowing Permit, into lines: inout LineBytes
    ) {
        lines.put(bytes, head.methodRange)
        lines.put(UInt8(ascii: " "))
        if head.isAsteriskForm {
            lines.put(UInt8(ascii: "*"))
        } else if let path = permit.forwardedPath {
            lines.put(path)
            lines.put(bytes, head.queryRange)
        } else if head.pathRange.isEmpty {
            lines.put(UInt8(ascii: "/"))
            lines.put(bytes, head.queryRange)
        } else {
            lines.put(bytes, head.pathRange.lowerBound..<head.queryRange.upperBound)
        }
        lines.put(" HTTP/1.1\r\nHost: ")
        lines.put(bytes, head.authorityRange)
        lines.put("\r\n")
    }

    /// True when a name was left out that no client, or none that is not trusted, may send.
    private func writeFields(
        _ head: RequestHead, _ bytes: UnsafePointer<UInt8>, _ context: RequestContext, _ options: borrowing ForwardOptions,
        into lines: inout LineBytes
    ) -> Bool {
        var hasLeftOut = false
        let keepsTracestate = head.has(.tracestate) && ForwardingLines.continuesTrace(head, bytes, context)
        let stripped = context.connection.peer.isTrusted ? strippedAlways : strippedFromUntrusted
        let named = head.has(.connection) ? ConnectionOptions(head.fields, bytes) : nil
        func isDropped(_ field: FieldLine) -> Bool {
            switch field.known {
            case .host, .contentLength, .expect, .cookie, .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto, .xRequestID,
                .traceparent:
                return true
            case .authorization where options.dropsAuthorization:
                return true
            case .accept, .referer, .contentType, .authorization, .origin, .via, .date, .secFetchMode, .secFetchDest,
                .secFetchSite:
                return strippedKnown & (1 << UInt64(field.known.rawValue)) != 0 || named?.contains(field, bytes) ?? false
            case .tracestate:
                // It goes on only with the `traceparent` it belongs to (W3C Trace Context section 3.3).
                return !keepsTracestate
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
        if let removed = options.edits?.removed {
            copySurvivors(head.fields, bytes, into: &lines) { field in
                isDropped(field)
                    || removed.contains(UnsafeRawBufferPointer(start: bytes + Int(field.nameStart), count: Int(field.nameLength)))
            }
        } else {
            copySurvivors(head.fields, bytes, into: &lines, isDropped: isDropped)
        }
        if head.has(.cookie), !options.dropsCookies { writeCookies(head, bytes, into: &lines) }
        return hasLeftOut
    }

    /// The header fields of a head that no client may send: the different names, folded, and how many fields there are. For the log,
    /// which is written after the request went on without them.
    package func identityHeaders(in head: RequestHead) -> (names: [String], count: Int) {
        withBytes(of: head.bytes) { bytes, _ in
            var names: [String] = []
            var seen: Set<String> = []
            var count = 0
            for field in head.fields where field.known == .other {
                let name = UnsafeRawBufferPointer(start: bytes + Int(field.nameStart), count: Int(field.nameLength))
                guard strippedAlways.contains(name) else { continue }
                count += 1
                let folded = String(decoding: name.map(FoldedName.fold), as: UTF8.self)
                if seen.insert(folded).inserted { names.append(folded) }
            }
            return (names, count)
        }
    }

    /// All cookie pairs but ours, on one line (RFC 6265 section 5.4 allows one only).
    private func writeCookies(_ head: RequestHead, _ bytes: UnsafePointer<UInt8>, into lines: inout LineBytes) {
        var hasAny = false
        for field in head.fields where field.known == .cookie {
            let value = UnsafeRawBufferPointer(start: bytes + Int(field.valueStart), count: Int(field.valueLength))
            for pair in CookieHeader(value) where !cookies.isOurs(UnsafeRawBufferPointer(rebasing: value[pair.name])) {
                lines.put(hasAny ? "; " : "Cookie: ")
                lines.put(UnsafeRawBufferPointer(rebasing: value[pair.whole]))
                hasAny = true
            }
        }
        if hasAny { lines.put("\r\n") }
    }
}
