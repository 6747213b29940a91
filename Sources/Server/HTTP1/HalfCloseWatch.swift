import Exchanges

/// Aborts a response that stalls after its client has sent a FIN.
///
/// TCP does not distinguish a client that closed its socket from one that only shut down its sending side and still reads. While bytes of
/// the response are sent, the first kind of client answers them with a reset and the second kind reads them. A response that stalls is
/// aborted, because the first kind is by far the most common and would occupy the upstream for nothing.
final class HalfCloseWatch: DeadlineOwner {
    /// Milliseconds. With the wheel's rounding, a closed connection is noticed within a second.
    private static let stallLimit: Int64 = 500

    private struct Progress: Equatable {
        let ticket: UInt64
        let status: Int
        let sentBodyBytes: Int
    }

    private unowned let connection: HTTP1Connection
    private let wheel: DeadlineWheel
    private let deadline = Deadline()
    private var progress: Progress

    init(_ connection: HTTP1Connection, _ wheel: DeadlineWheel) {
        self.connection = connection
        self.wheel = wheel
        progress = Self.progress(of: connection)
        deadline.owner = self
        wheel.set(deadline, milliseconds: Self.stallLimit)
    }

    func cancel() { wheel.cancel(deadline) }

    func deadlineExpired() {
        let now = Self.progress(of: connection)
        if connection.isAnswering, now == progress { return connection.abort() }
        progress = now
        wheel.set(deadline, milliseconds: Self.stallLimit)
    }

    private static func progress(of exchange: Exchange) -> Progress {
        Progress(ticket: exchange.ticket, status: exchange.status, sentBodyBytes: exchange.record.sentBodyBytes)
    }
}
