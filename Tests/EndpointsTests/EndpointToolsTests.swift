import RecordedExchanges
import Accounts
import Config
import Exchanges
import HTTPWire
import NIOCore
import Pages
import Sessions
import Telemetry
import Testing
import TokenCrypto

@testable import Endpoints

@Suite("What endpoints share")
struct EndpointToolsTests {
    private static let jsonType = "Content-Type: application/json; charset=utf-8"

    private static func text(_ text: String) -> Answer { Answer(status: 200, body: Array(text.utf8)) }

    // MARK: Bodies

    @Test(
        "the fields of a form come in order, none for a broken one",
        arguments: [
            ("a=1&b=x+y&a=2", "a=1,b=x y,a=2"), ("", ""), ("a=%", ""),
        ])
    func form(body: String, fields: String) async throws {
        let row = Endpoint([.post], "/form") { endpoints, request in
            endpoints.collectForm(request) { request, form in
                request.send(Self.text(form.map { "\($0.name)=\($0.value)" }.joined(separator: ",")))
            }
        }
        #expect(try await EndpointBench().response("POST", "/form", ["Content-Length: 1"], body: body, rows: [row]).body == fields)
    }

    @Test(
        "JSON is taken with its media type alone",
        arguments: [
            ([jsonType], #"{"a":1}"#, 200),
            (["Content-Type: Application/JSON"], #"{"a":1}"#, 200),
            ([jsonType], "{", 400), ([jsonType], "", 400),
            ([], #"{"a":1}"#, 400), (["Content-Type: text/plain"], #"{"a":1}"#, 400),
            (["Content-Type: application/jsonp"], #"{"a":1}"#, 400),
        ])
    func json(headers: [String], body: String, status: Int) async throws {
        let row = Endpoint([.post], "/json") { endpoints, request in
            endpoints.collectJSON(request, subject: "test") { request, json in request.send(Self.text(json.serialized())) }
        }
        let response = try await EndpointBench().response("POST", "/json", headers + ["Content-Length: 1"], body: body, rows: [row])
        #expect(response.status == status)
        #expect(response.body == #"{"a":1}"# || response.body.contains("auth/invalid-request"))
    }

    // MARK: Origins

    @Test(
        "a form counts from our pages alone, a call from our origin or no browser",
        arguments: [
            ([], true, true), (["Sec-Fetch-Site: same-origin"], true, true), (["Sec-Fetch-Site: none"], true, false),
            (["Sec-Fetch-Site: cross-site"], false, false), (["Sec-Fetch-Site: same-site"], false, false),
            (["Origin: https://app.example"], true, true), (["Origin: null"], true, false),
            (["Origin: https://evil.example"], false, false),
            (["Origin: http://app.example"], false, false),
            (["Origin: https://evil.example", "Sec-Fetch-Site: same-origin"], true, false),
        ])
    func origins(headers: [String], form: Bool, call: Bool) throws {
        let site = try EndpointBench().context.site
        let head = try EndpointBench.head("POST", "/", headers)
        #expect(site.isFromOurPages(head) == form)
        #expect(site.isFromOurOrigin(head) == call)
    }

    @Test func `where cookies come with cross-site forms, a form must say where it is from`() throws {
        let site = try EndpointBench { $0.session.sameSite = .none }.context.site
        #expect(!site.isFromOurPages(try EndpointBench.head("POST", "/")))
        #expect(!site.isFromOurPages(try EndpointBench.head("POST", "/", ["Origin: null"])))
        #expect(site.isFromOurPages(try EndpointBench.head("POST", "/", ["Origin: https://app.example"])))
    }

    // MARK: Work off the event loop

    @Test func `work off the event loop comes back to it`() async throws {
        let row = Endpoint([.get], "/work") { endpoints, request in
            endpoints.after(request, { 41 + 1 }) { _, request, value in
                request.exchange.eventLoop.assertInEventLoop()
                request.send(Self.text("\(value)"))
            }
        }
        #expect(try await EndpointBench().response("GET", "/work", rows: [row]).body == "42")
    }

    @Test func `what comes back after its request is over is dropped`() async throws {
        let row = Endpoint([.get], "/work") { endpoints, request in
            endpoints.after(request, { "late" }) { _, request, value in request.send(Self.text(value)) }
        }
        let response = try await EndpointBench().response("GET", "/work", rows: [row]) { exchange in
            exchange.ticket += 1
            // After the work's way back, which was dropped if this is the response.
            let next = EndpointToolsTests.text("next")
            let bound = PendingAnswer(exchange, for: nil)
            Task { bound.send(next) }
        }
        #expect(response.body == "next")
    }

    /// Another request's time limit and log context were those of the second one: a store's connection fails for all who wait for it.
    @Test func `an answer that comes while another request is served takes none of its values`() async throws {
        let row = Endpoint([.get], "/work") { _, request in
            let pending = request.pending
            StoreBudget.$current.withValue(StoreBudget()) {
                pending.onLoop { Self.text(StoreBudget.current == nil ? "its own" : "another's").send(on: $0, for: nil) }
            }
        }
        #expect(try await EndpointBench().response("GET", "/work", rows: [row]).body == "its own")
    }

    // MARK: Sessions

    @Test func `the session of a request is there, and nil without one`() async throws {
        let bench = try EndpointBench()
        let row = Endpoint([.get], "/me") { endpoints, request in
            endpoints.withSession(of: request) { _, request, session in request.send(Self.text(session?.identity.subject ?? "nobody")) }
        }
        let cookie = try await bench.sessionCookie(of: "alice")
        #expect(try await bench.response("GET", "/me", [cookie], rows: [row]).body == "alice")
        #expect(try await bench.response("GET", "/me", [cookie + "x"], rows: [row]).body == "nobody")
        #expect(try await bench.response("GET", "/me", rows: [row]).body == "nobody")
    }

    @Test func `userinfo answers the session, and 401 without one`() async throws {
        let bench = try EndpointBench()
        let response = try await bench.response("GET", "/userinfo", [try await bench.sessionCookie(of: "alice")])
        #expect(response.status == 200 && response.body.contains(#""provider":"oidc.a""#))
        #expect(try await bench.response("GET", "/userinfo").status == 401)
    }
}
