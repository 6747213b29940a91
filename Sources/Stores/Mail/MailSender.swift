import NIOConcurrencyHelpers
import NIOPosix
package import Primitives
import TokenCrypto

/// Sends mails over SMTP, one after the other, on a thread of its own.
///
/// Makes one attempt for each mail: the caller decides about another one (`MailError.isTransient`).
package final class MailSender: Sendable {
    /// For one mail, from connecting to the server's last answer.
    package static let timeout: Duration = .seconds(10)
    package static let defaultCapacity = 64

    private struct State {
        var waiting = 0
        var isClosed = false
    }

    private let server: MailServer
    private let from: MailAddress
    private let capacity: Int
    private let trustFile: String?
    private let limit: Duration
    /// Unix seconds.
    private let now: @Sendable () -> Int64
    private let load: @Sendable () -> Result<CurlLibrary, MailError>
    private let state = NIOLockedValueBox(State())
    private let pool = NIOThreadPool(numberOfThreads: 1)

    /// `capacity`: how many mails may wait. `trustFile`: certificates to trust instead of the system's. `now`: Unix seconds, for the mail's date.
    package convenience init(
        server: MailServer, from: MailAddress, capacity: Int = defaultCapacity, trustFile: String? = nil,
        now: @escaping @Sendable () -> Int64
    ) {
        self.init(server: server, from: from, capacity: capacity, trustFile: trustFile, timeout: Self.timeout, now: now) {
            CurlLibrary.shared
        }
    }

    init(
        server: MailServer, from: MailAddress, capacity: Int, trustFile: String? = nil, timeout: Duration,
        now: @escaping @Sendable () -> Int64,
        load: @escaping @Sendable () -> Result<CurlLibrary, MailError> = { CurlLibrary.shared }
    ) {
        self.server = server
        self.from = from
        self.capacity = capacity
        self.trustFile = trustFile
        limit = timeout
        self.now = now
        self.load = load
        pool.start()
    }

    /// Loads libcurl, for the check at the start of a gateway that is to send mail. Blocks for a moment.
    package static func checkLibrary() throws(MailError) { _ = try CurlLibrary.shared.get() }

    /// Returns when the server has taken the mail.
    package func send(_ message: MailMessage) async throws(MailError) {
        let id = SecureRandom.bytes(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let mail = try RenderedMail(message, from: from, id: id, now: now())
        let refusal = state.withLockedValue { state -> MailError? in
            guard !state.isClosed else { return .closed }
            guard state.waiting < capacity else { return .busy }
            state.waiting += 1
            return nil
        }
        if let refusal { throw refusal }
        let outcome: Result<Void, MailError> = await withCheckedContinuation { continuation in
            pool.submit { state in continuation.resume(returning: state == .active ? self.transfer(mail) : .failure(.closed)) }
        }
        try outcome.get()
    }

    /// On the sender's thread.
    private func transfer(_ mail: RenderedMail) -> Result<Void, MailError> {
        let isClosed = state.withLockedValue { state in
            state.waiting -= 1
            return state.isClosed
        }
        guard !isClosed else { return .failure(.closed) }
        return Result { () throws(MailError) in
            let transfer = MailTransfer(library: try load().get(), server: server, trustFile: trustFile, timeout: limit)
            try transfer.send(mail, greeting: from.domain)
        }
    }

    /// How many mails wait for the thread.
    package var waitingCount: Int { state.withLockedValue { $0.waiting } }

    /// Refuses the mails that wait, and returns when the one that is being sent is done.
    package func close() async {
        state.withLockedValue { $0.isClosed = true }
        try? await pool.shutdownGracefully()
    }
}
