import Access

/// A value of `rd` and what becomes of it: the text that is sent, or the reason for `/`.
struct ReturnRow: Sendable, CustomStringConvertible {
    let input: String
    let text: String
    let refusal: ReturnPathRefusal?

    init(_ input: String, _ refusal: ReturnPathRefusal) {
        self.input = input
        self.text = "/"
        self.refusal = refusal
    }

    init(taken input: String, as text: String? = nil) {
        self.input = input
        self.text = text ?? input
        self.refusal = nil
    }

    var description: String { input.debugDescription }
}

/// publicURL is `https://app.example.com`, `https://other.example.com:8443` and `http://[2001:db8::1]` are allowed.
let returnCorpus: [ReturnRow] = [
    // Honest places.
    ReturnRow(taken: "/"), ReturnRow(taken: "/a"), ReturnRow(taken: "/a/b/"), ReturnRow(taken: "/a?b=c&d=e"),
    ReturnRow(taken: "/a?next=//evil.example"),
    ReturnRow(taken: "/a?next=https://evil.example/"), ReturnRow(taken: "/a?q=%0d%0aX"), ReturnRow(taken: "/a?q=%5c"),
    ReturnRow(taken: "/#/inbox"),
    ReturnRow(taken: "/a#b"), ReturnRow(taken: "/a%20b"), ReturnRow(taken: "/caf%C3%A9"), ReturnRow(taken: "/caf\u{e9}", as: "/caf%C3%A9"),
    ReturnRow(taken: "/\u{ff0f}evil.example", as: "/%EF%BC%8Fevil.example"), ReturnRow(taken: "/@evil.example"),
    ReturnRow(taken: "/.well-known/x"),
    ReturnRow(taken: "/a:b@c"), ReturnRow(taken: "/https://evil.example"), ReturnRow(taken: "/a//b"), ReturnRow(taken: "/a%2Fb"),
    ReturnRow(taken: "/..."),
    ReturnRow(taken: "/evil.example"), ReturnRow(taken: "/javascript:alert(1)"), ReturnRow(taken: "/_gatewayx"),
    ReturnRow(taken: "/a/_gateway/login"),
    ReturnRow(taken: "/?rd=/_gateway/logout"), ReturnRow(taken: "/100%25"), ReturnRow(taken: "/a?x=%zz"), ReturnRow(taken: "/a#%zz"),
    ReturnRow(taken: "/" + String(repeating: "a", count: 2047)), ReturnRow(taken: ""),
    // Absolute URLs of origins on the list.
    ReturnRow(taken: "https://app.example.com", as: "/"), ReturnRow(taken: "https://app.example.com/a?b#c", as: "/a?b#c"),
    ReturnRow(taken: "HTTPS://APP.example.com:443/a", as: "/a"), ReturnRow(taken: "https://app.example.com?x=1", as: "/?x=1"),
    ReturnRow(taken: "https://app.example.com#x", as: "/#x"), ReturnRow(taken: "https://other.example.com:8443/x"),
    ReturnRow(taken: "https://other.example.com:8443", as: "https://other.example.com:8443/"),
    ReturnRow(taken: "https://OTHER.example.com:8443/\u{e9}", as: "https://other.example.com:8443/%C3%A9"),
    ReturnRow(taken: "http://[2001:DB8::1]/x", as: "http://[2001:db8::1]/x"),
    // CVE-2017-1000070, CVE-2021-29456, CVE-2024-21497: no check at all.
    ReturnRow("https://evil.example", .unlistedOrigin), ReturnRow("http://evil.example/", .unlistedOrigin),
    ReturnRow("https://evil.example:443/a", .unlistedOrigin),
    ReturnRow("evil.example", .notAbsolute), ReturnRow("app.example.com/a", .notAbsolute), ReturnRow("a", .notAbsolute),
    ReturnRow("?a", .notAbsolute),
    ReturnRow("#a", .notAbsolute), ReturnRow(".", .notAbsolute), ReturnRow("./a", .notAbsolute), ReturnRow("../a", .notAbsolute),
    ReturnRow("@evil.example", .notAbsolute),
    ReturnRow("%2f%2fevil.example", .notAbsolute), ReturnRow("%2Fa", .notAbsolute), ReturnRow(".evil.example", .notAbsolute),
    ReturnRow(";/evil.example", .notAbsolute),
    // Network paths, CVE-2019-14857.
    ReturnRow("//", .networkPath), ReturnRow("//evil.example", .networkPath), ReturnRow("//evil.example/%2f..", .networkPath),
    ReturnRow("///evil.example", .networkPath),
    ReturnRow("////evil.example", .networkPath), ReturnRow("//app.example.com@evil.example", .networkPath),
    ReturnRow("//app.example.com/a", .networkPath),
    ReturnRow("//evil%E3%80%82example", .networkPath), ReturnRow("//[::1]/", .networkPath), ReturnRow("//;@evil.example", .networkPath),
    ReturnRow("//?", .networkPath), ReturnRow("//evil.example#a", .networkPath), ReturnRow("//google.com/%2e%2e", .networkPath),
    ReturnRow("//\u{3002}", .networkPath),
    ReturnRow("https://app.example.com//evil.example", .networkPath), ReturnRow("https://app.example.com/%2fevil.example", .networkPath),
    // CVE-2020-5233, CVE-2026-83589, CVE-2021-32786: backslashes.
    ReturnRow("/\\evil.example", .unsafeByte), ReturnRow("\\/evil.example", .unsafeByte), ReturnRow("\\\\evil.example", .unsafeByte),
    ReturnRow("/\\/evil.example", .unsafeByte),
    ReturnRow("//\\evil.example", .unsafeByte), ReturnRow("/a\\b", .unsafeByte), ReturnRow("\\", .unsafeByte),
    ReturnRow("https:\\\\evil.example", .unsafeByte),
    ReturnRow("https://app.example.com\\@evil.example", .unsafeByte), ReturnRow("https://evil.example\\.app.example.com/", .unsafeByte),
    ReturnRow("/a?b=\\", .unsafeByte),
    ReturnRow("/a#\\", .unsafeByte), ReturnRow("/.\\evil.example", .unsafeByte), ReturnRow("/./\\evil.example", .unsafeByte),
    ReturnRow("http:/\\evil.example", .unsafeByte),
    // CVE-2020-11053, CVE-2020-4037: white space and control characters.
    ReturnRow("/\t/evil.example", .unsafeByte), ReturnRow("/\n/evil.example", .unsafeByte), ReturnRow("/\r/evil.example", .unsafeByte),
    ReturnRow("/ /evil.example", .unsafeByte),
    ReturnRow("/\u{b}/evil.example", .unsafeByte), ReturnRow("/\u{c}/evil.example", .unsafeByte),
    ReturnRow("/\u{0}/evil.example", .unsafeByte), ReturnRow("\t//evil.example", .unsafeByte),
    ReturnRow(" //evil.example", .unsafeByte), ReturnRow("\u{1}https://evil.example", .unsafeByte),
    ReturnRow("/a\r\nSet-Cookie: a=b", .unsafeByte), ReturnRow("/a b", .unsafeByte),
    ReturnRow("/\u{7f}", .unsafeByte), ReturnRow("ht\ttps://evil.example", .unsafeByte), ReturnRow("java\nscript:alert(1)", .unsafeByte),
    ReturnRow("/a ", .unsafeByte),
    ReturnRow("https://app.example.com\t.evil.example", .unsafeByte), ReturnRow("/\u{1f}/evil.example", .unsafeByte),
    // The same, escaped.
    ReturnRow("/%09/evil.example", .unsafeEscape), ReturnRow("/%0a/evil.example", .unsafeEscape),
    ReturnRow("/%0D%0ALocation:x", .unsafeEscape), ReturnRow("/%00/a", .unsafeEscape),
    ReturnRow("/%5cevil.example", .unsafeEscape), ReturnRow("/%5C%5Cevil.example", .unsafeEscape), ReturnRow("/a%5cb", .unsafeEscape),
    ReturnRow("/%7f", .unsafeEscape),
    ReturnRow("/%2fevil.example", .networkPath), ReturnRow("/%2Fevil.example", .networkPath),
    ReturnRow("/%2f%2fevil.example", .networkPath),
    ReturnRow("/%252fevil.example", .networkPath), ReturnRow("/%25252fevil.example", .networkPath),
    ReturnRow("/%255cevil.example", .unsafeEscape),
    ReturnRow("/%2509/evil.example", .unsafeEscape), ReturnRow("/%2525252525252fevil.example", .unsafeEscape),
    ReturnRow("/%", .incompleteEscape), ReturnRow("/%2", .incompleteEscape),
    ReturnRow("/%zz", .incompleteEscape), ReturnRow("/a%u002f", .incompleteEscape),
    // Dot segments.
    ReturnRow("/.", .dotSegment), ReturnRow("/..", .dotSegment), ReturnRow("/./", .dotSegment), ReturnRow("/.//evil.example", .dotSegment),
    ReturnRow("/..//evil.example", .dotSegment),
    ReturnRow("/a/..//evil.example", .dotSegment), ReturnRow("/%2e/a", .dotSegment), ReturnRow("/%2e%2e//evil.example", .dotSegment),
    ReturnRow("/.%2E/", .dotSegment),
    ReturnRow("/%252e%252e/", .dotSegment), ReturnRow("/..;/a", .dotSegment), ReturnRow("/a/..%2f_gateway/logout", .dotSegment),
    ReturnRow("/a/.;x", .dotSegment),
    // Schemes, CVE-2024-21637.
    ReturnRow("javascript:alert(1)", .unknownScheme), ReturnRow("JavaScript://app.example.com/%0aalert(1)", .unknownScheme),
    ReturnRow("data:text/html,x", .unknownScheme),
    ReturnRow("vbscript:x", .unknownScheme), ReturnRow("file:///etc/passwd", .unknownScheme),
    ReturnRow("ftp://app.example.com/", .unknownScheme), ReturnRow("blob:https://app.example.com/x", .unknownScheme),
    ReturnRow("app.example.com:443/a", .unknownScheme), ReturnRow("wss://app.example.com/", .unknownScheme), ReturnRow(":", .unknownScheme),
    ReturnRow("://evil.example", .unknownScheme),
    ReturnRow("view-source:https://app.example.com", .unknownScheme), ReturnRow("%68ttps://app.example.com", .unknownScheme),
    ReturnRow("\u{ff48}ttps://app.example.com", .unknownScheme),
    ReturnRow("https:evil.example", .notAbsolute), ReturnRow("https:/evil.example", .notAbsolute), ReturnRow("https:", .notAbsolute),
    ReturnRow("https:app.example.com/a", .notAbsolute),
    // Authorities.
    ReturnRow("https://", .malformedAuthority), ReturnRow("https:///evil.example", .malformedAuthority),
    ReturnRow("https:////evil.example", .malformedAuthority),
    ReturnRow("https://app.example.com@evil.example/", .userinfo), ReturnRow("https://evil.example@app.example.com/", .userinfo),
    ReturnRow("https://a:b@app.example.com/", .userinfo),
    ReturnRow("https://@app.example.com/", .userinfo), ReturnRow("https://app.example.com:443@evil.example", .userinfo),
    ReturnRow("https://app.example.com%40evil.example", .malformedAuthority),
    ReturnRow("https://app.example.com%2f.evil.example", .malformedAuthority), ReturnRow("https://app.example.com:/", .malformedAuthority),
    ReturnRow("https://app.example.com:0443/", .malformedAuthority),
    ReturnRow("https://app.example.com:99999/", .malformedAuthority), ReturnRow("https://app.example.com:443x/", .malformedAuthority),
    ReturnRow("https://app.example.com:+443/", .malformedAuthority),
    ReturnRow("https://app.example.com:4430000000000000000000/", .malformedAuthority), ReturnRow("https://[::1/", .malformedAuthority),
    ReturnRow("https://app\u{ff0e}example.com/", .malformedAuthority),
    ReturnRow("https://app.example.com;evil.example/", .malformedAuthority),
    ReturnRow("https://app.example.com,evil.example/", .malformedAuthority),
    ReturnRow("https://app.example.com:44:3/", .malformedAuthority),
    // CVE-2021-21291, CVE-2024-52289, CVE-2026-41569: origins that only look alike.
    ReturnRow("https://app.example.com.evil.example/", .unlistedOrigin), ReturnRow("https://evilapp.example.com/", .unlistedOrigin),
    ReturnRow("https://app-example.com/", .unlistedOrigin),
    ReturnRow("https://appxexample.com/", .unlistedOrigin), ReturnRow("https://x.app.example.com/", .unlistedOrigin),
    ReturnRow("https://example.com/", .unlistedOrigin),
    ReturnRow("http://app.example.com/", .unlistedOrigin), ReturnRow("https://app.example.com:8443/", .unlistedOrigin),
    ReturnRow("http://app.example.com:443/", .unlistedOrigin),
    ReturnRow("https://app.example.com./", .unlistedOrigin), ReturnRow("https://other.example.com/", .unlistedOrigin),
    ReturnRow("https://other.example.com:8444/", .unlistedOrigin),
    ReturnRow("https://[2001:db8::1]/", .unlistedOrigin), ReturnRow("https://evil.example/app.example.com", .unlistedOrigin),
    ReturnRow("https://evil.example?app.example.com", .unlistedOrigin),
    ReturnRow("https://evil.example#app.example.com", .unlistedOrigin),
    // Our own endpoints.
    ReturnRow("/_gateway", .ownEndpoint), ReturnRow("/_gateway/", .ownEndpoint), ReturnRow("/_gateway/logout", .ownEndpoint),
    ReturnRow("/_gateway/login?rd=/a", .ownEndpoint),
    ReturnRow("/_gateway/verify-email?token=\(String(repeating: "a", count: 43))", .ownEndpoint),
    ReturnRow("/_Gateway/login", .ownEndpoint), ReturnRow("/%5fgateway/login", .ownEndpoint),
    ReturnRow("/%255Fgateway/login", .ownEndpoint), ReturnRow("/_gateway%2flogin", .ownEndpoint),
    ReturnRow("/_gateway;x/login", .ownEndpoint), ReturnRow("/_gateway?x", .ownEndpoint), ReturnRow("/_gateway#x", .ownEndpoint),
    ReturnRow("https://app.example.com/_gateway/logout", .ownEndpoint),
    ReturnRow("https://other.example.com:8443/_gateway/logout", .ownEndpoint),
    // Length.
    ReturnRow("/" + String(repeating: "a", count: 2048), .tooLong),
    ReturnRow("https://app.example.com/" + String(repeating: "a", count: 2048), .tooLong),
]
