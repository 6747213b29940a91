import Primitives
import Testing

@Suite struct MailURLTests {
    @Test(
        "The URL of a mail server",
        arguments: [
            ("smtps://mail.example", "mail.example", 465, MailURL.Security.tls, false),
            ("smtps://u:p@mail.example:2465/", "mail.example", 2465, .tls, true),
            ("smtp://mail.example", "mail.example", 587, .startTLS, false),
            ("smtp://u:p@mail.example:25", "mail.example", 25, .startTLS, true),
            ("smtp://localhost:1025", "localhost", 1025, .plain, false), ("smtp://u:p@127.0.0.1", "127.0.0.1", 587, .plain, true),
            ("smtp://[::1]:25", "[::1]", 25, .plain, false), ("smtp://localhost?starttls=required", "localhost", 587, .startTLS, false),
            ("smtp://MAIL.example?starttls=never", "mail.example", 587, .plain, false), ("smtps://u%40x:p%2F@h", "h", 465, .tls, true),
            ("smtps://u:a/b?c@d@h", "h", 465, .tls, true),
        ])
    func valid(text: String, host: String, port: Int, security: MailURL.Security, hasPassword: Bool) throws {
        let url = try MailURL(text)
        #expect(url.host == host && url.port == port && url.security == security && url.hasPassword == hasPassword)
    }

    @Test(
        "What is no URL of a mail server",
        arguments: [
            ("mail.example", MailURL.Problem.scheme), ("http://mail.example", .scheme), ("SMTP://mail.example", .scheme),
            ("smtps://mail example", .characters), ("smtps://", .host), ("smtps://u:p@", .host), ("smtps://mail_.-x", .host),
            ("smtps://mail.example:0", .port), ("smtps://mail.example:x", .port), ("smtps://mail.example/inbox", .path),
            ("smtps://u@mail.example", .credentials), ("smtps://:p@mail.example", .credentials), ("smtps://u:@mail.example", .credentials),
            ("smtps://u:50%@mail.example", .percentEscape), ("smtps://u:%0d@mail.example", .percentEscape),
            ("smtps://u:%+1@mail.example", .percentEscape),
            ("smtps://u:%FF@mail.example", .percentEscape), ("smtps://u:%E2%80%A8@mail.example", .percentEscape),
            ("smtps://u:p@h@", .host), ("smtps://a:b@u@mail.example:", .port), ("smtp://mail.example?tls=1", .parameter),
            ("smtps://mail.example?starttls=never", .tlsParameter), ("smtp://u:p@mail.example?starttls=never", .plainPassword),
        ])
    func invalid(text: String, problem: MailURL.Problem) {
        #expect(throws: problem) { try MailURL(text) }
    }
}
