package import HTTPWire

/// The limits of client connections. Milliseconds and bytes.
package struct ServerSettings: Sendable {
    package var headLimits = HeadLimits()
    package var headerTimeout: Int64 = 10_000
    package var idleTimeout: Int64 = 75_000
    /// Open client connections of this process; nil: no limit of ours.
    package var connections: Int?
    package init() {}
}
