import Decisions
import HTTPWire
import NIOCore
import NIOEmbedded
import TestTools
import Testing

@testable import Exchanges
@testable import Proxy

/// What must be true of one stream (RFC 9113 sections 5.1 and 8.1), as the upstream sees it.
private struct Model {
    enum Response { case awaited, body(missing: Int?), ended }

    // The request.
    var isWhole: Bool
    /// Bytes of it that are to come, and END_STREAM of it.
    var queue = 0
    var hasEnd = false
    var window: Int

    // The response.
    var response = Response.awaited
    var hasRemoteEnd = false
    /// The bytes that the upstream may send.
    var receiveWindow = 262_144
    var output: [String] = []

    var isClosed = false
    /// RST_STREAM is to come, or may come: the codec sends it for a stream that it has just closed, too.
    var awaitsReset = false
    var mayBeReset = false

    init(isWhole: Bool, window: Int) {
        self.isWhole = isWhole
        self.window = window
    }

    var awaitsHead: Bool { if case .awaited = response { true } else { false } }

    mutating func put(_ count: Int) {
        guard count > 0 else { return }
        if let last = output.last, last.hasPrefix("body "), let before = Int(last.dropFirst(5)) {
            output[output.count - 1] = "body \(before + count)"
        } else {
            output.append("body \(count)")
        }
    }

    /// Nothing more is to happen on the stream. Unless both sides have ended it, it is reset.
    mutating func close() {
        isClosed = true
        awaitsReset = !(hasRemoteEnd && hasEnd)
        mayBeReset = !awaitsReset
        queue = 0
    }
}

/// A connection to an upstream and the models of its streams.
private final class Pair {
    private let fixture = UpstreamFixture()
    private let channel: EmbeddedChannel
    private let session: UpstreamSession
    private var unsent: [UInt8] = []
    private var received = ByteBuffer()
    private var exchanges: [Int: RecordingExchange] = [:]
    private var models: [Int: Model] = [:]
    private var nextID = 1
    private var window = 65_535
    private var receiveWindow = 65_535
    private var failures: [UpstreamFailure] = []
    private var cutOffs: [UpstreamFailure] = []
    private(set) var isOpen = true

    init() throws {
        channel = EmbeddedChannel(loop: fixture.loop)
        session = UpstreamSession(pool: fixture.pool, opening: nil)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 80)).wait()
        try session.install(in: channel)
        frame(4, 0, 0, [])
        frame(4, 1, 0, [])
        send()
        fixture.loop.run()
        guard var bytes = try channel.readOutbound(as: ByteBuffer.self) else { return }
        // The preface.
        _ = bytes.readBytes(length: 24)
        received.writeBuffer(&bytes)
    }

    var count: Int { models.count }

    // MARK: Frames of the upstream

    private func frame(_ type: UInt8, _ flags: UInt8, _ id: Int, _ payload: [UInt8]) {
        unsent += [UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF), type, flags]
        unsent += Self.bytes(id) + payload
    }

    private static func bytes(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    private func send() {
        channel.pipeline.fireChannelRead(ByteBuffer(bytes: unsent))
        channel.pipeline.fireChannelReadComplete()
        unsent = []
    }

    // MARK: Events

    /// One event; returns its name.
    func step(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<15: return start(&random)
        case 15..<40: return sendBody(&random)
        case 40..<55: return head(&random)
        case 55..<80: return data(&random)
        case 80..<83: return reset(&random)
        case 83..<95: return openWindow(&random)
        case 95..<98: return clientGone(&random)
        default: return Int.random(in: 0..<10, using: &random) == 0 ? close() : "nothing"
        }
    }

    private func any(_ random: inout SeededGenerator, where isMeant: (Model) -> Bool) -> Int? {
        models.keys.filter { models[$0].map(isMeant) ?? false }.sorted().randomElement(using: &random)
    }

    private func start(_ random: inout SeededGenerator) -> String {
        guard models.values.count(where: { !$0.isClosed }) < 40 else { return "enough streams" }
        let hasBody = Bool.random(using: &random)
        let exchange = RecordingExchange(loop: fixture.loop)
        // Not repeatable: a failure is reported.
        let request = ForwardedRequest(
            head: ByteBuffer(string: "POST / HTTP/1.1\r\nHost: a\r\n\r\n"), method: .post, framing: hasBody ? .chunked : .none,
            bodyLimit: nil,
            response: .none, acceptsTrailers: true, trailers: nil)
        session.start(request, of: exchange, observer: fixture.observer)
        fixture.loop.run()
        exchanges[nextID] = exchange
        models[nextID] = Model(isWhole: !hasBody, window: 65_535 + grown)
        defer { nextID += 2 }
        return "start \(nextID)\(hasBody ? " with a body" : "")"
    }

    private func sendBody(_ random: inout SeededGenerator) -> String {
        guard let id = any(&random, where: { !$0.isClosed && !$0.isWhole }), let exchange = exchanges[id] else { return "no body" }
        if Int.random(in: 0..<4, using: &random) == 0 {
            models[id]?.isWhole = true
            exchange.delegate?.exchangeReceivedEnd(exchange, trailers: nil)
            return "end of the request \(id)"
        }
        let count = Int.random(in: 1...30_000, using: &random)
        models[id]?.queue += count
        exchange.delegate?.exchange(exchange, received: ByteBuffer(repeating: 0x62, count: count))
        exchange.delegate?.exchangeReadComplete(exchange)
        return "part of the request \(id) \(count)"
    }

    private func head(_ random: inout SeededGenerator) -> String {
        guard let id = any(&random, where: { !$0.isClosed && !$0.hasRemoteEnd }), var model = models[id] else { return "no stream" }
        defer { models[id] = model }
        let isEnd = Int.random(in: 0..<4, using: &random) == 0
        if !model.awaitsHead {
            // The codec does not let trailers pass that are not the end.
            guard isEnd else { return "no trailers" }
            // `a: b`.
            frame(1, 5, id, [0x00, 0x01, 0x61, 0x01, 0x62])
            model.hasRemoteEnd = true
            end(&model, trailers: "a: b\r\n")
            send()
            return "trailers \(id)"
        }
        model.hasRemoteEnd = isEnd
        if Int.random(in: 0..<5, using: &random) == 0 {
            frame(1, isEnd ? 5 : 4, id, [0x08, 0x03, 0x31, 0x30, 0x33])
            if isEnd { invalid(&model) } else { model.output.append("interim 103") }
            send()
            return "103 \(id)\(isEnd ? " END_STREAM" : "")"
        }
        let length = Bool.random(using: &random) ? nil : Int.random(in: 0...40_000, using: &random)
        var block: [UInt8] = [0x88]
        if let length {
            let digits = Array(String(length).utf8)
            block += [0x0F, 0x0D, UInt8(digits.count)] + digits
        }
        frame(1, isEnd ? 5 : 4, id, block)
        if isEnd, let length, length > 0 {
            invalid(&model)
        } else {
            model.output.append("head 200 \(length.map { "length(\($0))" } ?? (isEnd ? "length(0)" : "stream"))")
            model.response = .body(missing: length)
            if isEnd { end(&model, trailers: nil) }
        }
        send()
        return "200 \(id)\(length.map { " length \($0)" } ?? "")\(isEnd ? " END_STREAM" : "")"
    }

    private func data(_ random: inout SeededGenerator) -> String {
        guard let id = any(&random, where: { !$0.isClosed && !$0.hasRemoteEnd }), var model = models[id] else { return "no stream" }
        defer { models[id] = model }
        // The codec does not let DATA pass before the head.
        guard !model.awaitsHead else { return "no head" }
        var wish = Int.random(in: 0...16_384, using: &random)
        var isEnd = Int.random(in: 0..<5, using: &random) == 0
        if case .body(.some(let missing)) = model.response, Int.random(in: 0..<6, using: &random) > 0 {
            wish = min(missing, 16_384)
            isEnd = wish == missing
        }
        let count = max(0, min(wish, model.receiveWindow, receiveWindow))
        guard count > 0 || isEnd else { return "no window" }
        frame(0, isEnd ? 1 : 0, id, [UInt8](repeating: 0x72, count: count))
        model.receiveWindow -= count
        receiveWindow -= count
        model.hasRemoteEnd = isEnd
        if case .body(let missing) = model.response {
            if let missing, count > missing {
                invalid(&model)
            } else {
                model.put(count)
                model.response = .body(missing: missing.map { $0 - count })
                if isEnd { end(&model, trailers: nil) }
            }
        } else {
            invalid(&model)
        }
        send()
        return "DATA \(id) \(count)\(isEnd ? " END_STREAM" : "")"
    }

    private func end(_ model: inout Model, trailers: String?) {
        if case .body(.some(let missing)) = model.response, missing > 0 { return invalid(&model) }
        model.output.append(trailers.map { "end \($0)" } ?? "end")
        model.response = .ended
        // The rest of the request is of no use; what is whole is still sent.
        if model.isWhole { isDone(&model) } else { model.close() }
    }

    private func isDone(_ model: inout Model) { if model.hasEnd { model.isClosed = true } }

    private func invalid(_ model: inout Model) { fail(&model, .invalidResponse) }

    private func fail(_ model: inout Model, _ reason: UpstreamFailure) {
        switch model.response {
        case .awaited: failures.append(reason)
        case .body:
            cutOffs.append(reason)
            model.output.append("abort")
        case .ended: break
        }
        model.close()
    }

    private func reset(_ random: inout SeededGenerator) -> String {
        guard let id = any(&random, where: { !$0.isClosed }), var model = models[id] else { return "no stream" }
        frame(3, 0, id, Self.bytes(8))
        fail(&model, .streamReset)
        model.awaitsReset = false
        models[id] = model
        send()
        return "RST_STREAM \(id)"
    }

    private var grown = 0

    private func openWindow(_ random: inout SeededGenerator) -> String {
        let increment = Int.random(in: 1...40_000, using: &random)
        if Int.random(in: 0..<10, using: &random) == 0 {
            // Larger only: see `UpstreamSession.windowsShrunk`.
            let more = increment / 20
            grown += more
            frame(4, 0, 0, [0, 4] + Self.bytes(65_535 + grown))
            for id in models.keys { models[id]?.window += more }
            send()
            return "SETTINGS_INITIAL_WINDOW_SIZE \(65_535 + grown)"
        }
        let id = Bool.random(using: &random) ? 0 : any(&random, where: { !$0.isClosed }) ?? 0
        frame(8, 0, id, Self.bytes(increment))
        if id == 0 { window += increment } else { models[id]?.window += increment }
        send()
        return "WINDOW_UPDATE \(id) \(increment)"
    }

    private func clientGone(_ random: inout SeededGenerator) -> String {
        guard let id = any(&random, where: { !$0.isClosed }), let exchange = exchanges[id] else { return "no client" }
        if case .ended = models[id]?.response { return "answered" }
        models[id]?.close()
        exchange.delegate?.exchangeClosed(exchange)
        return "the client of \(id) disconnects"
    }

    private func close() -> String {
        for id in models.keys where models[id]?.isClosed == false {
            guard var model = models[id] else { continue }
            fail(&model, .closedEarly)
            models[id] = model
        }
        isOpen = false
        channel.close(promise: nil)
        return "the upstream closes"
    }

    // MARK: Comparison

    /// The differences between both.
    func difference() throws -> String? {
        fixture.loop.run()
        while var bytes = try channel.readOutbound(as: ByteBuffer.self) { received.writeBuffer(&bytes) }
        while let difference = nextFrame() { if !difference.isEmpty { return difference } }
        for (id, model) in models {
            if let difference = difference(id, model) { return "\(difference) on \(id)" }
        }
        if fixture.observer.failures != failures { return "failures \(fixture.observer.failures) instead of \(failures)" }
        if fixture.observer.cutOffs != cutOffs { return "cut off \(fixture.observer.cutOffs) instead of \(cutOffs)" }
        let serving = models.values.count { if case .ended = $0.response { false } else { !$0.isClosed } }
        return fixture.pool.inFlight == serving ? nil : "in flight: \(fixture.pool.inFlight) instead of \(serving)"
    }

    private func difference(_ id: Int, _ model: Model) -> String? {
        var merged = Model(isWhole: true, window: 0)
        for line in exchanges[id]?.output ?? [] where line != "pause" && line != "resume" {
            if line.hasPrefix("body ") {
                merged.put(line.utf8.count - 5)
            } else {
                merged.output.append(line.hasPrefix("head ") ? line.split(separator: " ").prefix(3).joined(separator: " ") : line)
            }
        }
        if merged.output != model.output { return "the client got \(merged.output) instead of \(model.output)" }
        guard isOpen else { return nil }
        if model.awaitsReset { return "no RST_STREAM" }
        guard !model.isClosed else { return nil }
        if model.queue > 0, min(model.window, window) > 0 { return "\(model.queue) bytes wait" }
        if model.isWhole, model.queue == 0, !model.hasEnd, window > 0 { return "no END_STREAM" }
        return nil
    }

    /// What is wrong with the next frame; empty for a good one, nil if there is none.
    private func nextFrame() -> String? {
        guard let header = received.getBytes(at: received.readerIndex, length: 9) else { return nil }
        let length = Self.number(header[0..<3])
        guard received.readableBytes >= 9 + length else { return nil }
        received.moveReaderIndex(forwardBy: 9)
        let (type, flags, id) = (header[3], header[4], Self.number(header[5..<9]))
        let payload = received.readBytes(length: length) ?? []
        if received.readableBytes == 0 { received.clear() }
        if !isOpen { return "" }
        if type == 8 {
            let increment = Self.number(payload[...])
            if id == 0 { receiveWindow += increment } else { models[id]?.receiveWindow += increment }
            return ""
        }
        if type == 4 || type == 6 { return "" }
        if type == 7 { return "GOAWAY" }
        guard var model = models[id] else { return "a frame for no stream" }
        defer { models[id] = model }
        return observe(&model, type, length, isEnd: flags & 1 != 0) ?? ""
    }

    private func observe(_ model: inout Model, _ type: UInt8, _ length: Int, isEnd: Bool) -> String? {
        switch type {
        case 0, 1:
            // What was written before a reset may come first.
            if model.isClosed { return model.awaitsReset ? nil : "a frame on a closed stream" }
            if type == 0 {
                if length > 0, length > min(model.window, window) { return "\(length) bytes in windows of \(model.window) and \(window)" }
                if length > model.queue { return "\(length) bytes of \(model.queue)" }
                model.queue -= length
                model.window -= length
                window -= length
            }
            guard isEnd else { return nil }
            guard model.isWhole, model.queue == 0, !model.hasEnd else { return "END_STREAM too early" }
            model.hasEnd = true
            if case .ended = model.response { model.isClosed = true }
        case 3:
            guard model.awaitsReset || model.mayBeReset else { return "RST_STREAM" }
            (model.awaitsReset, model.mayBeReset) = (false, false)
        default: return "a frame of the type \(type)"
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

@Suite("Random events on HTTP/2 streams to upstreams")
struct UpstreamStreamRandomTests {
    @Test("10,000 random events send, pass on and report what a model of RFC 9113 does", arguments: [1, 2, 3] as [UInt64])
    func likeTheModel(seed: UInt64) throws {
        var random = SeededGenerator(fixed: seed)
        var pair = try Pair()
        var trace: [String] = []
        for _ in 0..<10_000 {
            trace.append(pair.step(&random))
            if let difference = try pair.difference() {
                Issue.record("seed \(seed): \(difference)\nafter:\n\(trace.suffix(40).joined(separator: "\n"))")
                return
            }
            guard !pair.isOpen || pair.count > 100 else { continue }
            pair = try Pair()
            trace = []
        }
    }
}
