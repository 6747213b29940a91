package import HTTPWire
package import NIOCore

/// The changes to the head of the upstream's response. Most requests of a configuration share one of two.
package final class ResponseEdits: Sendable {
    /// For a request that is none yet.
    package static let none = ResponseEdits(addedLines: nil, isPrivate: true, cookies: GatewayCookieNames { _ in true })

    /// Complete lines to add: our own cookies, renewed.
    package let addedLines: ByteBuffer?
    /// The request was made by a signed-in person: what comes back is private unless the upstream says otherwise.
    package let isPrivate: Bool
    /// Drops an upstream's `Set-Cookie` that carries one of our names.
    package let cookies: GatewayCookieNames
    /// The route's changes.
    package let route: RouteResponseEdits?
    /// The CORS lines for the page that made the request.
    package let crossOriginLines: ByteBuffer?
    /// A complete `Strict-Transport-Security` line, for responses that bring none.
    package let hstsLine: ByteBuffer?

    package init(
        addedLines: ByteBuffer?, isPrivate: Bool, cookies: GatewayCookieNames, hstsLine: ByteBuffer? = nil,
        route: RouteResponseEdits? = nil,
        crossOriginLines: ByteBuffer? = nil
    ) {
        self.addedLines = addedLines
        self.isPrivate = isPrivate
        self.cookies = cookies
        self.hstsLine = hstsLine
        self.route = route
        self.crossOriginLines = crossOriginLines
    }
}

/// Tells whether a cookie name is one of ours.
package struct GatewayCookieNames: Sendable {
    package let isOurs: @Sendable (RawSpan) -> Bool
    package init(_ isOurs: @escaping @Sendable (RawSpan) -> Bool) { self.isOurs = isOurs }
}

/// Selects the client's trailers to forward: none under a name that no client may send (RFC 9110 section 6.5.1).
package final class RequestTrailers: Sendable {
    private let stripped: FoldedNameSet
    private let removed: FoldedNameSet?

    package init(stripped: FoldedNameSet, _ removed: FoldedNameSet? = nil) {
        self.stripped = stripped
        self.removed = removed
    }

    package func kept(of lines: ByteBuffer) -> TrailerFields? {
        TrailerFields(lines) { stripped.contains($0) || removed?.contains($0) ?? false }
    }
}
