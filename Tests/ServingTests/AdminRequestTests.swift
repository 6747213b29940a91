import HTTPWire
import Testing

@testable import Serving

@Suite("Requests to the admin interface")
struct AdminRequestTests {
    private static let reference = "00112233445566778899aabbccddeeff"

    private static func parse(
        _ method: HTTPWire.Method, _ path: String, _ query: String? = nil, hasBody: Bool = false
    ) -> Result<AdminRequest, AdminRequest.Refusal> {
        do throws(AdminRequest.Refusal) {
            return .success(try AdminRequest(method, path: path, query: query, hasBody: hasBody))
        } catch {
            return .failure(error)
        }
    }

    @Test func `each request asks for one thing`() {
        #expect(Self.parse(.get, "/sessions", "?user=u1") == .success(.list(uid: "u1")))
        #expect(Self.parse(.head, "/sessions", "?user=u%31") == .success(.list(uid: "u1")))
        #expect(Self.parse(.delete, "/sessions", "?user=u1") == .success(.endAll(uid: "u1")))
        #expect(Self.parse(.delete, "/sessions/\(Self.reference)") == .success(.end(reference: Self.reference)))
        #expect(Self.parse(.delete, "/sessions") == .success(.endEveryone))
    }

    @Test(
        "no mistake in a request ends everyone's sessions",
        arguments: [
            ("/sessions", "?"), ("/sessions", "?user="), ("/sessions", "?user"), ("/sessions", "?User=u1"), ("/sessions", "?usr=u1"),
            ("/sessions", "?user=u1&user=u2"), ("/sessions", "?user=u1&all=true"), ("/sessions", "?all=true"), ("/sessions", "?=u1"),
            ("/sessions", "?&"), ("/sessions", "?user=%"), ("/sessions", "?user=%00"), ("/sessions", "?user=u1%0a"), ("/sessions/", nil),
            ("/sessions/", "?user=u1"), ("/sessions/\(reference)", "?"), ("/sessions/\(reference)", "?user=u1"),
            ("/sessions", "?user=\(String(repeating: "u", count: 257))"),
        ] as [(String, String?)])
    func mistakes(path: String, query: String?) {
        guard case .failure(let refusal) = Self.parse(.delete, path, query) else { Issue.record("accepted"); return }
        #expect(refusal.status == 400 && refusal.code == "auth/invalid-request")
    }

    @Test func `a parameter in a body is refused, not ignored`() {
        for path in ["/sessions", "/sessions/\(Self.reference)"] {
            guard case .failure(let refusal) = Self.parse(.delete, path, hasBody: true) else { Issue.record("accepted"); continue }
            #expect(refusal.status == 400)
        }
    }

    @Test func `a list is of one user`() {
        for query in [nil, "?", "?user=", "?limit=1"] as [String?] {
            guard case .failure(let refusal) = Self.parse(.get, "/sessions", query) else { Issue.record("accepted"); continue }
            #expect(refusal.status == 400)
        }
    }

    @Test(
        "other methods are refused with those there are",
        arguments: [
            (.post, "/sessions", "GET, HEAD, DELETE"), (.put, "/sessions", "GET, HEAD, DELETE"), (.other, "/sessions", "GET, HEAD, DELETE"),
            (.get, "/sessions/x", "DELETE"), (.post, "/sessions/x", "DELETE"),
        ] as [(HTTPWire.Method, String, String)])
    func methods(method: HTTPWire.Method, path: String, allow: String) {
        guard case .failure(let refusal) = Self.parse(method, path) else { Issue.record("accepted"); return }
        #expect(refusal.status == 405 && refusal.allow == allow)
    }

    @Test func `the interface is one path and what is below it`() {
        for path in ["/sessions", "/sessions/", "/sessions/x", "/sessions/x/y"] { #expect(AdminRequest.covers(path)) }
        for path in ["/", "/session", "/sessionsx", "//sessions", "/Sessions", "/metrics"] { #expect(!AdminRequest.covers(path)) }
    }
}
