import NIOCore
import NIOEmbedded
import Testing

@testable import Server

@Suite("Gathered writes of HTTP/2")
struct HTTP2WriteGathererTests {
    private let channel = EmbeddedChannel(handler: HTTP2WriteGatherer())

    private func bytes(_ count: Int, _ byte: UInt8) -> ByteBuffer { ByteBuffer(repeating: byte, count: count) }

    /// What has become of a write: "written", "failed", or nothing yet.
    private final class Outcome { var text = "" }

    private func promise(_ outcome: Outcome) -> EventLoopPromise<Void> {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(outcome, eventLoop: channel.eventLoop)
        promise.futureResult.whenSuccess { bound.value.text = "written" }
        promise.futureResult.whenFailure { _ in bound.value.text = "failed" }
        return promise
    }

    /// The lengths of what has left, in order.
    private func left() throws -> [Int] {
        var lengths: [Int] = []
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { lengths.append(bytes.readableBytes) }
        return lengths
    }

    @Test("Small writes leave as one, in their order, and each is told when it has")
    func small() throws {
        let outcomes = (0..<3).map { _ in Outcome() }
        for (number, outcome) in outcomes.enumerated() { channel.write(bytes(2, UInt8(number)), promise: promise(outcome)) }
        channel.write(bytes(1, 9), promise: nil)
        #expect(try left() == [])
        #expect(outcomes.map(\.text) == ["", "", ""])
        channel.flush()
        let whole = try channel.readOutbound(as: ByteBuffer.self)
        #expect(whole.map { Array($0.readableBytesView) } == [0, 0, 1, 1, 2, 2, 9])
        #expect(try left() == [])
        #expect(outcomes.map(\.text) == ["written", "written", "written"])
    }

    @Test("A large write is not copied, and what was written before it leaves before it")
    func large() throws {
        channel.write(bytes(10, 1), promise: nil)
        channel.write(bytes(8 * 1024 + 1, 2), promise: nil)
        channel.write(bytes(20, 3), promise: nil)
        channel.flush()
        #expect(try left() == [10, 8 * 1024 + 1, 20])
    }

    @Test("A gathered write is no longer than a TLS record")
    func record() throws {
        for _ in 0..<5 { channel.write(bytes(8 * 1024, 1), promise: nil) }
        channel.flush()
        #expect(try left() == [16 * 1024, 16 * 1024, 8 * 1024])
    }

    @Test("A promise for nothing is kept, too")
    func empty() throws {
        let outcome = Outcome()
        channel.write(ByteBuffer(), promise: promise(outcome))
        channel.flush()
        #expect(outcome.text == "written")
    }

    @Test("What was never flushed fails when the channel closes")
    func closed() throws {
        let outcomes = (0..<2).map { _ in Outcome() }
        for outcome in outcomes { channel.write(bytes(1, 1), promise: promise(outcome)) }
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
        #expect(outcomes.map(\.text) == ["failed", "failed"])
        #expect(try left() == [])
    }
}
