import Foundation
import Pages
import Primitives
import Testing
import TokenCrypto

private let site = PageSite(name: "app.example.com", pathPrefix: "/_gateway")
private let hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&\u{0}\u{202E}</style></title>"

/// Every page, with a hostile value wherever a value goes.
private let hostilePages: [Page] =
    [
        SignInPage(
            site: PageSite(name: hostile, pathPrefix: "/_gateway"), providers: [.init(id: hostile, displayName: hostile)],
            returnTo: hostile,
            notice: .loginExpired
        ).render(),
        SignOutPage(
            site: PageSite(name: hostile, pathPrefix: hostile), signedInAs: hostile, returnTo: hostile,
            endSessionOrigin: hostile
        ).render(),
        SignedOutPage(site: PageSite(name: hostile, pathPrefix: hostile), extent: .localOnly(providerName: hostile)).render(),
        SignedOutPage(site: PageSite(name: hostile, pathPrefix: hostile), extent: .wasNotSignedIn).render(),
        ErrorPage(site: PageSite(name: hostile, pathPrefix: hostile), code: hostile, status: 400, requestID: hostile).render(),
        ErrorPage(
            site: site, code: "x", requestID: hostile,
            text: ErrorText(code: hostile, status: 400, title: hostile, happened: hostile, next: hostile, remedy: .home)
        ).render(),
    ]
    + (accountPages(site: PageSite(name: hostile, pathPrefix: "/_gateway"), value: hostile)
    + secondFactorPages(site: PageSite(name: hostile, pathPrefix: "/_gateway"), value: hostile)).map { $0.render() }

private let everyPage: [Page] =
    hostilePages
    + SignInPage.Notice.allCases.map {
        SignInPage(site: site, providers: [.init(id: "github.com", displayName: "GitHub")], notice: $0).render()
    }
    + [SignInPage(site: site, providers: []).render(), SignedOutPage(site: site, extent: .complete).render()]
    + accountPages(site: site, value: "al@example.com").map { $0.render() }
    + secondFactorPages(site: site, value: "al@example.com").map { $0.render() }
    + ErrorText.catalogue.map { ErrorPage(site: site, code: $0.code, requestID: "r1", retry: .home).render() }

private func text(_ page: Page) -> String { String(decoding: page.body, as: UTF8.self) }

/// Counts in bytes: a control character can form one `Character` with its neighbor.
private func count(_ needle: String, in haystack: String) -> Int {
    let needle = Array(needle.utf8)
    let bytes = Array(haystack.utf8)
    guard let first = needle.first, bytes.count >= needle.count else { return 0 }
    var found = 0
    for start in 0...(bytes.count - needle.count) where bytes[start] == first {
        if bytes[start..<(start + needle.count)].elementsEqual(needle) { found += 1 }
    }
    return found
}

@Suite struct PagesTests {
    @Test(arguments: hostilePages)
    func `no value reaches a page unescaped (advisories 100 to 104)`(page: Page) {
        let html = text(page)
        #expect(count("<script", in: html) == (page.policy.scriptHash == nil ? 0 : 1))
        #expect(count("</script", in: html) == (page.policy.scriptHash == nil ? 0 : 1))
        #expect(count("onerror=alert(1)>", in: html) == 0)
        #expect(count("<img", in: html) == count("<img src=\"data:image/svg+xml,%", in: html))
        #expect(count("</style>", in: html) == page.policy.styleHashes.count)
        #expect(count("</title>", in: html) == 1)
        #expect(!html.unicodeScalars.contains("\u{0}"))
        #expect(!html.unicodeScalars.contains("\u{202E}"))
    }

    @Test(arguments: everyPage)
    func `a page loads nothing, runs nothing and styles nothing inline`(page: Page) {
        let html = text(page)
        for forbidden in [" style=", " onload=", " onclick=", "<iframe", "<object", "<embed", "@import", "url("] {
            #expect(count(forbidden, in: html) == 0, "\(forbidden)")
        }
        // The QR code is an image inside the page. The one script is the one that the policy names.
        #expect(count("src=\"", in: html) == count("<img src=\"data:image/svg+xml,", in: html))
        #expect(count("<script", in: html) == (page.policy.scriptHash == nil ? 0 : 1))
        #expect(count("rel=\"icon\" href=\"data:", in: html) == 1)
    }

    @Test(arguments: everyPage)
    func `a page has a language, a title, one heading of the first level and the landmarks`(page: Page) {
        let html = text(page)
        #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        for once in ["<h1>", "<main>", "<header class=\"site\">", "<title>", "name=\"viewport\"", "name=\"color-scheme\""] {
            #expect(count(once, in: html) == 1, "\(once)")
        }
        #expect(count("<svg", in: html) == count("aria-hidden=\"true\"", in: html))
    }

    @Test func `the hash in the policy is the hash of the style sheet in the page`() {
        let digest = Base64.encode(SHA2.sha256(Array(StyleSheet.base.css.utf8)))
        #expect(StyleSheet.base.hash == "sha256-\(digest)")
        let page = SignedOutPage(site: site, extent: .complete).render()
        #expect(count("<style>\(StyleSheet.base.css)</style>", in: text(page)) == 1)
        #expect(page.headers(hsts: nil).contains { $0.name == "Content-Security-Policy" && $0.value.contains("'sha256-\(digest)'") })
    }

    @Test func `a style sheet that could end its element is emptied`() {
        #expect(StyleSheet(css: "a{}</style><script>", hash: "").css == "")
    }

    @Test func `the headers of a page are exactly these (RFC 9700 4_2_4 and 4_16, ASVS 3_4)`() {
        let headers = PageSecurityHeaders.page(hsts: "max-age=31536000")
        #expect(
            headers.map(\.name) == [
                "Content-Type", "Cache-Control", "Content-Security-Policy", "X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy",
                "Cross-Origin-Opener-Policy", "Strict-Transport-Security",
            ])
        #expect(
            headers.map(\.value) == [
                "text/html; charset=utf-8", "no-store",
                "default-src 'none'; style-src '\(StyleSheet.base.hash)'; img-src data:; form-action 'self'; base-uri 'none'; "
                    + "object-src 'none'; frame-ancestors 'none'",
                "DENY", "nosniff", "no-referrer", "same-origin", "max-age=31536000",
            ])
        #expect(!PageSecurityHeaders.page().contains { $0.name == "Strict-Transport-Security" })
        #expect(PageSecurityHeaders.json().first?.value == "application/json; charset=utf-8")
        #expect(!PageSecurityHeaders.redirect().contains { $0.name == "Content-Type" })
    }

    @Test(arguments: [
        "https://a.example; script-src *", "https://a.example 'unsafe-inline'", "*", "https:", "https://", "'none'",
        "https://a.example/path",
        "https://a.example,https://b.example", "https://a\u{0}.example",
    ])
    func `an origin that would change the policy's structure is left out`(origin: String) {
        let policy = PageSecurityHeaders.contentSecurityPolicy(ContentPolicy(formActionOrigins: [origin, "https://[::1]:8443"]))
        #expect(policy.contains("form-action 'self' https://[::1]:8443; base-uri"))
    }

    @Test func `the sign-in page links every provider in order and carries rd`() {
        let page = SignInPage(
            site: site,
            providers: [.init(id: "oidc.acme", displayName: "Acme & Söhne"), .init(id: "github.com/partners", displayName: "Partners")],
            returnTo: "/reports?q=1&r=2"
        ).render()
        let html = text(page)
        #expect(page.status == 200)
        #expect(html.contains("href=\"/_gateway/login/oidc.acme?rd=%2Freports%3Fq%3D1%26r%3D2\""))
        #expect(html.contains("href=\"/_gateway/login/github.com~partners?rd=%2Freports%3Fq%3D1%26r%3D2\""))
        #expect(html.contains("Sign in with <bdi>Acme &amp; Söhne</bdi>"))
        #expect(html.split(separator: "<li>").dropFirst().map { $0.contains("oidc.acme") } == [true, false])
        #expect(!html.contains("role=\"alert\""))
    }

    @Test func `a notice is announced`() {
        for notice in SignInPage.Notice.allCases {
            let page = SignInPage(site: site, providers: [.init(id: "a", displayName: "A")], notice: notice).render()
            let isGood = [.passwordChanged, .emailVerified, .mailCancelled, .accountDeleted].contains(notice)
            #expect(count("role=\"\(isGood ? "status" : "alert")\"", in: text(page)) == 1)
            #expect(count("role=\"", in: text(page)) == 1)
            #expect(notice.needsPage == (isGood || notice == .formNotSent))
        }
    }

    @Test("the sign-out form may end up on another host of the site, where the sign-out began")
    func signOutElsewhere() {
        func policy(_ target: String) -> String {
            let page = SignOutPage(site: PageSite(name: "Acme", pathPrefix: "/_gateway"), returnTo: target).render(in: .english)
            return PageSecurityHeaders.contentSecurityPolicy(page.policy)
        }
        #expect(policy("https://admin.example.com:8443/x?y=1").contains("form-action 'self' https://admin.example.com:8443;"))
        #expect(policy("/x").contains("form-action 'self';"))
    }

    @Test func `signing out is a form that posts, and its policy lets the answer go on to the provider`() {
        let page = SignOutPage(
            site: site, signedInAs: "alice@example.com", returnTo: "/bye", endSessionOrigin: "https://auth.example.com"
        ).render()
        let html = text(page)
        #expect(html.contains("<form method=\"post\" action=\"/_gateway/logout\">"))
        #expect(html.contains("<input type=\"hidden\" name=\"rd\" value=\"/bye\">"))
        #expect(html.contains("<bdi>alice@example.com</bdi>"))
        #expect(
            page.headers(hsts: nil).contains {
                $0.name == "Content-Security-Policy" && $0.value.contains("form-action 'self' https://auth.example.com;")
            })
    }

    @Test func `a sign-out that reaches this site only says so (RP-Initiated Logout, R5)`() {
        let html = text(SignedOutPage(site: site, extent: .localOnly(providerName: "GitHub")).render())
        #expect(html.contains("You may still be signed in to <bdi>GitHub</bdi>"))
        #expect(!text(SignedOutPage(site: site, extent: .complete).render()).contains("still be signed in"))
    }

    @Test(arguments: ErrorText.catalogue)
    func `an error page shows its status, what happened, what to do, the code and the request`(entry: ErrorText) {
        let page = ErrorPage(site: site, code: entry.code, requestID: "req-123", retry: LinkTarget("/again")).render()
        let html = text(page)
        #expect(page.status == entry.status)
        for shown in [entry.title, entry.happened, entry.next, entry.code, "req-123", String(entry.status)] {
            #expect(html.contains(HTML.escape(shown)), "\(shown)")
        }
        #expect((count("class=\"button\"", in: html) == 1) == (entry.remedy != .none))
    }

    @Test func `every code stands in docs/errors_md`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/errors.md"), encoding: .utf8)
        for text in ErrorText.catalogue { #expect(page.contains("| `\(text.code)` | \(text.status) |"), "\(text.code)") }
    }

    @Test func `codes are unique, lower case, and in the family auth or proxy`() {
        let codes = ErrorText.catalogue.map(\.code)
        #expect(Set(codes).count == codes.count)
        for code in codes {
            let parts = code.split(separator: "/")
            #expect(parts.count == 2 && (parts[0] == "auth" || parts[0] == "proxy"))
            #expect(code.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || $0 == 0x2F || $0 == 0x2D })
        }
        for status in [400, 403, 404, 413, 414, 421, 431, 502, 503, 504] {
            #expect(ErrorText.proxy(status: status).status == status)
            #expect(ErrorText.proxyCatalogue.contains { $0.status == status })
        }
    }

    @Test func `a rule's refusal and a provider's share a code and differ in words`() {
        let page = ErrorPage(site: site, code: "auth/access-denied", requestID: "r", text: .deniedByRule)
        #expect(page.status == 403)
        #expect(page.action?.target.text == "/_gateway/logout")
        #expect(text(page.render()).contains("<h1>You do not have access to this page</h1>"))
        #expect(!text(page.render()).contains("Signed in as"))
        #expect(ErrorText.of(code: "auth/access-denied").title == "The sign-in was not allowed")
    }

    @Test func `a refusal names the account, escaped, and leads to the given sign-in`() {
        let page = ErrorPage(
            site: site, code: "auth/access-denied", requestID: "r", account: "<b>al</b>@example.com",
            retry: LinkTarget("/login?account=select"),
            text: .deniedByRule)
        #expect(page.action?.target.text == "/login?account=select")
        #expect(text(page.render()).contains("<dt>Signed in as</dt><dd><bdi>&lt;b&gt;al&lt;/b&gt;@example.com</bdi></dd>"))
    }

    @Test func `an unknown code keeps its name and takes the text of its status`() {
        let text = ErrorText.of(code: "auth/new-thing", status: 418)
        #expect(text.code == "auth/new-thing")
        #expect(text.status == 418)
        #expect(text.title == ErrorText.of(code: "proxy/bad-request").title)
        #expect(ErrorText.of(code: "auth/new-thing").status == 500)
    }

    @Test func `a try-again button appears only when there is somewhere to try`() {
        #expect(ErrorPage(site: site, code: "proxy/bad-gateway", requestID: "r").action == nil)
        #expect(ErrorPage(site: site, code: "proxy/bad-gateway", requestID: "r", retry: .home).action?.label == "Try again")
    }

    @Test(arguments: ErrorText.catalogue)
    func `the JSON body parses and carries code, message and request id`(entry: ErrorText) throws {
        let json = try JSONValue(parsing: ErrorBody.json(code: entry.code, requestID: "r-1"))
        #expect(json["error"]?["code"]?.string == entry.code)
        #expect(json["error"]?["message"]?.string == entry.happened)
        #expect(json["error"]?["request_id"]?.string == "r-1")
        #expect(json["error"]?.object?.count == 3)
    }

    @Test(arguments: ["\"\\\u{0}\n\t\u{1F}", "</script>", "\u{2028}\u{2029}", "é🌍", "\r\n", "\"}}"])
    func `hostile text survives the JSON body unchanged and inert`(value: String) throws {
        let body = ErrorBody.json(
            code: "auth/login-required", message: value, requestID: value, loginURL: "https://a.example/login?rd=\(value)")
        let json = try JSONValue(parsing: body)
        #expect(json["error"]?["message"]?.string?.unicodeScalars.map(\.value) == value.unicodeScalars.map(\.value))
        #expect(json["error"]?["login_url"]?.string != nil)
        #expect(!body.contains(UInt8(ascii: "<")))
    }
}
