import Config
import HTTPWire
import KeptSessions
import RecordedExchanges
import Sessions
import Telemetry
import Testing
import TokenCrypto

@testable import Endpoints

@Suite("The user's own sessions")
struct SessionEndpointsTests {
    private static let ours = ["Origin: https://app.example", "Content-Length: 1"]
    private static let form = "Content-Type: application/x-www-form-urlencoded"
    private static let json = "Content-Type: application/json"

    private func list(_ bench: EndpointBench, _ cookie: String) async throws -> [JSONValue] {
        let response = try await bench.response("GET", "/sessions", [cookie])
        #expect(response.status == 200 && response.lines.contains("Content-Type: application/json"), "\(response)")
        return try #require(try JSONValue(parsing: response.body).array)
    }

    private func revoke(
        _ bench: EndpointBench, _ cookie: String, _ body: String, _ headers: [String] = []
    ) async throws -> RecordingExchange.Response {
        let type = body.hasPrefix("{") ? Self.json : Self.form
        return try await bench.response("POST", "/sessions/revoke", [cookie, type] + Self.ours + headers, body: body)
    }

    @Test func `the list shows a user's sessions, and which one asks`() async throws {
        let bench = try EndpointBench(keepsSessions: true)
        let laptop = try await bench.sessionCookie(of: "ada", client: SessionClient(userAgent: "Laptop/1", address: "192.0.2.1"))
        let phone = try await bench.sessionCookie(of: "ada", client: SessionClient(userAgent: nil, address: nil))
        _ = try await bench.sessionCookie(of: "bob")
        let sessions = try await list(bench, laptop)
        #expect(sessions.count == 2)
        let current = try #require(sessions.first { $0["current"]?.bool == true })
        let other = try #require(sessions.first { $0["current"]?.bool == false })
        #expect(
            Set(current.object?.keys.map { $0 } ?? [])
                == ["id", "current", "created_at", "last_seen_at", "provider", "user_agent", "address"])
        #expect(current["user_agent"]?.string == "Laptop/1" && current["address"]?.string == "192.0.2.1")
        #expect(current["provider"]?.string == "oidc.a" && current["created_at"]?.string?.hasSuffix("Z") == true)
        #expect(other["user_agent"] == .null && other["address"] == .null)
        #expect(Session.isReference(current["id"]?.string ?? ""))
        #expect(try await list(bench, phone).first { $0["current"]?.bool == true }?["id"] == other["id"])
    }

    @Test("one session ends by its id, for a form and for JSON", arguments: [true, false])
    func one(isForm: Bool) async throws {
        let bench = try EndpointBench(keepsSessions: true)
        let mine = try await bench.sessionCookie(of: "ada")
        let other = try await bench.sessionCookie(of: "ada")
        let id = try #require(try await list(bench, other).first { $0["current"]?.bool == true }?["id"]?.string)
        let response = try await revoke(bench, mine, isForm ? "id=\(id)" : "{\"id\":\"\(id)\"}")
        #expect(response.status == (isForm ? 303 : 204))
        #expect(!response.lines.contains("Set-Cookie"), "the browser's own session goes on")
        #expect(try await bench.response("GET", "/userinfo", [other]).status == 401)
        #expect(try await bench.response("GET", "/userinfo", [mine]).status == 200)
        #expect(try await list(bench, mine).count == 1)
        #expect(try await revoke(bench, mine, "id=\(id)").status == 404, "it has ended")
    }

    @Test("all others end", arguments: ["others=true", #"{"others":true}"#, #"{"others":"true"}"#])
    func others(body: String) async throws {
        let bench = try EndpointBench(keepsSessions: true)
        let mine = try await bench.sessionCookie(of: "ada")
        let others = [try await bench.sessionCookie(of: "ada"), try await bench.sessionCookie(of: "ada")]
        let stranger = try await bench.sessionCookie(of: "bob")
        #expect(try await revoke(bench, mine, body).status == (body.hasPrefix("{") ? 204 : 303))
        for other in others { #expect(try await bench.response("GET", "/userinfo", [other]).status == 401) }
        for alive in [mine, stranger] { #expect(try await bench.response("GET", "/userinfo", [alive]).status == 200) }
    }

    @Test func `the current session ends with its cookie`() async throws {
        let bench = try EndpointBench(keepsSessions: true)
        let mine = try await bench.sessionCookie(of: "ada")
        let id = try #require(try await list(bench, mine).first?["id"]?.string)
        let response = try await revoke(bench, mine, "id=\(id)")
        #expect(response.status == 303 && response.lines.contains("Max-Age=0"), "\(response.lines)")
        #expect(try await bench.response("GET", "/userinfo", [mine]).status == 401)
    }

    @Test func `another user's session is a strange id`() async throws {
        let bench = try EndpointBench(keepsSessions: true)
        let mine = try await bench.sessionCookie(of: "ada")
        let theirs = try await bench.sessionCookie(of: "bob")
        let id = try #require(try await list(bench, theirs).first?["id"]?.string)
        for id in [id, "x", String(repeating: "0", count: 32), "%2e%2e"] {
            let response = try await revoke(bench, mine, "id=\(id)", ["Accept: application/json"])
            #expect(response.status == 404 && response.body.contains("auth/no-such-session"))
        }
        #expect(try await bench.response("GET", "/userinfo", [theirs]).status == 200)
    }

    @Test(
        "anything but exactly one of the fields ends nothing",
        arguments: [
            "", "id=", "others=", "others=false", "others=1", "id=a&others=true", "id=a&id=b", "other=true", "rd=%2F", "{}",
            #"{"others":false}"#, #"{"others":1}"#, #"{"id":""}"#, #"{"id":true}"#, #"{"id":["a"]}"#, #"{"others":true,"id":"a"}"#,
        ])
    func malformed(body: String) async throws {
        for keepsSessions in [true, false] {
            let bench = try EndpointBench(keepsSessions: keepsSessions)
            let mine = try await bench.sessionCookie(of: "ada")
            let other = try await bench.sessionCookie(of: "ada")
            #expect(try await revoke(bench, mine, body).status == 400)
            #expect(try await bench.response("GET", "/userinfo", [other]).status == 200)
        }
    }

    @Test(
        "a page of another site, or a program without Origin, ends nothing",
        arguments: [[], ["Origin: https://evil.example"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: none"]])
    func crossSite(headers: [String]) async throws {
        let bench = try EndpointBench(keepsSessions: true)
        let mine = try await bench.sessionCookie(of: "ada")
        let response = try await bench.response(
            "POST", "/sessions/revoke", [mine, Self.form, "Content-Length: 1"] + headers, body: "others=true")
        #expect(response.status == 403 && response.body.contains("auth/cross-site-request"))
    }

    @Test func `without a session both answer 401`() async throws {
        for keepsSessions in [true, false] {
            let bench = try EndpointBench(keepsSessions: keepsSessions)
            #expect(try await bench.response("GET", "/sessions").status == 401)
            #expect(try await revoke(bench, "Accept: application/json", "others=true").status == 401)
        }
    }

    @Test func `the sealed cookie supports neither`() async throws {
        let bench = try EndpointBench()
        let mine = try await bench.sessionCookie(of: "ada")
        let listed = try await bench.response("GET", "/sessions", [mine])
        #expect(listed.status == 409 && listed.body.contains("auth/unsupported"))
        for body in ["id=x", "id=\(String(repeating: "0", count: 32))", "others=true", #"{"others":true}"#] {
            let response = try await revoke(bench, mine, body, ["Accept: application/json"])
            #expect(response.status == 409 && response.body.contains("auth/unsupported"))
        }
        #expect(try await bench.response("GET", "/userinfo", [mine]).status == 200)
    }

    @Test func `a store that does not respond is a 503, and nobody is signed out`() async throws {
        let bench = try EndpointBench(keepsSessions: true)
        let mine = try await bench.sessionCookie(of: "ada")
        let store = try #require(bench.context.sessions.store as? WaitingStore)
        store.isDown = true
        for response in [try await bench.response("GET", "/sessions", [mine]), try await revoke(bench, mine, "others=true")] {
            #expect(response.status == 503 && response.body.contains("auth/store-unavailable"))
            #expect(response.lines.contains("Retry-After: 5\r\n") && !response.lines.contains("Set-Cookie"))
        }
        store.isDown = false
        #expect(try await list(bench, mine).count == 1)
    }

    @Test(
        "the answer to a form leads to a safe path of this site",
        arguments: [("", "/"), ("&rd=%2Fhome", "/home"), ("&rd=https%3A%2F%2Fevil.example", "/"), ("&rd=%2F%2Fevil.example", "/")])
    func returnPath(rd: String, location: String) async throws {
        let bench = try EndpointBench(keepsSessions: true)
        let response = try await revoke(bench, try await bench.sessionCookie(of: "ada"), "others=true" + rd)
        #expect(response.status == 303 && response.lines.contains("Location: \(location)\r\n"), "\(response.lines)")
    }
}
