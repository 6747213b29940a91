import Access
import HTTPWire
import NIOCore
import Testing

@Suite struct NavigationKindTests {
    private func kind(_ method: String, _ headers: [String: String]) -> NavigationKind {
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        var buffer = ByteBuffer(string: "\(method) / HTTP/1.1\r\nHost: app.example.com\r\n\(lines)\r\n")
        var parser = RequestHeadParser(limits: HeadLimits())
        guard let head = try? parser.parse(&buffer) else {
            Issue.record("the request is not one")
            return .programmatic
        }
        return NavigationKind(head)
    }

    private static let html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    @Test(
        "A browser that says what it does is believed",
        arguments: [
            ("GET", "navigate", .navigation), ("HEAD", "navigate", .navigation), ("POST", "navigate", .formPost),
            ("GET", "Navigate", .navigation),
            ("GET", "cors", .programmatic), ("GET", "no-cors", .programmatic), ("GET", "same-origin", .programmatic),
            ("GET", "websocket", .programmatic),
            ("POST", "cors", .programmatic), ("PUT", "navigate", .programmatic), ("GET", "", .programmatic),
            ("GET", "navigate, cors", .programmatic),
        ] as [(String, String, NavigationKind)])
    func secFetchMode(_ method: String, _ mode: String, _ expected: NavigationKind) {
        #expect(kind(method, ["sec-fetch-mode": mode]) == expected)
        #expect(kind(method, ["sec-fetch-mode": mode, "accept": Self.html, "content-type": "text/plain"]) == expected)
    }

    @Test(
        "Without that, a GET that accepts HTML and carries no mark of a script is a navigation",
        arguments: [
            ("text/html", true), (html, true), ("application/xhtml+xml", true), ("TEXT/HTML", true),
            ("application/json, text/html;q=0.1", true), (" text/html ;q=1", true),
            ("*/*", false), ("", false), ("application/json", false), ("text/html;q=0", false), ("text/html;q=0.000", false),
            ("text/html; q=0, */*", false),
            ("text/htmlx", false), ("text/*", false), ("image/avif,image/webp,*/*;q=0.8", false), ("text/html;level=1;q=0", false),
            (",,text/html,,", true),
        ])
    func accept(_ accept: String, _ isNavigation: Bool) {
        #expect(kind("GET", ["accept": accept]) == (isNavigation ? .navigation : .programmatic))
    }

    @Test("A program that sends nothing is no navigation")
    func bare() {
        for method in ["GET", "POST", "HEAD", "PUT", "DELETE", "PROPFIND"] { #expect(kind(method, [:]) == .programmatic) }
    }

    @Test("The marks of a script outweigh Accept")
    func scripts() {
        #expect(kind("GET", ["accept": Self.html, "x-requested-with": "XMLHttpRequest"]) == .programmatic)
        #expect(kind("GET", ["accept": Self.html, "x-requested-with": ""]) == .programmatic)
        #expect(kind("GET", ["accept": Self.html, "upgrade": "websocket"]) == .programmatic)
    }

    @Test(
        "A form's POST is known by its content type",
        arguments: [
            ("application/x-www-form-urlencoded", .formPost), ("multipart/form-data; boundary=x", .formPost), ("text/plain", .formPost),
            ("Application/X-WWW-Form-Urlencoded;charset=utf-8", .formPost), ("application/json", .programmatic), ("", .programmatic),
        ] as [(String, NavigationKind)])
    func forms(_ contentType: String, _ expected: NavigationKind) {
        #expect(kind("POST", ["accept": Self.html, "content-type": contentType]) == expected)
        #expect(kind("POST", ["accept": "*/*", "content-type": contentType]) == .programmatic)
        #expect(kind("PUT", ["accept": Self.html, "content-type": contentType]) == .programmatic)
        #expect(kind("GET", ["accept": Self.html, "content-type": contentType]) == .navigation)
    }

    @Test("An OPTIONS with Access-Control-Request-Method is a preflight, whatever else it says; another OPTIONS is a program's")
    func preflight() {
        #expect(kind("OPTIONS", ["access-control-request-method": "GET"]) == .preflight)
        #expect(kind("OPTIONS", ["access-control-request-method": "PUT", "sec-fetch-mode": "navigate", "accept": Self.html]) == .preflight)
        #expect(kind("OPTIONS", ["accept": Self.html]) == .programmatic)
        #expect(kind("GET", ["access-control-request-method": "GET", "accept": Self.html]) == .navigation)
    }
}
