import Glibc
import NIOCore

/// The state of a connection's sending half.
struct SocketOutput {
    private enum Closing {
        case no
        /// The output is closed once everything is written.
        case afterWrites(EventLoopPromise<Void>?)
        case closed
    }

    /// What follows a system call.
    enum Step {
        case goOn
        /// The socket takes no more until the kernel says so.
        case wait
        case fail(IOError)
    }

    var pending = PendingWrites()
    var marks = ChannelOptions.Types.WriteBufferWaterMark(low: 32 * 1024, high: 64 * 1024)
    private(set) var isWritable = true
    /// Handlers were told that the channel is not writable, and not yet that it is again.
    private var isReportDue = false
    /// The socket takes no more until it says so.
    private(set) var isFull = false
    /// Handlers are running that this writing has called.
    var isWriting = false
    private var closing = Closing.no

    var isClosed: Bool { if case .closed = closing { true } else { false } }
    /// No further write is accepted.
    var isClosing: Bool { if case .no = closing { false } else { true } }
    /// Whether the output is to be closed now.
    var isCloseDue: Bool { if case .afterWrites = closing { pending.isEmpty } else { false } }
    /// Nothing is to be written before new bytes.
    @inline(__always)
    var isFree: Bool { pending.isEmpty && !isClosed }

    /// Keeps bytes to be written. True when the channel stops being writable.
    mutating func append(_ bytes: ByteBuffer, _ promise: EventLoopPromise<Void>?) -> Bool {
        pending.append(bytes, promise)
        guard isWritable, pending.byteCount > marks.high else { return false }
        isWritable = false
        isReportDue = true
        return true
    }

    /// The socket takes bytes again. False where it had never refused them.
    mutating func becameWritable() -> Bool {
        defer { isFull = false }
        return isFull
    }

    /// `count`: the outcome of a system call without bytes written, the negative error number.
    mutating func refused(_ count: Int) -> Step {
        switch CInt(truncatingIfNeeded: -count) {
        case EAGAIN:
            isFull = true
            return .wait
        case EINTR: return .goOn
        case let failure: return .fail(IOError(errnoCode: failure, reason: "send"))
        }
    }

    /// The socket has taken so many bytes. Returns the promises that this keeps.
    mutating func takeWritten(_ count: Int) -> [EventLoopPromise<Void>] {
        let promises = pending.takeWritten(count)
        if pending.byteCount < marks.low { isWritable = true }
        return promises
    }

    /// Whether handlers are to learn now that the channel is writable again. True once.
    mutating func hasBecomeWritable() -> Bool {
        guard isReportDue, isWritable else { return false }
        isReportDue = false
        return true
    }

    /// The output is closed once everything is written.
    mutating func closeAfterWrites(_ promise: EventLoopPromise<Void>?) {
        closing = .afterWrites(promise)
        pending.flush()
    }

    /// Returns the promise of the close.
    mutating func close() -> EventLoopPromise<Void>? {
        defer { closing = .closed }
        guard case .afterWrites(let promise) = closing else { return nil }
        return promise
    }

    /// The promises of everything that will not happen: those of writes, then that of the close.
    mutating func takeAll() -> [EventLoopPromise<Void>] {
        var promises = pending.takeAll()
        if let promise = close() { promises.append(promise) }
        return promises
    }
}
