import Decisions
import HTTPWire
import NIOCore
import Primitives
import SwiftProtobuf
import Testing

@testable import ExtAuthz

@Suite("External authorization over gRPC")
struct CheckTests {
    /// A question about `GET https://app.example.com/a?b=c` from 192.0.2.7, with a change.
    private func ask(_ change: (inout ExtAuthz_Attributes) -> Void = { _ in }) -> String {
        var check = ExtAuthz_CheckRequest()
        check.attributes.source.address.socket.address = "192.0.2.7"
        check.attributes.request.http.method = "GET"
        check.attributes.request.http.path = "/a?b=c"
        check.attributes.request.http.host = "app.example.com"
        check.attributes.request.http.scheme = "https"
        check.attributes.request.http.headers = [
            ":method": "GET", ":path": "/a?b=c", ":authority": "app.example.com", ":scheme": "https", "cookie": "a=b",
            "accept": "text/html",
        ]
        change(&check.attributes)
        return read(framed((try? check.serializedBytes()) ?? []))
    }

    private func framed(_ message: [UInt8]) -> [UInt8] {
        var buffer = ByteBuffer(bytes: [0])
        buffer.writeInteger(UInt32(message.count))
        buffer.writeBytes(message)
        return Array(buffer.readableBytesView)
    }

    private func read(_ body: [UInt8]) -> String {
        do throws(QuestionRefusal) {
            let question = try CheckQuestion.read(body)
            let head = question.head
            return "\(question.client?.description ?? "-") \(question.isSecure ? "https" : "http") "
                + String(buffer: head.bytes).replacing("\r\n", with: "|")
        } catch {
            return "refused: \(error.reason)"
        }
    }

    @Test func `A message is a request with its fields`() {
        #expect(ask() == "192.0.2.7 https GET /a?b=c HTTP/1.1|host: app.example.com|accept: text/html|cookie: a=b||")
        #expect(
            ask {
                $0.request.http.headers = [:]
                var header = ExtAuthz_HeaderValue()
                header.key = "cookie"
                header.rawValue.append(contentsOf: "a=b".utf8)
                $0.request.http.headerMap.headers = [header]
            } == "192.0.2.7 https GET /a?b=c HTTP/1.1|host: app.example.com|cookie: a=b||")
        #expect(ask { $0.source.address.pipe.path = "/run/x" }.hasPrefix("- https GET"))
    }

    @Test func `Attributes and pseudo-headers must agree`() {
        for (name, value) in [(":method", "POST"), (":path", "/admin"), (":authority", "evil.example.com"), (":scheme", "http")] {
            #expect(ask { $0.request.http.headers[name] = value } == "refused: contradictory \(name)")
        }
        #expect(ask { $0.request.http.headers["host"] = "evil.example.com" } == "refused: contradictory host")
        #expect(ask { $0.request.http.headerMap.headers = [ExtAuthz_HeaderValue()] } == "refused: contradictory headers")
    }

    @Test func `A client does not choose the scheme over HTTP/2`() {
        /// `:scheme` is the client's, X-Forwarded-Proto is Envoy's.
        func scheme(_ claimed: String, _ proto: String?) -> String {
            ask {
                $0.request.http.scheme = claimed
                $0.request.http.headers[":scheme"] = claimed
                $0.request.http.headers["x-forwarded-proto"] = proto
            }
        }
        #expect(scheme("https", "http").hasPrefix("192.0.2.7 http GET"))
        #expect(scheme("http", "https").hasPrefix("192.0.2.7 http GET"))
        #expect(scheme("https", "https").hasPrefix("192.0.2.7 https GET"))
        #expect(scheme("https", nil).hasPrefix("192.0.2.7 https GET"))
        #expect(scheme("https", "gopher") == "refused: invalid X-Forwarded-Proto")
    }

    @Test func `A header that a client adds never changes the request that is decided about`() {
        let expected = ask()
        for (name, value) in [
            ("x-original-url", "http://public.example.com/public"), ("x-original-uri", "/public"), ("x-original-method", "POST"),
            ("x-forwarded-host", "public.example.com"), ("x-forwarded-uri", "/public"), ("x-forwarded-method", "POST"),
            ("x-forwarded-for", "198.51.100.1"), ("forwarded", "for=198.51.100.1;host=public.example.com"), ("x-rewrite-url", "/public"),
        ] {
            #expect(ask { $0.request.http.headers[name] = value } == expected)
        }
    }

    @Test func `What is missing or invalid is refused`() {
        #expect(ask { $0.request.http.method = "" } == "refused: missing method")
        #expect(ask { $0.request.http.path = "" } == "refused: missing path")
        #expect(ask { $0.request.http.host = "" } == "refused: missing host")
        #expect(ask { $0.clearSource() } == "refused: missing source")
        #expect(ask { $0.source.address.socket.address = "client" } == "refused: invalid source")
        #expect(ask { $0.request.http.scheme = "gopher" } == "refused: invalid scheme")
        #expect(ask { $0.request.http.headers["x-a\r\nx-b"] = "c" } == "refused: invalid headers")
        #expect(ask { $0.request.http.headers["x-a"] = "b\r\nauthorization: c" } == "refused: invalid headers")
        #expect(ask { $0.request.http.headers["x a"] = "b" }.hasPrefix("refused: field-name"))
        for path in ["http://evil.example.com/", "/a/../b", "/a//b", "/a%2fb", "*"] {
            #expect(
                ask {
                    $0.request.http.path = path
                    $0.request.http.headers[":path"] = path
                }.hasPrefix("refused: path-"))
        }
    }

    @Test func `Only one whole message is read`() {
        #expect(read([]) == "refused: invalid gRPC message")
        #expect(read([1, 0, 0, 0, 0]) == "refused: invalid gRPC message")
        #expect(read([0, 0, 0, 0, 1]) == "refused: invalid gRPC message")
        #expect(read([0, 0, 0, 0, 0, 0]) == "refused: invalid gRPC message")
        #expect(read([0, 0xFF, 0xFF, 0xFF, 0xFF]) == "refused: invalid gRPC message")
        #expect(read(framed([0xFF, 0xFF, 0xFF])) == "refused: invalid gRPC message")
        #expect(read(framed([])) == "refused: missing method")
    }

    private func response(_ buffer: ByteBuffer) throws -> ExtAuthz_CheckResponse {
        try ExtAuthz_CheckResponse(serializedBytes: Array(buffer.readableBytesView.dropFirst(5)))
    }

    @Test func `A request that may pass gets headers that overwrite, and names to remove`() throws {
        let lines =
            "X-Forwarded-User: u\r\nX-Forwarded-Email: a@example.com\r\nx-envoy-auth-headers-to-remove: remote-user,x_forwarded_user\r\n"
        let answer = try response(CheckAnswer.permit(lines: lines + "Set-Cookie: a=b\r\nSet-Cookie: c=d\r\nCache-Control: no-store\r\n"))
        #expect(answer.hasStatus && answer.status.code == 0)
        #expect(
            answer.ok.headers.map { "\($0.header.key)=\($0.header.value)" } == ["x-forwarded-user=u", "x-forwarded-email=a@example.com"])
        #expect(answer.ok.headers.filter { $0.appendAction != .overwriteIfExistsOrAdd || $0.hasAppend }.isEmpty)
        #expect(answer.ok.headersToRemove == ["remote-user", "x_forwarded_user"])
        #expect(answer.ok.responseHeadersToAdd.map(\.header.value) == ["a=b", "c=d"])
        #expect(answer.ok.responseHeadersToAdd.map(\.append.value) == [true, true])
    }

    @Test func `A refusal has a status, headers and a body`() throws {
        func denied(_ status: Int, _ lines: String = "") throws -> ExtAuthz_CheckResponse {
            try response(
                CheckAnswer.denied(
                    QuestionAnswer(
                        .grpc, status: status, lines: lines, body: ByteBuffer(string: "no"), publicURL: "https://app.example.com"))
            )
        }
        let page = try denied(303, "Location: /_gateway/login\r\n")
        #expect((page.status.code, page.denied.status.code) == (16, 302))
        #expect(page.denied.headers.map(\.header.value) == ["https://app.example.com/_gateway/login"])
        let unknown = try denied(401)
        #expect((unknown.status.code, unknown.denied.body) == (16, "no"))
        let unavailable = try denied(503)
        #expect((unavailable.status.code, unavailable.denied.status.code) == (7, 403))
    }
}
