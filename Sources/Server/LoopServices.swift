import HTTPWire
package import NIOCore

/// The services that the connections of one event loop share.
package final class LoopServices {
    package let eventLoop: any EventLoop
    package let wheel: DeadlineWheel
    package let sends: DeferredSends
    let gauge: ConnectionGauge
    let connections: ConnectionRegistry
    package private(set) var isDraining = false
    /// For connections that are accepted from now on; nil: their listener's.
    package var settings: ServerSettings?
    private var date = DateLine()
    /// The head of a response is put together here.
    var lines = LineBytes()
    /// Buffers that no connection needs at the moment: an idle one keeps none.
    private var spareBuffers: [ByteBuffer] = []
    /// Without room, and this loop's own: see `EmptyBuffers.swift`.
    private let nothing = ByteBufferAllocator().buffer(capacity: 1).getSlice(at: 0, length: 0) ?? ByteBuffer()

    package init(eventLoop: any EventLoop, gauge: ConnectionGauge = ConnectionGauge()) {
        self.eventLoop = eventLoop
        self.gauge = gauge
        connections = ConnectionRegistry(gauge: gauge)
        wheel = DeadlineWheel(eventLoop: eventLoop)
        sends = DeferredSends(eventLoop: eventLoop)
    }

    func dateLine() -> [UInt8] {
        date.refresh()
        return date.bytes
    }

    /// An empty buffer with room for an answer.
    func takeBuffer() -> ByteBuffer { spareBuffers.popLast() ?? ByteBufferAllocator().buffer(capacity: 4_096) }

    /// Takes a buffer back; it is empty in its owner's hands afterwards.
    func giveBack(_ buffer: inout ByteBuffer) {
        var spare = nothing
        swap(&spare, &buffer)
        guard spareBuffers.count < 64, spare.capacity > 0, spare.capacity <= 64 * 1024 else { return }
        spare.clear()
        spareBuffers.append(consume spare)
    }

    package var connectionCount: Int { connections.count }

    /// Closes connections that no request is on, the least recently active first. Returns how many.
    package func closeIdle() -> Int { connections.closeIdle(now: wheel.now) }

    /// Idle connections close now, the others after the response they are in.
    package func drain() {
        isDraining = true
        connections.drain()
    }

    /// Closes whatever is left, in the middle of responses if need be.
    package func abortAll() {
        connections.abortAll()
    }
}

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
