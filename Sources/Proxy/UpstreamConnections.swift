/// The connections of one event loop to one target, and what they have shown about the target.
struct UpstreamConnections {
    /// The version of HTTP that requests without an upgrade get.
    enum Version { case http1, http2 }

    /// Those that wait for their next request; the last one is the most recently used.
    var idle: [UpstreamConnection] = []
    /// Those that wait for the next request of one caller, the least recently used first.
    var owned: [UpstreamConnection] = []
    /// HTTP/2 connections that take further streams.
    private(set) var sessions: [UpstreamSession] = []
    private var opening: [UpstreamOpening] = []
    /// The one that the target chose last, or the only one.
    private var version: Version
    /// Connections opened since the start.
    private(set) var opened = 0

    init(_ version: Version) { self.version = version }

    /// Takes further requests at once, for those that one of the waiting connections serves as well.
    var session: UpstreamSession? { sessions.first(where: \.hasRoom) }

    /// Will take further requests, if it becomes what the one before was.
    var openingSession: UpstreamOpening? { version == .http2 ? opening.last { $0.hasRoom } : nil }

    /// A connection is being opened.
    mutating func open() { opened += 1 }

    mutating func open(_ connection: UpstreamOpening) { opening.append(connection) }

    /// The connection is open and speaks HTTP/1.1.
    mutating func became(http1 connection: UpstreamOpening) {
        failedToOpen(connection)
        if !connection.http1Only { version = .http1 }
    }

    /// The connection is open and speaks HTTP/2.
    mutating func became(_ session: UpstreamSession, _ connection: UpstreamOpening) {
        failedToOpen(connection)
        version = .http2
        sessions.append(session)
    }

    mutating func failedToOpen(_ connection: UpstreamOpening) { opening.removeAll { $0 === connection } }

    mutating func remove(_ connection: UpstreamConnection) {
        if let index = idle.lastIndex(where: { $0 === connection }) { idle.remove(at: index) }
        if connection.ownership.isAuthenticated { owned.removeAll { $0 === connection } }
    }

    /// The session takes no further streams.
    mutating func remove(_ session: UpstreamSession) { sessions.removeAll { $0 === session } }
}
