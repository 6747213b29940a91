import CSockets
import Glibc
package import NIOCore
import Synchronization

/// Events for a connection's handlers in addition to NIO's.
package enum SocketEvent {
    /// The peer has closed its side while unread data is left. Reported once or more.
    case endIsNear
}

/// A connection's socket, of TCP or Unix, as NIO's handlers see it.
///
/// It behaves like NIO's own stream channel to them: their order of events, the writes that are kept in order until the socket takes
/// them, `isWritable` by the same marks, a close that drops what is not written. What is beside that is for a handler with nothing
/// before it: `send` and `receiver` go past the pipeline.
///
/// Unchecked: used on its event loop only. Other threads may use the constants, `pipeline` and `closeFuture`, and the methods of `Channel`
/// that return futures, which hop to the loop.
package final class SocketChannel: WatchedSocket, Channel, NIOTransportAccessibleChannelCore, @unchecked Sendable {
    enum State { case connecting, open, closed }

    let loop: SocketLoop
    /// -1 once it is closed: the number may be another's then.
    private(set) var descriptor: CInt
    let options: ConnectionOptions
    package let remoteAddress: SocketAddress?
    private var knownLocalAddress: SocketAddress?
    private(set) var state = State.connecting {
        didSet { isOpen.store(state == .open, ordering: .relaxed) }
    }
    /// The same for other threads, which may ask whether a channel is active.
    private let isOpen = Atomic<Bool>(false)
    /// Set when the channel is made: other threads may ask for the pipeline.
    private var madePipeline: ChannelPipeline?
    private let closed: EventLoopPromise<Void>
    private var connected: EventLoopPromise<any Channel>?
    /// Takes what is read, past the pipeline.
    package var receiver: (any ByteReceiver)?
    var input = SocketInput()
    var output = SocketOutput()

    private init(loop: SocketLoop, descriptor: CInt, remoteAddress: SocketAddress?, options: ConnectionOptions) {
        self.loop = loop
        self.descriptor = descriptor
        self.remoteAddress = remoteAddress
        self.options = options
        closed = loop.makePromise()
        super.init()
        madePipeline = ChannelPipeline(channel: self)
    }

    deinit {
        if descriptor >= 0 { loop.kernel.close(descriptor) }
    }

    private static let interest = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue

    // MARK: Beginning

    /// A socket that was accepted. `prepare` gives it its handlers; where that throws, it is closed.
    static func accepted(
        _ descriptor: CInt, from address: SocketAddress?, on loop: SocketLoop, options: ConnectionOptions,
        prepare: (SocketChannel) throws -> Void
    ) {
        let channel = SocketChannel(loop: loop, descriptor: descriptor, remoteAddress: address, options: options)
        do {
            try loop.watch(descriptor, interest, channel)
            try prepare(channel)
        } catch {
            return channel.close0(error: error, mode: .all, promise: nil)
        }
        if channel.state == .connecting { channel.activate() }
    }

    /// Connects. The channel has no handlers yet when the future succeeds, and reads nothing before they are there.
    package static func connect(
        to address: SocketAddress, on eventLoop: any EventLoop, within limit: TimeAmount, options: ConnectionOptions
    ) -> EventLoopFuture<any Channel> {
        guard let loop = eventLoop as? SocketLoop else { return eventLoop.makeFailedFuture(ChannelError.operationUnsupported) }
        let promise = loop.makePromise(of: (any Channel).self)
        loop.perform { connect(to: address, on: loop, within: limit, options, promise) }
        return promise.futureResult
    }

    private static func connect(
        to address: SocketAddress, on loop: SocketLoop, within limit: TimeAmount, _ options: ConnectionOptions,
        _ promise: EventLoopPromise<any Channel>
    ) {
        let descriptor: CInt
        do {
            descriptor = try loop.openSocket(for: address)
        } catch {
            return promise.fail(error)
        }
        let channel = SocketChannel(loop: loop, descriptor: descriptor, remoteAddress: address, options: options)
        channel.connected = promise
        do {
            let isConnected = try loop.kernel.connect(descriptor, to: address)
            try loop.watch(descriptor, interest, channel)
            if isConnected { return channel.activate() }
        } catch {
            return channel.close0(error: error, mode: .all, promise: nil)
        }
        let timeout = loop.scheduleTask(in: limit) {
            channel.close0(error: ChannelError.connectTimeout(limit), mode: .all, promise: nil)
        }
        promise.futureResult.whenComplete { _ in timeout.cancel() }
    }

    private func activate() {
        state = .open
        connected.take()?.succeed(self)
        guard state == .open else { return }
        pipeline.syncOperations.fireChannelActive()
        readAgain()
        // What was flushed before there was a connection.
        if state == .open { writePending() }
    }

    // MARK: Events of the kernel

    override func happened(_ events: UInt32) {
        if state == .connecting { return connectEnded(events) }
        if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { return ended() }
        if events & EPOLLRDHUP.rawValue != 0 { input.peerClosed() }
        if events & EPOLLOUT.rawValue != 0, output.becameWritable() {
            writePending()
            guard state == .open else { return }
        }
        guard events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 else { return }
        input.mayRead = true
        if input.isWanted { readNow(options.readsAtOnce) } else { reportUnreadEnd() }
    }

    private func connectEnded(_ events: UInt32) {
        let failure = loop.kernel.takeError(of: descriptor)
        if failure != 0 {
            close0(error: IOError(errnoCode: failure, reason: "connect"), mode: .all, promise: nil)
        } else if events & EPOLLOUT.rawValue != 0 {
            activate()
            guard state == .open else { return }
            happened(events & ~EPOLLOUT.rawValue)
        }
    }

    /// Handles the end of both directions. Reads the received data even without a request for it, because later reads would fail.
    private func ended() {
        input.hungUp()
        // First: asking the socket for its error clears it.
        readToEnd()
        guard state == .open else { return }
        let failure = loop.kernel.takeError(of: descriptor)
        fail(failure == 0 ? ChannelError.eof : IOError(errnoCode: failure, reason: "connection"))
    }

    func fail(_ error: any Error) {
        input.close()
        if error as? ChannelError != .eof { pipeline.syncOperations.fireErrorCaught(error) }
        close0(error: error, mode: .all, promise: nil)
    }

    // MARK: The end

    package func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard state != .closed else { return promise.fail(ChannelError.alreadyClosed) }
        switch mode {
        case .input: promise.fail(ChannelError.operationUnsupported)
        case .output: closeOutputAfterWrites(promise)
        case .all: closeAll(error, promise)
        }
    }

    private func closeAll(_ error: any Error, _ promise: EventLoopPromise<Void>?) {
        let wasOpen = state == .open
        state = .closed
        input.isWanted = false
        loop.forget(descriptor)
        loop.kernel.close(descriptor)
        descriptor = -1
        for promise in output.takeAll() { promise.fail(error) }
        connected.take()?.fail(error)
        promise?.succeed()
        if wasOpen { pipeline.syncOperations.fireChannelInactive() }
        pipeline.syncOperations.fireChannelUnregistered()
        // The caller may be one of its handlers.
        loop.execute {
            self.removeHandlers(pipeline: self.pipeline)
            self.closed.succeed()
        }
    }

    // MARK: Channel

    package var eventLoop: any EventLoop { loop }
    package var allocator: ByteBufferAllocator { ByteBufferAllocator() }
    package var closeFuture: EventLoopFuture<Void> { closed.futureResult }
    package var pipeline: ChannelPipeline {
        guard let madePipeline else { preconditionFailure("a channel has its pipeline from the start") }
        return madePipeline
    }
    package var parent: (any Channel)? { nil }
    package var isActive: Bool { isOpen.load(ordering: .relaxed) }
    package var _channelCore: any ChannelCore { self }
    package var localAddress: SocketAddress? { try? localAddress0() }
    package var syncOptions: (any NIOSynchronousChannelOptions)? { SynchronousOptions(channel: self) }

    package func localAddress0() throws -> SocketAddress {
        // HTTP/2 asks for each stream.
        if knownLocalAddress == nil { knownLocalAddress = loop.kernel.localAddress(of: descriptor) }
        guard let knownLocalAddress else { throw ChannelError.unknownLocalAddress }
        return knownLocalAddress
    }
}
