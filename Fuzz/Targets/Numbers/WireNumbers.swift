import Primitives
import Config
import Decisions
import ExtAuthz
import HTTPWire
import NIOCore
import Providers

/// The numbers that clients, proxies and upstreams send.
enum WireNumbers {
    /// RFC 9110 section 8.6: at most 18 digits are read.
    private static let lengths = 0..<1_000_000_000_000_000_000

    static func checkHeads(_ number: String) throws(Broken) {
        for line in ["Content-Length: \(number)", "Max-Forwards: \(number)", "Host: a.example:\(number)"] {
            var buffer = ByteBuffer(string: "GET / HTTP/1.1\r\n\(line.hasPrefix("Host") ? "" : "Host: a.example\r\n")\(line)\r\n\r\n")
            var parser = RequestHeadParser(limits: HeadLimits())
            guard let head = try? parser.parse(&buffer) else { continue }
            if case .length(let length) = head.framing { try hold(lengths.contains(length), "a request body of \(length) bytes") }
        }
        for head in ["HTTP/1.1 \(number) OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: \(number)\r\n\r\n"] {
            var buffer = ByteBuffer(string: head)
            var parser = ResponseHeadParser(limits: HeadLimits())
            guard let head = try? parser.parse(&buffer, method: .get) else { continue }
            try hold((100...599).contains(head.status), "a status of \(head.status)")
            if case .length(let length) = head.framing { try hold(lengths.contains(length), "a response body of \(length) bytes") }
        }
        try hold(MaxForwards(number).map { (0...999_999_999).contains($0.count) } ?? true, "Max-Forwards is out of range")
    }

    static func checkChunkSize(_ number: String) throws(Broken) {
        var decoder = BodyDecoder(.chunked)
        var buffer = ByteBuffer(string: "\(number)\r\nabc")
        for _ in 0..<8 {
            guard let event = try? decoder.next(&buffer), case .data(let bytes) = event else { return }
            try hold(bytes.readableBytes <= 3, "a chunk holds more than was sent")
        }
        throw Broken("a chunk never ends")
    }

    static func checkFrameLength(_ number: String) throws(Broken) {
        guard let length = UInt64(number) else { return }
        var frames = WebSocketFrames()
        var buffer = ByteBuffer(bytes: [0x82, 0x7F])
        buffer.writeInteger(length)
        frames.consume(buffer)
        try hold(frames.isAtBoundary == (length == 0), "a frame of \(length) bytes ends at once")
        frames.consume(ByteBuffer(repeating: 0x82, count: 64))
        try hold(!frames.sawClose, "a payload is read as a close frame")
    }

    static func checkMessageLength(_ number: String) throws(Broken) {
        guard let length = UInt32(number) else { return }
        var call = ByteBuffer(bytes: [0])
        call.writeInteger(length)
        // A whole message cannot be empty: its request has no method.
        if let question = try? CheckQuestion.read(Array(call.readableBytesView)) {
            throw Broken("a message of \(length) bytes is \(question.head.methodText)")
        }
    }

    static func checkAddresses(_ number: String) throws(Broken) {
        for text in ["10.0.0.0/\(number)", "::/\(number)", "fd00::/\(number)"] {
            _ = CIDRSet([text])?.coversEverything
        }
        if let port = AbsoluteURL("http://a.example:\(number)/")?.port {
            try hold((1...65_535).contains(port), "a URL has the port \(port)")
        }
        try ForwardedTarget.check(
            Array(
                """
                192.0.2.1:\(number), [2001:db8::1]:\(number)
                for="192.0.2.1:\(number)", for="[2001:db8::1]:\(number)";host="a.example:\(number)"
                http
                a.example:\(number)
                """.utf8))
        try ProxyProtocolTarget.check(Array("PROXY TCP4 192.0.2.1 192.0.2.2 \(number) \(number)\r\n".utf8))
    }
}
