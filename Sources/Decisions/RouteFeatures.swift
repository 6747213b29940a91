import Primitives
package import Access
package import Config
package import HTTPWire
package import NIOCore

/// The compiled features of a route beyond plain forwarding. Most routes have none.
package final class RouteFeatures: Sendable {
    /// A route's answer without an upstream.
    package enum Fixed: Sendable {
        case answer(status: Int, body: ByteBuffer, contentType: String)
        case redirect(status: Int, RedirectTarget)
    }

    package let requestEdits: RequestEdits?
    package let requestLines: RequestHeaderEdits?
    /// The lines for a visitor without a session, the prefix that was stripped among them.
    package let visitorLines: ByteBuffer
    /// `X-Forwarded-Prefix`, or nothing.
    package let prefixLine: ByteBuffer
    package let responseEdits: RouteResponseEdits?
    /// Milliseconds; 0: the server's.
    package let idleTimeout: Int64
    package let responseTimeout: Int64
    /// nil: the server's.
    package let bodyLimit: Int?
    package let bodyRate: Int?
    package let upgrades: [UpgradeProtocol]
    package let webSocketOrigins: RequestOrigin
    /// nil: requests of other sites are not looked for.
    package let changeOrigins: RequestOrigin?
    package let crossOrigin: CrossOriginPolicy?
    package let fixed: Fixed?

    package static let standardUpgrades: [UpgradeProtocol] = [.webSocket]

    /// nil for a route that has nothing of its own. Throws for what the linter reports as an error.
    package static func of(_ route: RouteConfiguration, _ compiled: Route, in configuration: Configuration, stripped: FoldedNameSet) throws
        -> RouteFeatures?
    {
        let features = try RouteFeatures(route, compiled, configuration, stripped)
        return features.isPlain(route, configuration) ? nil : features
    }

    private func isPlain(_ route: RouteConfiguration, _ configuration: Configuration) -> Bool {
        requestEdits == nil && responseEdits == nil && idleTimeout == 0 && responseTimeout == 0 && bodyLimit == nil && bodyRate == nil
            && route.routing.upgrades == nil && route.routing.own.over(configuration.everywhere).webSocketOrigins == nil
            && changeOrigins == nil && crossOrigin == nil && fixed == nil
    }

    private init(_ route: RouteConfiguration, _ compiled: Route, _ configuration: Configuration, _ stripped: FoldedNameSet) throws {
        let routing = route.routing
        let settings = routing.own.over(configuration.everywhere)
        let publicURL = configuration.server.publicURL

        crossOrigin = settings.cors.map(CrossOriginPolicy.init)
        let edits = try settings.requestHeaders.map { edits throws in
            try RequestHeaderEdits(edits, identity: configuration.identity)
        }
        requestLines = edits
        prefixLine = ByteBuffer(string: routing.stripPrefix.map { "X-Forwarded-Prefix: \($0)\r\n" } ?? "")
        var lines = prefixLine
        if let edits { lines.writeBytes(edits.render(session: nil).bytes) }
        visitorLines = lines
        let removed = (edits?.names ?? []) + (routing.stripPrefix == nil ? [] : ["X-Forwarded-Prefix"])
        requestEdits = removed.isEmpty ? nil : RequestEdits(removed: removed, strippedAlways: stripped)

        responseEdits = try Self.responseEdits(settings.responseHeaders ?? HeaderEditsConfiguration(), settings.cors != nil)
        idleTimeout = routing.idleTimeout ?? 0
        responseTimeout = routing.responseTimeout ?? 0
        bodyLimit = routing.bodyBytes
        bodyRate = routing.bodyRate
        upgrades = routing.upgrades?.compactMap { UpgradeProtocol($0) } ?? Self.standardUpgrades
        webSocketOrigins = RequestOrigin(publicURL: publicURL, listed: (settings.webSocketOrigins ?? []).map(\.text))
        changeOrigins = settings.csrf == .origin ? RequestOrigin(publicURL: publicURL, listed: crossOrigin?.origins ?? []) : nil

        if let respond = routing.respond {
            fixed = .answer(status: respond.status, body: ByteBuffer(string: respond.body), contentType: respond.contentType)
        } else if let redirect = routing.redirect {
            fixed = .redirect(status: redirect.status, try RedirectTarget(redirect.to, of: compiled.pattern))
        } else {
            fixed = nil
        }
    }

    private static func responseEdits(_ edits: HeaderEditsConfiguration, _ ownsCrossOrigin: Bool) throws -> RouteResponseEdits? {
        if edits.isEmpty, !ownsCrossOrigin { return nil }
        for name in edits.remove {
            if let reason = UneditableHeaders.reason(inResponses: name, isSet: false) { throw HeaderEditError(name: name, reason: reason) }
        }
        for (name, value) in edits.set {
            if let reason = UneditableHeaders.reason(inResponses: name, isSet: true) { throw HeaderEditError(name: name, reason: reason) }
            guard UneditableHeaders.isValue(value) else { throw HeaderEditError(name: name, reason: .invalidValue) }
        }
        return RouteResponseEdits(set: edits.set, remove: edits.remove, ownsCrossOrigin: ownsCrossOrigin)
    }
}

extension RedirectTarget {
    /// The value of `Location` for a request; nil if the resulting path is rejected. `OPTIONS *` has no path and counts as `/`.
    package func location(for head: RequestHead, _ strictness: PathStrictness) -> [UInt8]? {
        let bytes = head.bytes.byteSpan
        let query = bytes.extracting(head.queryRange)
        if head.pathRange.isEmpty { return location(for: RequestPath.root, query: query, strictness) }
        return location(for: bytes.extracting(head.pathRange), query: query, strictness)
    }
}
