import Glibc
package import NIOCore

/// Writes a whole message to a channel's socket at once, where nothing stands between the two: no TLS, and no bytes that the channel
/// still has to write. The way through a pipeline and its list of pending writes costs more than the system call.
///
/// The socket is asked of the channel for each write: one that the channel has closed is refused there, so bytes never go to whoever
/// has got its number since.
///
/// The wish to read more goes the same short way: handlers that would have held it back are not asked.
package struct DirectOutput {
    private let transport: any NIOTransportAccessibleChannelCore<NIOBSDSocket.Handle>
    private let options: any NIOSynchronousChannelOptions
    /// The channel was given something to write, and may not have written it all.
    private var mayBeQueued = false

    /// Nil for a channel without a socket. Only for one whose handlers pass bytes on as they are.
    package init?(_ channel: any Channel) {
        guard let transport = channel._channelCore as? any NIOTransportAccessibleChannelCore<NIOBSDSocket.Handle>,
            let options = channel.syncOptions
        else { return nil }
        self.transport = transport
        self.options = options
    }

    /// To be called for whatever is written through the channel.
    @inline(__always)
    package mutating func noteQueued() { mayBeQueued = true }

    /// The channel reads again when there is something, as after `ChannelHandlerContext.read`.
    @inline(__always)
    package mutating func read() { transport.read0() }

    /// How many of the bytes the socket has taken, 0 where the channel has to write before them or the socket fails. The rest is the
    /// channel's to write; it also hears of the failure then.
    package mutating func send(_ bytes: ByteBuffer) -> Int {
        if mayBeQueued {
            guard (try? options.getOption(.bufferedWritableBytes)) == 0 else { return 0 }
            mayBeQueued = false
        }
        let sent = try? transport.withUnsafeTransport { socket in
            bytes.withUnsafeReadableBytes { Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)) }
        }
        return max(0, sent ?? 0)
    }
}
