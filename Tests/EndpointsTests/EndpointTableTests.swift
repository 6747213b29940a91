import RecordedExchanges
import Config
import HTTPWire
import Testing

@testable import Endpoints

@Suite("The table of own endpoints")
struct EndpointTableTests {
    private static let rows = [
        Endpoint([.get], "/a/fixed") { endpoints, request in request.send(Answer(status: 200, body: Array("fixed".utf8))) },
        Endpoint([.get, .head], "/a/{x}") { endpoints, request in
            request.send(Answer(status: 200, body: Array("x=\(request.segment)".utf8)))
        },
        Endpoint([.post, .delete], "/a/{x}") { endpoints, request in request.send(Answer(status: 201)) },
        Endpoint([.get], "/b/{x}/c/{y}") { endpoints, request in
            request.send(Answer(status: 200, body: Array(request.segments.joined(separator: "+").utf8)))
        },
    ]

    @Test(
        "a path leads to its first row, and a placeholder stands for one part, even an empty one",
        arguments: [
            ("/a/fixed", 200, "fixed"), ("/a/other", 200, "x=other"), ("/a/", 200, "x="), ("/b/1/c/2", 200, "1+2"),
        ])
    func paths(path: String, status: Int, body: String) async throws {
        let response = try await EndpointBench().response("GET", path, rows: Self.rows)
        #expect(response.status == status && response.body == body)
    }

    @Test("a path that has no row is not found", arguments: ["", "/", "/a", "/a/b/c", "/b/1/d/2", "//a/fixed", "/A/fixed"])
    func notFound(path: String) async throws {
        #expect(try await EndpointBench().response("GET", path, rows: Self.rows).status == 404)
    }

    @Test func `rows of one path share it by method, and a refusal names the methods of all`() async throws {
        let bench = try EndpointBench()
        #expect(try await bench.response("DELETE", "/a/x", rows: Self.rows).status == 201)
        let refused = try await bench.response("PUT", "/a/x", rows: Self.rows)
        #expect(refused.status == 405)
        #expect(refused.lines.contains("Allow: GET, HEAD, POST, DELETE\r\n"))
    }

    @Test(
        "the gateway's endpoints take these methods",
        arguments: [
            ("/login", "GET, HEAD"), ("/login/x", "GET"), ("/callback/x", "GET, POST"), ("/logout", "GET, HEAD, POST"),
            ("/logged-out", "GET, HEAD"), ("/userinfo", "GET, HEAD"), ("/jwks.json", "GET, HEAD"), ("/backchannel-logout/x", "POST"),
            ("/frontchannel-logout/x", "GET"),
        ])
    func methods(path: String, allow: String) async throws {
        let response = try await EndpointBench().response("PUT", path)
        #expect(response.status == 405)
        #expect(response.lines.contains("Allow: \(allow)\r\n"))
    }

    @Test func `the exchange of tokens exists only where it is configured`() async throws {
        #expect(try await EndpointBench().response("GET", "/session").status == 404)
        let offering = try EndpointBench { $0.session.exchange = ExchangeConfiguration() }
        #expect(try await offering.response("GET", "/session").status == 405)
    }
}
