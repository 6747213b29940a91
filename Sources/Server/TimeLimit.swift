import Exchanges

/// The time limit that runs on an HTTP/1.1 connection or an HTTP/2 stream of a client: the meaning of its deadline.
enum TimeLimit {
    case none
    /// No request is on the connection.
    case idle
    /// From the first byte of a request's head on.
    case head
    case body(BodyProgress)
    /// The client does not take what is sent.
    case write
    /// The output is closed, and the client gets time to close its own.
    case linger

    /// Milliseconds.
    static let lingering: Int64 = 2_000

    /// Bytes of a body were received.
    mutating func received(_ count: Int, at now: UInt64) {
        guard case .body(var progress) = self else { return }
        progress.received(count, at: now)
        self = .body(progress)
    }

    /// True if the limit of a body ran.
    mutating func stopBody() -> Bool {
        guard case .body = self else { return false }
        self = .none
        return true
    }
}

extension Exchange {
    /// The milliseconds after which the limit has passed, or after which a body's progress is looked at again. Nil: there is no limit, or the
    /// body is too slow. `isPending`: an answer waits for the body; later it may be a conversation, and its rate is not asked for.
    func milliseconds(of limit: inout TimeLimit, at now: UInt64, _ settings: ServerSettings, isPending: Bool) -> Int64? {
        let idle = idleLimit > 0 ? idleLimit : settings.idleTimeout
        switch limit {
        case .none: return nil
        case .idle: return settings.idleTimeout
        case .head: return settings.headerTimeout
        case .body(var progress):
            defer { limit = .body(progress) }
            let rate = isPending ? leastBodyRate(settings.bodyRate) : 0
            return progress.nextLimit(at: now, .init(idle: idle, rate: rate, window: settings.rateWindow))
        case .write: return idle
        case .linger: return TimeLimit.lingering
        }
    }
}
