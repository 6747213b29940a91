import Providers
import Testing

@Suite struct WebURLTests {
    @Test(arguments: [
        ("https://id.example", true), ("HTTPS://ID.example:8443/a?b=c", true), ("http://localhost:8080/x", true),
        ("http://127.0.0.1", true),
        ("http://127.9.8.7:1", true), ("http://[::1]:9/x", true), ("http://a.localhost", true), ("http://id.example", false),
        ("http://127.0.0.1.example", false), ("http://128.0.0.1", false), ("http://localhost.example", false), ("http://127.1", false),
    ])
    func `only https and loopback are trustworthy transport`(text: String, isTrustworthy: Bool) throws {
        #expect(try WebURL(parsing: text).isTrustworthyTransport == isTrustworthy)
    }

    @Test(arguments: [
        ("ftp://x", WebURL.Problem.scheme), ("//x", .scheme), ("javascript:alert(1)", .scheme), ("https://", .host), ("https:///x", .host),
        ("https://u@x", .userinfo), ("https://u:p@localhost", .userinfo), ("https://x#f", .fragment), ("https://x y", .characters),
        ("https://x\\y", .characters), ("https://x\n", .characters), ("https://ä.example", .characters), ("https://x:", .port),
        ("https://x:0", .port), ("https://x:65536", .port), ("https://x:+1", .port), ("https://[::1", .host), ("https://[::1]x", .host),
        ("https://[]", .host), ("https://a%2eb", .host), ("https://a,b", .host),
    ])
    func `what could be read in two ways is refused`(text: String, problem: WebURL.Problem) {
        #expect(throws: problem) { try WebURL(parsing: text) }
    }

    @Test func `an origin leaves a default port out`() throws {
        #expect(try WebURL(parsing: "https://X.example:443/a").origin == "https://x.example")
        #expect(try WebURL(parsing: "http://127.0.0.1:8080/a").origin == "http://127.0.0.1:8080")
    }
}
