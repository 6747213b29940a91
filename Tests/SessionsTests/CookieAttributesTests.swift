import Sessions
import Testing

@Suite struct CookieAttributesTests {
    @Test(
        "a cookie is rendered with all its attributes",
        arguments: [
            (
                CookieAttributes(name: "__Host-session", value: "abc", secure: true),
                "__Host-session=abc; Path=/; Secure; HttpOnly; SameSite=Lax"
            ),
            (
                CookieAttributes(name: "t", value: "", maxAge: 600, sameSite: .none, secure: true, path: "/cb", domain: "example.com"),
                "t=; Path=/cb; Domain=example.com; Max-Age=600; Secure; HttpOnly; SameSite=None"
            ),
            (
                CookieAttributes(name: "s", value: "x", sameSite: .strict, secure: false, httpOnly: false),
                "s=x; Path=/; SameSite=Strict"
            ),
            (CookieAttributes(name: "s", value: "x", maxAge: -5, secure: false), "s=x; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"),
        ])
    func rendered(cookie: CookieAttributes, line: String) {
        #expect(cookie.headerValue() == line)
    }

    @Test func `RFC 6265bis section 5.5: a life beyond 400 days is cut`() {
        let cookie = CookieAttributes(name: "s", value: "x", maxAge: .max, secure: true)
        #expect(cookie.headerValue().contains("; Max-Age=34560000;"))
    }

    @Test func `a deletion differs in value and Max-Age only`() {
        let cookie = CookieAttributes(name: "__Secure-s", value: "x", maxAge: 60, sameSite: .none, secure: true, domain: "example.com")
        #expect(
            cookie.deleting().headerValue() == "__Secure-s=; Path=/; Domain=example.com; Max-Age=0; Secure; HttpOnly; SameSite=None")
    }

    @Test(
        "names are tokens",
        arguments: [
            ("session", true), ("__Host-session", true), ("a.0", true), ("", false), ("a b", false), ("a;b", false), ("a=b", false),
            ("a,b", false), ("é", false), ("a\0", false), ("a\r\n", false),
        ])
    func names(name: String, isName: Bool) {
        #expect(CookieAttributes.isName(name) == isName)
    }
}
