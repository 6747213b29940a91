import HTTPWire
import NIOCore
import Testing

@Suite("WebSocket frames")
struct WebSocketFramesTests {
    private static func frame(_ opcode: UInt8, _ length: Int, masked: Bool) -> [UInt8] {
        let mask: UInt8 = masked ? 0x80 : 0
        var bytes: [UInt8] = [0x80 | opcode]
        if length < 126 {
            bytes.append(mask | UInt8(length))
        } else if length < 65_536 {
            bytes += [mask | 126, UInt8(length >> 8), UInt8(length & 255)]
        } else {
            bytes += [
                mask | 127, 0, 0, 0, 0, UInt8(length >> 24), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255),
            ]
        }
        return bytes + [UInt8](repeating: 7, count: (masked ? 4 : 0) + length)
    }

    @Test(
        "a boundary is where a frame ends, however the bytes arrive (RFC 6455 section 5.2)",
        arguments: [0, 1, 125, 126, 300, 65_535, 65_536], [false, true])
    func boundaries(length: Int, masked: Bool) {
        let bytes = Self.frame(1, length, masked: masked)
        var frames = WebSocketFrames()
        frames.consume(ByteBuffer(bytes: bytes.dropLast()))
        #expect(!frames.isAtBoundary)
        frames.consume(ByteBuffer(bytes: bytes.suffix(1)))
        #expect(frames.isAtBoundary)
        for byte in bytes.prefix(20) { frames.consume(ByteBuffer(bytes: [byte])) }
        frames.consume(ByteBuffer(bytes: bytes.dropFirst(20)))
        #expect(frames.isAtBoundary)
    }

    @Test("a close frame is noticed, a payload that looks like one is not")
    func close() {
        var frames = WebSocketFrames()
        frames.consume(ByteBuffer(bytes: [0x82, 0x02, 0x88, 0x00]))
        #expect(!frames.sawClose)
        frames.consume(ByteBuffer(bytes: [0x88, 0x02, 0x03, 0xE8]))
        #expect(frames.sawClose)
    }
}
