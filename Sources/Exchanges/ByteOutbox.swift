import HTTPWire
public import NIOCore

/// The bytes that a connection is about to send, and when they are sent.
///
/// Small parts are copied together. A large part goes to the channel as it is and is sent at once. A value that calls nothing:
/// `BufferedConnection` executes what it returns.
public struct ByteOutbox {
    /// The parts that the channel was given since its last flush.
    private enum Written { case nothing, small, large }

    /// What a flush has to do.
    public enum Flush {
        case nothing
        case now
        case atEndOfTurn
        case whenIdle
    }

    /// A larger part is not copied.
    private static let coalesceLimit = 16 * 1024
    /// More is given to the channel.
    private static let handOverLimit = 64 * 1024

    /// Without memory of its own while nothing is to be sent.
    public var bytes = ByteBuffer()
    private var written = Written.nothing
    private var schedule = SendSchedule()

    public init() {}

    @inline(__always)
    public var isEmpty: Bool { bytes.readableBytes == 0 }
    /// More than the connection keeps by itself.
    @inline(__always)
    public var isLarge: Bool { bytes.readableBytes > Self.handOverLimit }
    /// Bytes are left for the channel to send, here or there.
    public var hasUnsent: Bool { bytes.readableBytes > 0 || written != .nothing }
    /// A send is due at the end of the turn or later.
    public var isSendDue: Bool { schedule.isDue }
    /// A send is due at the end of this turn.
    public var isSendDeferred: Bool { schedule.isDeferred }

    /// Copies a part of a body. False for one that is too large: it goes to the channel behind the other bytes.
    @inline(__always)
    public mutating func append(_ part: ByteBuffer) -> Bool {
        guard part.readableBytes <= Self.coalesceLimit else { return false }
        bytes.put(part.byteSpan)
        return true
    }

    /// The bytes, taken out. Cleared in place, their memory would be copied while the channel has it, and kept while the connection is idle.
    @inline(__always)
    public mutating func take(leaving nothing: consuming ByteBuffer = ByteBuffer()) -> ByteBuffer {
        var taken = nothing
        swap(&taken, &bytes)
        return taken
    }

    /// Takes the bytes for the channel to write; nil if there are none.
    public mutating func handOver() -> ByteBuffer? {
        guard bytes.readableBytes > 0 else { return nil }
        if written == .nothing { written = .small }
        return take()
    }

    /// The channel is given a large part.
    public mutating func wroteLargePart() { written = .large }

    /// When to send. `hasMore`: bytes that are kept elsewhere.
    public mutating func flush(hasMore: Bool = false) -> Flush {
        // The memory of large parts is soon used again if they are sent at once; those of all connections together fit no cache.
        if written == .large { return .now }
        guard hasUnsent || hasMore, schedule.deferToEndOfTurn() else { return .nothing }
        return .atEndOfTurn
    }

    /// The same for a head that a body is expected to follow at once.
    public mutating func flushHead() -> Flush {
        schedule.hold() ? .whenIdle : .nothing
    }

    /// `sendDeferred` was called.
    public mutating func endSchedule() { schedule.end() }

    /// Everything is sent now: the channel flushes.
    public mutating func noteFlushed() { written = .nothing }
}

/// A connection's handler with an outbox.
public protocol BufferedConnection: DeferredSender {
    var outbox: ByteOutbox { get set }
    var channel: ConnectionChannel { get }
    var sends: DeferredSends { get }
    /// Sends what is in the outbox now.
    func send()
}

extension BufferedConnection {
    /// Puts a part of a body into the outbox. The channel writes a large one without copying it.
    @inlinable @inline(__always)
    public func put(_ part: ByteBuffer) {
        if !outbox.append(part) { writeLargePart(part) }
    }

    @inlinable
    public func writeLargePart(_ part: ByteBuffer) {
        handOver()
        outbox.wroteLargePart()
        channel.write(part)
    }

    /// Gives all bytes to the channel, which sends them at its next flush.
    @inlinable
    public func handOver() {
        if let bytes = outbox.handOver() { channel.write(bytes) }
    }

    @inlinable @inline(__always)
    public func execute(_ flush: ByteOutbox.Flush) {
        switch flush {
        case .nothing: break
        case .now: send()
        case .atEndOfTurn: sends.add(self)
        case .whenIdle: sends.hold(self)
        }
    }
}
