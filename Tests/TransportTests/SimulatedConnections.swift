import CSockets
import Glibc
import NIOCore

@testable import Transport

/// What the handlers of one connection were told, and whether that can be.
final class ConnectionRecord: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Sends as many bytes as arrive.
    let echoes: Bool
    var descriptor: CInt = -1
    private(set) var channel: SocketChannel?
    private(set) var received = 0
    private(set) var written = 0
    private(set) var openPromises = 0
    private(set) var actives = 0
    private(set) var inactives = 0
    private(set) var inputEnds = 0
    private(set) var violations: [String] = []
    /// Finished writes and changes of `isWritable`, in order.
    private(set) var writing: [String] = []
    /// The connection was closed by the test, or its output was.
    var isClosedHere = false

    private let kernel: SimulatedKernel

    init(_ kernel: SimulatedKernel, echoes: Bool) {
        self.kernel = kernel
        self.echoes = echoes
    }

    var isOpen: Bool { actives == 1 && inactives == 0 }

    func handlerAdded(context: ChannelHandlerContext) { channel = context.channel as? SocketChannel }

    func channelActive(context: ChannelHandlerContext) { actives += 1 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if !isOpen { violations.append("bytes of a connection that is not open") }
        if inputEnds > 0 { violations.append("bytes after the end of input") }
        if !bytes.withUnsafeReadableBytes({ StreamBytes.matches($0, at: received) }) { violations.append("wrong bytes at \(received)") }
        received += bytes.readableBytes
        if echoes { write(bytes.readableBytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { if echoes { context.flush() } }

    func write(_ count: Int) {
        // After a close, writes fail.
        guard let channel, !isClosedHere else { return }
        let promise = channel.eventLoop.makePromise(of: Void.self)
        openPromises += 1
        promise.futureResult.assumeIsolated().whenComplete { _ in
            self.openPromises -= 1
            self.writing.append("written")
        }
        channel.pipeline.syncOperations.write(NIOAny(StreamBytes.slice(at: written, count: count)), promise: promise)
        written += count
    }

    func flush() { channel?.pipeline.syncOperations.flush() }

    func channelWritabilityChanged(context: ChannelHandlerContext) { writing.append("writable \(context.channel.isWritable)") }

    func close(_ mode: CloseMode) {
        isClosedHere = true
        channel?.pipeline.syncOperations.close(mode: mode, promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { inputEnds += 1 }
    }

    func channelInactive(context: ChannelHandlerContext) {
        inactives += 1
        guard !isClosedHere, let socket = kernel.lastClosed else { return }
        if socket.peerEnd == .open { violations.append("closed without a reason") }
        if received != socket.peerSent { violations.append("closed after \(received) of \(socket.peerSent) bytes") }
    }
    func handlerRemoved(context: ChannelHandlerContext) { channel = nil }
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// Connections on one event loop over a simulated kernel, all on the calling thread.
final class SimulatedConnections {
    let kernel = SimulatedKernel()
    let loop: SocketLoop
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)

    init() throws { loop = try SocketLoop(simulating: kernel) }
    deinit { events.deallocate() }

    func accept(echoes: Bool, allowsHalfClosure: Bool) -> ConnectionRecord {
        let record = ConnectionRecord(kernel, echoes: echoes)
        record.descriptor = kernel.accept(0)
        SocketChannel.accepted(
            record.descriptor, from: nil, on: loop, options: .init(allowsHalfClosure: allowsHalfClosure, readsAtOnce: 2)
        ) { try $0.pipeline.syncOperations.addHandler(record) }
        return record
    }

    func connect(echoes: Bool, allowsHalfClosure: Bool) throws -> ConnectionRecord {
        let record = ConnectionRecord(kernel, echoes: echoes)
        let next = kernel.openCount
        let connected = SocketChannel.connect(
            to: try SocketAddress(ipAddress: "192.0.2.1", port: 1), on: loop, within: .hours(1),
            options: .init(allowsHalfClosure: allowsHalfClosure, readsAtOnce: 2))
        precondition(kernel.openCount == next + 1, "the socket is opened at once")
        record.descriptor = kernel.lastOpened
        connected.assumeIsolated().whenSuccess { try? $0.pipeline.syncOperations.addHandler(record) }
        return record
    }

    func turn() { loop.turn(events) }

    /// Turns until nothing happens any longer. The peers read everything.
    func settle(_ records: [ConnectionRecord]) {
        kernel.fault = { _ in nil }
        repeat {
            for record in records where record.isOpen { kernel.peerReads(record.descriptor) }
            for _ in 0..<4 { turn() }
        } while !kernel.isIdle || records.contains { $0.isOpen && kernel[$0.descriptor]?.isFull == true }
    }

    /// What is wrong after `settle`.
    func faults(of records: [ConnectionRecord]) -> [String] {
        var faults = kernel.violations
        for record in records {
            faults += record.violations
            if record.actives != 1 { faults.append("\(record.actives) times active") }
            if record.inactives > 1 { faults.append("\(record.inactives) times inactive") }
            if record.inputEnds > 1 { faults.append("\(record.inputEnds) ends of input") }
            guard record.isOpen else {
                if record.openPromises > 0 { faults.append("\(record.openPromises) writes of a closed connection without an outcome") }
                continue
            }
            guard let socket = kernel[record.descriptor] else { return faults + ["an open connection without a socket"] }
            if record.received != socket.peerSent { faults.append("\(record.received) of \(socket.peerSent) bytes received") }
            if record.written != socket.taken { faults.append("\(socket.taken) of \(record.written) bytes sent") }
            if record.openPromises > 0 { faults.append("\(record.openPromises) writes without an outcome") }
            if socket.peerEnd == .reset { faults.append("a connection survives a reset") }
            if socket.peerEnd == .finished, record.inputEnds == 0 { faults.append("an end of input is unreported") }
        }
        return faults
    }

    /// Ends the loop. What is wrong then.
    func end(_ records: [ConnectionRecord]) -> [String] {
        for record in records { record.isClosedHere = true }
        loop.end()
        var faults = kernel.violations
        if kernel.openCount > 0 { faults.append("\(kernel.openCount) sockets stay open") }
        for record in records {
            if record.isOpen { faults.append("a connection outlives its loop") }
            if record.openPromises > 0 { faults.append("\(record.openPromises) writes without an outcome at the end") }
            if record.actives != record.inactives { faults.append("active and inactive differ") }
        }
        return faults
    }
}
