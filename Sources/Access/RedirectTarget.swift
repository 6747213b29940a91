package import Config
package import HTTPWire

/// Why a redirection's `to` is refused.
package enum RedirectTargetError: Error, Sendable, Hashable {
    /// Neither `/path` nor `https://host/path`.
    case notAbsolute
    /// `http` beyond loopback.
    case insecure
    /// A capture, a user name or a second slash where the host stands: where the browser goes would be the client's choice.
    case openHost
    case template(PathTemplateError)
}

/// Where a route redirects to: a fixed scheme and host, then a path with captures, then a query.
package struct RedirectTarget: Sendable {
    /// `https://www.example.com`, or nothing for a path on the request's own origin.
    private let origin: [UInt8]
    /// nil for a path on the request's own origin.
    package let url: AbsoluteURL?
    package let path: PathTemplate
    /// With its `?`; empty: the request's query goes on.
    private let query: [UInt8]

    package init(_ text: String, of pattern: RoutePattern) throws(RedirectTargetError) {
        var rest = text[...]
        if text.utf8.first == UInt8(ascii: "/") {
            // `//host` and `/\host` are other hosts to a browser.
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
        // A query takes no captures: what is a path segment in one place is a parameter in the other.
        let isPlain = queryText.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"{}\"<>\\^`|#".utf8.contains($0) }
        guard isPlain else { throw .template(PathTemplateError(.unusableCharacter)) }
        query = Array(queryText.utf8)
        do {
            path = try PathTemplate(rest.isEmpty ? "/" : String(rest), of: pattern)
        } catch {
            throw .template(error)
        }
    }

    /// The value of `Location`; nil when the path that comes out is refused (`//host`): answered 400.
    package func location(
        for requestPath: UnsafeRawBufferPointer, query requestQuery: UnsafeRawBufferPointer, _ strictness: PathStrictness
    ) -> [UInt8]? {
        var made: [UInt8] = []
        if path.rewrite(requestPath, strictness, into: &made) != nil { return nil }
        var result = origin
        result += made
        if query.isEmpty { result.append(contentsOf: requestQuery) } else { result += query }
        return result
    }
}
