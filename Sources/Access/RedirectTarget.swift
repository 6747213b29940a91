package import Primitives
package import HTTPWire

/// The reason why the `to` of a redirect is rejected.
package enum RedirectTargetError: Error, Sendable, Hashable {
    /// Neither `/path` nor `https://host/path`.
    case notAbsolute
    /// `http` beyond loopback.
    case insecure
    /// A capture, a user name or a second slash at the place of the host, so that the client could choose it.
    case openHost
    case template(PathTemplateError)
}

/// The target of a route's redirect: a fixed scheme and host, a path with captures, and a query.
package struct RedirectTarget: Sendable {
    /// `https://www.example.com`; empty for a path on the request's own origin.
    private let origin: [UInt8]
    /// Nil for a path on the request's own origin.
    package let url: AbsoluteURL?
    package let path: PathTemplate
    /// The query with its `?`; if empty, the request's query is kept.
    private let query: [UInt8]

    package init(_ text: String, of pattern: RoutePattern) throws(RedirectTargetError) {
        var rest = text[...]
        if text.utf8.first == UInt8(ascii: "/") {
            // Browsers treat `//host` and `/\host` as other hosts.
            if text.hasPrefix("//") || text.hasPrefix("/\\") { throw .openHost }
            (origin, url) = ([], nil)
        } else {
            guard let scheme = text.firstRange(of: "://") else { throw .notAbsolute }
            let end = text[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
            let site = String(text[..<end])
            if site.contains(where: { $0 == "{" || $0 == "}" || $0 == "*" || $0 == "\\" || $0 == "@" }) { throw .openHost }
            guard let url = AbsoluteURL(site), url.isOriginOnly else { throw .notAbsolute }
            guard url.isSecure || url.isLoopback else { throw .insecure }
            (origin, self.url) = (Array(url.origin.text.utf8), url)
            rest = text[end...]
        }
        var queryText = Substring()
        if let mark = rest.firstIndex(of: "?") {
            queryText = rest[mark...]
            rest = rest[..<mark]
        }
        // A query takes no captures, because a path segment is not a safe parameter value.
        let isPlain = queryText.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"{}\"<>\\^`|#".utf8.contains($0) }
        guard isPlain else { throw .template(PathTemplateError(.unusableCharacter)) }
        query = Array(queryText.utf8)
        do {
            path = try PathTemplate(rest.isEmpty ? "/" : String(rest), of: pattern)
        } catch {
            throw .template(error)
        }
    }

    /// The value of `Location`; nil if the resulting path is rejected (`//host`), which gets 400.
    package func location(
        for requestPath: RawSpan, query requestQuery: RawSpan, _ strictness: PathStrictness
    ) -> [UInt8]? {
        var made: [UInt8] = []
        if path.rewrite(requestPath, strictness, into: &made) != nil { return nil }
        var result = origin
        result += made
        if query.isEmpty { result.append(contentsOf: requestQuery) } else { result += query }
        return result
    }
}
