import Exchanges

// The response, and the end of the stream.
extension HTTP2StreamMachine {
    // MARK: Response

    enum Head {
        /// There is no request that waits for one.
        case drop
        /// Protocols are not switched in HTTP/2 (RFC 9113 section 8.6).
        case abort
        case take
    }

    /// Begins the response.
    mutating func beginResponse(status: Int, _ framing: ResponseFraming) -> Head {
        guard isPending else { return .drop }
        if status == 101 { return .abort }
        switch framing {
        case .none, .lengthOnly: response = .streaming(.length(0))
        case .length(let length): response = .streaming(.length(length))
        case .stream: response = .streaming(.untilEnd)
        }
        return .take
    }

    enum Part {
        /// There is no response that the bytes could belong to.
        case drop
        /// More than was announced.
        case abort
        case take
    }

    /// A part of the response's body.
    mutating func sendPart(_ count: Int) -> Part {
        guard case .streaming(let framing) = response, count > 0 else { return .drop }
        if case .length(let missing) = framing {
            guard count <= missing else { return .abort }
            response = .streaming(.length(missing - count))
        }
        return .take
    }

    /// The response is whole.
    mutating func endResponse() -> Part {
        guard case .streaming(let framing) = response else { return .drop }
        if case .length(let missing) = framing, missing > 0 { return .abort }
        response = .sent
        return .take
    }

    /// The last frame of the response was written. It may still wait for the client's windows, or for the socket.
    mutating func wroteEnd(_ frame: LastFrame) -> HTTP2StreamActions {
        lastFrame = frame
        guard case .sent = response, unsent > 0 || mayBeSentMore else {
            return stopLimit()
        }
        limit = .write
        return .setDeadline
    }

    /// Bytes of the response go to the codec.
    mutating func wrote(_ count: Int) { unsent += count }

    /// `collected`: bytes that the codec has not got yet.
    mutating func checkOutput(collected: Int) -> HTTP2StreamActions {
        guard output == .writable, unsent + collected > HTTP2Limits.outputHigh else { return [] }
        output = .full
        limit = .write
        return [.setDeadline, .writeOut, .flush, .reportFull]
    }

    /// Bytes that were written have left. `isEnd`: they were the last. `now`: the wheel's tick.
    mutating func sent(_ count: Int, isEnd: Bool, collected: Int, at now: UInt64) -> HTTP2StreamActions {
        unsent -= count
        if isClosed { return [] }
        if isEnd, !inbox.isEnded { return .resetAnswered }
        guard output == .full, unsent + collected <= HTTP2Limits.outputLow else { return [] }
        output = .writable
        guard isAnswering else {
            // The client has yet to take the rest.
            return unsent > 0 ? .setDeadline : []
        }
        let limit = isBodyAwaited ? startBodyLimit(at: now) : stopLimit()
        return [limit, .reportWritable]
    }

    /// Bytes that were written will not leave.
    mutating func failed(_ count: Int) { unsent -= count }

    // MARK: Ends

    /// The delegate has heard that the body is too large. True if the request is to be answered; else the response is to be aborted.
    var refusesBody: Bool { isPending }

    /// Ends a response visibly incomplete. The client gets what was received before the reset.
    func abort() -> HTTP2StreamActions {
        if case .streaming = response { return [.noteAborted, .writeOut, .sendNow, .resetBroken] }
        return [.noteAborted, .resetBroken]
    }

    /// The limit has passed. A body's progress has been looked at.
    mutating func deadlineExpired() -> HTTP2StreamActions {
        let expired = limit
        limit = .none
        switch expired {
        case .none, .idle, .head, .linger: return []
        case .body where isPending:
            request = .complete
            return [.reportClosed, .answerLate]
        // The client does not read, or sends too slowly what is answered already.
        case .body, .write: return abort()
        }
    }

    enum Closing {
        /// The stream was closed before.
        case again
        /// So many bytes of the body were unread.
        case closed(unread: Int, HTTP2StreamActions)
    }

    /// The stream is gone.
    mutating func close() -> Closing {
        let actions: HTTP2StreamActions
        switch response {
        case .closed: return .again
        case .none, .sent: actions = []
        case .pending, .streaming: actions = [.noteAborted, .reportClosed, .reportFinished]
        }
        response = .closed
        limit = .none
        let unread = inbox.count
        _ = inbox.moveOut()
        return .closed(unread: unread, actions)
    }
}
