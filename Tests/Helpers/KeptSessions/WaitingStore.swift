package import Sessions
import Synchronization

/// A store that keeps sessions itself and tells nothing at once, like one on another machine. It fails on demand.
package final class WaitingStore: SessionStore {
    private struct Contents {
        var sessions: [String: Session] = [:]
        /// By the session's reference.
        var clients: [String: SessionClient] = [:]
        var touches: [Int64] = []
        var isDown = false
        var refused: Set<String> = []
    }

    private let contents = Mutex(Contents())
    private let memory = SharedSessions()
    private let limits: SessionLimits

    package init(limits: SessionLimits) { self.limits = limits }

    package var isDown: Bool {
        get { contents.withLock(\.isDown) }
        set { contents.withLock { $0.isDown = newValue } }
    }
    /// The users whose endings fail.
    package var refused: Set<String> {
        get { contents.withLock(\.refused) }
        set { contents.withLock { $0.refused = newValue } }
    }
    package var touches: [Int64] { contents.withLock(\.touches) }

    private func wait() async throws(SessionStoreError) {
        await Task.yield()
        if isDown { throw .unavailable("connection refused") }
    }

    private static func name(of session: Session) -> String { session.id.map { String($0, radix: 16) }.joined(separator: "-") }

    package func lookup(_ cookie: RawSpan, now: Int64) -> SessionLookup { .ask(SessionQuestion(about: cookie, to: self)) }
    package let keepsSessions = true
    package func cookie(for session: Session) -> String? { nil }

    package func load(_ cookie: [UInt8], now: Int64) async throws(SessionStoreError) -> Session? {
        try await wait()
        return contents.withLock { $0.sessions[String(decoding: cookie, as: UTF8.self)] }
    }

    package func save(_ session: Session, client: SessionClient?, now: Int64) async throws(SessionStoreError) -> String {
        try await wait()
        let name = Self.name(of: session)
        contents.withLock {
            $0.sessions[name] = session
            if let client { $0.clients[session.reference] = client }
        }
        return name
    }

    package func touch(_ session: Session, now: Int64) async throws(SessionStoreError) -> String {
        contents.withLock { $0.touches.append(now) }
        return try await save(limits.renewed(session, now: now), now: now)
    }

    package func end(_ session: Session, replacedBy successor: Session?, now: Int64) async throws(SessionStoreError) {
        try await wait()
        guard memory.revoke(session, replacedBy: successor, limits: limits, now: now) else { throw .full }
    }

    package func replace(_ session: Session, by successor: Session, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        switch memory.replace(session, by: successor, limits: limits, now: now) {
        case .replaced: return true
        case .ended: return false
        case .full: throw .full
        }
    }

    package func end(_ ending: AccountEnding, now: Int64) async throws(SessionStoreError) {
        try await wait()
        if refused.contains(ending.uid) { throw .unavailable("this user's sessions do not end") }
        memory.end(ending, limits: limits, now: now)
    }

    package func end(_ logout: ProviderLogout, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        switch memory.end(logout, limits: limits, now: now) {
        case .ended: return true
        case .replayed: return false
        case .full: throw .full
        }
    }

    package func end(_ logout: FrontChannelLogout, from address: String?, now: Int64) async throws(SessionStoreError) -> FrontChannelEnd {
        try await wait()
        let outcome = memory.endFromFrontChannel(
            issuer: logout.issuer, providerSessionID: logout.sessionID, from: address, limits: limits, now: now)
        guard let outcome else { throw .full }
        return FrontChannelEnd(outcome, isKept: true)
    }

    package var ends: EndCount { memory.ends }
    package func digests(of session: Session) -> SessionDigests { SessionDigests(of: session, memory.digester) }
    package func knownEnd(of session: Session, digests: SessionDigests?, now: Int64) -> KnownEnd { .ask }
    package func knownEnd(ofToken token: String, now: Int64) -> KnownEnd { .ask }

    package func isEnded(_ session: Session, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        return memory.isEnded(session, limits: limits, now: now)
    }

    package func isEnded(token: String, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        return memory.isEnded(token: token, now: now)
    }

    package func finishLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        return memory.finishLogin(id, now: now)
    }

    package func isFinishedLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        return memory.isFinishedLogin(id)
    }

    /// The sessions that have not ended, with the clients that began them.
    private func live(now: Int64) -> [(session: Session, client: SessionClient?)] {
        let (sessions, clients) = contents.withLock { ($0.sessions.values, $0.clients) }
        return sessions.filter { !memory.isEnded($0, limits: limits, now: now) }.map { ($0, clients[$0.reference]) }
    }

    package func records(ofUser uid: String, now: Int64) async throws(SessionStoreError) -> [SessionRecord] {
        try await wait()
        let records = live(now: now).filter { $0.session.uid == uid }.map {
            SessionRecord($0.session, client: $0.client ?? SessionClient(userAgent: nil, address: nil))
        }
        return Array(records.sorted { ($0.lastSeenAt, $0.id) > ($1.lastSeenAt, $1.id) }.prefix(SessionRecord.listLimit))
    }

    package func end(reference: String, ofUser uid: String?, now: Int64) async throws(SessionStoreError) -> SessionRecord? {
        try await wait()
        guard
            let (session, client) = live(now: now).first(where: {
                $0.session.reference == reference && uid ?? $0.session.uid == $0.session.uid
            })
        else { return nil }
        try await end(session, replacedBy: nil, now: now)
        return SessionRecord(session, client: client ?? SessionClient(userAgent: nil, address: nil))
    }

    package func endAll(ofUser uid: String, except reference: String?, now: Int64) async throws(SessionStoreError) {
        try await wait()
        guard let reference else {
            guard memory.endAll(ofUser: uid, limits: limits, now: now) else { throw .full }
            return
        }
        let kept = live(now: now).first { $0.session.reference == reference }?.session
        for (session, _) in live(now: now) where session.uid == uid && session.reference != reference && session.issuedAt <= now {
            try await end(session, replacedBy: kept, now: now)
        }
    }

    package func endEveryone(now: Int64) async throws(SessionStoreError) {
        try await wait()
        guard memory.endEveryone(limits: limits, now: now) else { throw .full }
    }

    package func lock(_ key: RefreshCoordinator.Key, now: Int64) async throws(SessionStoreError) -> RefreshCoordinator.Answer {
        try await wait()
        return memory.lockRefresh(key, now: now)
    }

    package func unlock(_ key: RefreshCoordinator.Key, _ result: RefreshResult, now: Int64) async throws(SessionStoreError) {
        try await wait()
        memory.unlockRefresh(key, result, now: now)
    }

    package var status: SessionStoreStatus { SessionStoreStatus(isServing: !isDown) }

    package func revocationLists(now: Int64) -> [RevocationList] { memory.revocationLists(now: now) }
}
