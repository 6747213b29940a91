import Exchanges
import HTTPWire
import NIOCore
import Testing

@testable import Server

@Suite("Slow bodies and tunnels on a connection")
struct SlowBodyTests {
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n"

    private func fixture(_ change: @escaping (Exchange) -> Void = { _ in }) throws -> (Fixture, Collector) {
        let fixture = try Fixture {
            $0.bodyRate = 100
            $0.rateWindow = 2_000
            $0.idleTimeout = 10_000
        }
        let collector = Collector()
        fixture.handler.onRequest = {
            change($0)
            $0.delegate = collector
            $0.startBody(limit: nil)
        }
        return (fixture, collector)
    }

    @Test("P25: a body that drips below the rate is answered 408, however steadily it comes")
    func drip() throws {
        let (fixture, collector) = try fixture()
        try fixture.send(Self.post)
        var seconds = 0
        while fixture.handler.lateCount == 0, seconds < 60 {
            try fixture.send("x")
            fixture.advance(1)
            seconds += 1
        }
        #expect((2...3).contains(seconds))
        #expect(collector.isClosed)
        #expect(try fixture.output().hasPrefix("HTTP/1.1 408 "))
    }

    @Test(
        "a call that streams may be silent before its answer begins, and so may a request of a route without a rate",
        arguments: [("application/grpc", nil), ("Application/gRPC+proto", nil), ("application/grpc-web", nil), ("text/plain", 0)]
            as [(String, Int?)])
    func streamingCall(contentType: String, rate: Int?) throws {
        let (fixture, _) = try fixture { $0.bodyRate = rate }
        try fixture.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: \(contentType)\r\nContent-Length: 10000\r\n\r\n")
        for _ in 0..<5 {
            fixture.advance(8)
            try fixture.send("x")
        }
        #expect(fixture.handler.lateCount == 0)
        fixture.advance(12)
        #expect(fixture.handler.lateCount == 1, "but not for ever")
    }

    @Test("a route's own rate replaces the server's, and is the next request's no more")
    func ownRate() throws {
        let (fixture, _) = try fixture { $0.bodyRate = $0.head.pathText == "/strict" ? 5_000 : nil }
        try fixture.send("POST /strict HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n")
        for _ in 0..<3 {
            try fixture.send(String(repeating: "x", count: 200))
            fixture.advance(1)
        }
        #expect(fixture.handler.lateCount == 1)
    }

    @Test("a body at the rate goes on as long as it takes")
    func steady() throws {
        let (fixture, collector) = try fixture()
        try fixture.send(Self.post)
        for _ in 0..<50 {
            try fixture.send(String(repeating: "x", count: 200))
            fixture.advance(1)
        }
        #expect(collector.isComplete)
        #expect(fixture.handler.lateCount == 0)
    }

    @Test("while the other side does not take it, the sender is not to blame")
    func paused() throws {
        let (fixture, _) = try fixture()
        var exchange: Exchange?
        let begin = fixture.handler.onRequest
        fixture.handler.onRequest = {
            exchange = $0
            begin($0)
        }
        try fixture.send(Self.post)
        exchange?.pauseBody(true)
        fixture.advance(60)
        #expect(fixture.handler.lateCount == 0)
        exchange?.pauseBody(false)
        fixture.advance(3)
        #expect(fixture.handler.lateCount == 1)
    }

    @Test("once the answer has begun, only standing still counts")
    func conversation() throws {
        let (fixture, _) = try fixture { $0.sendHead(status: 200, reason: nil, framing: .stream, hasDate: false) { _ in } }
        try fixture.send(Self.post)
        for _ in 0..<5 {
            fixture.advance(8)
            try fixture.send("x")
        }
        #expect(fixture.isOpen)
        fixture.advance(12)
        #expect(!fixture.isOpen)
    }

    @Test("a request's own idle limit replaces the server's, for that request alone")
    func ownIdleLimit() throws {
        let (fixture, _) = try fixture { $0.idleLimit = 500 }
        try fixture.send(Self.post)
        fixture.advance(1)
        #expect(fixture.handler.lateCount == 1)
    }

    @Test("a tunnel that is no WebSocket ends without a close frame, early and when the server drains", arguments: [false, true])
    func opaqueTunnel(drains: Bool) throws {
        let (fixture, collector) = try fixture()
        var tunnel: Exchange?
        fixture.handler.onRequest = {
            $0.sendHead(status: 101, reason: nil, framing: .none, hasDate: false) { _ in }
            $0.delegate = collector
            $0.tunnelsWebSocket = false
            $0.startTunnel()
            tunnel = $0
        }
        try fixture.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
        #expect(try fixture.output().hasPrefix("HTTP/1.1 101 "))
        // Half a frame, if it were one.
        try fixture.send("\u{1}")
        #expect(collector.body == "\u{1}")
        if drains { fixture.services.drain() } else { tunnel?.endEarly() }
        #expect(collector.isClosed)
        #expect(try fixture.output() == "")
    }
}
