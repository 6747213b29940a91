package import Exchanges
import HTTPWire
package import NIOCore

/// What the client connections of one event loop share.
package final class ServerLoop {
    /// Shared with the connections to upstreams.
    package let services: LoopServices
    package let eventLoop: any EventLoop
    let wheel: DeadlineWheel
    let sends: DeferredSends
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
    let nothing = ByteBufferAllocator().buffer(capacity: 1).getSlice(at: 0, length: 0) ?? ByteBuffer()

    package init(eventLoop: any EventLoop, gauge: ConnectionGauge = ConnectionGauge()) {
        services = LoopServices(eventLoop: eventLoop)
        self.eventLoop = eventLoop
        self.gauge = gauge
        connections = ConnectionRegistry(gauge: gauge)
        wheel = services.wheel
        sends = services.sends
    }

    func dateLine() -> [UInt8] {
        date.refresh()
        return date.bytes
    }

    /// An empty buffer with room for an answer.
    func takeBuffer() -> ByteBuffer { spareBuffers.popLast() ?? ByteBufferAllocator().buffer(capacity: 4_096) }

    func giveBack(_ buffer: consuming ByteBuffer) {
        var spare = buffer
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
