import Decisions
import HTTPWire
import NIOCore
import NIOHPACK
import Testing

@testable import Proxy

@Suite("Heads between HTTP/1.1 and HTTP/2")
struct HTTP2TranslationTests {
    private func fields(_ head: String, acceptsTrailers: Bool = false) -> [String] {
        let request = ForwardedRequest(
            head: ByteBuffer(string: head), method: .get, framing: .none, bodyLimit: nil,
            response: ResponseEdits(addedLines: nil, isPrivate: false, cookies: GatewayCookieNames { _ in false }),
            acceptsTrailers: acceptsTrailers)
        return HTTP2Translation.fields(of: request, scheme: "https").map { "\($0.name)=\($0.value)" }
    }

    @Test("RFC 9113 section 8.3.1: pseudo-headers first, names in lower case, nothing of the connection")
    func request() {
        #expect(
            fields(
                "PATCH /a/b%2F?c=d HTTP/1.1\r\nHost: app.example.com:8443\r\nX-Mixed: 1\r\nContent-Length: 5\r\n"
                    + "Transfer-Encoding: chunked\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nCookie: a=1; b=2\r\nVia: 1.1 g\r\n\r\n")
                == [
                    ":method=PATCH", ":scheme=https", ":path=/a/b%2F?c=d", ":authority=app.example.com:8443", "x-mixed=1",
                    "content-length=5",
                    "cookie=a=1; b=2", "via=1.1 g",
                ])
    }

    @Test("RFC 7541 section 7.1.3: what is secret stays out of the table that all requests of a connection share")
    func neverIndexed() {
        let head = "GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1\r\nAuthorization: Bearer x\r\nX-Gateway-Assertion: y\r\nAccept: */*\r\n\r\n"
        let request = ForwardedRequest(
            head: ByteBuffer(string: head), method: .get, framing: .none, bodyLimit: nil,
            response: ResponseEdits(addedLines: nil, isPrivate: false, cookies: GatewayCookieNames { _ in false }))
        var secret: [String] = []
        HTTP2Translation.fields(of: request, scheme: "https").forEach { name, _, indexing in
            if indexing == .neverIndexed { secret.append(name) }
        }
        #expect(secret == ["cookie", "authorization", "x-gateway-assertion"])
    }

    @Test("a value may be empty, or hold colons")
    func values() {
        #expect(
            fields("OPTIONS * HTTP/1.1\r\nHost: a\r\nX-Empty: \r\nX-Colon: a:b\r\n\r\n")
                == [":method=OPTIONS", ":scheme=https", ":path=*", ":authority=a", "x-empty=", "x-colon=a:b"])
    }

    @Test("RFC 9113 section 8.2.2: te says trailers, or is not there")
    func te() {
        #expect(fields("GET / HTTP/1.1\r\nHost: a\r\n\r\n", acceptsTrailers: true).last == "te=trailers")
        #expect(!fields("GET / HTTP/1.1\r\nHost: a\r\n\r\n").contains { $0.hasPrefix("te=") })
    }

    @Test("trailers of a request keep their values")
    func requestTrailers() {
        let fields = HTTP2Translation.fields(ofTrailers: ByteBuffer(string: "X-Sum: 42\r\nx-other: a b\r\n"))
        #expect(fields.map { "\($0.name)=\($0.value)" } == ["x-sum=42", "x-other=a b"])
    }

    private func head(_ fields: [(String, String)], method: HTTPWire.Method = .get) throws(WireError) -> ResponseHead {
        try HTTP2Translation.head(of: HPACKHeaders(fields), method: method, limits: HeadLimits(bytes: 4_096, fields: 20))
    }

    @Test("a good head is read like one of HTTP/1.1")
    func response() throws {
        let head = try head([(":status", "200"), ("content-length", "5"), ("set-cookie", "a=1"), ("set-cookie", "b=2"), ("x-empty", "")])
        #expect(head.status == 200 && head.declaredLength == 5 && head.framing == .length(5))
        #expect(head.fields.count == 4)
    }

    @Test(
        "RFC 9113 sections 8.2 and 8.3.2: a malformed head is refused",
        arguments: [
            ([], WireError.statusLineMalformed), ([("x", "y")], .statusLineMalformed),
            ([("x", "y"), (":status", "200")], .statusLineMalformed),
            ([(":status", "20")], .statusLineMalformed), ([(":status", "2000")], .statusLineMalformed),
            ([(":status", "2 0")], .statusLineMalformed), ([(":status", "099")], .statusLineMalformed),
            ([(":status", "600")], .statusLineMalformed), ([(":status", "101")], .statusLineMalformed),
            ([(":status", "é2")], .statusLineMalformed),
            ([(":status", "200"), (":status", "200")], .fieldNameInvalid), ([(":status", "200"), (":path", "/")], .fieldNameInvalid),
            ([(":status", "200"), ("X", "y")], .fieldNameInvalid), ([(":status", "200"), ("", "y")], .fieldNameInvalid),
            ([(":status", "200"), ("a b", "y")], .fieldNameInvalid), ([(":status", "200"), ("a\r\nb", "y")], .fieldNameInvalid),
            ([(":status", "200"), ("é", "y")], .fieldNameInvalid), ([(":status", "200"), ("x", "a\r\nb: c")], .fieldValueInvalid),
            ([(":status", "200"), ("x", "a\nb")], .fieldValueInvalid), ([(":status", "200"), ("x", "a\rb")], .fieldValueInvalid),
            ([(":status", "200"), ("x", "a\0b")], .fieldValueInvalid), ([(":status", "200"), ("x", "a\u{7F}b")], .fieldValueInvalid),
            ([(":status", "200"), ("x", " a")], .fieldValueInvalid), ([(":status", "200"), ("x", "a\t")], .fieldValueInvalid),
            ([(":status", "200"), ("connection", "close")], .connectionInvalid),
            ([(":status", "200"), ("keep-alive", "1")], .connectionInvalid),
            ([(":status", "200"), ("proxy-connection", "close")], .connectionInvalid),
            ([(":status", "200"), ("transfer-encoding", "chunked")], .connectionInvalid),
            ([(":status", "200"), ("upgrade", "h2c")], .connectionInvalid),
            ([(":status", "200"), ("content-length", "x")], .contentLengthInvalid),
            ([(":status", "200"), ("content-length", "1"), ("content-length", "2")], .contentLengthInvalid),
            ([(":status", "200"), ("x", String(repeating: "a", count: 5_000))], .headTooLarge),
            ([(":status", "200")] + (0..<30).map { ("x\($0)", "y") }, .tooManyFields),
        ] as [([(String, String)], WireError)])
    func malformed(fields: [(String, String)], expected: WireError) {
        #expect(throws: expected) { try head(fields) }
    }

    @Test("no field of a response can become two lines, whatever bytes it holds")
    func noSplitting() {
        for byte in UInt8.min...UInt8.max {
            let character = String(UnicodeScalar(byte))
            for pair in [("x\(character)y: z", "v"), ("x", "a\(character)evil: 1")] {
                guard let head = try? head([(":status", "200"), pair]) else { continue }
                #expect(head.fields.count == 1)
            }
        }
    }

    @Test("trailers have no pseudo-header, no upper case and no line breaks")
    func trailers() throws {
        let limits = HeadLimits(bytes: 200, fields: 3)
        func trailers(_ fields: [(String, String)]) throws(WireError) -> String? {
            try HTTP2Translation.trailers(of: HPACKHeaders(fields), limits: limits).map { String(buffer: $0) }
        }
        #expect(try trailers([("grpc-status", "0"), ("grpc-message", "")]) == "grpc-status: 0\r\ngrpc-message: \r\n")
        #expect(try trailers([]) == nil)
        #expect(throws: WireError.fieldNameInvalid) { try trailers([(":status", "200")]) }
        #expect(throws: WireError.fieldNameInvalid) { try trailers([("X", "1")]) }
        #expect(throws: WireError.fieldValueInvalid) { try trailers([("x", "a\r\nb: c")]) }
        #expect(throws: WireError.tooManyFields) { try trailers((0..<4).map { ("x\($0)", "") }) }
        #expect(throws: WireError.headTooLarge) { try trailers([("x", String(repeating: "a", count: 300))]) }
    }
}
