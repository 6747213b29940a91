import Primitives
import Testing

@Suite struct AbsoluteURLTests {
    @Test(arguments: [
        ("https://id.example", true), ("HTTPS://ID.example:8443/a?b=c", true),
        ("http://localhost:8080/x", true),
        ("http://127.0.0.1", true), ("http://127.9.8.7:1", true), ("http://[::1]:9/x", true),
        ("http://a.localhost", true),
        ("http://id.example", false), ("http://127.0.0.1.example", false), ("http://128.0.0.1", false),
        ("http://localhost.example", false),
        ("http://[::ffff:127.0.0.1]", false),
    ])
    func `only https and loopback are trustworthy transport`(text: String, isTrustworthy: Bool) throws {
        #expect(try AbsoluteURL(parsing: text).isTrustworthyTransport == isTrustworthy)
    }

    @Test(arguments: [
        ("", AbsoluteURL.Problem.notAbsolute), ("x", .notAbsolute), ("/x", .notAbsolute),
        ("//x", .notAbsolute),
        ("https:x", .notAbsolute), ("https:/x", .notAbsolute), ("https:", .notAbsolute),
        ("ftp://x", .scheme), ("://x", .scheme),
        ("javascript:alert(1)", .scheme), ("x/y:z", .scheme), ("http", .notAbsolute),
        ("https://", .host), ("https:///x", .host), ("https://?x", .host), ("https://#x", .host),
        ("https://:80", .host),
        ("https://[::1", .host), ("https://[::1]x", .host), ("https://[::1]]", .host),
        ("https://[]", .host), ("https://[127.0.0.1]", .host),
        ("https://[::1%25eth0]", .host), ("https://[v1.x]", .host), ("https://::1", .host),
        ("https://a%2eb", .host), ("https://a,b", .host),
        ("https://a..b", .host), ("https://.a", .host), ("https://a..", .host), ("https://-a", .host),
        ("https://a-.b", .host),
        ("https://127.1", .host), ("https://1", .host), ("https://256.1.1.1", .host),
        ("https://127.0.0.01", .host),
        ("https://0x7f.1", .host), ("https://2130706433", .host), ("https://a*b", .host),
        ("https://a;b", .host),
        ("https://x:", .port), ("https://x:0", .port), ("https://x:080", .port),
        ("https://x:65536", .port), ("https://x:+1", .port),
        ("https://x:1:2", .port), ("https://x:99999999999999999999", .port), ("https://[::1]:", .port),
        ("https://u@x", .userInfo), ("https://u:p@localhost", .userInfo), ("https://@x", .userInfo),
        ("https://a@b@c", .userInfo),
        ("https://x#f", .fragment), ("https://x/#", .fragment),
        ("https://x y", .characters), (" https://x", .characters), ("https://x\\y", .characters),
        ("https://x\n", .characters),
        ("https://x\u{0}", .characters), ("https://x\u{7F}", .characters),
        ("https://ä.example", .characters),
        ("https://x/ä", .characters), ("https://x/<y>", .characters), ("https://x/\"", .characters),
    ])
    func `a text that could be read in two ways is refused`(
        text: String, problem: AbsoluteURL.Problem
    ) {
        #expect(throws: problem) { try AbsoluteURL(parsing: text) }
        #expect(AbsoluteURL(text) == nil)
    }

    @Test func `a label of 63 bytes and a name of 253 are the longest`() {
        let label = String(repeating: "a", count: 63)
        #expect(AbsoluteURL("https://\(label).example") != nil)
        #expect(AbsoluteURL("https://\(label)a.example") == nil)
        let name = Array(repeating: label, count: 4).joined(separator: ".").dropLast(2)
        #expect(AbsoluteURL("https://\(name)") != nil)
        #expect(AbsoluteURL("https://\(name)a") == nil)
    }

    @Test func `the parts of a URL are kept as written, the scheme and the host in lower case`()
        throws
    {
        let url = try AbsoluteURL(
            parsing: "HTTPS://U:p@ID.Example:8443/A/b?C=/d?e#F?/#g", allowing: .all)
        #expect(url.scheme == "https")
        #expect(url.hasUserInfo)
        #expect(url.host == "id.example")
        #expect(url.explicitPort == 8443)
        #expect(url.path == "/A/b")
        #expect(url.query == "C=/d?e")
        #expect(url.fragment == "F?/#g")
        #expect(url.rest == "/A/b?C=/d?e#F?/#g")
    }

    @Test(arguments: ["", "/", "?", "#", "/?#", "?#/", "#?", "/a//b", "?a@b:c", "#a@b"])
    func `the rest is everything behind the authority`(rest: String) throws {
        let url = try AbsoluteURL(parsing: "https://id.example\(rest)", allowing: .all)
        #expect(url.rest == rest)
        #expect(url.host == "id.example")
        #expect(url.isOriginOnly == rest.isEmpty)
    }

    @Test func `an origin leaves a default port out`() throws {
        #expect(try AbsoluteURL(parsing: "https://X.example:443/a").origin.text == "https://x.example")
        #expect(
            try AbsoluteURL(parsing: "http://127.0.0.1:8080/a").origin.text == "http://127.0.0.1:8080")
        #expect(
            try AbsoluteURL(parsing: "https://[2001:DB8::1]:80").origin
                == Origin(scheme: "https", host: "[2001:db8::1]", port: 80))
    }

    @Test func `only the schemes that are asked for are read`() {
        #expect(AbsoluteURL("h2c://x", schemes: ["http", "h2c"])?.port == 80)
        #expect(AbsoluteURL("https://x", schemes: ["http", "h2c"]) == nil)
    }
}
