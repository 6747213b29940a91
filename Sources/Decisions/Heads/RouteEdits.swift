package import HTTPWire
package import NIOCore

/// The headers and cookies that a route removes from requests, in addition to those every route removes. Compiled once.
package final class RequestEdits: Sendable {
    /// No client's header passes under one of these names, in any spelling that folds to it.
    package let removed: FoldedNameSet
    package let trailers: RequestTrailers

    /// `strippedAlways`: what no client may send anywhere.
    package init(removed names: [String], strippedAlways: FoldedNameSet) {
        removed = FoldedNameSet(names: names)
        trailers = RequestTrailers(stripped: strippedAlways, removed)
    }
}

/// The changes of a route to the heads of responses. Compiled once.
package final class RouteResponseEdits: Sendable {
    package let removed: FoldedNameSet
    /// Complete lines, without `Cache-Control`.
    package let lines: ByteBuffer
    /// The route's own `Cache-Control` line.
    package let cacheControl: ByteBuffer?
    /// The route's `Cache-Control`; nil when it leaves that to the upstream.
    package let cacheDirectives: CacheDirectives?
    /// The route sets the HSTS header.
    package let ownsTransportSecurity: Bool

    /// `set`: names and values that were checked. `ownsCrossOrigin`: the upstream has no say in CORS.
    package init(set: [(name: String, value: String)], remove: [String], ownsCrossOrigin: Bool) {
        removed = FoldedNameSet(names: remove + set.map(\.name), prefixes: ownsCrossOrigin ? ["Access-Control-"] : [])
        ownsTransportSecurity = removed.contains("Strict-Transport-Security")
        var lines = ByteBuffer()
        var cacheControl: ByteBuffer?
        for (name, value) in set {
            let line = "\(name): \(value)\r\n"
            if name.lowercased() == "cache-control" { cacheControl = ByteBuffer(string: line) } else { lines.writeString(line) }
        }
        self.lines = lines
        self.cacheControl = cacheControl
        cacheDirectives =
            removed.contains("Cache-Control") ? CacheDirectives(text: set.last { $0.name.lowercased() == "cache-control" }?.value) : nil
    }

    /// The lines of the gateway's own response on this route. A response for a user is not cached.
    package func ownLines(isPrivate: Bool) -> ByteBuffer {
        var result = lines
        if let cacheControl, !isPrivate || cacheDirectives?.isPrivate == true {
            result.writeImmutableBuffer(cacheControl)
        } else if isPrivate {
            result.writeStaticString("cache-control: no-store\r\n")
        }
        return result
    }
}
