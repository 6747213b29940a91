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
    package init() {}
}
