/// A small model of RFC 9113 for a client's connection: the states of streams (section 5.1), the windows of both directions (sections 5.2
/// and 6.9), and the reports about each request. Written for clarity and for these tests: it sees the connection as the client does, from
/// the frames, and knows only those that `HTTP2RandomTests` sends.
struct HTTP2ConnectionModel {
    static let streamWindow = 262_144
    static let connectionWindow = 1_048_576
    static let frameSize = 16_384

    /// As the server sees the stream.
    enum State { case open, halfClosedLocal, halfClosedRemote, closed }

    enum Response: Equatable {
        case pending
        /// The bytes of a length that are missing; nil without one.
        case streaming(missing: Int?)
        case ended
    }

    /// The side that has closed a stream: the server may still receive frames for one that it has reset.
    enum Closer { case both, client, server }

    struct Stream {
        // The request.
        var hasEnded: Bool
        var missing: Int?
        /// The delegate has got all of the body, or gets no more.
        var isComplete: Bool
        var isWanted = false
        var isPaused = false
        var limit: Int?
        var received = 0
        var unread = 0
        /// The bytes that the client may send.
        var receiveWindow = HTTP2ConnectionModel.streamWindow

        // The response.
        var response = Response.pending
        var status = 0
        /// Heads that are to come.
        var heads: [Int] = []
        /// Bytes of the body that are to come, and those that have come.
        var queue = 0
        var sent = 0
        var hasTrailers = false
        var hasSentEnd = false
        /// The bytes that the server may send.
        var sendWindow: Int

        var closer: Closer?
        /// The code of RST_STREAM that is to come.
        var awaitedReset: Int?
        /// The window may have become negative before the end was sent: such a stream may be reset.
        var mayBeReset = false
        var hasDelegate = true
        var log = ["begin"]

        var state: State {
            if closer != nil { return .closed }
            return hasEnded ? .halfClosedRemote : hasSentEnd ? .halfClosedLocal : .open
        }
    }

    var streams: [Int: Stream] = [:]
    var lastID = 0
    var initialWindow = 65_535
    var sendWindow = 65_535
    var receiveWindow = 65_535
    /// The windows of streams have become smaller.
    var hasShrunk = false
    var isOpen = true
    /// The second GOAWAY was sent.
    var isFinal = false
    var isDraining = false
    /// What may follow a frame that breaks a rule; nil: none has.
    var violation: Violation?

    /// The codes of GOAWAY, and those of RST_STREAM on a stream, which a broken rule may have.
    struct Violation {
        var connection: Set<Int>
        var stream: (id: Int, codes: Set<Int>)?
        /// The frame may be ignored.
        var isIgnorable = false
    }

    var live: [Int] { streams.keys.filter { streams[$0]?.closer == nil }.sorted() }

    private var unread: Int { streams.values.reduce(0) { $0 + $1.unread } }

    /// Works on a stream that is not closed.
    private mutating func with(_ id: Int, _ body: (inout HTTP2ConnectionModel, inout Stream) -> Void) {
        guard var stream = streams[id], stream.closer == nil else { return }
        body(&self, &stream)
        streams[id] = stream
    }

    // MARK: The client

    mutating func headers(_ id: Int, isEnd: Bool, length: Int?) {
        guard !isFinal else { return }
        lastID = id
        streams[id] = Stream(hasEnded: isEnd, missing: length, isComplete: isEnd, sendWindow: initialWindow)
    }

    mutating func data(_ id: Int, _ count: Int, isEnd: Bool) {
        receiveWindow -= count
        with(id) { model, stream in
            stream.receiveWindow -= count
            if isEnd { stream.hasEnded = true }
            if let missing = stream.missing {
                stream.missing = missing - count
                if count > missing || isEnd && count < missing { return model.reset(&stream, 1) }
            }
            if !stream.isComplete, stream.response != .ended { stream.unread += count }
            model.deliver(&stream)
        }
    }

    mutating func trailers(_ id: Int, isEnd: Bool) {
        with(id) { model, stream in
            guard isEnd, (stream.missing ?? 0) == 0 else { return model.reset(&stream, 1) }
            stream.hasEnded = true
            model.deliver(&stream)
        }
    }

    mutating func resetByClient(_ id: Int) { with(id) { $0.close(&$1, .client) } }

    mutating func windowUpdate(_ id: Int, _ increment: Int) {
        if id == 0 { sendWindow += increment } else { with(id) { $1.sendWindow += increment } }
    }

    /// Changes the windows of all streams, and may make them negative (section 6.9.2).
    mutating func settings(initialWindow size: Int) {
        if size < initialWindow { hasShrunk = true }
        for id in live {
            with(id) {
                $1.sendWindow += size - $0.initialWindow
                if size < $0.initialWindow, $1.response == .ended { $1.mayBeReset = true }
            }
        }
        initialWindow = size
    }

    // MARK: The handler

    mutating func startBody(_ id: Int, limit: Int?) {
        with(id) { model, stream in
            guard stream.response != .ended else { return }
            if stream.isComplete { return stream.log.append("end") }
            stream.limit = limit
            stream.isWanted = true
            model.deliver(&stream)
        }
    }

    mutating func pause(_ id: Int, _ isPaused: Bool) {
        with(id) { model, stream in
            guard stream.response != .ended else { return }
            stream.isPaused = isPaused
            model.deliver(&stream)
        }
    }

    mutating func interim(_ id: Int) { with(id) { if $1.response == .pending { $1.heads.append(103) } } }

    mutating func head(_ id: Int, length: Int?) { with(id) { $0.head(&$1, 200, length: length) } }

    mutating func part(_ id: Int, _ count: Int) {
        with(id) { model, stream in
            guard case .streaming(let missing) = stream.response, count > 0 else { return }
            if let missing, count > missing { return model.reset(&stream, 2) }
            stream.response = .streaming(missing: missing.map { $0 - count })
            stream.queue += count
        }
    }

    mutating func end(_ id: Int, hasTrailers: Bool) { with(id) { $0.end(&$1, hasTrailers: hasTrailers) } }

    mutating func abort(_ id: Int) { with(id) { $0.reset(&$1, 2) } }

    private func head(_ stream: inout Stream, _ status: Int, length: Int?) {
        guard stream.response == .pending else { return }
        stream.response = .streaming(missing: length)
        stream.status = status
        stream.heads.append(status)
    }

    private func end(_ stream: inout Stream, hasTrailers: Bool) {
        guard case .streaming(let missing) = stream.response else { return }
        if let missing, missing > 0 { return reset(&stream, 2) }
        stream.response = .ended
        stream.hasTrailers = hasTrailers
        stream.hasDelegate = false
        stream.log.append("finished \(stream.status)")
    }

    private func deliver(_ stream: inout Stream) {
        guard stream.isWanted, !stream.isPaused, !stream.isComplete, stream.response != .ended else { return }
        if stream.unread > 0 {
            stream.received += stream.unread
            defer { stream.unread = 0 }
            if let limit = stream.limit, stream.received > limit {
                stream.isComplete = true
                stream.log.append("failed body-too-large")
                stream.hasDelegate = false
                guard stream.response == .pending else { return reset(&stream, 2) }
                head(&stream, 413, length: 0)
                return end(&stream, hasTrailers: false)
            }
            stream.log.append("body \(stream.unread)")
        }
        guard stream.hasEnded else { return }
        stream.isComplete = true
        stream.log.append("end")
    }

    private func reset(_ stream: inout Stream, _ code: Int) {
        stream.awaitedReset = code
        close(&stream, .server)
    }

    private func close(_ stream: inout Stream, _ closer: Closer) {
        guard stream.closer == nil else { return }
        stream.closer = closer
        stream.unread = 0
        guard stream.response != .ended else { return }
        if stream.hasDelegate { stream.log.append("closed") }
        stream.log.append("finished \(stream.status) aborted")
    }

    /// The connection has ended.
    mutating func close() {
        isOpen = false
        for id in live { with(id) { $0.close(&$1, .server) } }
        for id in streams.keys { streams[id]?.awaitedReset = nil }
    }

    // MARK: The server's frames

    enum Frame {
        /// `status`: nil for trailers.
        case headers(status: Int?, isEnd: Bool)
        case data([UInt8], isEnd: Bool)
        case reset(Int)
        case windowUpdate(Int)
        case goAway(last: Int, code: Int)
    }

    /// Returns what is wrong with a frame.
    mutating func observe(_ frame: Frame, on id: Int) -> String? {
        // What was on its way when the connection ended.
        if !isOpen { return nil }
        switch frame {
        case .goAway(let last, let code): return observe(goAway: code, last: last)
        case .windowUpdate(let increment) where id == 0:
            receiveWindow += increment
            return receiveWindow + unread <= Self.connectionWindow ? nil : "a window of \(receiveWindow) with \(unread) unread"
        default: break
        }
        guard var stream = streams[id] else { return "a frame for no stream" }
        defer { streams[id] = stream }
        switch frame {
        case .headers(let status, let isEnd): return observe(&stream, status: status, isEnd: isEnd)
        case .data(let bytes, let isEnd): return observe(&stream, bytes, isEnd: isEnd)
        case .reset(let code): return observe(&stream, reset: code, id)
        case .windowUpdate(let increment):
            guard stream.closer == nil || stream.awaitedReset != nil else { return "WINDOW_UPDATE for a closed stream" }
            stream.receiveWindow += increment
            guard stream.receiveWindow + stream.unread <= Self.streamWindow else { return "a window of \(stream.receiveWindow)" }
        case .goAway: break
        }
        return nil
    }

    private func observe(_ stream: inout Stream, status: Int?, isEnd: Bool) -> String? {
        guard mayBeSent(stream) else { return "HEADERS in the state \(stream.state)" }
        guard let status else {
            guard stream.hasTrailers || hasShrunk, isEnd, stream.heads.isEmpty, stream.queue == 0 else { return "trailers" }
            return noteEnd(&stream)
        }
        guard stream.heads.first == status else { return "the status \(status) instead of \(stream.heads)" }
        stream.heads.removeFirst()
        return isEnd ? noteEnd(&stream) : nil
    }

    private mutating func observe(_ stream: inout Stream, _ bytes: [UInt8], isEnd: Bool) -> String? {
        guard mayBeSent(stream), stream.heads.isEmpty else { return "DATA in the state \(stream.state)" }
        let count = bytes.count
        guard count <= Self.frameSize, count <= stream.queue else { return "\(count) bytes of \(stream.queue)" }
        guard count == 0 || count <= min(stream.sendWindow, sendWindow) else {
            return "\(count) bytes in windows of \(stream.sendWindow) and \(sendWindow)"
        }
        for (index, byte) in bytes.enumerated() where byte != Self.byte(at: stream.sent + index) { return "other bytes" }
        stream.queue -= count
        stream.sent += count
        stream.sendWindow -= count
        sendWindow -= count
        return isEnd ? noteEnd(&stream) : nil
    }

    /// The body of each response.
    static func byte(at index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index % 251) }

    /// A response that is aborted brings what the windows take before RST_STREAM.
    private func mayBeSent(_ stream: Stream) -> Bool { !stream.hasSentEnd && (stream.closer == nil || stream.awaitedReset != nil) }

    private func noteEnd(_ stream: inout Stream) -> String? {
        guard stream.response == .ended, stream.heads.isEmpty, stream.queue == 0 else { return "END_STREAM too early" }
        stream.hasSentEnd = true
        if stream.hasEnded { close(&stream, .both) }
        return nil
    }

    private mutating func observe(_ stream: inout Stream, reset code: Int, _ id: Int) -> String? {
        if stream.awaitedReset == code {
            stream.awaitedReset = nil
        } else if let violation, let allowed = violation.stream, allowed.id == id, allowed.codes.contains(code) {
            self.violation = nil
            close(&stream, .server)
        } else if code == 2, stream.mayBeReset {
            close(&stream, .server)
        } else if code == 0, stream.state == .halfClosedLocal {
            // The response is whole, and the rest of the request is of no use (section 8.1).
            close(&stream, .server)
        } else {
            return "RST_STREAM \(code) in the state \(stream.state)"
        }
        return nil
    }

    private mutating func observe(goAway code: Int, last: Int) -> String? {
        if let violation, violation.connection.contains(code), code != 0 {
            self.violation = nil
            close()
            return nil
        }
        guard code == 0, isDraining, !isFinal else { return "GOAWAY \(code)" }
        // First all streams are allowed, then those that have begun (section 6.8).
        if last == Int(Int32.max) { return nil }
        isFinal = true
        return last == lastID ? nil : "GOAWAY with the stream \(last) instead of \(lastID)"
    }

    // MARK: What must have happened by now

    /// Returns what is missing once the loop has nothing to do.
    mutating func settle() -> String? {
        if let violation {
            guard violation.isIgnorable else { return "no error" }
            self.violation = nil
        }
        // A connection that drains ends with its last stream.
        if !isOpen || isFinal && live.isEmpty { return nil }
        for (id, stream) in streams {
            if let code = stream.awaitedReset { return "no RST_STREAM \(code) on \(id)" }
            guard stream.closer == nil else { continue }
            if !stream.heads.isEmpty { return "no head on \(id)" }
            if stream.queue > 0, min(stream.sendWindow, sendWindow) > 0 {
                return "\(stream.queue) bytes wait on \(id) with windows of \(stream.sendWindow) and \(sendWindow)"
            }
            // The end may wait for the window of the connection, though it needs none.
            if stream.queue == 0, stream.response == .ended, sendWindow > 0 { return "no end of \(id) in the state \(stream.state)" }
            let free = Self.streamWindow - stream.receiveWindow - stream.unread
            if !stream.hasEnded, free >= Self.streamWindow / 2 { return "no WINDOW_UPDATE on \(id)" }
        }
        return Self.connectionWindow - receiveWindow - unread < Self.connectionWindow / 2 ? nil : "no WINDOW_UPDATE"
    }
}
