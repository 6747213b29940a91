import Exchanges
import HTTPWire
import NIOCore
import NIOEmbedded
import TestTools
import Testing

@testable import Server

/// Writes requests, most of them well-formed, and sends them in pieces.
private struct RandomClient {
    private var unsent: [UInt8] = []
    private var count = 0

    mutating func piece(_ random: inout SeededGenerator) -> [UInt8] {
        if unsent.isEmpty { for _ in 0..<Int.random(in: 1...3, using: &random) { unsent += Array(message(&random).utf8) } }
        let isWhole = Bool.random(using: &random)
        let length = isWhole ? unsent.count : Int.random(in: 1...min(unsent.count, 40), using: &random)
        defer { unsent.removeFirst(length) }
        return Array(unsent.prefix(length))
    }

    private mutating func message(_ random: inout SeededGenerator) -> String {
        count += 1
        let version = Int.random(in: 0..<8, using: &random) == 0 ? "1.0" : "1.1"
        var head = ["Host: a"]
        switch Int.random(in: 0..<10, using: &random) {
        case 0: head.append("Connection: close")
        case 1...4: head.append("Connection: keep-alive")
        default: break
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return "@nonsense\r\n\r\n"
        case 1...7:
            let length = Int.random(in: 1...60, using: &random)
            head.append("Content-Length: \(length)")
            if version == "1.1", Bool.random(using: &random) { head.append("Expect: 100-continue") }
            return text("POST", version, head) + String(repeating: "b", count: length)
        case 8...12 where version == "1.1":
            head.append("Transfer-Encoding: chunked")
            return text("PUT", version, head) + chunks(&random)
        default: return text("GET", version, head)
        }
    }

    private func text(_ method: String, _ version: String, _ head: [String]) -> String {
        "\(method) /\(count) HTTP/\(version)\r\n\(head.joined(separator: "\r\n"))\r\n\r\n"
    }

    private func chunks(_ random: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if Int.random(in: 0..<12, using: &random) == 0 { return text + "zz\r\n" }
            let length = Int.random(in: 1...30, using: &random)
            text += "\(String(length, radix: 16))\r\n\(String(repeating: "c", count: length))\r\n"
        }
        return text + (Bool.random(using: &random) ? "0\r\n\r\n" : "0\r\nX-Sum: 1\r\n\r\n")
    }
}

/// Records what the connection reports; answers only what is refused.
private final class Recorder: RequestHandler, ExchangeDelegate {
    var log: [String] = []
    private var isUnflushed = false

    func report(_ event: String) {
        if event.hasPrefix("body "), let last = log.last, last.hasPrefix("body "), let more = Int(event.dropFirst(5)),
            let before = Int(last.dropFirst(5))
        {
            log[log.count - 1] = "body \(before + more)"
        } else {
            log.append(event)
        }
    }

    func handle(_ exchange: Exchange) {
        let version = "HTTP/1.\(exchange.head.minorVersion)"
        report("begin \(exchange.head.methodText) \(exchange.head.pathText) \(version)")
        exchange.delegate = self
    }
    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) { answer(exchange, error.status) }
    func refuseLate(_ exchange: Exchange) { answer(exchange, 408) }
    private func answer(_ exchange: Exchange, _ status: Int) {
        exchange.sendHead(status: status, reason: nil, framing: .length(0), hasDate: true) { _ in }
        exchange.sendEnd()
        exchange.flush()
    }
    func finished(_ exchange: Exchange) { report("finished \(exchange.status)\(exchange.record.wasAborted ? " aborted" : "")") }
    func handshakeFailed(_ peer: PeerAddress, reason: String) {}
    func acceptFailed(_ error: IOError) {}
    func closedIdleConnections(_ count: Int) {}
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {}

    func exchange(_ exchange: Exchange, received body: ByteBuffer) { report("body \(body.readableBytes)") }
    func exchangeReadComplete(_ exchange: Exchange) {}
    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) { report("end") }
    func exchange(_ exchange: Exchange, failed error: WireError) { report("failed \(error.rawValue)") }
    func exchange(_ exchange: Exchange, isWritable: Bool) {}
    func exchangeClosed(_ exchange: Exchange) { report("closed") }
}

/// Stands for the socket: says later that the last bytes are written, and records the end of output.
private final class SlowSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var isStalled = false
    var isOutputClosed = false
    private var waiting: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if isStalled, let promise {
            waiting.append(promise)
            context.write(data, promise: nil)
        } else {
            context.write(data, promise: promise)
        }
    }
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output {
            isOutputClosed = true
            promise?.succeed()
        } else {
            context.close(mode: mode, promise: promise)
        }
    }
    func release() {
        isStalled = false
        let waiting = self.waiting
        self.waiting = []
        for promise in waiting { promise.succeed() }
    }
}

/// A connection and its model, to which the same happens.
private final class Pair {
    let channel = EmbeddedChannel()
    let recorder = Recorder()
    let socket = SlowSocket()
    let services: ServerLoop
    let connection: HTTP1Connection
    var model = HTTP1ConnectionModel()
    private var output = ""

    init() throws {
        services = ServerLoop(eventLoop: channel.eventLoop)
        connection = HTTP1Connection(
            channel: channel, peer: PeerAddress(channel.remoteAddress), handler: recorder, settings: ServerSettings(), loop: services)
        try channel.pipeline.syncOperations.addHandlers([socket, connection])
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.7", port: 4711)).wait()
    }

    /// One event; returns its name.
    func step(_ client: inout RandomClient, _ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30:
            let bytes = client.piece(&random)
            model.receive(bytes)
            channel.pipeline.fireChannelRead(ByteBuffer(bytes: bytes))
            channel.pipeline.fireChannelReadComplete()
            return "receive \(String(decoding: bytes, as: UTF8.self))"
        case 30..<44: return answer(&random)
        case 44..<58:
            let limit = Int.random(in: 0..<4, using: &random) == 0 ? 40 : nil
            model.startBody(limit: limit)
            connection.startBody(limit: limit)
            return "startBody"
        case 58..<63:
            let isPaused = Bool.random(using: &random)
            model.pause(isPaused)
            connection.pauseBody(isPaused)
            return "pause \(isPaused)"
        case 63..<90: return respond(&random)
        default: return disturb(&random)
        }
    }

    /// A whole response.
    private func answer(_ random: inout SeededGenerator) -> String {
        let text = String(repeating: "r", count: Int.random(in: 1...20, using: &random))
        let isChunked = Bool.random(using: &random)
        model.sendHead(200, isChunked ? .chunked : .length(text.utf8.count))
        model.sendBody(text)
        model.sendEnd()
        connection.sendHead(
            status: 200, reason: nil, framing: isChunked ? .stream : .length(text.utf8.count), hasDate: true, lines: { _ in })
        connection.sendBody(ByteBuffer(string: text))
        connection.sendEnd()
        connection.flush()
        return "answer"
    }

    /// A part of a response.
    private func respond(_ random: inout SeededGenerator) -> String {
        defer { connection.flush() }
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            model.sendInterim()
            connection.sendInterim(status: 103) { _ in }
            return "interim"
        case 1..<5:
            let length = Int.random(in: 0...30, using: &random)
            let isChunked = Bool.random(using: &random)
            model.sendHead(200, isChunked ? .chunked : .length(length))
            connection.sendHead(status: 200, reason: nil, framing: isChunked ? .stream : .length(length), hasDate: true, lines: { _ in })
            return "head"
        case 5..<11:
            let text = String(repeating: "r", count: Int.random(in: 0...12, using: &random))
            model.sendBody(text)
            connection.sendBody(ByteBuffer(string: text))
            return "part"
        case 11..<16:
            model.sendEnd()
            connection.sendEnd()
            return "end"
        case 16:
            model.abort()
            connection.abort()
            return "abort"
        case 17:
            model.endEarly()
            connection.endEarly()
            return "endEarly"
        case 18:
            model.closeAfterResponse()
            connection.closeAfterResponse()
            return "closeAfterResponse"
        default:
            guard model.isPending, model.request != nil else { return "no upgrade" }
            model.upgrade()
            connection.sendHead(status: 101, reason: nil, framing: .none, hasDate: true, lines: { _ in })
            connection.tunnelsWebSocket = false
            connection.startTunnel()
            return "upgrade"
        }
    }

    /// The network, the clock and the end of the server.
    private func disturb(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<2:
            model.endInput()
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            return "end of input"
        case 2..<9:
            let isFull = Bool.random(using: &random)
            if isFull == channel.isWritable {
                model.setFull(isFull)
                channel.isWritable = !isFull
                channel.pipeline.fireChannelWritabilityChanged()
            }
            return "full \(isFull)"
        case 9..<12:
            model.setStalled(true)
            socket.isStalled = true
            return "stalled"
        case 12..<17:
            model.setStalled(false)
            socket.release()
            return "written"
        case 17:
            model.wait()
            // Longer than any chain of limits.
            channel.embeddedEventLoop.advanceTime(by: .seconds(400))
            return "wait"
        case 18:
            model.drain()
            services.drain()
            return "drain"
        default:
            model.reset()
            channel.close(promise: nil)
            return "reset"
        }
    }

    /// The differences between both.
    func difference() throws -> String? {
        channel.embeddedEventLoop.run()
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { output += String(buffer: bytes) }
        if output != model.output { return "sent \(output.debugDescription) instead of \(model.output.debugDescription)" }
        if recorder.log != model.log { return "reported \(recorder.log) instead of \(model.log)" }
        if channel.isActive != model.isOpen { return "open: \(channel.isActive)" }
        if socket.isOutputClosed != model.isOutputClosed { return "output closed: \(socket.isOutputClosed)" }
        return nil
    }

    func end() {
        socket.release()
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}

@Suite("Random events on HTTP/1.1 connections")
struct HTTP1RandomTests {
    /// Few connections live long, so the events are spread over many.
    @Test("10,000 random events send, report and close what a model of RFC 9112 does", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func likeTheModel(seed: UInt64) throws {
        var random = SeededGenerator(fixed: seed)
        var pair = try Pair()
        var client = RandomClient()
        var trace: [String] = []
        var longest = 0
        for _ in 0..<10_000 {
            trace.append(pair.step(&client, &random))
            longest = max(longest, trace.count)
            if let difference = try pair.difference() {
                Issue.record("seed \(seed): \(difference)\nafter:\n\(trace.joined(separator: "\n"))")
                return pair.end()
            }
            guard !pair.model.isOpen else { continue }
            pair.end()
            pair = try Pair()
            client = RandomClient()
            trace = []
        }
        pair.end()
        #expect(longest > 50)
    }
}
