import Pages
import Primitives
import Testing
import TokenCrypto

@Suite struct PageTemplatesTests {
    private static func templates(_ pages: [String: String], _ partials: [String: String] = [:]) throws(PageTemplates.Problem)
        -> PageTemplates
    {
        try PageTemplates(pages: pages, partials: partials) { Base64.encode(SHA2.sha256(Array($0.utf8))) }
    }

    private static func site(_ templates: PageTemplates) -> PageSite {
        PageSite(name: "A & B", pathPrefix: "/_gateway", templates: templates)
    }

    private static func text(_ page: Page) -> String { String(decoding: page.body, as: UTF8.self) }

    @Test(arguments: [
        ("<h1>{{{title}}}</h1>", "values are always escaped"), ("{{& title}}", "values are always escaped"),
        ("{{ & title}}", "values are always escaped"), ("{{=<% %>=}}", "the delimiters stay"), ("{{% CONTENT_TYPE:TEXT}}", "pragmas"),
        ("<SCRIPT>alert(1)</SCRIPT>", "scripts do not run"), ("{{> missing}}", "there is no partial `missing`"),
        ("<style>{{title}}</style>", "cannot hold values"), ("<style>a{}", "not closed"),
        ("{{#open}}", "not a template that can be used: line 1"),
        ("{{> gateway-style}}{{> error}}", "there is no partial `error`"),
    ])
    func `a template that could undo the escaping, or is none, is refused`(source: String, reason: String) {
        do throws(PageTemplates.Problem) {
            _ = try Self.templates(["error": source])
            Issue.record("accepted")
        } catch {
            #expect(error.name == "error" && error.description.contains(reason), "\(error)")
        }
    }

    @Test func `a partial is held to the same`() {
        #expect(throws: PageTemplates.Problem.self) { try Self.templates(["error": "{{> head}}"], ["head": "{{{x}}}"]) }
        #expect(throws: PageTemplates.Problem.self) { try Self.templates(["error": "x"], ["gateway-style": "x"]) }
        #expect(throws: PageTemplates.Problem.self) { try Self.templates(["error": "x"], ["error": "x"]) }
        #expect(throws: PageTemplates.Problem.self) { try Self.templates(["error": "x"], ["head": "{{> missing}}"]) }
    }

    @Test func `a partial that includes itself is refused, because its page would not end`() {
        #expect(throws: PageTemplates.Problem.self) { try Self.templates(["error": "{{> a}}"], ["a": "{{> a}}"]) }
        #expect { try Self.templates(["error": "{{> a}}"], ["a": "{{> b}}", "b": "{{> c}}", "c": "{{> b}}"]) } throws: {
            ($0 as? PageTemplates.Problem)?.name == "b"
        }
        #expect(throws: PageTemplates.Problem.self) {
            try Self.templates(["error": "{{> a}}"], ["a": "{{> b}}", "b": "{{#x}}{{> a}}{{/x}}"])
        }
        #expect(throws: Never.self) { try Self.templates(["error": "{{> a}}{{> b}}"], ["a": "{{> c}}", "b": "{{> c}}", "c": "x"]) }
    }

    @Test func `partials that multiply or form a long chain are refused, because rendering them would not end`() {
        func chain(_ length: Int, _ text: (Int) -> String) -> [String: String] {
            Dictionary(uniqueKeysWithValues: (0..<length).map { ("p\($0)", $0 + 1 < length ? text($0 + 1) : "x") })
        }
        let doubling = chain(20) { "{{> p\($0)}}{{#x}}{{> p\($0)}}{{/x}}" }
        #expect(throws: PageTemplates.Problem.self) { try Self.templates(["error": "{{> p0}}"], doubling) }
        for length in [34, 5_000] {
            let long = chain(length) { "{{> p\($0)}}" }
            #expect(throws: PageTemplates.Problem.self) { try Self.templates(["error": "{{> p0}}"], long) }
            #expect(throws: PageTemplates.Problem.self) { try Self.templates(["error": "x"], long) }
        }
        #expect(throws: Never.self) { try Self.templates(["error": "{{> p0}}"], chain(32) { "{{> p\($0)}}" }) }
    }

    @Test func `an error page from a template escapes every value and keeps the policy`() throws {
        let style = "p{color:red}"
        let templates = try Self.templates(
            [
                "error":
                    "<html lang=\"{{language}}\">{{> head}}<p>{{siteName}} {{code}} {{status}} {{provider}} {{requestID}}</p>{{#action}}<a href=\"{{url}}\">{{label}}</a>{{/action}}"
            ],
            ["head": "<style>\(style)</style>{{> gateway-style}}"])
        let page = ErrorPage(
            site: Self.site(templates), code: "auth/invalid-state", requestID: "r\"><b>", provider: "<i>&", retry: LinkTarget("/x?a=1&b=2")
        ).render(in: .german)
        let html = Self.text(page)
        #expect(html.hasPrefix("<html lang=\"de\"><style>p{color:red}</style><style>"))
        #expect(html.contains("<p>A &amp; B auth/invalid-state 400 &lt;i&gt;&amp; r&quot;&gt;&lt;b&gt;</p>"))
        #expect(html.hasSuffix("<a href=\"/x?a=1&amp;b=2\">Erneut anmelden</a>"))
        #expect(page.status == 400)
        let policy = try #require(page.headers(hsts: nil).first { $0.name == "Content-Security-Policy" }?.value)
        #expect(policy.contains("'sha256-\(Base64.encode(SHA2.sha256(Array(style.utf8))))'"))
        #expect(policy.contains("img-src 'self' data:") && policy.contains("frame-ancestors 'none'") && !policy.contains("script-src"))
    }

    @Test func `each page has its values, and pages without a template stay as they are`() throws {
        let templates = try Self.templates([
            "signIn":
                "{{title}}|{{lead}}|{{notice}}|{{#providers}}[{{id}} {{name}} {{url}} {{label}}{{#isLastUsed}} *{{/isLastUsed}}]{{/providers}}",
            "signOut": "{{message}}|{{action}}|{{returnTo}}|{{signOut}}|{{stay}}",
            "signedOut": "{{title}}|{{message}}|{{warning}}|{{loginURL}}|{{loginLabel}}",
        ])
        let site = Self.site(templates)
        let signIn = SignInPage(
            site: site, providers: [.init(id: "a", displayName: "Aa"), .init(id: "b", displayName: "Bb")], returnTo: "/x",
            notice: .loginExpired,
            lastUsed: "b")
        #expect(
            Self.text(signIn.render(in: .english))
                == "Sign in|to continue to A &amp; B|The sign-in took too long, or it was already used. Please sign in again.|"
                + "[b Bb /_gateway/login/b?rd=%2Fx Sign in with Bb *][a Aa /_gateway/login/a?rd=%2Fx Sign in with Aa]")
        let signOut = SignOutPage(site: site, signedInAs: "Al", returnTo: "/x", endSessionOrigin: "https://id.example")
        #expect(
            Self.text(signOut.render(in: .english)) == "You are signed in as Al.|/_gateway/logout|/x|Sign out|Stay signed in")
        #expect(
            signOut.render(in: .english).headers(hsts: nil).contains { $0.value.contains("form-action 'self' https://id.example;") })
        let signedOut = SignedOutPage(site: site, extent: .localOnly(providerName: "Bb"))
        #expect(
            Self.text(signedOut.render(in: .english)).hasPrefix("You are signed out|Your session has ended.|You may still"))
        #expect(Self.text(ErrorPage(site: site, code: "x", requestID: "r").render()).hasPrefix("<!doctype html>"))
    }
}
