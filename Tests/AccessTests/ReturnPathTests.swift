import Primitives
import Access
import Config
import TestTools
import Testing

@Suite struct ReturnPathTests {
    private let validator = ReturnPathValidator(
        publicURL: Origin(scheme: "https", host: "app.example.com", port: 443),
        allowedRedirects: [
            Origin(scheme: "https", host: "other.example.com", port: 8443), Origin(scheme: "http", host: "[2001:db8::1]", port: 80),
        ], pathPrefix: "/_gateway")

    @Test("RFC 9700 section 4.11.1: each value of the corpus is taken as it should be, or becomes `/`", arguments: returnCorpus)
    func corpus(_ row: ReturnRow) {
        let path = validator.validate(row.input)
        #expect(path.text == (row.input.isEmpty ? "/" : row.text))
        #expect(path.refusal == row.refusal)
    }

    @Test("The corpus has at least 120 rows, and every refusal occurs in it")
    func corpusIsLarge() {
        #expect(returnCorpus.count >= 120)
        #expect(Set(returnCorpus.compactMap(\.refusal)) == Set(ReturnPathRefusal.allCases))
    }

    @Test("Without a value the place is `/`")
    func missing() {
        #expect(validator.validate(nil).text == "/")
        #expect(validator.validate(nil).refusal == nil)
    }

    @Test("CVE-2022-23527: by default only paths of our own origin are taken")
    func defaults() {
        let bare = ReturnPathValidator(Configuration())
        #expect(bare.validate("/a").text == "/a")
        for url in ["https://app.example.com/a", "http://127.0.0.1/", "http://localhost/"] {
            #expect(bare.validate(url) == ReturnPathValidator(Configuration()).validate(url))
            #expect(bare.validate(url).text == "/")
            #expect(bare.validate(url).refusal == .unlistedOrigin)
        }
    }

    @Test(
        "Of the own pages, a sign-in returns to those that ask first, and to the page of a mail's link only with a token and nothing else")
    func ownPages() {
        let accounts = ReturnPathValidator(
            publicURL: nil, allowedRedirects: [], pathPrefix: "/_gateway", ownPages: ["/_gateway/account", "/_gateway/verify-email?token="])
        let token = String(repeating: "aZ0_-", count: 8) + "abc"
        for path in ["/_gateway/account", "/_gateway/verify-email?token=\(token)"] { #expect(accounts.validate(path).text == path) }
        for path in [
            "/_gateway/account\(token)", "/_gateway/verify-email?token=", "/_gateway/verify-email?token=\(token)a",
            "/_gateway/verify-email?token=\(token.dropLast())", "/_gateway/verify-email?token=\(token.dropLast())&",
            "/_gateway/verify-email?token=\(token.dropLast())é", "/_gateway/password/new?token=\(token)",
        ] {
            #expect(accounts.validate(path).refusal == .ownEndpoint, "\(path)")
        }
        #expect(validator.validate("/_gateway/verify-email?token=\(token)").refusal == .ownEndpoint, "without accounts")
    }

    @Test("Whatever comes in, a path or a listed origin comes out, in printable ASCII, and is taken again as it is")
    func hostile() {
        var random = SeededGenerator(fixed: 3)
        let pieces = [
            "/", "\\", "//", "https:", "http://", "app.example.com", "evil.example", "@", ":", "%2f", "%5c", "%09", "%25", "2f", ".", "..",
            ";", "?", "#", "\t",
            " ", "\u{e9}", "\u{ff0f}", "a", "[", "]", "443", "_gateway", "javascript:", "%", "\u{0}", "other.example.com:8443",
        ]
        for _ in 0..<20_000 {
            let input = (0..<Int(random.next() % 8)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            let text = validator.validate(input).text
            let isOurs = text.hasPrefix("/") && !text.hasPrefix("//") && !text.hasPrefix("/\\")
            let isListed = text.hasPrefix("https://other.example.com:8443/") || text.hasPrefix("http://[2001:db8::1]/")
            #expect(isOurs || isListed, "\(input.debugDescription) became \(text)")
            #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
            #expect(validator.validate(text).text == text)
        }
    }
}
