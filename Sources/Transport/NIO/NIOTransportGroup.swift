package import Dispatch
import Glibc
package import NIOCore
import NIOPosix

/// NIOPosix's event loops, sockets and listeners.
package final class NIOTransportGroup: TransportGroup {
    /// State of one event loop. Unchecked: only the loop's thread can find it.
    fileprivate final class LoopState: @unchecked Sendable {
        var spareDescriptor: (() -> Bool)?
    }

    /// The state of the current thread's loop.
    private static let current = ThreadSpecificVariable<LoopState>()

    private let group: MultiThreadedEventLoopGroup
    package let eventLoops: [any EventLoop]

    package init(count: Int) {
        precondition(count > 0, "a group has loops")
        group = MultiThreadedEventLoopGroup(numberOfThreads: count)
        eventLoops = Array(group.makeIterator())
        for loop in eventLoops { loop.execute { Self.current.currentValue = LoopState() } }
    }

    package var kind: TransportKind { .nio }
    package func next() -> any EventLoop { group.next() }
    package func any() -> any EventLoop { group.any() }
    package func makeIterator() -> EventLoopIterator { group.makeIterator() }

    package func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        group.shutdownGracefully(queue: queue, callback)
    }

    package func setSpareDescriptor(on loop: any EventLoop, _ spare: @escaping () -> Bool) {
        loop.preconditionInEventLoop()
        Self.current.currentValue?.spareDescriptor = spare
    }

    /// Closes a connection of the current thread's loop that can be spared; false where there is none.
    static func spareDescriptor() -> Bool { current.currentValue?.spareDescriptor?() ?? false }

    // MARK: Listening

    package func listen(
        _ source: ListenerSource, backlog: CInt, options: ConnectionOptions,
        onFailure: @escaping @Sendable (any EventLoop, IOError) -> Void, prepare: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any TransportListener {
        var bootstrap = ServerBootstrap(group: group.next(), childGroup: group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .childChannelOption(.allowRemoteHalfClosure, value: options.allowsHalfClosure)
            .childChannelOption(.maxMessagesPerRead, value: UInt(options.readsAtOnce))
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOAcceptFailures(onFailure))
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // A listening socket that was inherited may not pass the option on.
                    channel.withDescriptor { Sockets.sendAtOnce($0) }
                    try prepare(channel)
                }
            }
        switch source {
        case .address(let address):
            if let path = address.pathname, !path.isEmpty { Sockets.removeSocket(at: path) }
            // `::` stands for IPv4 too, whatever the system's default is.
            if address.protocol == .inet6 {
                bootstrap = bootstrap.serverChannelOption(.socket(SocketOptionLevel(IPPROTO_IPV6), IPV6_V6ONLY), value: 0)
            }
            return NIOListener(try await bootstrap.bind(to: address).get())
        case .inherited(let descriptor):
            try Sockets.prepareInherited(descriptor, backlog: backlog)
            return NIOListener(try await bootstrap.withBoundSocket(descriptor).get())
        }
    }

    // MARK: Connecting

    static func connect(
        to address: SocketAddress, on eventLoop: any EventLoop, within limit: TimeAmount, options: ConnectionOptions
    ) -> EventLoopFuture<any Channel> {
        @Sendable func attempt() -> EventLoopFuture<any Channel> {
            ClientBootstrap(group: eventLoop)
                .connectTimeout(limit)
                .channelOption(.allowRemoteHalfClosure, value: options.allowsHalfClosure)
                .channelOption(.maxMessagesPerRead, value: UInt(options.readsAtOnce))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard !channel.usesReserve || spareDescriptor() else { throw IOError(errnoCode: EMFILE, reason: "socket") }
                    }
                }
                .connect(to: address)
        }
        return eventLoop.flatSubmit {
            attempt().flatMapError { error in
                // `ClientBootstrap` opens the socket before it calls the initializer.
                guard (error as? IOError)?.errnoCode == EMFILE, spareDescriptor() else { return eventLoop.makeFailedFuture(error) }
                return attempt()
            }
        }
    }
}

/// A listening socket of NIOPosix.
private final class NIOListener: TransportListener {
    private let channel: any Channel
    let localAddress: SocketAddress?

    init(_ channel: any Channel) {
        self.channel = channel
        localAddress = channel.localAddress
    }

    func close() async throws {
        do {
            try await channel.close()
        } catch ChannelError.alreadyClosed {
            // The caller wants it closed, and it is.
        }
    }
}

/// Pauses a listener after a failed accept: the kernel would report the same connection again at once.
private final class NIOAcceptFailures: ChannelDuplexHandler {
    typealias InboundIn = Any
    typealias OutboundIn = Never

    private static let pause = TimeAmount.seconds(1)

    private let onFailure: @Sendable (any EventLoop, IOError) -> Void
    private var isPaused = false
    private var isReadWanted = false

    init(_ onFailure: @escaping @Sendable (any EventLoop, IOError) -> Void) { self.onFailure = onFailure }

    func read(context: ChannelHandlerContext) {
        if isPaused { isReadWanted = true } else { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError else { return context.fireErrorCaught(error) }
        switch error.errnoCode {
        case ECONNABORTED: return
        case EMFILE where NIOTransportGroup.spareDescriptor(): return
        default: break
        }
        onFailure(context.eventLoop, error)
        guard !isPaused else { return }
        isPaused = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPaused = false
            if self.isReadWanted {
                self.isReadWanted = false
                context.read()
            }
        }
    }
}
