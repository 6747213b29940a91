import HTTPWire
import NIOCore
import NIOHPACK
import Testing

@testable import Server

/// One field section and what becomes of it.
private struct Case: Sendable, CustomTestStringConvertible {
    let what: String
    let fields: [(String, String)]
    let outcome: String
    init(_ what: String, _ fields: [(String, String)], _ outcome: String) {
        self.what = what
        self.fields = fields
        self.outcome = outcome
    }
    var testDescription: String { what }
}

private func head(_ fields: [(String, String)], isEnd: Bool = true, limits: HeadLimits = HeadLimits())
    throws(HTTP2RequestHead.Refusal) -> RequestHead
{
    var parser = RequestHeadParser(limits: limits)
    var lines = LineBytes()
    return try HTTP2RequestHead.head(from: HPACKHeaders(fields), isEnd: isEnd, limits: limits, parser: &parser, lines: &lines)
}

private func outcome(_ fields: [(String, String)], isEnd: Bool = true, limits: HeadLimits = HeadLimits()) -> String {
    do throws(HTTP2RequestHead.Refusal) {
        return String(buffer: try head(fields, isEnd: isEnd, limits: limits).bytes)
    } catch {
        switch error {
        case .malformed(let word): return "malformed \(word)"
        case .refused(let reason): return "refused \(reason.rawValue)"
        }
    }
}

private let base = [(":method", "GET"), (":scheme", "https"), (":path", "/a"), (":authority", "a.example")]

private func without(_ name: String) -> [(String, String)] { base.filter { $0.0 != name } }
private func replacing(_ name: String, _ value: String) -> [(String, String)] { base.map { $0.0 == name ? (name, value) : $0 } }

@Suite("HTTP/2 request heads")
struct HTTP2RequestHeadTests {
    @Test("A request becomes one head of the one form (RFC 9113 section 8.3)")
    func plain() throws {
        #expect(outcome(base) == "GET /a HTTP/1.1\r\nhost: a.example\r\n\r\n")
        let head = try head(base + [("accept", "*/*"), ("te", "trailers")])
        #expect(head.majorVersion == 2)
        #expect(head.method == .get)
        #expect(head.authorityText == "a.example")
        #expect(head.framing == .none)
        #expect(head.acceptsTrailers)
    }

    @Test("Cookie crumbs become one line (RFC 9113 section 8.2.3)")
    func crumbs() {
        let fields = base + [("cookie", "a=1"), ("x", "y"), ("cookie", "b=2"), ("cookie", "c=3; d=4")]
        #expect(outcome(fields) == "GET /a HTTP/1.1\r\nhost: a.example\r\nx: y\r\ncookie: a=1; b=2; c=3; d=4\r\n\r\n")
    }

    @Test("A body is of the announced length, or delimited by its frames (RFC 9113 section 8.1)")
    func framing() throws {
        func framing(_ fields: [(String, String)], _ isEnd: Bool) throws -> BodyFraming {
            try head(fields, isEnd: isEnd).framing
        }
        #expect(try framing(base, false) == .chunked)
        #expect(try framing(base + [("content-length", "3")], false) == .length(3))
        #expect(try framing(base + [("content-length", "0")], true) == .none)
    }

    @Test(
        "What is malformed ends the stream, what is refused is answered",
        arguments: [
            // RFC 9113 section 8.2.1
            Case("a capital in a name", base + [("X", "y")], "malformed field-name"),
            Case("an empty name", base + [("", "y")], "malformed field-name"),
            Case("a space in a name", base + [("a b", "y")], "malformed field-name"),
            Case("a colon in a name", base + [("a:b", "y")], "malformed field-name"),
            Case("a line feed in a name", base + [("a\nb", "y")], "malformed field-name"),
            Case("another script in a name", base + [("ä", "y")], "malformed field-name"),
            Case("a line feed in a value", base + [("a", "b\nc: d")], "malformed field-value"),
            Case("a carriage return in a value", base + [("a", "b\r")], "malformed field-value"),
            Case("a NUL in a value", base + [("a", "b\0c")], "malformed field-value"),
            Case("a space before a value", base + [("a", " b")], "malformed field-value"),
            Case("a tab behind a value", base + [("a", "b\t")], "malformed field-value"),
            Case("a control in a value", base + [("a", "b\u{1}")], "refused field-value-invalid"),
            Case("what the decoder could not read", base + [("a", "b\u{FFFD}")], "refused field-value-invalid"),
            Case("a line feed in the cookie", base + [("cookie", "a=1\nb: c")], "malformed field-value"),
            // 8.2.2
            Case("connection", base + [("connection", "x")], "malformed connection-specific-field"),
            Case("keep-alive", base + [("keep-alive", "x")], "malformed connection-specific-field"),
            Case("proxy-connection", base + [("proxy-connection", "x")], "malformed connection-specific-field"),
            Case("transfer-encoding", base + [("transfer-encoding", "chunked")], "malformed connection-specific-field"),
            Case("upgrade", base + [("upgrade", "websocket")], "malformed connection-specific-field"),
            Case("te", base + [("te", "gzip")], "malformed te"),
            Case("te with a capital", base + [("te", "Trailers")], "malformed te"),
            // 8.3
            Case("no method", without(":method"), "malformed method"),
            Case("an empty method", replacing(":method", ""), "malformed method"),
            Case("no scheme", without(":scheme"), "malformed scheme"),
            Case("another scheme", replacing(":scheme", "ftp"), "refused target-invalid"),
            Case("no path", without(":path"), "malformed path"),
            Case("an empty path", replacing(":path", ""), "malformed path"),
            Case("a path without a slash", replacing(":path", "a"), "malformed path"),
            Case("an absolute path", replacing(":path", "http://b/a"), "malformed path"),
            Case("an asterisk", replacing(":path", "*"), "refused target-form-not-allowed"),
            Case("a space in the path", replacing(":path", "/a HTTP/1.1"), "refused target-invalid"),
            Case("a line break in the path", replacing(":path", "/a\r\nb: c"), "malformed field-value"),
            Case("a fragment", replacing(":path", "/a#b"), "refused target-invalid"),
            Case("method twice", [(":method", "GET")] + base, "malformed pseudo-header-twice"),
            Case("path twice", [(":path", "/")] + base, "malformed pseudo-header-twice"),
            Case("scheme twice", [(":scheme", "https")] + base, "malformed pseudo-header-twice"),
            Case("authority twice", [(":authority", "a.example")] + base, "malformed pseudo-header-twice"),
            Case("an unknown one", [(":x", "y")] + base, "malformed pseudo-header-unknown"),
            Case("protocol (RFC 8441)", [(":protocol", "websocket")] + base, "malformed pseudo-header-unknown"),
            Case("status", [(":status", "200")] + base, "malformed pseudo-header-unknown"),
            Case("a capital", [(":Method", "GET")] + base, "malformed pseudo-header-unknown"),
            Case("behind a field", [("a", "b")] + base, "malformed pseudo-header-after-field"),
            Case("a space in the method", replacing(":method", "GET /b"), "refused method-invalid"),
            Case("a method in lower case", replacing(":method", "get"), "refused method-invalid"),
            Case("CONNECT", [(":method", "CONNECT"), (":authority", "b:443")], "refused method-not-allowed"),
            Case("TRACE", replacing(":method", "TRACE"), "refused method-not-allowed"),
            // 8.3.1: one authority
            Case("host that differs", base + [("host", "b.example")], "refused host-invalid"),
            Case("host in another case", base + [("host", "A.example")], "refused host-invalid"),
            Case("host twice", without(":authority") + [("host", "a"), ("host", "a")], "refused host-invalid"),
            Case("neither", without(":authority"), "refused host-missing"),
            Case("userinfo", replacing(":authority", "a@b"), "refused host-invalid"),
            Case("an empty authority", replacing(":authority", ""), "refused host-invalid"),
            // 8.1.1
            Case("a length without a body", base + [("content-length", "3")], "malformed content-length"),
            Case("a length twice", base + [("content-length", "0"), ("content-length", "0")], "refused content-length-invalid"),
            Case("a length with a sign", base + [("content-length", "+0")], "refused content-length-invalid"),
        ])
    fileprivate func refusals(one: Case) {
        #expect(outcome(one.fields) == one.outcome)
    }

    @Test("host alone, and host that is equal, count")
    func host() {
        #expect(outcome(without(":authority") + [("host", "b")]) == "GET /a HTTP/1.1\r\nhost: b\r\n\r\n")
        #expect(outcome(base + [("host", "a.example")]) == "GET /a HTTP/1.1\r\nhost: a.example\r\n\r\n")
    }

    @Test("OPTIONS * is passed (RFC 9113 section 8.3.1)")
    func asterisk() {
        let fields = [(":method", "OPTIONS"), (":scheme", "https"), (":path", "*"), (":authority", "a")]
        #expect(outcome(fields) == "OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n")
    }

    @Test("Heads are bounded in bytes and in fields, crumbs included")
    func limits() {
        let limits = HeadLimits(bytes: 1_000, fields: 10)
        #expect(outcome(base + [("a", String(repeating: "b", count: 1_000))], limits: limits) == "refused head-too-large")
        #expect(
            outcome(base + Array(repeating: ("cookie", String(repeating: "b", count: 100)), count: 20), limits: limits)
                == "refused head-too-large")
        #expect(outcome(base + Array(repeating: ("a", "b"), count: 11), limits: limits) == "refused too-many-fields")
        #expect(outcome(replacing(":path", "/" + String(repeating: "a", count: 2_000)), limits: limits) == "refused request-line-too-long")
    }

    @Test("Response lines become fields with names in lower case; what is HTTP/1.1's own stays behind (RFC 9113 section 8.2.2)")
    func responseLines() {
        var section = HPACKHeaders()
        let lines =
            "Content-Type: text/html\r\nConnection: x\r\nKeep-Alive: y\r\nTransfer-Encoding: chunked\r\nUpgrade: h2c\r\nProxy-Connection: z\r\n"
            + "X-A:b\r\nX-Empty:\r\nSet-Cookie: a=b: c \r\n"
        HTTP2FieldLines.append(lines.utf8.span.bytes, to: &section)
        #expect(section.map { "\($0.name)=\($0.value)" } == ["content-type=text/html", "x-a=b", "x-empty=", "set-cookie=a=b: c"])
        #expect(section.map { $0.indexable == .neverIndexed } == [false, false, false, true])
    }

    @Test(
        "Trailers are fields without pseudo-headers (RFC 9113 section 8.1)",
        arguments: [
            ([("grpc-status", "0"), ("a", "b")], "grpc-status: 0\r\na: b\r\n"), ([], ""), ([(":path", "/")], nil), ([("A", "b")], nil),
            ([("connection", "b")], nil), ([("a", "b\r\nc: d")], nil), ([("a", "b\0")], nil),
            ([("a", String(repeating: "b", count: 9_000))], nil),
        ] as [([(String, String)], String?)])
    func trailers(fields: [(String, String)], expected: String?) {
        #expect(HTTP2FieldLines.trailers(HPACKHeaders(fields)).map { String(buffer: $0) } == expected)
    }
}
