import Testing

@testable import Accounts

@Suite("E-mail addresses")
struct EmailAddressTests {
    @Test(
        "spellings of one address compare equal: case, composition, the domain's form",
        arguments: [
            ("Ada@Example.COM", "ada@example.com"),
            ("a\u{301}@example.com", "\u{E1}@example.com"),
            ("\u{C1}@example.com", "a\u{301}@EXAMPLE.com"),
            ("ada@b\u{FC}cher.example", "ada@xn--bcher-kva.example"),
            ("ada@BU\u{308}CHER.example", "ada@XN--BCHER-KVA.example"),
            ("ada@\u{4F8B}\u{3048}.jp", "ada@xn--r8jz45g.jp"),
            // The Kelvin sign is a K by Unicode's own composition.
            ("\u{212A}im@example.com", "kim@example.com"),
        ])
    func equal(one: String, other: String) throws {
        #expect(try #require(EmailAddress(one)) == #require(EmailAddress(other)))
        #expect(EmailAddress(one).hashValue == EmailAddress(other).hashValue)
    }

    @Test(
        "look-alikes are other addresses",
        arguments: [
            ("mike@example.org", "m\u{131}ke@example.org"),  // dotless i
            ("mike@example.org", "m\u{130}ke@example.org"),  // dotted capital I
            ("strasse@example.org", "stra\u{DF}e@example.org"),
            ("ada@strasse.example", "ada@stra\u{DF}e.example"),
            ("ada@example.org", "ad\u{430}@example.org"),  // Cyrillic a
            ("ada@example.org", "ada+x@example.org"),
            ("a.da@example.org", "ada@example.org"),
            ("ada@example.org", "ada@example.com"),
            ("fish@example.org", "\u{FB01}sh@example.org"),  // ligature fi
        ])
    func different(one: String, other: String) throws {
        #expect(try #require(EmailAddress(one)) != #require(EmailAddress(other)))
    }

    @Test(
        "hostile texts are no addresses",
        arguments: [
            "", "@", "ada", "ada@", "@example.com", "ada@@example.com", "a@b@example.com", "\"a b\"@example.com", "a b@example.com",
            " ada@example.com", "ada@example.com ", "ada@example.com\n", "ada\r\nBcc: x@example.com", "ada\0@example.com",
            "ada@example.com\0", "ada@example.com\0.evil.example", "ada\u{200B}@example.com", "ada\u{202E}@example.com",
            "ada\u{AD}@example.com", "ada\u{E000}@example.com", "<ada@example.com>", "Ada <ada@example.com>",
            "ada@example.com,eve@evil.example",
            "ada@[127.0.0.1]", "ada@127.0.0.1", "ada@example..com", "ada@.example.com", "ada@example.com.", "ada@-example.com",
            "ada@example-.com", "ada@exa_mple.com", "ada@exam ple.com", "ada@example.com/path", "ada@example.com:25",
            "ada@ex\u{2024}ample.com",
            "ada@\u{FF45}xample.com", "ada@example\u{3002}com", "ada@\u{2100}.example", "ada@\u{200D}example.com", "ada@\u{301}a.example",
            "ada%40evil.example", "ada@\u{1F4A9}.example",
        ])
    func hostile(text: String) { #expect(EmailAddress(text) == nil) }

    @Test func `the length is bounded to 320 bytes, a label to 63, a domain to 253`() {
        let label = String(repeating: "a", count: 63)
        #expect(EmailAddress("ada@\(label).example") != nil)
        #expect(EmailAddress("ada@\(label)a.example") == nil)
        #expect(EmailAddress("a@\(label).\(label).\(label).\(String(repeating: "a", count: 61))") != nil)
        #expect(EmailAddress("a@\(label).\(label).\(label).\(String(repeating: "a", count: 62))") == nil)
        #expect(EmailAddress("\(String(repeating: "a", count: 308))@example.com") != nil)
        #expect(EmailAddress("\(String(repeating: "a", count: 309))@example.com") == nil)
        #expect(EmailAddress(String(repeating: "\u{301}", count: 1_000_000) + "@example.com") == nil)
        #expect(EmailAddress("a@" + String(repeating: "\u{FC}", count: 150)) == nil)
    }

    @Test func `mail goes to the canonical spelling, with the case of the local part`() throws {
        let address = try #require(EmailAddress("Ada.\u{212A}@B\u{FC}cher.Example"))
        #expect(address.text == "Ada.K@xn--bcher-kva.example")
        #expect(address.normalized == "ada.k@xn--bcher-kva.example")
        #expect(address.domain == "xn--bcher-kva.example")
    }

    @Test(
        "Punycode encodes the samples of RFC 3492 section 7.1",
        arguments: [
            (
                "\u{644}\u{64A}\u{647}\u{645}\u{627}\u{628}\u{62A}\u{643}\u{644}\u{645}\u{648}\u{634}\u{639}\u{631}\u{628}\u{64A}\u{61F}",
                "egbpdaj6bu4bxfgehfvwxn"
            ),
            ("\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}", "ihqwcrb4cv8a8dqg056pqjye"),
            ("Pro\u{10D}prost\u{11B}nemluv\u{ED}\u{10D}esky", "Proprostnemluvesky-uyb24dma41a"),
            ("3\u{5E74}B\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}", "3B-ww4c5e180e575a65lsy2b"),
            ("\u{305D}\u{306E}\u{30B9}\u{30D4}\u{30FC}\u{30C9}\u{3067}", "d9juau41awczczp"),
            ("-> $1.00 <-", "-> $1.00 <--"),
        ])
    func punycode(text: String, encoded: String) { #expect(Punycode.encode(text[...].unicodeScalars) == encoded) }
}
