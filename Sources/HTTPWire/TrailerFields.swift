package import NIOCore

/// The fields after a chunked body that may be forwarded (RFC 9110 section 6.5).
///
/// A trailer is never merged into the header. Fields for framing, routing, authentication, conditions and content, and every
/// field that the gateway acts on, are dropped, because a recipient that merges trailers anyway must not see them this late
/// (RFC 9110 section 6.5.1).
package struct TrailerFields {
    /// Complete `name: value` lines, each with its CRLF.
    package private(set) var lines: ByteBuffer

    /// Nil if nothing remains. `isDropped` receives each other name as spelled.
    package init?(_ lines: ByteBuffer, dropping isDropped: (RawSpan) -> Bool = { _ in false }) {
        var scanner = HeadScanner(limits: BodyDecoder.trailerLimits)
        var kept = ByteBuffer()
        let isWhole: Bool = withBytes(of: lines) { bytes, count in
            var end = 0
            while end < count, let line = try? scanner.line(bytes, count, tooLong: .headTooLarge) {
                guard !line.isEmpty, let field = try? HeadScanner.fieldLine(bytes, line, .shared) else { return false }
                end = scanner.position
                let name = field.name(in: lines.byteSpan)
                if field.known != .other || Self.forbidden.contains(name) || isDropped(name) { continue }
                kept.writeBytes(UnsafeRawBufferPointer(start: bytes + line.lowerBound, count: end - line.lowerBound))
            }
            return end == count
        }
        guard isWhole, kept.readableBytes > 0 else { return nil }
        self.lines = kept
    }

    /// Dropped in any spelling that folds to them, because recipients may fold. In addition to the names of `KnownField`: response control
    /// data, request modifiers, content handling and authentication (RFC 9110 sections 6.5.1 and 8 to 15).
    private static let forbidden = FoldedNameSet(
        names: [
            "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "host", "authorization", "cookie",
            "set-cookie",
            "content-type", "location", "cache-control", "expect", "max-forwards", "forwarded", "via", "date", "keep-alive",
            "age", "allow", "alt-svc", "authentication-info", "content-encoding", "content-language", "content-location",
            "content-range", "cookie2", "early-data", "etag", "expires", "pragma", "proxy-authentication-info", "range",
            "retry-after", "set-cookie2", "strict-transport-security", "vary", "warning", "www-authenticate",
        ],
        prefixes: ["if-", "access-control-", "sec-", "proxy-", "x-forwarded-", "content-security-policy", "clear-site-data"])
}
