import Config
import Diagnostics
import Testing

@Suite struct PagesConfigurationTests {
    private func pages(_ yaml: String) -> (PagesConfiguration, [String]) {
        let reading = read("version: 1\npages: { \(yaml) }\n")
        return (reading.draft.pages, findings(reading))
    }

    @Test func `the look of the pages is read as written`() {
        let (pages, problems) = pages(
            "logo: ./logo.svg, accentColor: \"#0B5d57\", links: { support: mailto:help@example.com, privacy: /privacy }")
        #expect(problems.isEmpty)
        #expect(pages.logo == .file(path: "./logo.svg", contents: []))
        #expect(pages.accentColor == "#0B5d57")
        #expect(pages.supportLink == "mailto:help@example.com" && pages.privacyLink == "/privacy")
    }

    @Test(arguments: ["https://cdn.example.com/logo.svg", "https://cdn.example.com:8443/a?b=c"])
    func `an https URL is a logo that browsers load`(url: String) {
        let (pages, problems) = pages("logo: \"\(url)\"")
        #expect(problems.isEmpty && pages.logo == .url(url))
    }

    @Test(arguments: [
        "http://cdn.example.com/logo.svg", "//cdn.example.com/logo.svg", "ftp://cdn.example.com/logo.svg",
        "https://user@cdn.example.com/l.svg",
        "data:image/png;base64,AAAA", "<svg/>", "https://",
    ])
    func `a logo is a path or an https URL`(text: String) {
        #expect(pages("logo: \"\(text)\"").1 == ["invalid-value 2:16"])
    }

    @Test(arguments: [("0b5d57", true), ("#0b5d57", true), ("123456", true), ("#fff", false), ("teal", false), ("#0b5d5g", false)])
    func `a color has six hexadecimal digits`(text: String, isColor: Bool) {
        #expect(pages("accentColor: \"\(text)\"").1 == (isColor ? [] : ["invalid-value 2:23"]))
    }

    @Test(arguments: ["javascript:alert(1)", "//evil.example", "mailto:", "data:text/html,x", "help me", "www.example.com", "\\\\evil"])
    func `a link of the pages is a URL, a path or an address`(text: String) {
        #expect(pages("links: { support: \"\(text)\" }").1 == ["invalid-value 2:28"])
    }

    @Test func `a color without quotes is reported: it is a comment`() {
        #expect(findings(read("version: 1\npages:\n  accentColor: #0b5d57\n")) == ["invalid-value 3:3"])
        #expect(findings(read("version: 1\npages:\n  accentColor: # see the brand book\n")).isEmpty)
    }
}
