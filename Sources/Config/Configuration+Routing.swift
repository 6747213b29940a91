/// Header fields that are set and removed; the names are checked by the linter and again when they are compiled.
package struct HeaderEditsConfiguration: Sendable {
    /// In file order. A request's value is a template, a response's is plain text.
    package var set: [(name: String, value: String)] = []
    package var remove: [String] = []
    package init() {}

    package var isEmpty: Bool { self.set.isEmpty && remove.isEmpty }
}

package struct RespondConfiguration: Sendable {
    package var status = 200
    package var body = ""
    package var contentType = "text/plain; charset=utf-8"
    package init() {}
}

package struct RedirectConfiguration: Sendable {
    /// An absolute URL or path with captures.
    package var to: String
    package var status = 302
    package init(to: String) { self.to = to }
}

package enum CSRFPolicy: String, Sendable, CaseIterable { case off, origin }

package struct CORSConfiguration: Sendable {
    /// Origins as browsers write them, or `*`.
    package var origins: [String] = []
    /// nil: those that the page asks for.
    package var headers: [String]?
    package var exposeHeaders: [String] = []
    package var credentials = true
    /// Milliseconds.
    package var maxAge: Int64 = 600_000
    package init() {}
}

/// What exists for everything and for one route; nil in a route takes the former.
package struct EverywhereConfiguration: Sendable {
    package var requestHeaders: HeaderEditsConfiguration?
    package var responseHeaders: HeaderEditsConfiguration?
    package var webSocketOrigins: [Origin]?
    package var csrf: CSRFPolicy?
    package var cors: CORSConfiguration?
    package init() {}

    /// This, and what it does not say as `general` says it.
    package func over(_ general: EverywhereConfiguration) -> EverywhereConfiguration {
        var result = self
        result.requestHeaders = requestHeaders ?? general.requestHeaders
        result.responseHeaders = responseHeaders ?? general.responseHeaders
        result.webSocketOrigins = webSocketOrigins ?? general.webSocketOrigins
        result.csrf = csrf ?? general.csrf
        result.cors = cors ?? general.cors
        return result
    }
}

/// What a route does with its requests, beside who may pass.
package struct RoutingConfiguration: Sendable {
    /// Starts with `/`, does not end with one.
    package var stripPrefix: String?
    package var rewrite: String?
    package var respond: RespondConfiguration?
    package var redirect: RedirectConfiguration?
    /// Milliseconds; nil takes the server's.
    package var idleTimeout: Int64?
    package var responseTimeout: Int64?
    package var bodyBytes: Int?
    /// Bytes a second; 0: no such limit.
    package var bodyRate: Int?
    /// nil: `websocket`.
    package var upgrades: [String]?
    package var own = EverywhereConfiguration()
    package init() {}

    /// The gateway answers by itself.
    package var needsNoUpstream: Bool { respond != nil || redirect != nil }
}

package enum ProxyProtocolPolicy: String, Sendable, CaseIterable { case off, required }
