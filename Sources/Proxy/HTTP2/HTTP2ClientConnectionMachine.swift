import NIOHTTP2

/// One HTTP/2 connection to an upstream as a value (RFC 9113 sections 5.1.2, 6.5.2 and 6.8): how many streams it carries, whether it takes
/// more, and how it ends.
///
/// Each event is a function, which changes the state and returns what is to be done. `UpstreamSession` does it.
struct HTTP2ClientConnectionMachine {
    enum Phase {
        /// The upstream's first SETTINGS have not arrived. There are no streams yet.
        case opening
        case open
        /// Takes no further streams, and ends with the last one.
        case retired
        case closed
    }

    /// Whether a stream has ended on this connection before.
    enum Use { case first, repeated }

    /// Whether the upstream has shown that it speaks HTTP/2.
    enum Peer { case unknown, speaksHTTP2 }

    private(set) var phase = Phase.opening
    private(set) var use = Use.first
    private(set) var peer = Peer.unknown
    private(set) var streams = 0
    /// The number of streams that both sides allow.
    private var streamLimit: Int
    private let ownStreamLimit: Int
    /// SETTINGS_INITIAL_WINDOW_SIZE of the upstream.
    private var initialWindow = 65_535
    /// The last stream that the upstream will answer, once it has said so (RFC 9113 section 6.8).
    private var lastStream: HTTP2StreamID?
    /// Grows with every read: a stream that waits in vain can tell whether the upstream still speaks at all.
    private(set) var reads: UInt64 = 0

    init(streamLimit: Int) {
        self.streamLimit = streamLimit
        ownStreamLimit = streamLimit
    }

    // MARK: Questions

    var hasRoom: Bool { phase == .open && streams < streamLimit }

    var isUnused: Bool { phase == .open && streams == 0 }

    /// Whether the upstream has said that it does not look at a stream.
    func neverLooked(at stream: HTTP2StreamID?) -> Bool {
        guard let stream else { return true }
        return lastStream.map { stream > $0 } ?? false
    }

    // MARK: SETTINGS

    enum Change {
        case none
        /// The first SETTINGS: requests can be sent.
        case ready
        /// The first SETTINGS allow no streams. A further connection would say the same.
        case noStreams
        /// The windows of open streams became smaller, and may be negative now (RFC 9113 section 6.9.2).
        case smallerWindows
    }

    mutating func received(_ settings: HTTP2Settings) -> Change {
        for setting in settings {
            switch setting.parameter {
            case .maxConcurrentStreams: streamLimit = min(setting.value, ownStreamLimit)
            case .initialWindowSize where setting.value < initialWindow && streams > 0: return .smallerWindows
            case .initialWindowSize: initialWindow = setting.value
            default: break
            }
        }
        peer = .speaksHTTP2
        guard phase == .opening else { return .none }
        phase = .open
        return hasRoom ? .ready : .noStreams
    }

    mutating func read() { reads &+= 1 }

    // MARK: Streams

    mutating func beginStream() { streams += 1 }

    mutating func endStream() {
        streams -= 1
        use = .repeated
    }

    /// After a stream's end and the requests that waited for its place.
    func rest() -> HTTP2ClientConnectionActions {
        guard streams == 0 else { return [] }
        switch phase {
        case .opening, .open: return .setDeadline
        case .retired: return .close
        case .closed: return []
        }
    }

    // MARK: The end

    /// GOAWAY: streams after the last one are not looked at.
    mutating func goAway(last: HTTP2StreamID) -> HTTP2ClientConnectionActions {
        lastStream = last
        return retire()
    }

    /// Takes no further streams; ends with the last one.
    mutating func retire() -> HTTP2ClientConnectionActions {
        guard phase == .opening || phase == .open else { return [] }
        phase = .retired
        return rest().union(.leave)
    }

    /// The connection ends at once, or has ended. False if it had before.
    mutating func close() -> Bool {
        defer { phase = .closed }
        return phase != .closed
    }

    /// The connection has been unused for long, or was used again just now.
    func deadlineExpired() -> HTTP2ClientConnectionActions { streams == 0 && phase != .closed ? .close : [] }
}
