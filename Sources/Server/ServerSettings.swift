package import Primitives
package import HTTPWire

/// The limits of client connections. Milliseconds and bytes.
package struct ServerSettings: Sendable {
    package var headLimits = HeadLimits()
    package var headerTimeout: Int64 = 10_000
    package var idleTimeout: Int64 = 75_000
    /// Nil: connections are in clear text.
    package var tls: TLSContexts?
    /// HTTP/2 in clear text, beside HTTP/1.1 on the same port: told by the first bytes (RFC 9113 section 3.3).
    package var takesPriorKnowledge = false
    /// The fewest bytes a second of a request body that is waited for, over `rateWindow`; 0: no such limit.
    package var bodyRate = 0
    package var rateWindow: Int64 = 20_000
    /// Every connection begins with a PROXY protocol header of one of `trustedProxies`, or of any process that may open a local socket.
    package var requiresProxyProtocol = false
    /// Not limited by address, and believed in what they say of their clients.
    package var trustedProxies = CIDRSet()
    package init() {}
}
