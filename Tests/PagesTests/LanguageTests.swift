import Pages
import Testing

@testable import Pages

private let site = PageSite(name: "app.example.com", pathPrefix: "/_gateway")

/// Every sentence of the pages, as it stands in the sources of the module.
private let sentences: Set<String> = {
    var found = Set(ErrorText.catalogue.flatMap { [$0.title, $0.happened, $0.next] })
    let variants = [ErrorText.deniedByRule, .usedLink, .accountsUnavailable, .linkedEmailInUse, .nothingToLink]
    found.formUnion(variants.flatMap { [$0.title, $0.happened, $0.next] })
    found.formUnion(accountSentences)
    found.formUnion(SignInPage.Notice.allCases.map(\.text) + ClockNotice.Kind.allCases.map(\.text))
    found.formUnion([
        "Sign in", "to continue to {site}", "Sign in with {provider}", "Last used",
        "No provider is enabled on this site. Please tell the site's administrator.",
        "Sign out?", "Sign out", "You are signed in.", "You are signed in as {name}.", "Stay signed in",
        "You are signed out", "You are not signed in", "Your session has ended.",
        "You may still be signed in to {provider}. On a shared computer, sign out there too.",
        "There is no session to end.", "Sign in again", "Use another account", "Try again", "Go to the start page",
        "Code", "Status", "Request ID", "Provider", "Signed in as", "Help", "Privacy",
        "If you ask for help, include the code and the request ID above.",
        CodeMessage.sentence,
    ])
    return found
}()

@Suite struct LanguageTests {
    @Test(arguments: Language.all.filter { $0 != .english })
    func `a language has every sentence, and none that no page says`(language: Language) {
        #expect(sentences.subtracting(language.table.keys).sorted() == [])
        #expect(Set(language.table.keys).subtracting(sentences).sorted() == [])
    }

    @Test func `no sentence stands in two tables of a language`() {
        let tables = [
            Translations.german, Translations.germanAccounts, Translations.germanAccountErrors, Translations.germanMail,
            Translations.germanSecondFactors,
        ]
        #expect(tables.map(\.count).reduce(0, +) == Language.german.table.count)
    }

    @Test(arguments: Language.all.filter { $0 != .english })
    func `a translation keeps the places for values, and is another text`(language: Language) {
        for (english, translated) in language.table {
            for place in [
                "{site}", "{provider}", "{name}", "{seconds}", "{email}", "{minutes}", "{count}", "{date}", "{new}", "{days}", "{phone}",
                "{factor}",
            ] {
                #expect(english.contains(place) == translated.contains(place), "\(english)")
            }
            #expect(!translated.isEmpty)
            // `Code` and `Status` are words of several languages.
            if english.count > 8 { #expect(translated != english) }
        }
    }

    @Test(arguments: [
        ("de", "de"), ("de-AT,en;q=0.5", "de"), ("en-US,en;q=0.9,de;q=0.8", "en"), ("pt,es;q=0.3,fr;q=0.7", "fr"), ("pt", "en"), ("", "en"),
        ("zh-TW", "zh-Hant"), ("zh-Hant-HK", "zh-Hant"), ("zh-CN,ja;q=0.4", "ja"), ("zh-Hans-TW", "en"), ("ID", "id"), ("vi ; q=1.0", "vi"),
        ("de;q=0, fr;q=0.1", "fr"), ("*", "en"), ("de;q=abc", "en"), ("de;q=2", "en"), ("fr;q=0.5,de;q=0.5", "fr"), (";;,,=", "en"),
        (String(repeating: "x,", count: 4_000) + "de", "en"),
    ])
    func `Accept-Language chooses by weight (RFC 9110 section 12_5_4, RFC 4647 section 3_4)`(field: String, tag: String) {
        #expect(Language.negotiated(uiLocales: nil, acceptLanguage: field).tag == tag)
    }

    @Test func `ui_locales goes before what the browser says`() {
        #expect(Language.negotiated(uiLocales: "pt fr-CA de", acceptLanguage: "de") == .french)
        #expect(Language.negotiated(uiLocales: "pt", acceptLanguage: "de") == .german)
    }

    @Test(arguments: Language.all)
    func `a page says which language it is in, in the document and in its headers`(language: Language) {
        let page = ErrorPage(site: site, code: "auth/invalid-state", requestID: "r", provider: "Acme").render(in: language)
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(html.contains("<html lang=\"\(language.tag)\">"))
        #expect(page.headers(hsts: nil).contains { $0.name == "Content-Language" && $0.value == language.tag })
        #expect(html.contains(HTML.escape(language("The sign-in could not be completed"))))
        #expect(html.contains("<bdi>Acme</bdi>"))
    }

    @Test func `a value in a sentence stays text`() {
        let page = SignOutPage(site: site, signedInAs: "{site}<b>").render(in: .japanese)
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(html.contains("<strong><bdi>{site}&lt;b&gt;</bdi></strong>"))
    }

    @Test func `the provider that was used last comes first and says so`() throws {
        let providers = [SignInPage.Provider(id: "a", displayName: "Aa"), .init(id: "b", displayName: "Bb")]
        let html = String(decoding: SignInPage(site: site, providers: providers, lastUsed: "b").render().body, as: UTF8.self)
        let first = try #require(html.firstRange(of: "/login/b\""))
        let second = try #require(html.firstRange(of: "/login/a\""))
        #expect(first.lowerBound < second.lowerBound)
        #expect(html.split(separator: "Last used").count == 2)
        let unknown = String(decoding: SignInPage(site: site, providers: providers, lastUsed: "c").render().body, as: UTF8.self)
        #expect(!unknown.contains("Last used"))
    }
}
