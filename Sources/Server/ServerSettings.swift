package import HTTPWire

/// The limits of client connections. Milliseconds and bytes.
package struct ServerSettings: Sendable {
    package var headLimits = HeadLimits()
    package var headerTimeout: Int64 = 10_000
    package var idleTimeout: Int64 = 75_000
    package init() {}
}
