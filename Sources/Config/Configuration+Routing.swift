package import Primitives

/// Headers to set and to remove. The linter checks the names, and so does the compilation of the routes.
package struct HeaderEditsConfiguration: Sendable {
    /// Headers in file order. The value is a template in requests and plain text in responses.
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
    /// Nil allows the headers that the page asks for.
    package var headers: [String]?
    package var exposeHeaders: [String] = []
    package var credentials = true
    /// Milliseconds.
    package var maxAge: Int64 = 600_000
    package init() {}
}

/// Settings that exist at the top level and in routes; nil in a route uses the top-level value.
package struct EverywhereConfiguration: Sendable {
    package var requestHeaders: HeaderEditsConfiguration?
    package var responseHeaders: HeaderEditsConfiguration?
    package var webSocketOrigins: [Origin]?
    package var csrf: CSRFPolicy?
    package var cors: CORSConfiguration?
    package init() {}

    /// Returns these settings, completed from `general`.
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

/// The handling of a route's requests, apart from access rules.
package struct RoutingConfiguration: Sendable {
    /// A prefix that starts with `/` and does not end with one.
    package var stripPrefix: String?
    package var rewrite: String?
    package var respond: RespondConfiguration?
    package var redirect: RedirectConfiguration?
    /// Milliseconds; nil uses the server's setting.
    package var idleTimeout: Int64?
    package var responseTimeout: Int64?
    package var bodyBytes: Int?
    /// Bytes per second; 0 for no limit.
    package var bodyRate: Int?
    /// Nil for `websocket`.
    package var upgrades: [String]?
    package var own = EverywhereConfiguration()
    package init() {}

    /// True if the gateway answers itself.
    package var needsNoUpstream: Bool { respond != nil || redirect != nil }
}

package enum ProxyProtocolPolicy: String, Sendable, CaseIterable { case off, required }
