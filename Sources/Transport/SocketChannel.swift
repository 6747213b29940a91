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
    private enum State { case connecting, open, closed }

    private let loop: SocketLoop
    /// -1 once it is closed: the number may be another's then.
    private var descriptor: CInt
    private let options: ConnectionOptions
    package let remoteAddress: SocketAddress?
    private var knownLocalAddress: SocketAddress?
    private var state = State.connecting {
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
    /// A handler has requested bytes.
    private var isReadWanted = false
    /// The socket may have some: it tells only once.
    private var mayRead = false
    /// The peer has closed its side.
    private var isEndNear = false
    /// The peer closed its side properly, without a reset.
    private var isEndProper = false
    /// The error that broke the connection during a write. The kernel reports it once; later reads see only the end of input.
    private var broken: IOError?
    private var isReading = false
    private var isQueuedToRead = false
    private var isInputClosed = false
    private var readsByItself = true
    private var size = ReceiveSize()

    private var pending = PendingWrites()
    private var marks = ChannelOptions.Types.WriteBufferWaterMark(low: 32 * 1024, high: 64 * 1024)
    package private(set) var isWritable = true
    /// The socket takes no more until it says so.
    private var isFull = false
    private var isWriting = false
    private var isOutputClosed = false
    /// The output is closed once everything is written.
    private var outputClosing: (isWanted: Bool, promise: EventLoopPromise<Void>?) = (false, nil)

    fileprivate init(loop: SocketLoop, descriptor: CInt, remoteAddress: SocketAddress?, options: ConnectionOptions) {
        self.loop = loop
        self.descriptor = descriptor
        self.remoteAddress = remoteAddress
        self.options = options
        closed = loop.makePromise()
        super.init()
        madePipeline = ChannelPipeline(channel: self)
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
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
            let isConnected = try Sockets.connect(descriptor, to: address)
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

    // MARK: What the kernel tells

    override func happened(_ events: UInt32) {
        if state == .connecting { return connectEnded(events) }
        if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { return ended() }
        if events & EPOLLRDHUP.rawValue != 0 {
            isEndNear = true
            isEndProper = true
        }
        if events & EPOLLOUT.rawValue != 0, isFull {
            isFull = false
            writePending()
            guard state == .open else { return }
        }
        guard events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 else { return }
        mayRead = true
        if isReadWanted { readNow(options.readsAtOnce) } else { tellOfTheEnd() }
    }

    private func tellOfTheEnd() {
        guard isEndNear, mayRead, !isReadWanted, !isInputClosed, state == .open else { return }
        pipeline.syncOperations.fireUserInboundEventTriggered(SocketEvent.endIsNear)
    }

    private func connectEnded(_ events: UInt32) {
        let failure = Sockets.takeError(of: descriptor)
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
        isEndNear = true
        // First: to ask the socket what has happened would make an end of it.
        readToEnd()
        guard state == .open else { return }
        let failure = Sockets.takeError(of: descriptor)
        fail(failure == 0 ? ChannelError.eof : IOError(errnoCode: failure, reason: "connection"))
    }

    private func fail(_ error: any Error) {
        isInputClosed = true
        if error as? ChannelError != .eof { pipeline.syncOperations.fireErrorCaught(error) }
        close0(error: error, mode: .all, promise: nil)
    }

    // MARK: Reading

    package func read0() {
        guard !isInputClosed, state != .closed else { return }
        isReadWanted = true
        // Not now: the caller is still running.
        if mayRead, !isReading, state == .open { queueToRead() }
    }

    private func queueToRead() {
        guard !isQueuedToRead else { return }
        isQueuedToRead = true
        loop.readLater(self)
    }

    func readWhatIsLeft() {
        isQueuedToRead = false
        if isReadWanted, mayRead, state == .open { readNow(options.readsAtOnce) }
    }

    /// Reads all there is, whether or not anybody asked: more than this no socket holds, and who sends on is not waited for.
    package func readToEnd() {
        mayRead = true
        readNow(Self.mostReads)
    }
    private static let mostReads = 256

    private func readNow(_ limit: Int) {
        guard !isReading, !isInputClosed else { return }
        isReading = true
        var reads = 0
        var end: (any Error)?
        // A write that fails meanwhile makes this the last reading.
        while mayRead, reads < (broken == nil ? limit : Self.mostReads) {
            let size = self.size
            var bytes = loop.memory.take(size)
            let room = size.bytes
            var failure: CInt = 0
            let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { memory in
                let count = Glibc.recv(descriptor, memory.baseAddress, room, 0)
                failure = count < 0 ? errno : 0
                return max(0, count)
            }
            guard count > 0 else {
                loop.memory.giveBack(bytes, size)
                if failure == EINTR { continue }
                mayRead = false
                if failure == 0 {
                    end = isEndProper ? ChannelError.eof : broken ?? ChannelError.eof
                } else if failure != EAGAIN {
                    end = IOError(errnoCode: failure, reason: "recv")
                }
                break
            }
            // Less than there was room for is all there was; what comes after it is told of. An end that was told of is not told again.
            // (Urgent data would be an exception, of which nobody has any here.)
            if count < room, !isEndNear { mayRead = false }
            reads += 1
            isReadWanted = false
            self.size.adapt(to: count)
            if let receiver {
                receiver.received(&bytes)
            } else {
                pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
            }
            loop.memory.giveBack(bytes, size)
            guard state == .open else { return isReading = false }
        }
        if reads > 0 || end as? ChannelError == .eof {
            if let receiver {
                isReadWanted = receiver.receivedAll() || isReadWanted
            } else {
                pipeline.syncOperations.fireChannelReadComplete()
            }
        }
        isReading = false
        guard state == .open else { return }
        finishReading(reads, end ?? broken)
    }

    private func finishReading(_ reads: Int, _ end: (any Error)?) {
        if let end {
            guard end as? ChannelError == .eof, options.allowsHalfClosure, !isOutputClosed else { return fail(end) }
            isInputClosed = true
            isReadWanted = false
            return pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if reads > 0 { readAgain() }
        if isReadWanted, mayRead, state == .open { queueToRead() } else { tellOfTheEnd() }
    }

    private func readAgain() {
        if readsByItself, !isReadWanted, !isInputClosed, state == .open { pipeline.syncOperations.read() }
    }

    // MARK: Writing

    /// Gives the socket the bytes at once, past the pipeline: how many it has taken, 0 where others are to be written before them or the
    /// socket fails. The rest is to be written as usual; that also hears of the failure then.
    @inline(__always)
    package func send(_ bytes: ByteBuffer) -> Int {
        guard state == .open, pending.isEmpty, !isOutputClosed, broken == nil else { return 0 }
        return max(
            0, bytes.withUnsafeReadableBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) })
    }

    package func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard state != .closed else { return promise.fail(ChannelError.ioOnClosedChannel) }
        guard !isOutputClosed, !outputClosing.isWanted else { return promise.fail(ChannelError.outputClosed) }
        guard let bytes = tryUnwrapData(data, as: ByteBuffer.self) else { return promise.fail(ChannelError.operationUnsupported) }
        pending.append(bytes, promise)
        if isWritable, pending.byteCount > marks.high {
            isWritable = false
            pipeline.syncOperations.fireChannelWritabilityChanged()
        }
    }

    package func flush0() {
        pending.flush()
        if state == .open, !isFull { writePending() }
    }

    private func writePending() {
        guard !isWriting, broken == nil else { return }
        isWriting = true
        var failure: CInt = 0
        // Empty pieces are written with nothing.
        complete(0)
        while state == .open, pending.hasFlushed {
            let count = pending.send(to: descriptor)
            if count >= 0 {
                complete(count)
            } else if count == -Int(EAGAIN) {
                isFull = true
                break
            } else if count != -Int(EINTR) {
                failure = CInt(-count)
                break
            }
        }
        isWriting = false
        guard state == .open else { return }
        if failure != 0 { return writeFailed(IOError(errnoCode: failure, reason: "send")) }
        if outputClosing.isWanted, pending.isEmpty { closeOutput() }
    }

    private func complete(_ count: Int) {
        let promises = pending.takeWritten(count)
        let isWritableAgain = !isWritable && pending.byteCount < marks.low
        if isWritableAgain { isWritable = true }
        for promise in promises { promise.succeed() }
        if isWritableAgain, state == .open { pipeline.syncOperations.fireChannelWritabilityChanged() }
    }

    /// Reads the peer's last data before it reports a failed write: the data may hold the reason.
    private func writeFailed(_ error: IOError) {
        broken = error
        isEndNear = true
        // In the middle of reading: that goes on to the end then, and closes.
        readToEnd()
        if state == .open, !isReading { fail(error) }
    }

    private func closeOutput() {
        isOutputClosed = true
        let promise = outputClosing.promise
        outputClosing = (false, nil)
        guard !isInputClosed else { return close0(error: ChannelError.outputClosed, mode: .all, promise: promise) }
        Glibc.shutdown(descriptor, CInt(SHUT_WR))
        promise?.succeed()
        pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.outputClosed)
    }

    // MARK: The end

    package func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard state != .closed else { return promise.fail(ChannelError.alreadyClosed) }
        switch mode {
        case .input: promise.fail(ChannelError.operationUnsupported)
        case .output:
            guard !isOutputClosed, !outputClosing.isWanted else { return promise.fail(ChannelError.outputClosed) }
            outputClosing = (true, promise)
            pending.flush()
            if state == .open, !isFull, !isWriting { writePending() }
        case .all: closeAll(error, promise)
        }
    }

    private func closeAll(_ error: any Error, _ promise: EventLoopPromise<Void>?) {
        let wasOpen = state == .open
        state = .closed
        isReadWanted = false
        loop.forget(descriptor)
        Glibc.close(descriptor)
        descriptor = -1
        for written in pending.takeAll() { written.fail(error) }
        outputClosing.promise.take()?.fail(error)
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

    package func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        loop.inEventLoop
            ? loop.makeCompletedFuture { try setOption0(option, value) } : loop.submit { try self.setOption0(option, value) }
    }

    package func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        loop.inEventLoop ? loop.makeCompletedFuture { try getOption0(option) } : loop.submit { try self.getOption0(option) }
    }

    private struct SynchronousOptions: NIOSynchronousChannelOptions {
        let channel: SocketChannel
        func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) throws { try channel.setOption0(option, value) }
        func getOption<Option: ChannelOption>(_ option: Option) throws -> Option.Value { try channel.getOption0(option) }
    }

    private func setOption0<Option: ChannelOption>(_ option: Option, _ value: Option.Value) throws {
        guard state != .closed else { throw ChannelError.ioOnClosedChannel }
        switch (option, value) {
        case (is ChannelOptions.Types.AutoReadOption, let value as Bool):
            readsByItself = value
            if !value { isReadWanted = false } else if state == .open { readAgain() }
        case (is ChannelOptions.Types.WriteBufferWaterMarkOption, let value as ChannelOptions.Types.WriteBufferWaterMark): marks = value
        default: throw ChannelError.operationUnsupported
        }
    }

    private func getOption0<Option: ChannelOption>(_ option: Option) throws -> Option.Value {
        // HTTP/2 learns so that a stream was asked for too late.
        guard state != .closed else { throw ChannelError.ioOnClosedChannel }
        let value: Any? =
            switch option {
            case is ChannelOptions.Types.AutoReadOption: readsByItself
            case is ChannelOptions.Types.WriteBufferWaterMarkOption: marks
            case is ChannelOptions.Types.BufferedWritableBytesOption: pending.byteCount
            case is ChannelOptions.Types.AllowRemoteHalfClosureOption: options.allowsHalfClosure
            default: nil
            }
        guard let value = value as? Option.Value else { throw ChannelError.operationUnsupported }
        return value
    }

    // MARK: ChannelCore

    package func withUnsafeTransport<Result>(_ body: (CInt) throws -> Result) throws -> Result { try body(descriptor) }

    package func localAddress0() throws -> SocketAddress {
        // HTTP/2 asks for each stream.
        if knownLocalAddress == nil { knownLocalAddress = Sockets.localAddress(of: descriptor) }
        guard let knownLocalAddress else { throw ChannelError.unknownLocalAddress }
        return knownLocalAddress
    }

    package func remoteAddress0() throws -> SocketAddress {
        guard let remoteAddress else { throw ChannelError.operationUnsupported }
        return remoteAddress
    }

    // A channel is registered, connected or accepted when it is made.
    package func register0(promise: EventLoopPromise<Void>?) { promise.fail(ChannelError.operationUnsupported) }
    package func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { promise.fail(ChannelError.operationUnsupported) }
    package func bind0(to address: SocketAddress, promise: EventLoopPromise<Void>?) { promise.fail(ChannelError.operationUnsupported) }
    package func connect0(to address: SocketAddress, promise: EventLoopPromise<Void>?) { promise.fail(ChannelError.operationUnsupported) }
    package func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) {
        promise.fail(ChannelError.operationUnsupported)
    }
    /// Bytes that no handler wanted.
    package func channelRead0(_ data: NIOAny) {}
    /// An error that no handler wanted: the close that comes with it is enough.
    package func errorCaught0(error: any Error) {}
}

private extension EventLoopPromise<Void>? {
    func fail(_ error: any Error) { self?.fail(error) }
}
