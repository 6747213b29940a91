import Exchanges

/// The unused upstream connections of one client connection that were authenticated (NTLM, Negotiate). Each serves the requests of one caller
/// and is closed with the client connection.
final class OwnedConnections: ClientBound {
    /// More callers than this on one client connection get new connections for each request.
    private static let most = 16

    private var waiting: [(owner: ConnectionOwner, connection: UpstreamConnection)] = []
    private var isClosed = false

    /// Takes the caller's connection out of the list for its next request.
    func take(for owner: ConnectionOwner, where serves: (UpstreamConnection) -> Bool) -> UpstreamConnection? {
        guard let index = waiting.lastIndex(where: { $0.owner == owner && serves($0.connection) }) else { return nil }
        let connection = waiting.remove(at: index).connection
        connection.pool.connections.owned.removeAll { $0 === connection }
        return connection
    }

    /// Keeps a connection for the caller's next request. False: it must be closed.
    func keep(_ connection: UpstreamConnection, for owner: ConnectionOwner) -> Bool {
        guard !isClosed else { return false }
        waiting.append((owner, connection))
        if waiting.count > Self.most { waiting[0].connection.close() }
        return true
    }

    func remove(_ connection: UpstreamConnection) { waiting.removeAll { $0.connection === connection } }

    func clientClosed() {
        isClosed = true
        for (_, connection) in waiting { connection.close() }
        waiting = []
    }
}

extension Exchange {
    /// The upstream connections of the client connection, for one more.
    func ownedConnections() -> OwnedConnections {
        if let owned = bound as? OwnedConnections { return owned }
        let owned = OwnedConnections()
        bound = owned
        return owned
    }
}

/// Whose an upstream connection is.
enum ConnectionOwnership {
    /// It serves everybody.
    case shared
    /// A request or response on it authenticates the connection (NTLM, Negotiate): it serves one caller.
    case authenticated
    /// It waits for the next request of its caller. `isShort`: not for long, because others wait for a connection.
    case waiting(OwnedConnections, isShort: Bool)

    var isAuthenticated: Bool { if case .shared = self { false } else { true } }
}

// Connections that were authenticated.
extension UpstreamConnection {
    /// Milliseconds that one waits for its caller while requests of others wait for a connection (`maxConnections`): longer than the
    /// steps of a handshake take, which come at once.
    private static let waitUnderPressure: Int64 = 1_000

    /// Keeps the connection for the next request of its caller on the client connection. `owner`: nil if nobody may have it.
    func rest(for owner: ConnectionOwner?, of exchange: Exchange) {
        guard let owner else { return close() }
        let owned = exchange.ownedConnections()
        guard owned.keep(self, for: owner) else { return close() }
        ownership = .waiting(owned, isShort: false)
        setDeadline()
        pool.keep(self)
    }

    /// Requests of others wait for a connection.
    func shortenWait() {
        guard case .waiting(let owned, isShort: false) = ownership else { return }
        ownership = .waiting(owned, isShort: true)
        wheel.set(deadline, milliseconds: Self.waitUnderPressure)
    }

    /// Leaves the list of its client connection.
    func leaveOwner() {
        guard case .waiting(let owned, _) = ownership else { return }
        ownership = .authenticated
        owned.remove(self)
    }
}

extension UpstreamPool {
    /// Counts an authenticated connection that waits for its caller. Too many: the one that has waited longest closes.
    func keep(_ connection: UpstreamConnection) {
        connections.owned.append(connection)
        if connections.owned.count > settings.idleConnections { connections.owned[0].close() }
        if let limit = target.connectionLimit, limit.hasWaiting { connection.shortenWait() }
    }
}
