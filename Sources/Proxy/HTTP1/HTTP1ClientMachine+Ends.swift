import Exchanges
import HTTPWire
import NIOCore

// The end of a response, and of the connection.
extension HTTP1ClientMachine {
    /// The response is complete. True if the connection waits for its next request; else it closes.
    ///
    /// It is used again only if the response ended exactly where its framing said, the request was sent whole, and no further byte came
    /// (sections 6.3 and 9.3): one client's response never reaches the next.
    mutating func complete() -> Bool {
        delivery = .nothing
        guard case .body = response, persistence == .keeps, request == .sent, inbox.isEmpty else { return false }
        link = .kept
        rest()
        return true
    }

    /// The connection waits for its next request.
    mutating func rest() {
        response = .idle
        client = .ready
        limit = .keepAlive
    }

    /// The exchange cannot be completed. `isEarlyClose`: the upstream has closed the connection, and said nothing wrong.
    mutating func fail(isEarlyClose: Bool) -> ExchangeFailure {
        switch response {
        case .idle, .tunnel, .closed: return .none
        case .body:
            end()
            return .cutOff
        case .awaited, .begun:
            let progress = progress(isEarlyClose: isEarlyClose)
            end()
            return .unanswered(progress)
        }
    }

    private func progress(isEarlyClose: Bool) -> RetryPolicy.Progress {
        if link == .opening { return .opening }
        if isUnsent { return .unprocessed }
        if case .begun = response { return .answered }
        if !isEarlyClose { return .answered }
        return link == .kept ? .keptConnectionClosed : .newConnectionClosed
    }

    private mutating func end() {
        response = .closed
        limit = .none
        delivery = .nothing
    }

    /// The connection closes. True for one that waited for a request.
    mutating func close() -> Bool {
        let wasIdle = isIdle
        end()
        return wasIdle
    }

    enum InputEnd {
        case nothing
        /// The connection waited for a request, or waited for nothing.
        case unused
        /// The end of the response.
        case complete
        /// The response is incomplete.
        case truncated
    }

    /// The upstream has closed the connection.
    func inputEnded() -> InputEnd {
        switch response {
        case .idle: .unused
        case .awaited, .begun, .body(.length), .body(.chunked): .truncated
        case .body(.untilClose), .tunnel: .complete
        case .closed: .nothing
        }
    }

    /// The limit has passed: returns which.
    mutating func deadlineExpired() -> UpstreamLimit {
        let expired = limit
        limit = .none
        return expired
    }
}
