public import NIOCore
package import Transport

/// The channel below a connection's handler: its pipeline, or the socket itself where no handler stands between.
public struct ConnectionChannel {
    public private(set) var context: ChannelHandlerContext?
    /// Nil for a channel of another kind: NIO's, and those of tests.
    private var socket: SocketChannel?
    /// The socket, if bytes go past the pipeline both ways. Callers send through it themselves: a method here would count a reference to
    /// each of the three.
    package private(set) var direct: SocketChannel?

    public init() {}

    /// `receiver`: the handler if nothing stands between it and the socket, nil for one above TLS.
    package mutating func attach(_ context: ChannelHandlerContext, receiver: (any ByteReceiver)?) {
        self.context = context
        socket = context.channel as? SocketChannel
        guard let receiver else { return }
        direct = socket
        direct?.receiver = receiver
    }

    package mutating func detach() {
        context = nil
        socket?.receiver = nil
        socket = nil
        direct = nil
    }

    /// Asks the socket for the next read. The channel would ask the whole pipeline; this is shorter.
    public func readOn() { socket?.read0() }

    /// Passes on a read of the pipeline.
    public func read(_ context: ChannelHandlerContext) {
        if let socket { socket.read0() } else { context.read() }
    }

    /// A tunnel has no limit but its two ends: it reads to the end of input.
    package func readToEnd() { socket?.readToEnd() }

    public func flush() { context?.flush() }

    public func write(_ bytes: ByteBuffer) { context?.write(NIOAny(bytes), promise: nil) }

    public func writeAndFlush(_ bytes: ByteBuffer) { context?.writeAndFlush(NIOAny(bytes), promise: nil) }
}
