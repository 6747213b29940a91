import Primitives
import Testing
import TokenCrypto

@testable import Pages

private func digest(_ text: String) -> String { Base64.encode(SHA2.sha256(Array(text.utf8))) }
private func text(_ page: Page) -> String { String(decoding: page.body, as: UTF8.self) }
private func policy(_ page: Page) -> String { PageSecurityHeaders.contentSecurityPolicy(page.policy) }

private func pages(_ brand: PageBrand, templates: PageTemplates? = nil) -> [Page] {
    let site = PageSite(name: "Acme", pathPrefix: "/_gateway", brand: brand, templates: templates)
    return [
        SignInPage(site: site, providers: [.init(id: "github.com", displayName: "GitHub")]).render(),
        SignOutPage(site: site).render(), SignedOutPage(site: site, extent: .complete).render(),
        ErrorPage(site: site, code: "auth/access-denied", requestID: "r").render(),
    ]
}

@Suite struct PageBrandTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1]

    @Test func `a logo from a file is inside every page, and the policy stays as it was`() throws {
        let logo = try PageLogo(contents: Self.png) { Base64.encode($0) }
        for (page, plain) in zip(pages(PageBrand(logo: logo)), pages(PageBrand())) {
            #expect(text(page).contains("<img class=\"logo\" src=\"data:image/png;base64,iVBORw0KGgoAAQ==\" alt=\"\">"))
            #expect(policy(page) == policy(plain))
            #expect(text(page).split(separator: "<svg").count < text(plain).split(separator: "<svg").count)
        }
    }

    @Test func `a logo from a URL adds its origin to the policy, and nothing else`() throws {
        let logo = try #require(PageLogo(url: "https://cdn.example.com:8443/brand/logo.svg?v=2"))
        for (page, plain) in zip(pages(PageBrand(logo: logo)), pages(PageBrand())) {
            #expect(text(page).contains("src=\"https://cdn.example.com:8443/brand/logo.svg?v=2\""))
            #expect(policy(page) == policy(plain).replacing("img-src data:", with: "img-src https://cdn.example.com:8443 data:"))
        }
    }

    @Test(arguments: [
        "http://cdn.example.com/logo.svg", "//cdn.example.com/logo.svg", "javascript:alert(1)", "data:image/svg+xml,<svg/>", "/logo.svg",
        "",
    ])
    func `a URL of another kind is no logo`(url: String) {
        #expect(PageLogo(url: url) == nil)
    }

    @Test func `a URL that would change the policy's structure adds nothing to it`() {
        let logo = PageLogo(url: "https://cdn.example.com;script-src/logo.svg")
        for page in pages(PageBrand(logo: logo)) { #expect(!policy(page).contains("script-src")) }
    }

    @Test(arguments: [
        (Array("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), "image/svg+xml"), (png, "image/png"),
        ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), (Array("GIF89a".utf8), "image/gif"), (Array("RIFF0000WEBP".utf8), "image/webp"),
    ])
    func `the contents of a logo decide its type`(contents: [UInt8], type: String) throws {
        #expect(try PageLogo.mediaType(of: contents) == type)
    }

    @Test func `a logo that is too large, no image or has a script is refused`() {
        #expect(throws: PageLogo.Problem.tooLarge(bytes: 65_537)) { try PageLogo.mediaType(of: [UInt8](repeating: 0, count: 65_537)) }
        #expect(throws: PageLogo.Problem.unknownFormat) { try PageLogo.mediaType(of: Array("<html><img></html>".utf8)) }
        #expect(throws: PageLogo.Problem.unknownFormat) { try PageLogo.mediaType(of: []) }
        #expect(throws: PageLogo.Problem.script) { try PageLogo.mediaType(of: Array("<svg><SCRIPT>alert(1)</SCRIPT></svg>".utf8)) }
    }

    @Test func `links to help and privacy end every page`() {
        let brand = PageBrand(support: LinkTarget(contact: "mailto:help@example.com"), privacy: LinkTarget(contact: "/privacy?a=1&b=2"))
        for page in pages(brand) {
            #expect(text(page).contains("<a href=\"mailto:help@example.com\">Help</a><a href=\"/privacy?a=1&amp;b=2\">Privacy</a>"))
        }
        for page in pages(PageBrand()) { #expect(!text(page).contains("class=\"foot-links\"")) }
    }

    @Test(arguments: ["javascript:alert(1)", "mailto:", "mailto:a b@example.com", "//evil.example", "data:text/html,x", "ftp://a.example"])
    func `a link that leads nowhere or runs a script is refused`(target: String) {
        #expect(LinkTarget(contact: target) == nil)
    }

    @Test func `an accent color adds one style sheet, allowed by its hash`() throws {
        let accent = StyleSheet(try #require(AccentColor("#7a1fa2")), sha256: digest)
        #expect(accent.hash == "sha256-\(digest(accent.css))")
        for page in pages(PageBrand(accent: accent)) {
            #expect(
                text(page).contains("<style>\(accent.css)</style>") && policy(page).contains("'\(StyleSheet.base.hash)' '\(accent.hash)'"))
        }
        #expect(accent.css.contains("--fill:#7a1fa2;"))
    }

    @Test func `every accent color leaves text readable in both color schemes (WCAG 2_2 criterion 1_4_3)`() throws {
        for value in stride(from: 0, through: 0xFFFFFF, by: 0x010F35) {
            let digits = String(value, radix: 16)
            let color = try #require(AccentColor(String(repeating: "0", count: 6 - digits.count) + digits))
            for (shades, card) in [(color.light, AccentColor.lightCard), (color.dark, AccentColor.darkCard)] {
                let ratios = [
                    shades.accent.contrast(with: card), shades.accent.contrast(with: shades.tint), shades.accentHover.contrast(with: card),
                    shades.onFill.contrast(with: shades.fill), shades.onFill.contrast(with: shades.fillHover),
                ]
                #expect(ratios.allSatisfy { $0 >= 4.5 }, "#\(digits): \(ratios)")
            }
        }
    }

    @Test func `contrast ratios are those of WCAG 2_2`() throws {
        #expect(abs(RGBColor.black.contrast(with: .white) - 21) < 0.001)
        #expect(abs(try #require(RGBColor("#767676")).contrast(with: .white) - 4.54) < 0.01)
        #expect(abs(try #require(RGBColor("#ff0000")).contrast(with: .white) - 3.998) < 0.01)
    }

    @Test(arguments: ["#fff", "red", "#12345g", "#1234567", "", "#", "12345٣"])
    func `a color that is not six hexadecimal digits is refused`(text: String) {
        #expect(AccentColor(text) == nil)
    }

    @Test func `templates get the logo, the links and the accent color`() throws {
        let accent = StyleSheet(try #require(AccentColor("7a1fa2")), sha256: digest)
        let templates = try PageTemplates(
            pages: ["signOut": "{{> gateway-style}}{{logoURL}} {{supportURL}} {{privacyURL}}"], partials: [:], styles: [.base, accent],
            sha256: digest)
        let brand = PageBrand(
            logo: PageLogo(url: "https://cdn.example.com/logo.png"), accent: accent, support: LinkTarget("/help"),
            privacy: LinkTarget("/privacy"))
        let page = pages(brand, templates: templates)[1]
        let styles = "<style>\(accent.css)</style><style>\(StyleSheet.secondFactors.css)</style>"
        #expect(text(page).hasSuffix("\(styles)https://cdn.example.com/logo.png /help /privacy"))
        #expect(policy(page).contains("'\(accent.hash)'") && policy(page).contains("img-src 'self' https://cdn.example.com data:"))
    }

    @Test func `the sign-in page names the host once`() {
        let site = PageSite(name: "app.example.com", pathPrefix: "/_gateway")
        let html = text(SignInPage(site: site, providers: [.init(id: "github.com", displayName: "GitHub")]).render())
        let body = html.split(separator: "</head>").last ?? ""
        #expect(body.split(separator: "app.example.com", omittingEmptySubsequences: false).count == 2)
    }

    @Test func `the provider that was used last is the primary button, and the only one`() {
        let site = PageSite(name: "Acme", pathPrefix: "/_gateway")
        let providers = [SignInPage.Provider(id: "oidc.acme", displayName: "Acme"), .init(id: "google.com", displayName: "Google")]
        func html(_ last: String?) -> String { text(SignInPage(site: site, providers: providers, lastUsed: last).render()) }
        #expect(
            html("google.com").contains(
                "<ul class=\"choices\">\n<li><a class=\"choice marked primary\" href=\"/_gateway/login/google.com\">"))
        #expect(html("oidc.acme").contains("<a class=\"choice primary\" href=\"/_gateway/login/oidc.acme\">"))
        #expect(html("oidc.acme").contains("<a class=\"choice marked\" href=\"/_gateway/login/google.com\">"))
        #expect(!html(nil).contains("primary\" href"))
    }
}
