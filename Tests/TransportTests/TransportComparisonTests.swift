import CSockets
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import Transport

/// The same peer does the same on loopback to both transports: their handlers are told the same.
@Suite struct TransportComparisonTests {
    /// Everything that a connection's handler is told, in order. Reads one after another count as one.
    private final class Recorder: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let state = NIOLockedValueBox<(events: [String], read: Int, waiting: [(String, EventLoopPromise<Void>)])>(([], 0, []))
        let channel = NIOLockedValueBox<(any Channel)?>(nil)

        var events: [String] { state.withLockedValue { $0.events + ($0.read > 0 ? ["read \($0.read)"] : []) } }

        private func add(_ event: String) {
            let reached = state.withLockedValue { state in
                if state.read > 0 { state.events.append("read \(state.read)") }
                state.read = 0
                state.events.append(event)
                defer { state.waiting.removeAll { $0.0 == event } }
                return state.waiting.filter { $0.0 == event }.map(\.1)
            }
            for promise in reached { promise.succeed() }
        }

        /// Waits until the event has happened; `read N`: until so many bytes were read since the event before.
        func wait(for event: String, on loop: any EventLoop) async throws {
            let promise = loop.makePromise(of: Void.self)
            let isReached = state.withLockedValue { state in
                if state.events.contains(event) || event == "read \(state.read)" { return true }
                state.waiting.append((event, promise))
                return false
            }
            if isReached { promise.succeed() }
            try await promise.futureResult.get()
        }

        func handlerAdded(context: ChannelHandlerContext) { channel.withLockedValue { $0 = context.channel } }
        func channelActive(context: ChannelHandlerContext) { add("active") }
        func channelInactive(context: ChannelHandlerContext) { add("inactive") }
        func channelWritabilityChanged(context: ChannelHandlerContext) { add("writable \(context.channel.isWritable)") }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { add("error \((error as? IOError)?.errnoCode ?? -1)") }
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent { add("\(event)") }
        }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let count = unwrapInboundIn(data).readableBytes
            let reached = state.withLockedValue { state in
                state.read += count
                let event = "read \(state.read)"
                defer { state.waiting.removeAll { $0.0 == event } }
                return state.waiting.filter { $0.0 == event }.map(\.1)
            }
            for promise in reached { promise.succeed() }
        }
        func written(_ result: Result<Void, any Error>) {
            switch result {
            case .success: add("written")
            case .failure(let error): add("write failed: \(error as? ChannelError == .ioOnClosedChannel ? "closed" : "\(type(of: error))")")
            }
        }
    }

    enum Step: Sendable {
        case peerSends(Int), peerReads(Int), peerFinishes, peerResets, peerCloses
        case writes(Int), closesOutput, closes
        case until(String)
    }

    struct Script: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var allowsHalfClosure = true
        var lowMark = 32 * 1024
        let steps: [Step]
    }

    static let scripts = [
        Script(
            testDescription: "both close one after the other",
            steps: [
                .peerSends(10), .until("read 10"), .writes(20), .peerReads(20), .until("written"), .peerFinishes, .until("inputClosed"),
                .closes, .until("inactive"),
            ]),
        Script(
            testDescription: "a FIN closes where a half must not", allowsHalfClosure: false,
            steps: [.peerSends(1_000), .peerFinishes, .until("inactive")]),
        Script(testDescription: "a reset after data", steps: [.peerSends(5), .until("read 5"), .peerResets, .until("inactive")]),
        Script(testDescription: "a reset at once", steps: [.until("active"), .peerResets, .until("inactive")]),
        Script(
            testDescription: "data after the output is closed",
            steps: [
                .until("active"), .closesOutput, .until("outputClosed"), .peerSends(100_000), .until("read 100000"), .peerCloses,
                .until("inactive"),
            ]),
        // Whether the last bytes below the low mark are written together with those above it depends on the kernel's buffers, and so
        // does the order of "written" and "writable true". These two marks leave nothing to the kernel.
        Script(
            testDescription: "more than the socket takes, writable when nothing is left", lowMark: 1,
            steps: [
                .until("active"), .writes(16 << 20), .until("writable false"), .peerReads(16 << 20), .until("writable true"),
                .until("written"), .peerCloses, .until("inputClosed"), .closes, .until("inactive"),
            ]),
        Script(
            testDescription: "more than the socket takes, writable after its first byte", lowMark: 16 << 20,
            steps: [
                .until("active"), .writes((16 << 20) + 1), .until("writable true"), .peerReads((16 << 20) + 1), .until("written"),
                .peerCloses, .until("inputClosed"), .closes, .until("inactive"),
            ]),
        Script(
            testDescription: "a close drops pending writes",
            steps: [.until("active"), .writes(16 << 20), .until("writable false"), .closes, .until("inactive")]),
        Script(
            testDescription: "a write after the close fails",
            steps: [.until("active"), .closes, .until("inactive"), .writes(1), .until("write failed: closed")]),
    ]

    private func events(_ kind: TransportKind, _ script: Script) async throws -> [String] {
        let group = try kind.makeGroup(loops: 1)
        let loop = group.eventLoops[0]
        let recorder = Recorder()
        let listener = try await group.listen(
            .address(SocketAddress(ipAddress: "127.0.0.1", port: 0)), backlog: 1,
            options: ConnectionOptions(allowsHalfClosure: script.allowsHalfClosure, readsAtOnce: 1), onFailure: { _, _ in },
            prepare: {
                let marks = ChannelOptions.Types.WriteBufferWaterMark(low: script.lowMark, high: max(script.lowMark, 64 * 1024))
                try $0.syncOptions?.setOption(.writeBufferWaterMark, value: marks)
                try $0.pipeline.syncOperations.addHandler(recorder)
            })
        let address = try #require(listener.localAddress)
        // A blocking socket: the peer's calls return when they are done.
        var peer = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { if peer >= 0 { Glibc.close(peer) } }
        #expect(address.withSockAddr { Glibc.connect(peer, $0, socklen_t($1)) } == 0)
        try await recorder.wait(for: "active", on: loop)
        let channel = try #require(recorder.channel.withLockedValue { $0 })
        for step in script.steps {
            switch step {
            case .until(let event): try await recorder.wait(for: event, on: loop)
            case .peerSends(let count):
                let bytes = [UInt8](repeating: 7, count: count)
                #expect(Glibc.send(peer, bytes, count, CInt(MSG_NOSIGNAL)) == count)
            case .peerReads(let count):
                var bytes = [UInt8](repeating: 0, count: count)
                #expect(Glibc.recv(peer, &bytes, count, CInt(MSG_WAITALL)) == count)
            case .peerFinishes: Glibc.shutdown(peer, CInt(SHUT_WR))
            case .peerResets:
                Sockets.resetOnClose(peer)
                Glibc.close(peer)
                peer = -1
            case .peerCloses:
                Glibc.close(peer)
                peer = -1
            case .writes(let count):
                channel.writeAndFlush(ByteBuffer(repeating: 8, count: count)).whenComplete { recorder.written($0) }
            case .closesOutput: channel.close(mode: .output, promise: nil)
            case .closes: channel.close(promise: nil)
            }
        }
        try await group.shutdownGracefully()
        return recorder.events
    }

    @Test(arguments: scripts)
    func bothTellTheirHandlersTheSame(_ script: Script) async throws {
        let own = try await events(.own, script)
        let nio = try await events(.nio, script)
        #expect(own == nio)
        #expect(own.first == "active")
    }
}
