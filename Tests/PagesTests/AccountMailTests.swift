import Primitives
import Testing
import TokenCrypto

@testable import Pages

private let site = PageSite(name: "app.example.com", pathPrefix: "/_gateway")
private let hostile = "\"'><script>alert(1)</script>\r\nBcc: eve@example.com\u{0}\u{202E}{site}</style></title>"

@Suite struct AccountMailTests {
    @Test func `a mail is exactly this`() {
        let rendered = mail(.resetPassword(token: "a-b_c")).render(in: .english)
        #expect(rendered.subject == "Reset your password for app.example.com")
        #expect(rendered.language == "en")
        #expect(
            rendered.text == """
                Someone asked to reset the password of your account at app.example.com. If it was you, choose a new password.

                Choose a new password:
                https://app.example.com/_gateway/password/new?token=a-b_c

                The link works once, within 60 minutes.

                If it was not you, ignore this mail. Your password stays as it is.

                This mail was sent to alice@example.com because of an action at app.example.com.

                """)
        #expect(rendered.html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(rendered.html.contains("<a href=\"https://app.example.com/_gateway/password/new?token=a-b_c\""))
    }

    @Test(arguments: [
        (0, "/verify-email?token=t-1"), (1, "/password/new?token=t-1"), (2, "/verify-email?token=t-1"), (3, "/account"),
        (4, "/password/reset"), (5, "/account"), (6, "/login"), (7, "/account/second-factors"), (8, "/account/second-factors"),
    ])
    func `every link of a mail leads to the public URL`(index: Int, path: String) {
        for language in Language.all {
            let rendered = mail(mailKinds[index]).render(in: language)
            let link = "https://app.example.com/_gateway\(path)"
            #expect(rendered.text.contains("\n\(link)\n"))
            for part in [rendered.text, rendered.html] {
                #expect(part.split(separator: "://", omittingEmptySubsequences: false).count - 1 == part.split(separator: link).count - 1)
            }
            #expect(!rendered.html.contains("src=") && !rendered.html.contains("url(") && !rendered.html.contains("<script"))
        }
    }

    @Test(arguments: Language.all.filter { $0 != .english })
    func `every mail is translated`(language: Language) {
        for kind in mailKinds {
            let english = mail(kind).render(in: .english)
            let translated = mail(kind).render(in: language)
            #expect(english.subject != translated.subject)
            let lines = Set(english.text.split(separator: "\n")).intersection(translated.text.split(separator: "\n"))
            #expect(lines.filter { !$0.hasPrefix("https://") } == [], "\(kind.name)")
            #expect(translated.language == language.tag && translated.html.contains("<html lang=\"\(language.tag)\">"))
        }
    }

    @Test(arguments: Language.all)
    func `hostile values stay text, and the subject one line`(language: Language) {
        let site = PageSite(name: hostile, pathPrefix: "/_gateway")
        for kind: AccountMail.Kind in [
            .verifyAddress(token: hostile), .addressChanged(newAddress: hostile), .providerLinked(provider: hostile), .signUpAttempt,
            .secondFactorAdded(name: hostile), .secondFactorRemoved(name: hostile),
        ] {
            let rendered = mail(kind, site: site, address: hostile).render(in: language)
            #expect(!rendered.subject.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
            #expect(!rendered.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
            #expect(!rendered.text.contains("\nBcc:"))
            #expect(!rendered.html.contains("<script") && rendered.html.split(separator: "</title>").count == 2)
            #expect(rendered.html.split(separator: "</style>").count == 2)
            #expect(!rendered.html.unicodeScalars.contains("\u{0}") && !rendered.html.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test func `a subject has a limited length`() {
        let long = PageSite(name: String(repeating: "ü", count: 5_000), pathPrefix: "/_gateway")
        for language in Language.all {
            for kind in mailKinds { #expect(mail(kind, site: long).render(in: language).subject.unicodeScalars.count <= 150) }
        }
        // Ordinary subjects fit the 78 characters that RFC 5322 section 2.1.1 recommends.
        for language in Language.all {
            for kind in mailKinds { #expect(mail(kind).render(in: language).subject.count <= 78) }
        }
    }

    @Test(arguments: [
        "app.example.com", "/path", "javascript:alert(1)", "https://app.example.com/base", "https://app.example.com?x",
        "https://al@app.example.com", "https://app.example.com\r\n", "mailto:al@example.com", "",
    ])
    func `a public URL that is no origin makes no mail`(publicURL: String) {
        #expect(AccountMail(site: site, publicURL: publicURL, kind: .passwordChanged, address: "a@example.com") == nil)
    }

    @Test func `a slash at the end of the public URL is not doubled`() throws {
        let mail = try #require(
            AccountMail(site: site, publicURL: "http://127.0.0.1:8080/", kind: .signUpAttempt, address: "a@example.com"))
        #expect(mail.link == "http://127.0.0.1:8080/_gateway/login")
    }

    @Test func `the life of the link is rounded up to minutes`() throws {
        let mail = try #require(
            AccountMail(
                site: site, publicURL: "https://a.example", kind: .verifyAddress(token: "t"), address: "a@example.com", lifetimeSeconds: 601
            ))
        #expect(mail.render(in: .english).text.contains("within 11 minutes."))
    }

    @Test func `the button has the operator's color`() {
        let html = mail(.passwordChanged, accent: AccentColor("#ffd166")).render(in: .english).html
        #expect(html.contains("background:#ffd166;color:#000000"))
    }

    @Test func `an operator's template makes the HTML part, escaped; subject and text stay`() throws {
        let source =
            "{{language}}|{{siteName}}|{{title}}|{{#text}}<p>{{.}}</p>{{/text}}|{{#action}}{{label}} {{url}}{{/action}}|{{kind}}"
            + "|{{logoURL}}{{supportURL}} {{privacyURL}}|{{#is.providerLinked}}linked{{/is.providerLinked}}{{#is.passwordChanged}}changed{{/is.passwordChanged}}|{{address}}"
        let templates = try PageTemplates(pages: ["mail": source], partials: [:]) { Base64.encode(SHA2.sha256(Array($0.utf8))) }
        let brand = PageBrand(
            logo: try PageLogo(contents: Array("<svg/>".utf8)) { Base64.encode($0) }, support: LinkTarget("/help"),
            privacy: LinkTarget("https://example.com/privacy"))
        let own = PageSite(name: "A & B", pathPrefix: "/_gateway", brand: brand, templates: templates)
        let rendered = mail(.providerLinked(provider: "<i>"), site: own).render(in: .english)
        #expect(
            rendered.html
                == "en|A &amp; B|A way to sign in was added to your account at A &amp; B|"
                + "<p>You can now sign in to your account at A &amp; B with &lt;i&gt;.</p>|"
                + "Go to your account https://app.example.com/_gateway/account|providerLinked|https://app.example.com/help https://example.com/privacy|linked|alice@example.com"
        )
        #expect(rendered.text.contains("with <i>."))
    }
}
