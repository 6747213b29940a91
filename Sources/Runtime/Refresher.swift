import Accounts
import Backchannel
import Logging
import Sessions

/// Refreshes sessions at their providers: once for each, however many requests ask.
actor Refresher {
    enum Outcome: Sendable {
        /// The session to go on with: refreshed, or the old one while the provider is out of order.
        case session(Session)
        /// The provider ended it.
        case ended
    }

    private var clients: [String: ProviderClient]
    private var contents: SessionContents
    private var log: EventLog
    private let now: @Sendable () -> Int64
    private var coordinator = RefreshCoordinator()
    private var running: [RefreshCoordinator.Key: Task<Void, Never>] = [:]

    init(clients: [String: ProviderClient], contents: SessionContents, log: EventLog, now: @escaping @Sendable () -> Int64) {
        self.clients = clients
        self.contents = contents
        self.log = log
        self.now = now
    }

    /// The next configuration's providers; what was begun, refused or put off stays so.
    func adopt(clients: [String: ProviderClient], contents: SessionContents, log: EventLog) {
        self.clients = clients
        self.contents = contents
        self.log = log
    }

    /// The current form of a session that is due. A request that finds another one refreshing waits for it only when its own
    /// access token has run out.
    func current(_ session: Session) async -> Outcome {
        var session = session
        // A result may be due again itself; a chain longer than this is a provider that issues expired tokens.
        for _ in 0..<4 {
            guard RefreshCoordinator.refreshDue(session, now: now()) else { return .session(session) }
            let key = RefreshCoordinator.Key(session)
            switch coordinator.request(key, now: now()) {
            case .useResult(let refreshed):
                session = refreshed
            case .ended:
                return .ended
            case .notNow:
                return .session(session)
            case .start:
                let due = session
                let task = Task { await self.refresh(due, key) }
                running[key] = task
                await task.value
                running[key] = nil
            case .wait:
                guard let task = running[key], (session.tokens.accessTokenExpiresAt ?? .max) <= now() else { return .session(session) }
                await task.value
            }
        }
        return .session(session)
    }

    private func refresh(_ session: Session, _ key: RefreshCoordinator.Key) async {
        guard let client = clients[session.identity.provider] else {
            log.write(
                .notice, "refresh-refused", "the session's provider is not configured any more",
                [("provider", .text(session.identity.provider))])
            return coordinator.failed(key, .invalidGrant, now: now())
        }
        switch await client.refresh(session) {
        case .refreshed(let tokens, let identity):
            guard let refreshed = session.refreshed(tokens: contents.tokens(tokens), identity: contents.kept(identity), now: now()) else {
                log.write(
                    .warning, "refresh-refused", "the refreshed identity is another person's; the session ends",
                    [("provider", .text(session.identity.provider)), ("uid", .text(session.uid))])
                return coordinator.failed(key, .invalidGrant, now: now())
            }
            coordinator.succeeded(key, refreshed, now: now())
            log.write(
                .info, "refreshed", "a session's tokens were renewed",
                [("provider", .text(session.identity.provider)), ("uid", .text(session.uid))])
        case .invalidGrant(let reason):
            coordinator.failed(key, .invalidGrant, now: now())
            log.write(
                .notice, "refresh-refused", "the provider ended the session",
                [("provider", .text(session.identity.provider)), ("uid", .text(session.uid)), ("reason", .text(reason))])
        case .outage(let reason):
            coordinator.failed(key, .outage, now: now())
            log.write(
                .warning, "refresh-failed", "a session could not be refreshed; it goes on and is tried again",
                [("provider", .text(session.identity.provider)), ("reason", .text(reason))])
        }
    }
}
