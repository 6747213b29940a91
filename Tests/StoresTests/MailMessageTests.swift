import Primitives
import Testing

@testable import Stores

@Suite("Mails as they are sent")
struct MailMessageTests {
    private func rendered(
        from: String = "Example <no-reply@example.com>", to: String = "ada@example.org", subject: String = "Reset your password",
        text: String = "Hello\n", html: String = "<p>Hello</p>\n"
    ) throws -> String {
        let message = MailMessage(to: try MailAddress(parsing: to), subject: subject, text: text, html: html)
        let mail = try RenderedMail(message, from: try MailAddress(parsing: from), id: "0123abcd", now: 1_700_000_000)
        return String(decoding: mail.bytes, as: UTF8.self)
    }

    @Test("the whole mail")
    func golden() throws {
        let expected = """
            From: "Example" <no-reply@example.com>
            To: ada@example.org
            Subject: Reset your password
            Date: Tue, 14 Nov 2023 22:13:20 +0000
            Message-ID: <0123abcd@example.com>
            MIME-Version: 1.0
            Auto-Submitted: auto-generated
            Content-Type: multipart/alternative; boundary="=_0123abcd"

            --=_0123abcd
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            Gr=C3=BC=C3=9Fe: https://example.com/new?token=3Dabc
            .
            --=3D_0123abcd--
            end

            --=_0123abcd
            Content-Type: text/html; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            <p>Hello</p>

            --=_0123abcd--

            """
        let text = "Grüße: https://example.com/new?token=abc\n.\n--=_0123abcd--\r\nend"
        #expect(try rendered(text: text) == expected.replacing("\n", with: "\r\n"))
    }

    @Test(
        "RFC 2047: subjects and names in other scripts are encoded words",
        arguments: [
            ("Grüße", "=?UTF-8?B?R3LDvMOfZQ==?="), ("=?UTF-8?B?eA==?=", "=?UTF-8?B?PT9VVEYtOD9CP2VBPT0/PQ==?="), (" a", "=?UTF-8?B?IGE=?="),
            ("plain, with: \"marks\"", "plain, with: \"marks\""), ("", ""),
            (
                "Ein sehr langer Betreff, der nicht in ein einziges kodiertes Wort paßt",
                "=?UTF-8?B?RWluIHNlaHIgbGFuZ2VyIEJldHJlZmYsIGRlciBuaWNodCBpbiBl?=\r\n =?UTF-8?B?aW4gZWluemlnZXMga29kaWVydGVzIFdvcnQgcGHDn3Q=?="
            ),
        ])
    func subjects(text: String, encoded: String) throws {
        #expect(MailText.unstructured(text) == encoded)
        let lines = try rendered(subject: text).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("no character is divided between encoded words")
    func division() {
        let text = String(repeating: "a", count: 38) + "💶" + String(repeating: "é", count: 60)
        let words = MailText.unstructured(text).split(separator: "\r\n ")
        #expect(words.count == 5 && words.allSatisfy { $0.utf8.count <= 75 })
        #expect(words.first == "=?UTF-8?B?YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=?=")
    }

    @Test(
        "names are quoted or encoded, and never end the header",
        arguments: [
            ("Example <a@b.de>", #""Example" <a@b.de>"#), (#""Doe, Jane" <a@b.de>"#, #""Doe, Jane" <a@b.de>"#), ("a@b.de", "a@b.de"),
            ("<a@b.de>", "a@b.de"), ("Jürgen <a@b.de>", "=?UTF-8?B?SsO8cmdlbg==?=\r\n <a@b.de>"), ("\"\" <A.B+c@B.DE>", "A.B+c@b.de"),
        ])
    func names(from: String, header: String) throws { #expect(try rendered(from: from).hasPrefix("From: \(header)\r\nTo: ")) }

    @Test(
        "names and addresses that are none, or would add a header, are refused",
        arguments: [
            "", "a", "@", "a@", "@b", "a b@c.de", "a@b c.de", "a@b.de\r\nBcc: c@d.de", "a@b.de\n", "a\r\n@b.de",
            "X\r\nBcc: c@d.de <a@b.de>",
            "X\u{85}Y <a@b.de>", "X\u{2028}Y <a@b.de>", "X <a@b.de> <c@d.de", "X <a@b.de>, c@d.de", "a@b.de, c@d.de", "a@b.de>",
            "X \"Y\" <a@b.de>",
            "X\\ <a@b.de>", "\"a\"@b.de", "a<b@c.de", "a@b@c.de", "a@[127.0.0.1]", "a@-b.de", "a@b..de", "a@b.de.", "a@bücher.de",
            "a\u{0}@b.de",
            "ä\u{2028}b@c.de", "ä\u{A0}@c.de", "a@b_c.de", String(repeating: "a", count: 250) + "@b.de",
            String(repeating: "n", count: 201) + " <a@b.de>",
        ])
    func addresses(text: String) { #expect(throws: MailAddress.Problem.self) { try MailAddress(parsing: text) } }

    @Test("a name that is set as a value cannot end the header either")
    func nameValue() throws {
        #expect(throws: MailAddress.Problem.self) { try MailAddress("a@b.de", name: "x\r\ny") }
        let message = MailMessage(to: try MailAddress("a@b.de", name: #"a"b\c <x@y.de>"#), subject: "", text: "", html: "")
        let mail = try RenderedMail(message, from: MailAddress("f@b.de"), id: "1", now: 0)
        #expect(String(decoding: mail.bytes, as: UTF8.self).contains("\r\nTo: \"a\\\"b\\\\c <x@y.de>\" <a@b.de>\r\n"))
    }

    @Test("addresses with dots at unusual positions are quoted, others stay")
    func unusual() throws {
        #expect(try MailAddress("a..b@Example.COM").address == "\"a..b\"@example.com")
        #expect(try MailAddress("a.@b.de").address == "\"a.\"@b.de" && MailAddress("a.b@b.de").address == "a.b@b.de")
        #expect(try MailAddress("ä@b.de").needsSMTPUTF8 && !MailAddress("a@b.de").needsSMTPUTF8)
    }

    @Test(
        "subjects with line breaks are refused",
        arguments: ["a\nb", "a\rb", "a\r\nBcc: x@y.de", "a\u{0}", "a\u{2029}b", String(repeating: "x", count: 501)])
    func subjectInjection(subject: String) { #expect(throws: MailError.self) { try rendered(subject: subject) } }

    @Test("bodies cannot leave their part: control characters, line ends, long lines")
    func bodies() throws {
        let hostile = "a\u{0}b\r\n.\r\n\r\n--=_0123abcd--\r\rBcc: x\u{1B}[2J \t\n" + String(repeating: "x", count: 200) + "\u{2028}"
        let text = String(decoding: MailText.quotedPrintable(hostile), as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x09 } })
        let long = String(repeating: "x", count: 75) + "="
        let expected = [
            "a=EF=BF=BDb", ".", "", "--=3D_0123abcd--", "", "Bcc: x=EF=BF=BD[2J =09", long, long,
            String(repeating: "x", count: 50) + "=E2=80=A8",
            "",
        ]
        #expect(lines.map { String($0) } == expected)
        #expect(!text.contains("=_"))
    }

    @Test("lines of exactly 76 characters have no soft line break", arguments: [75, 76, 77])
    func lineLength(length: Int) {
        let lines = String(decoding: MailText.quotedPrintable(String(repeating: "x", count: length)), as: UTF8.self).split(
            separator: "\r\n")
        #expect(lines.count == (length > 76 ? 2 : 1) && lines.allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("a mail has at most 256 KiB")
    func size() { #expect(throws: MailError.self) { try rendered(text: String(repeating: "ä", count: 60_000)) } }
}

@Suite("URLs of mail servers")
struct MailServerTests {
    private func problem(_ url: String) -> String? {
        do throws(MailURL.Problem) {
            _ = try MailServer(parsing: url)
            return nil
        } catch {
            return error.rawValue
        }
    }

    @Test(
        "schemes, ports and STARTTLS",
        arguments: [
            ("smtps://mail.example.com", 465, .tls), ("smtps://mail.example.com:2465/", 2465, .tls),
            ("smtp://mail.example.com", 587, .startTLS),
            ("smtp://mail.example.com:25?starttls=required", 25, .startTLS), ("smtp://mail.example.com?starttls=never", 587, .plain),
            ("smtp://localhost:25", 25, .plain), ("smtp://127.0.0.1", 587, .plain), ("smtp://[::1]:2525", 2525, .plain),
            ("smtp://mail.localhost", 587, .plain), ("smtp://localhost?starttls=required", 587, .startTLS),
            ("smtp://[2001:db8::1]", 587, .startTLS),
            ("smtp://127.0.0.1.example.com", 587, .startTLS), ("smtp://127.example.com", 587, .startTLS),
            ("smtp://10.0.0.1", 587, .startTLS),
        ] as [(String, Int, MailURL.Security)])
    func security(url: String, port: Int, security: MailURL.Security) throws {
        let server = try MailServer(parsing: url)
        #expect(server.url.port == port && server.url.security == security && server.user == nil)
    }

    @Test(
        "user names and passwords, encoded or not",
        arguments: [
            ("smtps://me:secret@h.de", "me", "secret"), ("smtps://me%40x.de:p%25%2Fq@h.de", "me@x.de", "p%/q"),
            ("smtps://me@x.de:p@ss@h.de", "me@x.de", "p@ss"),
            ("smtps://me:p:a/s?s@h.de:465", "me", "p:a/s?s"), ("smtp://me:ge%C3%A4m@localhost", "me", "geäm"),
        ])
    func credentials(url: String, user: String, password: String) throws {
        let server = try MailServer(parsing: url)
        #expect(server.user == user && server.password == password)
        #expect("\(server)" == "<redacted>")
    }

    @Test(
        "what is no such URL is refused, without a quotation",
        arguments: [
            "", "h.de", "SMTPS://h.de", "http://h.de", "smtp:h.de", "smtp://", "smtps://me:canary@", "smtps://canary@h.de",
            "smtps://:canary@h.de",
            "smtps://canary:@h.de",
            "smtps://me:canary%@h.de", "smtps://me:canary%zz@h.de", "smtps://me:canary%0d%0a@h.de", "smtps://me:canary%FF@h.de",
            "smtps://me:can ary@h.de",
            "smtps://me:canary@h.de:0", "smtps://me:canary@h.de:65536", "smtps://me:canary@h.de:", "smtps://me:canary@h.de:canary",
            "smtps://me:canary@h.de/path",
            "smtps://me:canary@h.de?x=canary", "smtp://me:canary@h.de?starttls=canary", "smtp://me:canary@[canary]",
            "smtp://me:canary@[::1", "smtp://me:canary@[::1]x",
            "smtp://me:canary@-h.de", "smtp://me:canary@h.de\r\n", "smtp://h.de#canary",
            "smtp://me:canary@h.de?starttls=never",
        ])
    func refused(url: String) throws {
        let reason = try #require(problem(url))
        #expect(!reason.contains("canary") && !reason.contains("can ary"))
    }
}
