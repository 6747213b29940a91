import Accounts
import Config
import Endpoints
import Logging
import Telemetry
import Testing
import TokenCrypto

@testable import Pages
@testable import Runtime

@Suite("Mails that wait")
struct MailQueueTests {
    @Test("addresses that no mail server takes leave the place in the queue to others")
    func longAddresses() async throws {
        let queue = try #require(
            MailQueue(
                MailConfiguration(url: Secret("smtp://127.0.0.1:1"), from: "no-reply@example.com"),
                log: EventLog(level: .critical, format: .json, writer: LogWriter(descriptor: -1))))
        // 255 to 320 bytes: an account can have the address, but no mail command can carry it (RFC 5321 section 4.5.3.1.3).
        let long = try #require(EmailAddress(String(repeating: "a", count: 280) + "@example.com"))
        let mail = RenderedMail(subject: "Hello", text: "Hello\n", html: "<p>Hello</p>\n", language: "en")
        let source = MailSource(client: "192.0.2.1", uid: nil, requestID: "1")
        for _ in 0..<300 { queue.send(mail, to: long, about: "test", from: source) }
        #expect(queue.waitingCount == 0)
        await queue.close()
    }
}
