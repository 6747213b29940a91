import Pages
import Testing

@Suite struct HTMLTests {
    @Test(
        arguments: [
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onmouseover=\"x", "&quot; onmouseover=&quot;x"),
            ("' autofocus onfocus='x", "&#39; autofocus onfocus=&#39;x"),
            ("a & b &amp; c", "a &amp; b &amp;amp; c"),
            ("</pre><img src=x>", "&lt;/pre&gt;&lt;img src=x&gt;"),
            ("a\u{0}b\u{1B}c\u{7F}d\u{85}e", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e"),
            ("user\u{202E}moc.elpmaxe", "user\u{FFFD}moc.elpmaxe"),
            ("<\u{301}b>", "&lt;\u{301}b&gt;"),
            ("\r\n\t", "\r\n\t"),
            ("naïve 日本 🌍", "naïve 日本 🌍"),
        ])
    func `an interpolated string is text, never markup`(raw: String, escaped: String) {
        let html: HTML = "<p title=\"\(raw)\">\(raw)</p>"
        #expect(Array(html.source.unicodeScalars) == Array("<p title=\"\(escaped)\">\(escaped)</p>".unicodeScalars))
    }

    @Test func `markup stays markup through interpolation and is escaped once`() {
        let inner: HTML = "<b>\("<i>")</b>"
        let outer: HTML = "<p>\(inner)\(Optional(inner))\(7)</p>"
        #expect(outer.source == "<p><b>&lt;i&gt;</b><b>&lt;i&gt;</b>7</p>")
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "//evil.example", "/\\evil.example",
        "\\\\evil.example",
        "/a b", "/a\tb", "/a\nb", " /a", "", "https://", "https:///evil", "https:evil", "ftp://x/", "a/b", "?x", "#x", "/é", "http://?x",
    ])
    func `a link target that a browser could read as something else is refused`(text: String) {
        #expect(LinkTarget(text) == nil)
    }

    @Test(arguments: ["/", "/a/b?c=d&e=%20#f", "https://auth.example.com/x", "HTTP://127.0.0.1:8080/"])
    func `a path of this origin and an absolute web address are link targets`(text: String) {
        #expect(LinkTarget(text)?.text == text)
    }

    @Test func `a query value is percent-encoded down to the unreserved characters of RFC 3986 section 2_3`() {
        let link = LinkTarget(path: "/login", query: [("rd", "/a?b=c&d=\"<é>#+ ~-._")])
        #expect(link?.text == "/login?rd=%2Fa%3Fb%3Dc%26d%3D%22%3C%C3%A9%3E%23%2B%20~-._")
        #expect(LinkTarget(path: "/login?x=1", query: [("a b", "")])?.text == "/login?x=1&a%20b=")
        #expect(LinkTarget(path: "https://evil.example", query: [("a", "b")]) == nil)
    }
}
