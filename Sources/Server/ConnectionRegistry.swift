/// A client connection, whatever it speaks.
protocol ServedConnection: AnyObject {
    /// No further request is taken; an idle connection closes at once.
    func drain()
    /// Closes at once, in the middle of responses if need be.
    func terminate()
    /// Nil while a request is on it.
    var idleness: Idleness? { get }
    /// Closes an idle connection so that its descriptor is free when this returns.
    func closeIdle()
}

/// The value of keeping an idle connection: the lowest is closed first.
struct Idleness: Comparable {
    /// The wheel's tick since which nothing has happened on it.
    var since: UInt64
    /// It has had a request. One that has not goes first among those of the same tick.
    var isUsed: Bool

    static func < (one: Self, other: Self) -> Bool { one.since == other.since ? !one.isUsed && other.isUsed : one.since < other.since }
}

/// The open client connections of one event loop.
final class ConnectionRegistry {
    private var connections: [ObjectIdentifier: any ServedConnection] = [:]
    private let gauge: ConnectionGauge
    /// Few connections were idle, or none, when they were last looked through; before this tick they are not looked through again.
    private var nextSearch: UInt64 = 0

    init(gauge: ConnectionGauge) { self.gauge = gauge }

    var count: Int { connections.count }

    /// A connection that the gauge has admitted.
    func insert(_ connection: any ServedConnection) { connections[ObjectIdentifier(connection)] = connection }

    func remove(_ connection: any ServedConnection) {
        if connections.removeValue(forKey: ObjectIdentifier(connection)) != nil { gauge.leave() }
    }

    /// Replaces the handler of a connection after the greeting. The connection stays counted.
    func handOver(_ connection: any ServedConnection) {
        connections.removeValue(forKey: ObjectIdentifier(connection))
    }

    /// Closes the least recently active of the connections that no request is on: one of 64, so that a flood of new connections does not
    /// look through all of them for each. Returns how many.
    func closeIdle(now: UInt64) -> Int {
        guard now >= nextSearch else { return 0 }
        let idle = connections.values.compactMap { connection in connection.idleness.map { (idleness: $0, connection: connection) } }
        guard !idle.isEmpty else {
            nextSearch = now + 2
            return 0
        }
        // A search that frees one descriptor costs as much as one that frees many: not for each new connection.
        if idle.count < connections.count / 64 { nextSearch = now + 1 }
        let closing = idle.sorted { $0.idleness < $1.idleness }.prefix(1 + idle.count / 64)
        for (_, connection) in closing { connection.closeIdle() }
        return closing.count
    }

    func drain() {
        for connection in Array(connections.values) { connection.drain() }
    }

    func abortAll() {
        for connection in Array(connections.values) { connection.terminate() }
    }
}
