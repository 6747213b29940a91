import HTTPWire
import NIOCore
import Testing

@Suite("Response heads")
struct ResponseHeadParserTests {
    @Test(
        "P21: are refused when their framing is in doubt",
        arguments: [
            ("no status", "HTTP/1.1\r\n\r\n", WireError.statusLineMalformed),
            ("two digits", "HTTP/1.1 20 OK\r\n\r\n", .statusLineMalformed),
            ("four digits", "HTTP/1.1 2000 OK\r\n\r\n", .statusLineMalformed),
            ("status 099", "HTTP/1.1 099 X\r\n\r\n", .statusLineMalformed),
            ("status 600", "HTTP/1.1 600 X\r\n\r\n", .statusLineMalformed),
            ("HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", .statusLineMalformed),
            ("not HTTP", "SSH-2.0-OpenSSH_9.2\r\n\r\n", .statusLineMalformed),
            ("control byte in the reason", "HTTP/1.1 200 O\u{01}K\r\n\r\n", .statusLineMalformed),
            ("both framings", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncodingWithLength),
            ("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", .contentLengthInvalid),
            ("negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .contentLengthInvalid),
            ("folded", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n", .fieldFolded),
            ("bare LF", "HTTP/1.1 200 OK\nX: a\r\n\r\n", .lineEndingInvalid),
            ("chunked in 1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncodingInOldVersion),
            ("100 with a length", "HTTP/1.1 100 C\r\nContent-Length: 5\r\n\r\n", .contentLengthInvalid),
        ])
    func refused(name: String, text: String, error: WireError) {
        #expect(throws: error) { try Self.parse(text) }
    }

    @Test(
        "RFC 9112 section 6.3: method, status and fields decide the body",
        arguments: [
            (HTTPWire.Method.get, "200 OK", "Content-Length: 5\r\n", BodyFraming.length(5)),
            (.get, "200 OK", "Transfer-Encoding: chunked\r\n", .chunked),
            (.get, "200 OK", "", .untilClose),
            (.get, "200 OK", "Content-Length: 0\r\n", .none),
            (.head, "200 OK", "Content-Length: 5\r\n", .none),
            (.head, "200 OK", "Transfer-Encoding: chunked\r\n", .none),
            (.head, "200 OK", "", .none),
            (.get, "304 Not Modified", "Content-Length: 5\r\n", .none),
            (.get, "204 No Content", "", .none),
            (.get, "103 Early Hints", "Link: </a>\r\n", .none),
        ])
    func framing(method: HTTPWire.Method, status: String, fields: String, expected: BodyFraming) throws {
        #expect(try Self.parse("HTTP/1.1 \(status)\r\n\(fields)\r\n", method).framing == expected)
    }

    @Test(
        "a 204 ends with its head; one that announces a body is the last of its connection",
        arguments: [
            ("", true), ("Content-Length: 0\r\n", true), ("Content-Length: 4\r\n", false), ("Transfer-Encoding: chunked\r\n", false),
        ])
    func noContent(fields: String, keepsAlive: Bool) throws {
        for method in [HTTPWire.Method.get, .head] {
            let head = try Self.parse("HTTP/1.1 204 No Content\r\n\(fields)\r\n", method)
            #expect(head.framing == .none && head.keepsAlive == keepsAlive)
        }
    }

    @Test("nothing of a head is left when its memory serves the next one")
    func reuse() throws {
        let heads = [
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "HTTP/1.1 204\r\n\r\n", "HTTP/1.0 404 Nowhere\r\nDate: x\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\nConnection: close\r\n\r\n",
            "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=b\r\n\r\n", "HTTP/1.1 103 Early\r\nLink: x\r\n\r\n",
        ]
        for first in heads {
            for second in heads {
                var parser = ResponseHeadParser(limits: HeadLimits())
                var head = ResponseHead()
                for (text, isRecycled) in [(first, true), (first, false), (second, true), (second, true)] {
                    var buffer = ByteBuffer(string: text)
                    #expect(try parser.parse(&buffer, method: .get, into: &head))
                    let fresh = try Self.parse(text)
                    #expect(saying(head, head.bytes) == saying(fresh, fresh.bytes))
                    if isRecycled { head.recycle(into: &parser) }
                    if isRecycled { #expect(head.bytes.readableBytes == 0 && head.fields.isEmpty) }
                }
            }
        }
    }

    @Test("a status line may lack its reason, and the space before it")
    func reasons() throws {
        #expect(try Self.parse("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n").reasonRange.isEmpty)
        #expect(try Self.parse("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n").reasonRange.isEmpty)
    }

    static func parse(_ text: String, _ method: HTTPWire.Method = .get) throws -> ResponseHead {
        var parser = ResponseHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(string: text)
        return try #require(try parser.parse(&buffer, method: method), "incomplete")
    }
}
