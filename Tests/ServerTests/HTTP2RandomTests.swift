import Exchanges
import HTTPWire
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import TestTools
import Testing

@testable import Server

/// Records what the connection reports of each stream; answers only what is refused.
private final class Recorder: RequestHandler, ExchangeDelegate {
    var logs: [Int: [String]] = [:]
    var exchanges: [Int: Exchange] = [:]

    private func id(_ exchange: Exchange) -> Int { (exchange as? HTTP2Stream).map { Int($0.id) } ?? 0 }

    private func report(_ event: String, _ exchange: Exchange) { logs[id(exchange), default: []].append(event) }

    func handle(_ exchange: Exchange) {
        report("begin", exchange)
        exchanges[id(exchange)] = exchange
        exchange.delegate = self
    }
    func refuse(_ exchange: Exchange, _ error: WireError, resemblesBrowser: Bool) {
        exchange.sendHead(status: error.status, reason: nil, framing: .length(0), hasDate: true) { _ in }
        exchange.sendEnd()
        exchange.flush()
    }
    func refuseLate(_ exchange: Exchange) { report("late", exchange) }
    func finished(_ exchange: Exchange) {
        report("finished \(exchange.status)\(exchange.record.wasAborted ? " aborted" : "")", exchange)
        // The connection reuses the memory of streams that are gone.
        if exchange.record.wasAborted { exchanges[id(exchange)] = nil }
    }
    func handshakeFailed(_ peer: PeerAddress, reason: String) {}
    func acceptFailed(_ error: IOError) {}
    func closedIdleConnections(_ count: Int) {}
    func refusedConnection(_ refusal: ConnectionRefusal, from peer: PeerAddress) {}

    func exchange(_ exchange: Exchange, received body: ByteBuffer) { report("body \(body.readableBytes)", exchange) }
    func exchangeReadComplete(_ exchange: Exchange) {}
    func exchangeReceivedEnd(_ exchange: Exchange, trailers: ByteBuffer?) { report("end", exchange) }
    func exchange(_ exchange: Exchange, failed error: WireError) { report("failed \(error.rawValue)", exchange) }
    func exchange(_ exchange: Exchange, isWritable: Bool) {}
    func exchangeClosed(_ exchange: Exchange) { report("closed", exchange) }
}

/// A connection and its model, to which the same happens.
private final class Pair {
    private enum FrameType {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
    }

    private let channel = EmbeddedChannel()
    private let recorder = Recorder()
    private let services: ServerLoop
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
    private var received = ByteBuffer()
    /// Frames that are sent together.
    private var unsent: [UInt8]
    private var nextID = 1
    private var pings = 0
    private var drainPings = 0
    private(set) var model = HTTP2ConnectionModel()

    init() throws {
        services = ServerLoop(eventLoop: channel.eventLoop)
        let address = try SocketAddress(ipAddress: "192.0.2.7", port: 4711)
        try channel.connect(to: address).wait()
        let connection = HTTP2Connection(
            channel: channel, peer: PeerAddress(address), tls: nil, handler: recorder, settings: ServerSettings(), loop: services)
        try connection.install(in: channel.pipeline)
        unsent = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        frame(FrameType.settings, 0, 0, [])
        frame(FrameType.settings, 1, 0, [])
    }

    // MARK: Frames of the client

    private func frame(_ type: UInt8, _ flags: UInt8, _ id: Int, _ payload: [UInt8]) {
        unsent += [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF), type, flags]
        unsent += Self.bytes(id) + payload
    }

    private static func bytes(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// `POST / https a`, or GET if it is the end.
    private func headers(_ id: Int, isEnd: Bool, length: Int? = nil) {
        var block: [UInt8] = [isEnd ? 0x82 : 0x83, 0x87, 0x84, 0x01, 0x01, 0x61]
        if let length {
            let digits = Array(String(length).utf8)
            block += [0x0F, 0x0D, UInt8(digits.count)] + digits
        }
        frame(FrameType.headers, isEnd ? 5 : 4, id, block)
    }

    private func data(_ id: Int, _ count: Int, isEnd: Bool) {
        frame(FrameType.data, isEnd ? 1 : 0, id, [UInt8](repeating: 0x62, count: count))
    }

    private func windowUpdate(_ id: Int, _ increment: Int) { frame(FrameType.windowUpdate, 0, id, Self.bytes(increment)) }

    /// Sends what is collected, in pieces. The codec passes on each piece of DATA, so that DATA is sent whole.
    private func send(_ random: inout SeededGenerator, whole: Bool = false) {
        while !unsent.isEmpty {
            let isWhole = whole || Int.random(in: 0..<4, using: &random) > 0
            let count = isWhole ? unsent.count : Int.random(in: 1...min(unsent.count, 40), using: &random)
            channel.pipeline.fireChannelRead(ByteBuffer(bytes: unsent.prefix(count)))
            if Bool.random(using: &random) { channel.pipeline.fireChannelReadComplete() }
            unsent.removeFirst(count)
        }
        channel.pipeline.fireChannelReadComplete()
    }

    // MARK: Events

    /// One event; returns its name.
    func step(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<150: return begin(&random)
        case 150..<400: return sendBody(&random)
        case 400..<440: return resetStream(&random)
        case 440..<560: return openWindow(&random)
        case 560..<580: return changeSettings(&random)
        case 580..<590:
            pings += 1
            frame(FrameType.ping, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])
            send(&random)
            return "PING"
        case 590..<720: return readBody(&random)
        case 720..<985: return respond(&random)
        case 985..<995: return violate(&random)
        default: return drain(&random)
        }
    }

    private func begin(_ random: inout SeededGenerator) -> String {
        guard model.live.count < 60 else { return "enough streams" }
        let id = nextID
        nextID += Int.random(in: 0..<10, using: &random) == 0 ? 6 : 2
        let isEnd = Int.random(in: 0..<3, using: &random) == 0
        let length = isEnd || Bool.random(using: &random) ? nil : Int.random(in: 1...40_000, using: &random)
        headers(id, isEnd: isEnd, length: length)
        model.headers(id, isEnd: isEnd, length: length)
        send(&random)
        return "HEADERS \(id)\(isEnd ? " END_STREAM" : "")\(length.map { " length \($0)" } ?? "")"
    }

    private func any(_ ids: [Int], _ random: inout SeededGenerator) -> Int? { ids.randomElement(using: &random) }

    private func sendBody(_ random: inout SeededGenerator) -> String {
        guard let id = any(model.live.filter { model.streams[$0]?.hasEnded == false }, &random), let stream = model.streams[id] else {
            return "no open stream"
        }
        if Int.random(in: 0..<12, using: &random) == 0 {
            let isEnd = Int.random(in: 0..<4, using: &random) > 0
            // `a: b` as a literal.
            frame(FrameType.headers, isEnd ? 5 : 4, id, [0x00, 0x01, 0x61, 0x01, 0x62])
            model.trailers(id, isEnd: isEnd)
            send(&random)
            return "trailers \(id)\(isEnd ? " END_STREAM" : "")"
        }
        var name = "DATA \(id)"
        // Frames of one read: the stream may end before the last of them.
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let isEnd = Int.random(in: 0..<8, using: &random) == 0
            let exact = stream.missing.map { min($0, HTTP2ConnectionModel.frameSize) }
            let wish = exact != nil && Int.random(in: 0..<5, using: &random) > 0 ? exact ?? 0 : Int.random(in: 0...16_384, using: &random)
            let window = model.streams[id]?.receiveWindow ?? 0
            let count = max(0, min(wish, window, model.receiveWindow))
            // Empty frames without an end are a flood.
            guard count > 0 || isEnd else { break }
            data(id, count, isEnd: isEnd)
            model.data(id, count, isEnd: isEnd)
            name += " \(count)\(isEnd ? " END_STREAM" : "")"
            if isEnd { break }
        }
        send(&random, whole: true)
        return name
    }

    private func resetStream(_ random: inout SeededGenerator) -> String {
        if Int.random(in: 0..<3, using: &random) == 0 {
            // Under way when the server reset the stream.
            guard let id = any(model.streams.keys.filter { model.streams[$0]?.closer == .server }.sorted(), &random) else { return "none" }
            let count = min(Int.random(in: 1...4_000, using: &random), model.receiveWindow)
            guard count > 0, model.streams[id]?.hasEnded == false else { return "none late" }
            data(id, count, isEnd: false)
            model.data(id, count, isEnd: false)
            send(&random, whole: true)
            return "late DATA \(id) \(count)"
        }
        guard let id = any(model.live, &random) else { return "no stream" }
        frame(FrameType.reset, 0, id, Self.bytes(8))
        model.resetByClient(id)
        send(&random)
        return "RST_STREAM \(id)"
    }

    private func openWindow(_ random: inout SeededGenerator) -> String {
        let increment = Int.random(in: 1...40_000, using: &random)
        let id = Bool.random(using: &random) ? 0 : any(model.live, &random) ?? 0
        windowUpdate(id, increment)
        model.windowUpdate(id, increment)
        send(&random)
        return "WINDOW_UPDATE \(id) \(increment)"
    }

    private func changeSettings(_ random: inout SeededGenerator) -> String {
        let size = Int.random(in: 0...100_000, using: &random)
        frame(FrameType.settings, 0, 0, [0, 4] + Self.bytes(size))
        model.settings(initialWindow: size)
        send(&random)
        return "SETTINGS_INITIAL_WINDOW_SIZE \(size)"
    }

    private func exchange(_ random: inout SeededGenerator) -> (Int, Exchange)? {
        guard let id = any(recorder.exchanges.keys.sorted(), &random), let exchange = recorder.exchanges[id] else { return nil }
        // A stream that is gone hears nothing more; few of those are kept.
        if model.streams[id]?.closer != nil, Int.random(in: 0..<4, using: &random) > 0 { recorder.exchanges[id] = nil }
        return (id, exchange)
    }

    private func readBody(_ random: inout SeededGenerator) -> String {
        guard let (id, exchange) = exchange(&random) else { return "no exchange" }
        if Int.random(in: 0..<3, using: &random) > 0 {
            let limit = Int.random(in: 0..<6, using: &random) == 0 ? 20_000 : nil
            model.startBody(id, limit: limit)
            exchange.startBody(limit: limit)
            return "startBody \(id)"
        }
        let isPaused = Bool.random(using: &random)
        model.pause(id, isPaused)
        exchange.pauseBody(isPaused)
        return "pause \(id) \(isPaused)"
    }

    private func respond(_ random: inout SeededGenerator) -> String {
        guard let (id, exchange) = exchange(&random) else { return "no exchange" }
        defer { exchange.flush() }
        switch Int.random(in: 0..<30, using: &random) {
        case 0:
            model.interim(id)
            exchange.sendInterim(status: 103) { _ in }
            return "interim \(id)"
        case 1..<10:
            let length = Bool.random(using: &random) ? nil : Int.random(in: 0...60_000, using: &random)
            model.head(id, length: length)
            exchange.sendHead(status: 200, reason: nil, framing: length.map { .length($0) } ?? .stream, hasDate: true) { _ in }
            return "head \(id)\(length.map { " length \($0)" } ?? "")"
        case 10..<20: return sendPart(id, exchange, Int.random(in: 0...30_000, using: &random))
        case 20:
            model.abort(id)
            exchange.abort()
            return "abort \(id)"
        default:
            // What is missing comes first, mostly.
            var name = ""
            if case .streaming(.some(let missing)) = model.streams[id]?.response, Int.random(in: 0..<8, using: &random) > 0 {
                name = sendPart(id, exchange, missing) + ", "
            }
            let hasTrailers = Int.random(in: 0..<5, using: &random) == 0
            model.end(id, hasTrailers: hasTrailers)
            exchange.sendEnd(trailers: hasTrailers ? ByteBuffer(string: "a: b\r\n") : nil)
            return "\(name)end \(id)"
        }
    }

    private func sendPart(_ id: Int, _ exchange: Exchange, _ count: Int) -> String {
        let start = (model.streams[id]?.sent ?? 0) + (model.streams[id]?.queue ?? 0)
        model.part(id, count)
        exchange.sendBody(ByteBuffer(bytes: (start..<start + count).map(HTTP2ConnectionModel.byte(at:))))
        return "part \(id) \(count)"
    }

    private func drain(_ random: inout SeededGenerator) -> String {
        if !model.isDraining {
            model.isDraining = true
            services.drain()
            return "drain"
        }
        guard drainPings > 0 else { return "no PING" }
        drainPings -= 1
        frame(FrameType.ping, 1, 0, [UInt8](repeating: 0, count: 8))
        send(&random)
        return "PING acknowledged"
    }

    // MARK: What breaks a rule

    private func violate(_ random: inout SeededGenerator) -> String {
        guard !model.isFinal else { return "final" }
        let ended = any(model.live.filter { model.streams[$0]?.hasEnded == true }, &random)
        let open = any(model.live.filter { model.streams[$0]?.hasEnded == false }, &random)
        let closed = any(model.streams.keys.filter { model.streams[$0]?.closer == .client }.sorted(), &random)
        let name: String
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
            name = "DATA on an idle stream (5.1)"
            data(nextID, 1, isEnd: false)
            model.violation = .init(connection: [1])
        case 1:
            name = "RST_STREAM on an idle stream (5.1)"
            frame(FrameType.reset, 0, nextID, Self.bytes(8))
            model.violation = .init(connection: [1])
        case 2:
            name = "a stream with an even number (5.1.1)"
            headers(nextID + 1, isEnd: true)
            model.violation = .init(connection: [1])
        case 3:
            guard let ended else { return "none has ended" }
            name = "DATA on \(ended), half-closed (remote) (5.1)"
            data(ended, 1, isEnd: false)
            model.receiveWindow -= 1
            model.violation = .init(connection: [5], stream: (ended, [5]))
        case 4:
            guard let ended else { return "none has ended" }
            name = "HEADERS on \(ended), half-closed (remote) (5.1)"
            headers(ended, isEnd: true)
            // `HTTP2FloodLimit` remembers the latest ends; the codec knows no better code for earlier ones.
            model.violation = .init(connection: [5], stream: (ended, [1, 5]))
        case 5:
            guard let closed else { return "none was reset" }
            name = "HEADERS on \(closed), closed (5.1)"
            headers(closed, isEnd: true)
            // The number is an old one, too (5.1.1).
            model.violation = .init(connection: [1, 5])
        case 6:
            guard let open else { return "none is open" }
            name = "WINDOW_UPDATE of 0 on \(open) (6.9)"
            windowUpdate(open, 0)
            model.violation = .init(connection: [1], stream: (open, [1]))
        case 7:
            guard let open else { return "none is open" }
            name = "a window of \(open) that is too large (6.9.1)"
            windowUpdate(open, Int(Int32.max))
            windowUpdate(open, Int(Int32.max))
            model.violation = .init(connection: [3], stream: (open, [3]))
        default:
            name = "a window that is too large (6.9.1)"
            windowUpdate(0, Int(Int32.max))
            windowUpdate(0, Int(Int32.max))
            model.violation = .init(connection: [3])
        }
        send(&random)
        return name
    }

    // MARK: Comparison

    /// The differences between both.
    func difference() throws -> String? {
        channel.embeddedEventLoop.run()
        while var bytes = try channel.readOutbound(as: ByteBuffer.self) { received.writeBuffer(&bytes) }
        while let difference = try nextFrame() { if !difference.isEmpty { return difference } }
        if let missing = model.settle() { return missing }
        for (id, stream) in model.streams where recorder.logs[id] != stream.log {
            return "reported \(recorder.logs[id] ?? []) instead of \(stream.log) on \(id)"
        }
        return recorder.logs.count == model.streams.count ? nil : "reports on \(recorder.logs.keys) instead of \(model.streams.keys)"
    }

    /// What is wrong with the next frame; empty for a good one, nil if there is none.
    private func nextFrame() throws -> String? {
        guard let header = received.getBytes(at: received.readerIndex, length: 9) else { return nil }
        let length = Self.number(header[0..<3])
        guard received.readableBytes >= 9 + length else { return nil }
        received.moveReaderIndex(forwardBy: 9)
        let (type, flags, id) = (header[3], header[4], Self.number(header[5..<9]))
        let payload = received.readBytes(length: length) ?? []
        if received.readableBytes == 0 { received.clear() }
        let isEnd = flags & 1 != 0
        switch type {
        case FrameType.settings: return ""
        case FrameType.ping:
            if isEnd { pings -= 1 } else { drainPings += 1 }
            return pings < 0 ? "PING" : ""
        case FrameType.data: return model.observe(.data(payload, isEnd: isEnd), on: id) ?? ""
        case FrameType.headers:
            var block = ByteBuffer(bytes: payload)
            let fields = try decoder.decodeHeaders(from: &block)
            return model.observe(.headers(status: fields.first(name: ":status").flatMap { Int($0) }, isEnd: isEnd), on: id) ?? ""
        case FrameType.reset: return model.observe(.reset(Self.number(payload[...])), on: id) ?? ""
        case FrameType.windowUpdate: return model.observe(.windowUpdate(Self.number(payload[...])), on: id) ?? ""
        case FrameType.goAway:
            return model.observe(.goAway(last: Self.number(payload[0..<4]), code: Self.number(payload[4..<8])), on: 0) ?? ""
        default: return "a frame of the type \(type)"
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    func end() { _ = try? channel.finish(acceptAlreadyClosed: true) }
}

@Suite("Random events on HTTP/2 connections")
struct HTTP2RandomTests {
    @Test("10,000 random events send and report what a model of RFC 9113 does", arguments: [1, 2, 3, 4] as [UInt64])
    func likeTheModel(seed: UInt64) throws {
        var random = SeededGenerator(fixed: seed)
        var pair = try Pair()
        var trace: [String] = []
        var longest = 0
        for _ in 0..<10_000 {
            trace.append(pair.step(&random))
            longest = max(longest, trace.count)
            if let difference = try pair.difference() {
                Issue.record("seed \(seed): \(difference)\nafter:\n\(trace.suffix(60).joined(separator: "\n"))")
                return pair.end()
            }
            // A connection that drains ends with its last stream.
            let hasEnded = !pair.model.isOpen || pair.model.isFinal && pair.model.live.isEmpty
            guard hasEnded || trace.count > 1_000 else { continue }
            pair.end()
            pair = try Pair()
            trace = []
        }
        pair.end()
        #expect(longest > 200)
    }
}
