import NIOHTTP2

/// One HTTP/2 connection of a client as a value (RFC 9113): which streams may begin, how much the client may send, and how the connection
/// ends.
///
/// Each event is a function, which changes the state and returns what is to be done. `HTTP2Connection` does it, and keeps the streams.
struct HTTP2ConnectionMachine {
    enum Phase {
        case open
        /// GOAWAY without a limit was sent. What the client sent before it knew still counts.
        case announced
        /// GOAWAY with the last stream was sent: the connection ends with its streams.
        case final
        /// The codec has sent GOAWAY with an error, of the connection and not of a stream. It reports the error next.
        case failed
        /// All streams are gone. What the client still sends is thrown away.
        case ending
        case closed
    }

    /// The limit that runs: the meaning of the deadline.
    enum Limit { case none, preface, head, idle, goAway, linger }

    enum StreamWindows { case grown, shrunk }

    private(set) var phase = Phase.open
    private(set) var limit = Limit.none
    /// Streams that have not ended.
    private(set) var openStreams = 0
    private(set) var lastStreamID = HTTP2StreamID.rootStream
    private var malformedRequests = 0
    private(set) var window = ReceiveWindow(size: HTTP2Limits.connectionWindow, open: 65_535)
    /// SETTINGS_INITIAL_WINDOW_SIZE of the client, and whether it has made the windows of streams smaller: they may be negative then.
    private var initialWindow = 65_535
    private(set) var streamWindows = StreamWindows.grown
    /// Received bytes that are still unread.
    private(set) var unread = 0

    // MARK: Questions

    /// Nothing that the client sends is looked at any longer.
    var isEnding: Bool { phase == .ending || phase == .closed }

    var isClosed: Bool { phase == .closed }

    /// No request is on the connection.
    var isIdle: Bool { openStreams == 0 && !isEnding }

    /// The client has not been told to open no further streams.
    private var isOpen: Bool { phase == .open }

    // MARK: The beginning

    mutating func open() -> HTTP2ConnectionActions { start(.preface) }

    /// The client's first SETTINGS have arrived.
    mutating func prefaceReceived() -> HTTP2ConnectionActions {
        limit == .preface && openStreams == 0 && isOpen ? start(.idle) : []
    }

    /// A field section begins to arrive: it must be whole within the limit of a head.
    mutating func headerBlockBegan() -> HTTP2ConnectionActions { isOpen ? start(.head) : [] }

    mutating func headerBlockEnded() -> HTTP2ConnectionActions {
        guard limit == .head, !isEnding else { return [] }
        return openStreams == 0 ? start(.idle) : stopLimit()
    }

    private mutating func start(_ limit: Limit) -> HTTP2ConnectionActions {
        self.limit = limit
        return .setDeadline
    }

    private mutating func stopLimit() -> HTTP2ConnectionActions {
        limit = .none
        return .clearDeadline
    }

    // MARK: Streams

    /// HEADERS of no known stream. Nil for a rest of one that is gone, and for one that comes after the last.
    mutating func beginStream(_ id: HTTP2StreamID) -> HTTP2ConnectionActions? {
        guard id > lastStreamID, phase != .final, !isEnding else { return nil }
        lastStreamID = id
        openStreams += 1
        return isOpen ? stopLimit() : []
    }

    /// A request that RFC 9113 section 8.1.1 calls malformed. True if its stream is to be reset; else the connection is to end.
    mutating func toleratesMalformed() -> Bool {
        malformedRequests += 1
        return malformedRequests <= HTTP2Limits.malformedRequests
    }

    /// A stream is gone.
    mutating func endStream() -> HTTP2ConnectionActions {
        openStreams -= 1
        guard isIdle else { return [] }
        switch phase {
        case .open: return start(.idle)
        case .final: return finish()
        case .announced, .failed, .ending, .closed: return []
        }
    }

    // MARK: Flow control

    mutating func received(_ count: Int) { unread += count }

    /// Bytes of a body were read, or thrown away.
    mutating func took(_ count: Int) { unread -= count }

    /// The client has used so much of the window: with DATA of open streams, which `received` has counted, or of others.
    mutating func clientSent(_ count: Int) { window.use(count) }

    /// The increment for WINDOW_UPDATE.
    mutating func credit() -> Int? { isEnding ? nil : window.increment(unread: unread) }

    /// SETTINGS_INITIAL_WINDOW_SIZE has arrived. True if the windows of open streams become smaller (RFC 9113 section 6.9.2).
    mutating func initialWindowChanged(to size: Int) -> Bool {
        defer { initialWindow = size }
        guard size < initialWindow, openStreams > 0 else { return false }
        streamWindows = .shrunk
        return true
    }

    // MARK: The end

    /// No further stream is opened; those that are end first (RFC 9113 section 6.8).
    mutating func drain() -> HTTP2ConnectionActions {
        guard isOpen else { return [] }
        phase = .announced
        return start(.goAway).union(.announce)
    }

    /// The client has acknowledged a PING, so it has read the first GOAWAY.
    mutating func pingAcknowledged() -> HTTP2ConnectionActions { phase == .announced ? nameLastStream() : [] }

    private mutating func nameLastStream() -> HTTP2ConnectionActions {
        phase = .final
        let actions = stopLimit().union(.nameLastStream)
        return openStreams == 0 ? actions.subtracting(.clearDeadline).union(finish()) : actions
    }

    /// The codec has sent GOAWAY with an error.
    mutating func noteFailure() { if !isEnding { phase = .failed } }

    /// The codec reports an error: of a stream, which it has answered, or of the connection.
    mutating func errorCaught() -> HTTP2ConnectionActions { phase == .failed ? finish() : [] }

    /// After the last GOAWAY: what the client still sends is thrown away for a while, so that it can read why.
    mutating func finish() -> HTTP2ConnectionActions {
        guard !isEnding else { return [] }
        phase = .ending
        return start(.linger).union(.finish)
    }

    /// The connection ends at once.
    mutating func terminate() -> HTTP2ConnectionActions {
        guard !isClosed else { return [] }
        phase = .ending
        return [.endStreams, .close]
    }

    /// The descriptor of the idle connection is needed.
    mutating func closeIdle() { if !isClosed { phase = .ending } }

    /// The channel has closed. False if it was closed before.
    mutating func close() -> Bool {
        guard !isClosed else { return false }
        phase = .closed
        limit = .none
        return true
    }

    enum Expiry {
        case act(HTTP2ConnectionActions)
        /// GOAWAY with this code, then `finish`.
        case fail(HTTP2ErrorCode)
    }

    mutating func deadlineExpired() -> Expiry {
        let expired = limit
        limit = .none
        switch expired {
        case .none: return .act([])
        case .preface, .head: return .fail(.enhanceYourCalm)
        // A client that is about to send a request learns that it was not read.
        case .idle: return .fail(.noError)
        case .goAway: return .act(phase == .announced ? nameLastStream() : [])
        case .linger: return .act(terminate())
        }
    }
}
