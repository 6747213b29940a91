import HTTPWire
public import NIOCore

/// The received bytes of a connection that are not parsed yet, and the state of its reading.
public struct ByteInbox {
    private enum Reading {
        case open
        /// The channel has asked for the next read, which waits until there is room.
        case held
        /// The peer sends no more.
        case ended
    }

    public var bytes = ByteBuffer()
    private var reading = Reading.open

    public init() {}

    @inline(__always)
    public var isEmpty: Bool { bytes.readableBytes == 0 }
    public var count: Int { bytes.readableBytes }
    public var isEnded: Bool { reading == .ended }
    public var isReadHeld: Bool { reading == .held }

    /// Takes over what was received, with its memory if nothing is left of earlier reads.
    public mutating func take(_ received: inout ByteBuffer) {
        if bytes.readableBytes == 0 {
            swap(&bytes, &received)
        } else {
            if bytes.readerIndex > 32 * 1024 { bytes.discardReadBytes() }
            bytes.writeBuffer(&received)
        }
    }

    /// Returns the memory of bytes that are all parsed, so that the next read can use it.
    public mutating func giveBack(to received: inout ByteBuffer) {
        if bytes.readableBytes == 0 { bytes.release(to: &received) }
    }

    /// All bytes, taken out.
    public mutating func takeAll() -> ByteBuffer? {
        bytes.readableBytes > 0 ? bytes.readSlice(length: bytes.readableBytes) : nil
    }

    public mutating func clear() { bytes.clear() }

    /// Whether the next read may happen now; one that may not is held.
    public mutating func mayRead(hasRoom: Bool) -> Bool {
        if reading != .ended { reading = hasRoom ? .open : .held }
        return hasRoom
    }

    /// Whether a read was held that may happen now.
    public mutating func resumesReading(hasRoom: Bool) -> Bool {
        guard reading == .held, hasRoom else { return false }
        reading = .open
        return true
    }

    /// The peer has ended its input.
    public mutating func end() { reading = .ended }
}
