import Primitives
package import Access
package import HTTPWire
import NIOCore

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
    /// nil: no assertion is sent.
    private let assertion: IdentityAssertion?

    /// Names this process in `Via`, so that a request which comes back is known.
    package static let pseudonym = "gateway-" + String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
    private let viaLine = ByteBuffer(string: "Via: 1.1 \(pseudonym)\r\n")
    private let viaLineOfHTTP10 = ByteBuffer(string: "Via: 1.0 \(pseudonym)\r\n")
    private let viaLineOfHTTP2 = ByteBuffer(string: "Via: 2 \(pseudonym)\r\n")

    package init(
        strippedAlways: FoldedNameSet, strippedFromUntrusted: FoldedNameSet, cookies: GatewayCookieNames,
        assertion: IdentityAssertion? = nil
    ) {
        self.assertion = assertion
        self.strippedAlways = strippedAlways
        self.strippedFromUntrusted = strippedFromUntrusted
        self.cookies = cookies
        trailers = RequestTrailers(stripped: strippedFromUntrusted)
        strippedKnown = KnownField.bits { strippedAlways.contains($0) }
    }

    /// Writes the head for the upstream into `lines`. True when a header was left out that only the gateway may set; `identityHeaders`
    /// tells which.
    ///
    /// `now`, in Unix milliseconds, is the time of a new assertion. Nothing is forwarded without a permit. Hop-by-hop fields go first and ours come last, so no `Connection` option of
    /// the client's can take away a field that we set (RFC 9110 section 7.6.1; CVE-2025-48865).
    ///
    package func write(
        _ head: RequestHead, _ context: RequestContext, _ plan: borrowing ForwardPlan, now: Int64, into lines: inout LineBytes
    ) -> Bool {
        lines.removeAll()
        let bytes = head.bytes.byteSpan
        writeRequestLine(head, bytes, plan.permit, into: &lines)
        let leftOutIdentity = writeFields(head, bytes, context, plan, into: &lines)
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
        if let upgrade = plan.upgrade { lines.put(upgrade.lines) }
        writeVia(head, into: &lines)
        ForwardingLines.write(head, context, into: &lines)
        writeIdentity(plan, into: &lines)
        if let line = assertionLine(plan, now: now) { lines.put(line) }
        lines.put("\r\n")
        return leftOutIdentity
    }

    /// The identity headers and those of the route.
    func writeIdentity(_ plan: borrowing ForwardPlan, into lines: inout LineBytes) {
        guard let caller = plan.caller else {
            if let features = plan.features, features.requestEdits != nil { lines.put(features.visitorLines) }
            return
        }
        if let features = plan.features, features.requestEdits != nil {
            lines.put(caller.lines(on: plan.permit.route.index, features))
        } else {
            lines.put(caller.identityLines)
        }
    }

    /// The signed assertion; nil without one, and where its audience has no name: it would be good for every app.
    func assertionLine(_ plan: borrowing ForwardPlan, now: Int64) -> ByteBuffer? {
        guard let assertion, let caller = plan.caller, assertion.audience != nil || plan.permit.route.upstreamIndex >= 0 else { return nil }
        return caller.assertionLine(assertion, for: plan.permit.route, now: now)
    }

    private func writeVia(_ head: RequestHead, into lines: inout LineBytes) {
        if head.majorVersion == 2 {
            lines.put(viaLineOfHTTP2)
        } else if head.minorVersion == 0 {
            lines.put(viaLineOfHTTP10)
        } else {
            lines.put(viaLine)
        }
    }

    /// The trailers that may follow the body of a request; nil for a body that has none.
    package func trailers(after head: RequestHead, _ plan: borrowing ForwardPlan) -> RequestTrailers? {
        head.framing == .chunked ? plan.features?.requestEdits?.trailers ?? trailers : nil
    }

    /// Path and query as they came, byte for byte: what was matched is what is sent (RFC 9110 section 7.7). Where the route rewrites the
    /// path, the one that was made and judged with the permit's.
    private func writeRequestLine(
        _ head: RequestHead, _ bytes: RawSpan, _ permit: borrowing Permit, into lines: inout LineBytes
    ) {
        lines.put(bytes.extracting(head.methodRange))
        lines.put(UInt8(ascii: " "))
        if head.isAsteriskForm {
            lines.put(UInt8(ascii: "*"))
        } else if let path = permit.forwardedPath {
            lines.put(path)
            lines.put(bytes.extracting(head.queryRange))
        } else if head.pathRange.isEmpty {
            lines.put(UInt8(ascii: "/"))
            lines.put(bytes.extracting(head.queryRange))
        } else {
            lines.put(bytes.extracting(head.pathRange.lowerBound..<head.queryRange.upperBound))
        }
        lines.put(" HTTP/1.1\r\nHost: ")
        lines.put(bytes.extracting(head.authorityRange))
        lines.put("\r\n")
    }

    /// True when a name was left out that no client, or none that is not trusted, may send.
    private func writeFields(
        _ head: RequestHead, _ bytes: RawSpan, _ context: RequestContext, _ plan: borrowing ForwardPlan,
        into lines: inout LineBytes
    ) -> Bool {
        var hasLeftOut = false
        let keepsTracestate = head.has(.tracestate) && ForwardingLines.continuesTrace(head, bytes, context)
        let isTrusted = context.connection.peer.isTrusted
        let dropsAuthorization = plan.dropsAuthorization
        let named = head.hasConnectionOptions ? ConnectionOptions(head.fields, bytes) : nil
        func isDropped(_ field: FieldLine) -> Bool {
            switch field.known {
            case .host, .contentLength, .expect, .cookie, .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto, .xRequestID,
                .traceparent:
                return true
            case .authorization where dropsAuthorization:
                return true
            case .accept, .referer, .contentType, .authorization, .origin, .via, .date, .secFetchMode, .secFetchDest,
                .secFetchSite:
                return strippedKnown & field.known.bit != 0 || named?.contains(field, bytes) ?? false
            case .tracestate:
                // It goes on only with the `traceparent` it belongs to (W3C Trace Context section 3.3).
                return !keepsTracestate
            case .maxForwards:
                return head.method == .options
            default:
                if field.known.isHopByHop { return true }
                let name = field.name(in: bytes)
                // Not one set chosen before: a set in a variable is copied, with a reference count for each of its parts.
                if isTrusted ? strippedAlways.contains(name) : strippedFromUntrusted.contains(name) {
                    hasLeftOut = true
                    return true
                }
                return named?.contains(field, bytes) ?? false
            }
        }
        if let edits = plan.features?.requestEdits {
            copySurvivors(head.fields, bytes, into: &lines) { field in
                isDropped(field) || edits.removed.contains(field.name(in: bytes))
            }
        } else {
            copySurvivors(head.fields, bytes, into: &lines, isDropped: isDropped)
        }
        if head.has(.cookie), !plan.dropsCookies { writeCookies(head, bytes, into: &lines) }
        return hasLeftOut
    }

    /// The header fields of a head that no client may send: the different names, folded, and how many fields there are. For the log,
    /// which is written after the request went on without them.
    package func identityHeaders(in head: RequestHead) -> (names: [String], count: Int) {
        let bytes = head.bytes.byteSpan
        var names: [String] = []
        var seen: Set<String> = []
        var count = 0
        for field in head.fields where field.known == .other {
            let name = field.name(in: bytes)
            guard strippedAlways.contains(name) else { continue }
            count += 1
            let folded = String(decoding: name.byteOffsets.map { FoldedName.fold(name[$0]) }, as: UTF8.self)
            if seen.insert(folded).inserted { names.append(folded) }
        }
        return (names, count)
    }

    /// All cookie pairs but ours, on one line (RFC 6265 section 5.4 allows one only).
    private func writeCookies(_ head: RequestHead, _ bytes: RawSpan, into lines: inout LineBytes) {
        var hasAny = false
        for field in head.fields where field.known == .cookie {
            let value = field.value(in: bytes)
            var pairs = CookieHeader(value)
            while let pair = pairs.next() {
                if cookies.isOurs(value.extracting(pair.name)) { continue }
                lines.put(hasAny ? "; " : "Cookie: ")
                lines.put(value.extracting(pair.whole))
                hasAny = true
            }
        }
        if hasAny { lines.put("\r\n") }
    }
}
