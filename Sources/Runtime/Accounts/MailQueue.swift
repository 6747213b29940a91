import Accounts
import Config
import Endpoints
import Logging
import NIOConcurrencyHelpers
import Pages
import Primitives
import Stores
import Telemetry

/// Mails that leave after the answer, one at a time in a fair order. Each is tried a few times; none survives a restart, because a token must
/// not be stored in clear: its user asks for another one. A mail that is lost is reported, whatever the reason.
final class MailQueue: MailDelivery {
    private static let pauses: [Duration] = [.seconds(2), .seconds(15), .seconds(60), .seconds(300)]
    /// A server that does not answer must not fill the memory.
    private static let capacity = 256

    private struct Letter: Sendable {
        let message: MailMessage
        let kind: String
    }

    private struct State: Sendable {
        var waiting = WaitingMails<Letter>(capacity: MailQueue.capacity)
        var isRunning = false
        var isClosed = false
    }

    private let configuration: MailConfiguration
    private let log: EventLog
    private let deliver: @Sendable (MailMessage) async throws(MailError) -> Void
    private let stop: @Sendable () async -> Void
    private let pause: @Sendable (Duration) async -> Void
    private let state = NIOLockedValueBox(State())

    /// Nil if `mail.url` or `mail.from` is not valid; a configuration with such a value does not load.
    convenience init?(_ configuration: MailConfiguration, log: EventLog) {
        guard let server = try? MailServer(parsing: configuration.url.exposed), let from = try? MailAddress(parsing: configuration.from)
        else { return nil }
        let sender = MailSender(server: server, from: from, now: { wallClock() / 1_000 })
        self.init(configuration, log: log, stop: { await sender.close() }, pause: { try? await Task.sleep(for: $0) }) {
            message throws(MailError) in try await sender.send(message)
        }
    }

    /// `deliver` makes one attempt.
    init(
        _ configuration: MailConfiguration, log: EventLog, stop: @escaping @Sendable () async -> Void,
        pause: @escaping @Sendable (Duration) async -> Void, deliver: @escaping @Sendable (MailMessage) async throws(MailError) -> Void
    ) {
        self.configuration = configuration
        self.log = log
        self.deliver = deliver
        self.stop = stop
        self.pause = pause
    }

    /// Whether mails of another configuration can go on here.
    func serves(_ other: MailConfiguration) -> Bool { configuration.url == other.url && configuration.from == other.from }

    func send(_ mail: RenderedMail, to address: EmailAddress, about kind: String, from source: MailSource) {
        let to: MailAddress
        do throws(MailAddress.Problem) { to = try MailAddress(address.text) } catch { return failed(kind, source, error.rawValue) }
        let letter = Letter(message: MailMessage(to: to, subject: mail.subject, text: mail.text, html: mail.html), kind: kind)
        switch state.withLockedValue({ $0.isClosed ? nil : $0.waiting.insert(letter, from: source) }) {
        case .added: break
        case .replaced(let lost): failed(lost.mail.kind, lost.source, Self.full)
        case .refused: return failed(kind, source, Self.full)
        case nil: return failed(kind, source, Self.closed)
        }
        run()
    }

    private static let full = "too many mails are waiting"
    private static let closed = "the gateway stops, or mail is configured anew"

    /// Sends what is due, unless that is going on.
    private func run() {
        let isFirst = state.withLockedValue { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        // Detached: the mails of other requests are no part of this one.
        Task.detached { [self] in
            while let entry = next() { await attempt(entry) }
        }
    }

    private func next() -> WaitingMails<Letter>.Entry? {
        state.withLockedValue { state in
            let entry = state.waiting.next()
            if entry == nil { state.isRunning = false }
            return entry
        }
    }

    private func attempt(_ entry: WaitingMails<Letter>.Entry) async {
        let (kind, source) = (entry.mail.kind, entry.source)
        do throws(MailError) {
            try await deliver(entry.mail.message)
            finish(entry)
            log.write(.info, "mail-sent", "mail sent", [("kind", .text(kind))])
        } catch {
            guard error.isTransient, error != .closed, entry.attempts < Self.pauses.count, delay(entry) else {
                finish(entry)
                return failed(kind, source, error == .closed ? Self.closed : error.reason)
            }
            log.write(
                .warning, "mail-delayed", "mail not sent; the gateway tries again",
                [("kind", .text(kind)), ("reason", .text(error.reason))])
            Task.detached { [self] in
                await pause(Self.pauses[entry.attempts])
                state.withLockedValue { $0.waiting.resume(entry.id) }
                run()
            }
        }
    }

    private func delay(_ entry: WaitingMails<Letter>.Entry) -> Bool {
        state.withLockedValue { !$0.isClosed && $0.waiting.delay(entry.id) }
    }

    private func finish(_ entry: WaitingMails<Letter>.Entry) { state.withLockedValue { $0.waiting.finish(entry) } }

    private func failed(_ kind: String, _ source: MailSource, _ reason: String) {
        log.write(
            .error, "mail-failed", "mail not sent",
            [
                ("kind", .text(kind)), ("reason", .text(reason)), ("uid", .text(source.uid ?? "")),
                ("request_id", .text(source.requestID)),
            ])
    }

    var waitingCount: Int { state.withLockedValue(\.waiting.count) }

    /// Gives up the mails that wait, and returns when the one that is being sent is done.
    func close() async {
        let lost = state.withLockedValue { state in
            state.isClosed = true
            return state.waiting.removeAll()
        }
        for entry in lost { failed(entry.mail.kind, entry.source, Self.closed) }
        await stop()
    }
}
