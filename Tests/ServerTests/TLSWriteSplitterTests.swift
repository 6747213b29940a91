import NIOCore
import NIOEmbedded
import Testing

@testable import Server

@Suite("Writes to TLS")
struct TLSWriteSplitterTests {
    /// Remembers what is flushed at once.
    private final class Flushes: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private var open: [UInt8] = []
        private(set) var flushed: [[UInt8]] = []
        /// Runs once, in the middle of a flush.
        var duringFlush: (() -> Void)?

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            open += Array(unwrapOutboundIn(data).readableBytesView)
            promise?.succeed()
        }

        func flush(context: ChannelHandlerContext) {
            flushed.append(open)
            open = []
            duringFlush.take()?()
        }
    }

    private let channel = EmbeddedChannel()
    private let flushes = Flushes()

    init() throws { try channel.pipeline.syncOperations.addHandlers([flushes, TLSWriteSplitter()]) }

    private func write(_ byte: UInt8, _ count: Int) { channel.write(ByteBuffer(repeating: byte, count: count), promise: nil) }

    @Test("small writes wait for their flush and leave together")
    func small() {
        for byte in 1...3 as ClosedRange<UInt8> { write(byte, 5_000) }
        #expect(flushes.flushed.isEmpty)
        channel.flush()
        #expect(flushes.flushed.map(\.count) == [15_000])
    }

    @Test("large writes leave a record at a time, whole and in order")
    func large() {
        write(1, 100)
        write(2, 40_000)
        write(3, 100)
        channel.flush()
        #expect(flushes.flushed.allSatisfy { $0.count <= 16_000 })
        #expect(
            flushes.flushed.flatMap { $0 } == Array(repeating: 1, count: 100) + Array(repeating: 2, count: 40_000)
                + Array(repeating: 3, count: 100))
    }

    @Test("what is written in the middle of a large write comes after it")
    func reentrant() throws {
        flushes.duringFlush = {
            write(9, 20_000)
            channel.flush()
        }
        let written = channel.eventLoop.makePromise(of: Void.self)
        channel.write(ByteBuffer(repeating: 1, count: 50_000), promise: written)
        try written.futureResult.wait()
        #expect(flushes.flushed.flatMap { $0 } == Array(repeating: 1, count: 50_000) + Array(repeating: 9, count: 20_000))
    }
}
