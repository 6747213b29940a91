import HTTPWire
import NIOCore
import Primitives
import Testing

@Suite("Trailer fields")
struct TrailerFieldsTests {
    @Test(
        "P16: what frames, routes, authenticates or describes a message is no trailer (RFC 9110 section 6.5.1)",
        arguments: [
            "Content-Length: 3", "Transfer-Encoding: chunked", "TE: trailers", "Host: evil", "Authorization: Basic eDp5",
            "Cookie: session=x", "Set-Cookie: session=x", "Content-Type: text/html", "Content-Encoding: gzip", "Location: /",
            "Cache-Control: public", "If-Match: x", "Range: bytes=0-1", "WWW-Authenticate: Basic", "X-Forwarded-For: 192.0.2.1",
            "Forwarded: for=192.0.2.1", "Max-Forwards: 1", "Expires: 0", "Connection: close", "content_length: 3",
        ])
    func forbidden(line: String) {
        #expect(TrailerFields(ByteBuffer(string: line + "\r\n")) == nil)
        let kept = TrailerFields(ByteBuffer(string: "A: 1\r\n\(line)\r\nB:2\r\n"))
        #expect(kept.map { String(buffer: $0.lines) } == "A: 1\r\nB:2\r\n")
    }

    @Test("a name that the caller drops is dropped in the spelling it came in")
    func dropped() {
        let lines = ByteBuffer(string: "X_User: evil\r\nX-Sum: 1\r\n")
        let kept = TrailerFields(lines) { $0.equals("X_User") }
        #expect(kept.map { String(buffer: $0.lines) } == "X-Sum: 1\r\n")
    }

    @Test("lines that are no field lines give nothing", arguments: ["A: 1", "A\r\n", "A: 1\r\n b\r\n", "A: 1\r\n\r\nB: 2\r\n"])
    func broken(text: String) {
        #expect(TrailerFields(ByteBuffer(string: text)) == nil)
    }
}
