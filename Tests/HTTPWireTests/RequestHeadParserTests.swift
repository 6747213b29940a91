import HTTPWire
import NIOCore
import Testing

/// A head that is refused, and why. The name says which line of the standards checklist it stands for.
struct RefusedHead: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let error: WireError
    init(_ name: String, _ text: String, _ error: WireError) {
        self.name = name
        self.text = text
        self.error = error
    }
    var testDescription: String { name }
}

private let get = "GET / HTTP/1.1\r\nHost: a\r\n"
private let post = "POST / HTTP/1.1\r\nHost: a\r\n"

/// Everything that a head says: all its stored properties but the buffer that they refer to, of which the bytes.
func saying(_ head: Any, _ bytes: ByteBuffer) -> String {
    let children = Mirror(reflecting: head).children.filter { $0.label != "bytes" }
    return children.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: "\n") + "\n" + String(buffer: bytes)
}

@Suite("Request heads")
struct RequestHeadParserTests {
    static let refused: [RefusedHead] = [
        // P6, P8: targets.
        .init("P6 fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("P6 control byte", "GET /a\u{01} HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("P6 tab", "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("P6 space", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("P6 non-ASCII", "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("P6 delete", "GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("P8 asterisk without OPTIONS", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", .targetFormNotAllowed),
        .init("P8 authority without CONNECT", "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n", .targetFormNotAllowed),
        .init("P8 CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", .methodNotAllowed),
        .init("P4 TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", .methodNotAllowed),
        .init("relative target", "GET a HTTP/1.1\r\nHost: a\r\n\r\n", .targetFormNotAllowed),
        .init("foreign scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .targetFormNotAllowed),
        .init("absolute form with userinfo", "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("absolute form without host", "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        // Request line.
        .init("two spaces before the version", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("two spaces after the method", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid),
        .init("no version", "GET /\r\nHost: a\r\n\r\n", .requestLineMalformed),
        .init("no target", "GET  HTTP/1.1\r\nHost: a\r\n\r\n", .requestLineMalformed),
        .init("lower-case protocol", "GET / http/1.1\r\nHost: a\r\n\r\n", .requestLineMalformed),
        .init("version 2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", .versionUnsupported),
        .init("version 1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", .versionUnsupported),
        .init("version 1.10", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", .requestLineMalformed),
        .init("HTTP/0.9", "GET /\r\n\r\n", .requestLineMalformed),
        .init("space after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .requestLineMalformed),
        .init("P26 method with a bracket", "GE[T / HTTP/1.1\r\nHost: a\r\n\r\n", .requestLineMalformed),
        .init("P26 endless method", String(repeating: "A", count: 33) + " / HTTP/1.1\r\nHost: a\r\n\r\n", .methodInvalid),
        .init("P14 leading space", " GET / HTTP/1.1\r\nHost: a\r\n\r\n", .requestLineMalformed),
        .init("two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .requestLineMalformed),
        .init("a TLS greeting", "\u{16}\u{03}\u{01}", .requestLineMalformed),
        // P7: Host.
        .init("P7 no Host", "GET / HTTP/1.1\r\n\r\n", .hostMissing),
        .init("P7 no Host in 1.0", "GET / HTTP/1.0\r\n\r\n", .hostMissing),
        .init("P7 two Hosts", get + "Host: b\r\n\r\n", .hostInvalid),
        .init("P7 the same Host twice", get + "HOST: a\r\n\r\n", .hostInvalid),
        .init("P7 empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", .hostInvalid),
        .init("P7 Host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .hostInvalid),
        .init("P7 Host with userinfo", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", .hostInvalid),
        .init("P7 Host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .hostInvalid),
        .init("P7 Host list", "GET / HTTP/1.1\r\nHost: a, b@c\r\n\r\n", .hostInvalid),
        .init("P7 Host with a word as port", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", .hostInvalid),
        .init("P7 open bracket", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", .hostInvalid),
        // P9 to P12: framing.
        .init("P9 both framings", post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncodingWithLength),
        .init("P9 both, other order", post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", .transferEncodingWithLength),
        .init("P10 chunked twice", post + "Transfer-Encoding: chunked, chunked\r\n\r\n", .transferEncodingInvalid),
        .init("P10 two lines", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncodingInvalid),
        .init("P10 chunked not last", post + "Transfer-Encoding: chunked, gzip\r\n\r\n", .transferEncodingInvalid),
        .init("P10 gzip below", post + "Transfer-Encoding: gzip, chunked\r\n\r\n", .transferEncodingInvalid),
        .init("P10 unknown coding", post + "Transfer-Encoding: gzip\r\n\r\n", .transferEncodingUnknown),
        .init("P10 identity", post + "Transfer-Encoding: identity\r\n\r\n", .transferEncodingUnknown),
        .init("P10 xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n", .transferEncodingInvalid),
        .init("P10 parameter", post + "Transfer-Encoding: chunked;x\r\n\r\n", .transferEncodingInvalid),
        .init("P10 leading comma", post + "Transfer-Encoding: ,chunked\r\n\r\n", .transferEncodingInvalid),
        .init("P10 quoted", post + "Transfer-Encoding: \"chunked\"\r\n\r\n", .transferEncodingInvalid),
        .init("P10 vertical tab", post + "Transfer-Encoding: \u{0B}chunked\r\n\r\n", .fieldValueInvalid),
        .init("P10 no-break space", post + "Transfer-Encoding: \u{A0}chunked\r\n\r\n", .transferEncodingInvalid),
        .init("P10 empty", post + "Transfer-Encoding:\r\n\r\n", .transferEncodingInvalid),
        .init("P11 chunked in 1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", .transferEncodingInOldVersion),
        .init("P12 empty length", post + "Content-Length:\r\n\r\n", .contentLengthInvalid),
        .init("P12 plus", post + "Content-Length: +1\r\n\r\n", .contentLengthInvalid),
        .init("P12 minus", post + "Content-Length: -1\r\n\r\n", .contentLengthInvalid),
        .init("P12 hexadecimal", post + "Content-Length: 0x10\r\n\r\n", .contentLengthInvalid),
        .init("P12 underscore", post + "Content-Length: 1_0\r\n\r\n", .contentLengthInvalid),
        .init("P12 inner space", post + "Content-Length: 1 2\r\n\r\n", .contentLengthInvalid),
        .init("P12 list", post + "Content-Length: 1,2\r\n\r\n", .contentLengthInvalid),
        .init("P12 equal list", post + "Content-Length: 1, 1\r\n\r\n", .contentLengthInvalid),
        .init("P12 two lines", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", .contentLengthInvalid),
        .init("P12 two equal lines", post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", .contentLengthInvalid),
        .init("P12 beyond 2^63", post + "Content-Length: 9223372036854775808\r\n\r\n", .contentLengthInvalid),
        .init("P12 Arabic digits", post + "Content-Length: ١\r\n\r\n", .contentLengthInvalid),
        .init("P12 point", post + "Content-Length: 1.0\r\n\r\n", .contentLengthInvalid),
        // P14, P15: field lines.
        .init("P14 space before the colon", get + "X : 1\r\n\r\n", .fieldNameInvalid),
        .init("P14 tab before the colon", get + "X\t: 1\r\n\r\n", .fieldNameInvalid),
        .init("P14 empty name", get + ": 1\r\n\r\n", .fieldNameInvalid),
        .init("P14 no colon", get + "X\r\n\r\n", .fieldNameInvalid),
        .init("P14 control byte in the name", get + "X\u{01}: 1\r\n\r\n", .fieldNameInvalid),
        .init("P14 non-ASCII name", get + "Ä: 1\r\n\r\n", .fieldNameInvalid),
        .init("P14 folded line", get + "X: 1\r\n 2\r\n\r\n", .fieldFolded),
        .init("P14 folded with a tab", get + "X: 1\r\n\t2\r\n\r\n", .fieldFolded),
        .init("P14 first field line indented", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", .fieldFolded),
        .init("P15 bare LF in the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", .lineEndingInvalid),
        .init("P15 bare LF in a field", get + "X: 1\nY: 2\r\n\r\n", .lineEndingInvalid),
        .init("P15 bare LF at the end", get + "\n", .lineEndingInvalid),
        .init("P15 bare CR in a value", get + "X: 1\r2\r\n\r\n", .fieldValueInvalid),
        .init("P15 CR CR LF", get + "X: 1\r\r\n\r\n", .fieldValueInvalid),
        .init("P15 NUL in a value", get + "X: 1\u{00}2\r\n\r\n", .fieldValueInvalid),
        .init("P15 delete in a value", get + "X: \u{7F}\r\n\r\n", .fieldValueInvalid),
        .init("P15 escape in a value", get + "X: \u{1B}[0m\r\n\r\n", .fieldValueInvalid),
        // Others.
        .init("P17 unknown expectation", post + "Expect: the-unexpected\r\n\r\n", .expectationUnknown),
        .init("P1 Connection with a bad token", get + "Connection: a b\r\n\r\n", .connectionInvalid),
        .init("17 two Authorization lines", get + "Authorization: a\r\nAuthorization: b\r\n\r\n", .fieldDuplicate),
        .init("17 two Content-Type lines", post + "Content-Type: a/b\r\nContent-Type: c/d\r\n\r\n", .fieldDuplicate),
        .init("too many fields", get + String(repeating: "X: 1\r\n", count: 100) + "\r\n", .tooManyFields),
        .init("head too large", get + "X: " + String(repeating: "a", count: 33_000), .headTooLarge),
        .init("P25 request line too long", "GET /" + String(repeating: "a", count: 33_000), .requestLineTooLong),
    ]

    @Test("count as not sent when they come twice", arguments: [("X-Request-Id", KnownField.xRequestID), ("traceparent", .traceparent)])
    func absentWhenRepeated(name: String, known: KnownField) throws {
        let text = "GET / HTTP/1.1\r\nHost: a\r\n"
        let once = try Self.parse(text + "\(name): 1\r\n\r\n")
        #expect(once.has(known) && once.first(known) != nil)
        for count in 2...3 {
            let head = try Self.parse(text + String(repeating: "\(name): 1\r\n", count: count) + "\r\n")
            #expect(!head.has(known) && head.first(known) == nil && head.text(known) == nil)
        }
    }

    @Test("are refused when they could be read in two ways", arguments: refused)
    func refusal(_ row: RefusedHead) {
        #expect(throws: row.error) { try Self.parse(row.text) }
    }

    @Test("are refused the same when they arrive byte by byte", arguments: refused.filter { $0.text.utf8.count < 2_000 })
    func refusalByteByByte(_ row: RefusedHead) {
        #expect(throws: row.error) {
            var parser = RequestHeadParser(limits: HeadLimits())
            var buffer = ByteBuffer()
            for byte in row.text.utf8 {
                buffer.writeInteger(byte)
                if try parser.parse(&buffer) != nil { return }
            }
        }
    }

    @Test("mean the same byte by byte and at once")
    func incremental() throws {
        let text = "POST /a/b?c=d HTTP/1.1\r\nHost: Example.COM:80\r\nX-A:  v \t\r\nContent-Length: 5\r\n\r\nhello"
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer()
        var found: RequestHead?
        for byte in text.utf8 where found == nil {
            buffer.writeInteger(byte)
            found = try parser.parse(&buffer)
        }
        let head = try #require(found)
        #expect(head.method == .post)
        #expect(head.pathText == "/a/b")
        #expect(head.queryText == "c=d")
        #expect(head.authorityText == "Example.COM:80")
        #expect(head.framing == .length(5))
        #expect(head.fields.map { head.text($0.valueStart, $0.valueLength) } == ["Example.COM:80", "v", "5"])
        #expect(buffer.readableBytes == 0)
    }

    @Test("P7: an absolute-form target overrides Host")
    func absoluteForm() throws {
        let head = try Self.parse("GET http://real.example:8080/p?q HTTP/1.1\r\nHost: other\r\n\r\n")
        #expect(head.authorityText == "real.example:8080")
        #expect(head.pathText == "/p")
        #expect(head.queryText == "q")
        let bare = try Self.parse("GET http://real.example?q HTTP/1.1\r\nHost: other\r\n\r\n")
        #expect(bare.pathText == "/")
        #expect(bare.queryText == "q")
    }

    @Test("P8: asterisk-form is for OPTIONS")
    func asterisk() throws {
        #expect(try Self.parse("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").isAsteriskForm)
    }

    @Test("one empty line ahead of a request is skipped (RFC 9112 section 2.2)")
    func emptyLine() throws {
        #expect(try Self.parse("\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n").pathText == "/x")
    }

    @Test(
        "keep the connection as their version and Connection say",
        arguments: [
            ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false), ("HTTP/1.1", "Connection: x, CLOSE\r\n", false),
            ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: keep-alive\r\n", true),
            ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
        ])
    func keepAlive(version: String, field: String, expected: Bool) throws {
        #expect(try Self.parse("GET / \(version)\r\nHost: a\r\n\(field)\r\n").keepsAlive == expected)
    }

    @Test("nothing of a head is left when its memory serves the next one")
    func reuse() throws {
        let heads = [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "POST /a?b HTTP/1.0\r\nHost: b\r\nContent-Length: 0\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "PUT http://c HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\nCookie: a=b\r\n\r\n",
            "BREW /x%41?y HTTP/1.0\r\nHost: d:1\r\nConnection: keep-alive\r\n\r\n",
        ]
        for first in heads {
            for second in heads {
                var parser = RequestHeadParser(limits: HeadLimits())
                var head = RequestHead()
                for (text, isRecycled) in [(first, true), (first, false), (second, true), (second, true)] {
                    var buffer = ByteBuffer(string: text)
                    #expect(try parser.parse(&buffer, into: &head))
                    let fresh = try Self.parse(text)
                    #expect(saying(head, head.bytes) == saying(fresh, fresh.bytes))
                    if isRecycled { head.recycle(into: &parser) }
                    if isRecycled { #expect(head.bytes.readableBytes == 0 && head.fields.isEmpty) }
                }
            }
        }
    }

    @Test("several requests in one buffer are read one after the other")
    func pipelined() throws {
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(string: "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET")
        #expect(try parser.parse(&buffer)?.pathText == "/1")
        #expect(try parser.parse(&buffer)?.pathText == "/2")
        #expect(try parser.parse(&buffer) == nil)
        #expect(buffer.readableBytes == 3)
        #expect(!parser.isInHead || buffer.readableBytes > 0)
    }

    @Test(
        "known fields are known in any case, and only by their exact name",
        arguments: [
            ("TRANSFER-ENCODING", KnownField.transferEncoding), ("cOnTeNt-LeNgTh", .contentLength), ("Transfer_Encoding", .other),
            ("content-lengt", .other), ("Cookie", .cookie), ("SEC-FETCH-MODE", .secFetchMode), ("sec-fetch-dest", .secFetchDest),
            ("X-Requested-With", .xRequestedWith), ("Via", .via), ("te", .te),
        ])
    func knownFields(name: String, expected: KnownField) throws {
        let value = expected == .contentLength ? "0" : expected == .transferEncoding ? "chunked" : "a"
        let head = try Self.parse("GET / HTTP/1.1\r\nHost: a\r\n\(name): \(value)\r\n\r\n")
        #expect(head.fields[1].known == expected)
    }

    static func parse(_ text: String) throws -> RequestHead {
        var parser = RequestHeadParser(limits: HeadLimits())
        var buffer = ByteBuffer(string: text)
        return try #require(try parser.parse(&buffer), "incomplete")
    }
}
