import HTTPWire
import NIOCore
import Testing

@Suite("Message bodies")
struct BodyDecoderTests {
    @Test(
        "chunked bodies are refused when a chunk could be read in two ways",
        arguments: [
            ("P13 0x prefix", "0x5\r\nhello\r\n", WireError.chunkInvalid),
            ("P13 underscore", "1_0\r\n", .chunkInvalid),
            ("P13 plus", "+5\r\nhello\r\n", .chunkInvalid),
            ("P13 minus", "-5\r\nhello\r\n", .chunkInvalid),
            ("P13 leading space", " 5\r\nhello\r\n", .chunkInvalid),
            ("P13 trailing space", "5 \r\nhello\r\n", .chunkInvalid),
            ("P13 empty", "\r\nhello\r\n", .chunkInvalid),
            ("P13 17 digits", "00000000000000005\r\nhello\r\n", .chunkInvalid),
            ("P13 overflow", "ffffffffffffffff\r\nhello\r\n", .chunkInvalid),
            ("P13 negative overflow", "8000000000000000\r\nhello\r\n", .chunkInvalid),
            ("P13 bare LF after the size", "5\nhello\r\n", .chunkInvalid),
            ("P13 bare CR in the size line", "5\rX\r\nhello\r\n", .chunkInvalid),
            ("P13 bare LF in an extension", "5;a\nb\r\nhello\r\n", .chunkInvalid),
            ("P13 bare CR in an extension", "5;a\rb\r\nhello\r\n", .chunkInvalid),
            ("P13 NUL in an extension", "5;a\u{00}\r\nhello\r\n", .chunkInvalid),
            ("P13 no CRLF after the data", "5\r\nhelloX\r\n", .chunkInvalid),
            ("P13 LF after the data", "5\r\nhello\n0\r\n\r\n", .chunkInvalid),
            ("P13 endless extension", "5;" + String(repeating: "a", count: 300), .chunkExtensionTooLong),
            ("P16 folded trailer", "0\r\nA: b\r\n c\r\n\r\n", .trailersInvalid),
            ("P16 trailer without colon", "0\r\nA\r\n\r\n", .trailersInvalid),
            ("P16 bare LF after trailers", "0\r\nA: b\n\r\n", .trailersInvalid),
        ])
    func refusedChunks(name: String, text: String, error: WireError) {
        #expect(throws: error) { try Self.decode(text, .chunked) }
        #expect(throws: error) { try Self.decode(text, .chunked, byteByByte: true) }
    }

    @Test("chunked bodies give their data without sizes, extensions and trailers")
    func chunked() throws {
        let text = "5;name=\"v\"\r\nhello\r\n1\r\n \r\nA\r\n0123456789\r\n0\r\nContent-Length: 3\r\nX: y\r\n\r\nrest"
        for byteByByte in [false, true] {
            let result = try Self.decode(text, .chunked, byteByByte: byteByByte)
            #expect(result.data == "hello 0123456789")
            #expect(result.isDone)
            #expect(result.rest == (byteByByte ? "" : "rest"))
        }
    }

    @Test("a length is exact: what follows is the next message's")
    func length() throws {
        let result = try Self.decode("helloNEXT", .length(5))
        #expect(result.data == "hello")
        #expect(result.rest == "NEXT")
        #expect(result.isDone)
        #expect(try !Self.decode("hell", .length(5)).isDone)
    }

    @Test("a body until close takes everything and never ends by itself")
    func untilClose() throws {
        let result = try Self.decode("all of it", .untilClose)
        #expect(result.data == "all of it")
        #expect(!result.isDone)
    }

    @Test("extensions are bounded over the whole body")
    func extensionFlood() {
        let text = String(repeating: "1;" + String(repeating: "x", count: 200) + "\r\na\r\n", count: 100)
        #expect(throws: WireError.chunkExtensionTooLong) { try Self.decode(text, .chunked) }
    }

    static func decode(
        _ text: String, _ framing: BodyFraming, byteByByte: Bool = false
    ) throws -> (data: String, rest: String, isDone: Bool) {
        var decoder = BodyDecoder(framing)
        var data = ""
        func drain(_ buffer: inout ByteBuffer) throws {
            while true {
                switch try decoder.next(&buffer) {
                case .data(let bytes): data += String(buffer: bytes)
                case .end, .needsMore: return
                }
            }
        }
        var buffer = ByteBuffer()
        if byteByByte {
            for byte in text.utf8 where !decoder.isDone {
                buffer.writeInteger(byte)
                try drain(&buffer)
            }
        } else {
            buffer.writeString(text)
            try drain(&buffer)
        }
        return (data, String(buffer: buffer), decoder.isDone)
    }
}
