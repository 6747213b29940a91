import Glibc
import NIOCore

/// The state of a connection's receiving half.
struct SocketInput {
    /// What is known of the end of input.
    enum End: Equatable {
        /// The peer may send more.
        case none
        /// The connection has ended in both directions. Received data may be left.
        case near
        /// The peer has closed its side properly, without a reset. Received data may be left.
        case proper
        /// The end was reported to the handlers, or nothing more is read.
        case reported
    }

    private(set) var end = End.none
    /// A handler has requested bytes.
    var isWanted = false
    /// The socket may have data: the kernel reports it only once.
    var mayRead = false
    /// The channel reads by itself, as NIO's `autoRead` says.
    var readsByItself = true
    /// Handlers are running that this reading has called.
    var isReading = false
    /// The loop reads it in the next turn.
    var isQueued = false
    /// The error that broke the connection during a write. The kernel reports it once; later reads see only the end of input.
    private(set) var broken: IOError?
    var size = ReceiveSize()

    var isClosed: Bool { end == .reported }
    /// No later event announces the end.
    var isEndAnnounced: Bool { end == .near || end == .proper }
    /// Whether to read as soon as possible.
    var isDue: Bool { isWanted && mayRead }
    /// Whether a handler that does not read has to hear of the end.
    var isEndUnread: Bool { isEndAnnounced && mayRead && !isWanted }
    /// A handler has to request bytes now, for a channel that reads by itself.
    var shouldRequest: Bool { readsByItself && !isWanted && !isClosed }

    /// The kernel has reported that the peer has closed its side.
    mutating func peerClosed() { if end != .reported { end = .proper } }

    /// The kernel has reported the end of both directions.
    mutating func hungUp() { if end == .none { end = .near } }

    /// A write has failed.
    mutating func broke(_ error: IOError) {
        broken = error
        hungUp()
    }

    mutating func close() {
        end = .reported
        isWanted = false
    }

    /// Returns whether the loop has to be asked for a turn.
    mutating func queue() -> Bool {
        defer { isQueued = true }
        return !isQueued
    }

    /// A read of so many bytes into memory of the size's.
    ///
    /// Less than there was room for is all there was; the kernel reports what comes after it. An end that was announced is not reported
    /// again. (Urgent data would be an exception, which nothing here uses.)
    @inline(__always)
    mutating func received(_ count: Int) {
        if count < size.bytes, !isEndAnnounced { mayRead = false }
        isWanted = false
        size.adapt(to: count)
    }

    /// What a read without data means; nil: nothing to read for now. `failure`: the error number, 0 for the end of input.
    mutating func endOfData(_ failure: CInt) -> (any Error)? {
        mayRead = false
        if failure == 0 { return end == .proper ? ChannelError.eof : broken ?? ChannelError.eof }
        return failure == EAGAIN ? nil : IOError(errnoCode: failure, reason: "recv")
    }
}
