import HTTPWire
public import NIOCore

/// The received bytes of a connection that are not parsed yet, and the state of its reading.
public struct ByteInbox {
    public var bytes = ByteBuffer()
    private var gate = ReadGate()

    public init() {}

    @inline(__always)
    public var isEmpty: Bool { bytes.readableBytes == 0 }
    public var count: Int { bytes.readableBytes }
    public var isEnded: Bool { gate.isEnded }
    public var isReadHeld: Bool { gate.isHeld }

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

    /// All bytes with their memory: nothing of it is kept.
    public mutating func moveOut() -> ByteBuffer? {
        guard bytes.readableBytes > 0 else { return nil }
        var taken = ByteBuffer()
        swap(&taken, &bytes)
        return taken
    }

    public mutating func clear() { bytes.clear() }

    /// Whether the next read may happen now; one that may not is held.
    public mutating func mayRead(hasRoom: Bool) -> Bool { gate.mayRead(hasRoom: hasRoom) }

    /// Whether a read was held that may happen now.
    public mutating func resumesReading(hasRoom: Bool) -> Bool { gate.resumes(hasRoom: hasRoom) }

    /// The peer has ended its input.
    public mutating func end() { gate.end() }
}
