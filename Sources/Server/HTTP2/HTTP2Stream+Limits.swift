import Exchanges

// The time limits of a stream.
extension HTTP2Stream {
    func startBodyLimit() {
        limit = .body(BodyProgress(at: connection.loop.wheel.now))
        if let milliseconds = bodyWait() { connection.loop.wheel.set(deadline, milliseconds: milliseconds) }
    }

    func startWriteLimit() {
        limit = .write
        connection.loop.wheel.set(deadline, milliseconds: bodyProgressLimits.idle)
    }

    /// The milliseconds after which the body's progress is looked at again; nil for a body that is too slow.
    private func bodyWait() -> Int64? {
        guard case .body(var progress) = limit else { return nil }
        defer { limit = .body(progress) }
        return progress.nextLimit(at: connection.loop.wheel.now, bodyProgressLimits)
    }

    /// The rate is asked for only while an answer waits for the body: after that it may be a conversation.
    private var bodyProgressLimits: BodyProgress.Limits {
        let settings = connection.settings
        return .init(
            idle: idleLimit > 0 ? idleLimit : settings.idleTimeout, rate: response == .pending ? leastBodyRate(settings.bodyRate) : 0,
            window: settings.rateWindow)
    }

    func clearLimit() {
        limit = .none
        connection.loop.wheel.clear(deadline)
    }

    func deadlineExpired() {
        switch limit {
        case .none: break
        case .write: abort()
        case .body:
            if let more = bodyWait() { return connection.loop.wheel.set(deadline, milliseconds: more) }
            guard response == .pending else { return abort() }
            let delegate = self.delegate
            self.delegate = nil
            isComplete = true
            delegate?.exchangeClosed(self)
            connection.handler.refuseLate(self)
        }
    }
}
