import Accounts
import Config
import Endpoints
import Logging
import NIOConcurrencyHelpers
import Pages
import Primitives
import Stores
import Telemetry

/// Mails that leave after the answer. Each is tried a few times; none survives a restart, because a token must not be stored in clear: its
/// user asks for another one.
final class MailQueue: MailDelivery {
    private static let pauses: [Duration] = [.seconds(2), .seconds(15), .seconds(60), .seconds(300)]
    /// More are refused: a server that does not answer must not fill the memory.
    private static let capacity = 256

    private let configuration: MailConfiguration
    private let sender: MailSender
    private let log: EventLog
    private let waiting = NIOLockedValueBox(0)

    /// Nil if `mail.url` or `mail.from` is not valid; a configuration with such a value does not load.
    init?(_ configuration: MailConfiguration, log: EventLog) {
        guard let server = try? MailServer(parsing: configuration.url.exposed), let from = try? MailAddress(parsing: configuration.from)
        else { return nil }
        sender = MailSender(server: server, from: from, now: { wallClock() / 1_000 })
        self.configuration = configuration
        self.log = log
    }

    /// Whether mails of another configuration can go on here.
    func serves(_ other: MailConfiguration) -> Bool { configuration.url == other.url && configuration.from == other.from }

    func send(_ mail: RenderedMail, to address: EmailAddress, about kind: String) {
        let to: MailAddress
        do throws(MailAddress.Problem) { to = try MailAddress(address.text) } catch { return failed(kind, error.rawValue) }
        let isAccepted = waiting.withLockedValue { count in
            guard count < Self.capacity else { return false }
            count += 1
            return true
        }
        guard isAccepted else { return failed(kind, "too many mails are waiting") }
        let message = MailMessage(to: to, subject: mail.subject, text: mail.text, html: mail.html)
        Task {
            await deliver(message, kind)
            waiting.withLockedValue { $0 -= 1 }
        }
    }

    private func deliver(_ message: MailMessage, _ kind: String) async {
        for pause in Self.pauses + [nil] {
            do throws(MailError) {
                try await sender.send(message)
                return log.write(.info, "mail-sent", "mail sent", [("kind", .text(kind))])
            } catch {
                guard error.isTransient, error != .closed, let pause else { return failed(kind, error.reason) }
                log.write(
                    .warning, "mail-delayed", "mail not sent; the gateway tries again",
                    [("kind", .text(kind)), ("reason", .text(error.reason))])
                try? await Task.sleep(for: pause)
            }
        }
    }

    private func failed(_ kind: String, _ reason: String) {
        log.write(.error, "mail-failed", "mail not sent", [("kind", .text(kind)), ("reason", .text(reason))])
    }

    var waitingCount: Int { waiting.withLockedValue(\.self) }

    func close() async { await sender.close() }
}
