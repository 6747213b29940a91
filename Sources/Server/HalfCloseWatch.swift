/// Gives up on an answer that stalls after its client has ended its side of the connection.
///
/// TCP does not tell a client that closed its socket from one that only sends no more and still reads. An answer that moves is sent on:
/// the first kind of client refuses it with a reset, the second kind reads it. One that does not move is given up, because the first kind
/// is by far the most common and would keep the upstream busy for nothing.
final class HalfCloseWatch: DeadlineOwner {
    /// With the wheel's rounding, a client that closed is noticed well within a second.
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
        Progress(ticket: exchange.ticket, status: exchange.status, sentBodyBytes: exchange.sentBodyBytes)
    }
}
