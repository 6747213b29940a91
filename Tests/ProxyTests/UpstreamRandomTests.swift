import HTTPWire
import NIOCore
import NIOEmbedded
import TestTools
import Testing

@testable import Exchanges
@testable import Proxy

/// Reads all that has come of one response, from its first byte on each time (RFC 9112 section 6.3).
private struct Reading {
    enum End: Equatable { case more, complete, invalid }

    /// What the client gets.
    var output: [String] = []
    var hasHead = false
    var end = End.more
    var untilClose = false
    var keepsAlive = true
    var rest: Substring

    init(_ text: String, isHead: Bool) {
        rest = text[...]
        while !hasHead, end == .more, let head = line("\r\n\r\n") { readHead(head, isHead: isHead) }
    }

    private mutating func line(_ separator: String) -> Substring? {
        guard let range = rest.firstRange(of: separator) else { return nil }
        defer { rest = rest[range.upperBound...] }
        return rest[..<range.lowerBound]
    }

    private mutating func readHead(_ head: Substring, isHead: Bool) {
        guard head.hasPrefix("HTTP/1.1 "), let status = Int(head.dropFirst(9).prefix(3)) else { return end = .invalid }
        if status == 101 { return end = .invalid }
        if status < 200 { return status == 100 ? () : output.append("interim \(status)") }
        hasHead = true
        keepsAlive = !head.contains("close")
        let length = head.firstRange(of: "Length: ").flatMap { Int(head[$0.upperBound...].prefix { $0.isNumber }) }
        if isHead || status == 204 || status == 304 {
            output.append("head \(status) \(status == 204 ? "none" : length.map { "lengthOnly(\($0))" } ?? "none") ")
            end = .complete
        } else if let length {
            output.append("head \(status) length(\(length)) ")
            take(length)
            if end == .more, sum == length { end = .complete }
        } else {
            output.append("head \(status) stream ")
            if head.contains("chunked") { return readChunks() }
            untilClose = true
            take(.max)
        }
    }

    private var sum = 0

    private mutating func take(_ count: Int) {
        let part = rest.prefix(count)
        rest = rest.dropFirst(part.count)
        sum += part.count
        if part.isEmpty { return }
        if output.last?.hasPrefix("body ") == true { output[output.count - 1] += part } else { output.append("body \(part)") }
    }

    private mutating func readChunks() {
        while true {
            if let first = rest.first, !first.isHexDigit { return end = .invalid }
            guard let size = line("\r\n").flatMap({ Int($0, radix: 16) }) else { return }
            if size == 0 {
                if line("\r\n") != nil { end = .complete }
                return
            }
            let before = sum
            take(size)
            guard sum - before == size, line("\r\n") != nil else { return }
        }
    }
}

/// A pool and what must be true of it.
private final class Pair {
    enum Limit { case response, body, keepAlive }

    let fixture = UpstreamFixture()
    private var exchange: RecordingExchange?

    // The model: the newest connection.
    private var channels = 0
    private var isOpen = false
    private var isKept = false
    private var sent = ""
    private var limit: Limit?
    // Its request.
    private var isServing = false
    private var method = HTTPWire.Method.get
    private var framing = BodyFraming.none
    private var isWhole = true
    private var hasRepeated = false
    private var received = ""
    private var output: [String] = []
    private var pauses: [String] = []
    private var failures: [UpstreamFailure] = []
    private var cutOffs: [UpstreamFailure] = []

    /// What the upstream is about to send, and what was taken from the channel.
    private var script = ""
    private var taken = ""

    private var reading: Reading { Reading(received, isHead: method == .head) }
    private var channel: EmbeddedChannel { fixture.channels[channels - 1] }

    func step(_ random: inout SeededGenerator) -> String {
        if !isServing, !isOpen || Int.random(in: 0..<6, using: &random) > 0 { return start(&random) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: return isServing || Int.random(in: 0..<5, using: &random) == 0 ? receive(piece(&random)) : "nothing"
        case 60..<78: return sendBody(&random)
        case 78..<84: return changeClient(Bool.random(using: &random))
        case 84..<90: return changeOutput(Bool.random(using: &random))
        case 90..<92: return clientGone()
        case 92..<95: return close(isReset: false)
        case 95..<97: return close(isReset: true)
        default: return wait()
        }
    }

    // MARK: The request

    private func connect() {
        channels += 1
        (isOpen, isKept, sent, taken, script) = (true, false, "", "", "")
    }

    private func start(_ random: inout SeededGenerator) -> String {
        let methods: [HTTPWire.Method] = [.get, .head, .post]
        method = methods[Int.random(in: 0..<3, using: &random)]
        framing = method == .post ? (Bool.random(using: &random) ? .chunked : .length(1_000)) : .none
        isWhole = method != .post
        if !isOpen { connect() }
        (isServing, hasRepeated, received, output, pauses) = (true, false, "", [], [])
        script = ""
        let endsTurn = Int.random(in: 0..<8, using: &random) > 0
        exchange = fixture.forward(method, framing: framing, endsTurn: endsTurn)
        guard !endsTurn, isKept else {
            noteStarted()
            return "start \(method) \(framing)"
        }
        // Before anything was sent.
        isOpen = false
        channel.pipeline.fireChannelRead(ByteBuffer(string: "HTTP/1.1 200 OK\r\n"))
        fail(.closedEarly, mayRepeat: method != .post)
        return "start \(method), too early an answer"
    }

    private func noteStarted() {
        sent += "GET / HTTP/1.1\r\n\r\n"
        limit = isWhole ? .response : nil
    }

    private func sendBody(_ random: inout SeededGenerator) -> String {
        guard isServing, !isWhole, let exchange else { return "no body" }
        if Int.random(in: 0..<3, using: &random) > 0 {
            exchange.delegate?.exchange(exchange, received: ByteBuffer(string: "abc"))
            exchange.delegate?.exchangeReadComplete(exchange)
            sent += framing == .chunked ? "3\r\nabc\r\n" : "abc"
            return "part"
        }
        exchange.delegate?.exchangeReceivedEnd(exchange, trailers: nil)
        if framing == .chunked { sent += "0\r\n\r\n" }
        isWhole = true
        if !reading.hasHead { limit = .response }
        return "end of the request"
    }

    // MARK: The response

    private func piece(_ random: inout SeededGenerator) -> String {
        if script.isEmpty { script = message(&random) }
        // An invalid head is judged once all of it is there.
        let isCut = Bool.random(using: &random) && !script.hasPrefix("@")
        let count = isCut ? Int.random(in: 1...min(30, script.count), using: &random) : script.count
        defer { script = String(script.dropFirst(count)) }
        return String(script.prefix(count))
    }

    private func message(_ random: inout SeededGenerator) -> String {
        let close = Int.random(in: 0..<6, using: &random) == 0 ? "Connection: close\n" : ""
        let length = Int.random(in: 0...40, using: &random)
        let body = String(repeating: "r", count: length)
        let mayHaveBody = method != .head
        let text: String
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return "@\r\n\r\n"
        case 1..<4: text = "HTTP/1.1 103 Early Hints\n\n"
        case 4: text = "HTTP/1.1 100 Continue\n\n"
        case 5: text = "HTTP/1.1 204 No Content\n\(close)\n"
        case 6: text = "HTTP/1.1 304 Not Modified\nContent-Length: 9\n\(close)\n"
        case 7..<9: text = "HTTP/1.1 200 OK\n\n\(mayHaveBody ? body : "")"
        case 9..<15:
            let chunks = length > 0 ? "\(String(length, radix: 16))\n\(body)\n3\nxyz\n0\n\n" : "0\n\n"
            let end = Int.random(in: 0..<8, using: &random) == 0 ? "zz\n" : chunks
            text = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\(close)\n\(mayHaveBody ? end : "")"
        case 15: text = "HTTP/1.1 200 OK\nContent-Length: \(length)\n\n\(body)a byte too many"
        default: text = "HTTP/1.1 200 OK\n\(close)Content-Length: \(length)\n\n\(mayHaveBody ? body : "")"
        }
        return text.replacing("\n", with: "\r\n")
    }

    private func receive(_ text: String) -> String {
        guard isOpen else { return "closed" }
        let before = reading
        received += text
        let name = "receive \(text.debugDescription)"
        channel.pipeline.fireChannelRead(ByteBuffer(string: text))
        channel.pipeline.fireChannelReadComplete()
        guard isServing else {
            (isOpen, limit) = (false, nil)
            return "unused: \(name)"
        }
        let reading = self.reading
        output = reading.output
        switch reading.end {
        case .more:
            guard reading.hasHead, reading.output != before.output else { break }
            if exchange?.takesMore == true { limit = .body } else if !before.hasHead { limit = nil }
        case .complete:
            output.append("end")
            isServing = false
            isOpen = reading.keepsAlive && isWhole && reading.rest.isEmpty
            isKept = isOpen
            limit = isOpen ? .keepAlive : nil
            received = ""
        case .invalid: fail(.invalidResponse, mayRepeat: false)
        }
        return name
    }

    private func fail(_ reason: UpstreamFailure, mayRepeat: Bool) {
        let hasHead = isServing && reading.hasHead
        (isOpen, limit) = (false, nil)
        guard isServing else { return }
        if hasHead {
            output = reading.output + ["abort"]
            cutOffs.append(reason)
        } else if mayRepeat, !hasRepeated {
            hasRepeated = true
            connect()
            return noteStarted()
        } else {
            failures.append(reason)
        }
        isServing = false
    }

    // MARK: What disturbs

    private func changeClient(_ isReady: Bool) -> String {
        guard isServing, let exchange else { return "no client" }
        exchange.takesMore = isReady
        exchange.delegate?.exchange(exchange, isWritable: isReady)
        if reading.hasHead { limit = isReady ? .body : nil }
        return "client ready: \(isReady)"
    }

    private func changeOutput(_ isWritable: Bool) -> String {
        guard isOpen, channel.isWritable != isWritable else { return "output unchanged" }
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
        if isServing, !isWhole {
            pauses.append(isWritable ? "resume" : "pause")
            limit = reading.hasHead ? .body : isWritable ? nil : .response
        }
        return "output writable: \(isWritable)"
    }

    private func clientGone() -> String {
        guard isServing, let exchange else { return "no client" }
        exchange.delegate?.exchangeClosed(exchange)
        (isServing, isOpen, limit) = (false, false, nil)
        return "the client disconnects"
    }

    private func close(isReset: Bool) -> String {
        guard isOpen else { return "closed" }
        let channel = self.channel
        if isServing, !isReset, reading.untilClose {
            output = reading.output + ["end"]
            (isServing, isOpen, limit) = (false, false, nil)
        } else {
            fail(.closedEarly, mayRepeat: received.isEmpty && isKept && method != .post)
        }
        if isReset { channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read")) }
        channel.close(promise: nil)
        return isReset ? "reset" : "the upstream closes"
    }

    private func wait() -> String {
        let expired = limit
        switch expired {
        case nil: break
        case .keepAlive: (isOpen, limit) = (false, nil)
        case .response: fail(.responseTimeout, mayRepeat: false)
        case .body: fail(.idleTimeout, mayRepeat: false)
        }
        // Longer than any limit.
        fixture.loop.advanceTime(by: .seconds(400))
        return "wait"
    }

    // MARK: Comparison

    func difference() throws -> String? {
        fixture.loop.run()
        if fixture.channels.count != channels { return "\(fixture.channels.count) connections instead of \(channels)" }
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { taken += String(buffer: bytes) }
        if taken != sent { return "sent \(taken.debugDescription) instead of \(sent.debugDescription)" }
        if channel.isActive != isOpen { return "open: \(channel.isActive)" }
        if fixture.pool.idleCount != (isOpen && !isServing ? 1 : 0) { return "idle: \(fixture.pool.idleCount)" }
        if fixture.pool.inFlight != (isServing ? 1 : 0) { return "in flight: \(fixture.pool.inFlight)" }
        if fixture.observer.failures != failures { return "failures \(fixture.observer.failures) instead of \(failures)" }
        if fixture.observer.cutOffs != cutOffs { return "cut off \(fixture.observer.cutOffs) instead of \(cutOffs)" }
        (fixture.observer.failures, failures, fixture.observer.cutOffs, cutOffs) = ([], [], [], [])
        var merged: [String] = []
        var paused: [String] = []
        for line in exchange?.output ?? [] {
            if ["pause", "resume"].contains(line) {
                paused.append(line)
            } else if line.hasPrefix("body "), merged.last?.hasPrefix("body ") == true {
                merged[merged.count - 1] += line.dropFirst(5)
            } else {
                merged.append(line)
            }
        }
        if merged != output { return "the client got \(merged) instead of \(output)" }
        return paused == pauses ? nil : "paused \(paused) instead of \(pauses)"
    }
}

@Suite("Random events on HTTP/1.1 connections to upstreams")
struct UpstreamRandomTests {
    @Test("10,000 random events send, pass on and keep what a model of RFC 9112 does", arguments: [1, 2, 3] as [UInt64])
    func likeTheModel(seed: UInt64) throws {
        var random = SeededGenerator(fixed: seed)
        let pair = Pair()
        var trace: [String] = []
        for _ in 0..<10_000 {
            trace.append(pair.step(&random))
            if let difference = try pair.difference() {
                Issue.record("seed \(seed): \(difference)\nafter:\n\(trace.suffix(12).joined(separator: "\n"))")
                return
            }
        }
    }
}
