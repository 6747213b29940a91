import Sessions
import Synchronization

/// A store that keeps sessions itself and tells nothing at once, like one on another machine. It fails on demand.
final class WaitingStore: SessionStore {
    private struct Contents {
        var sessions: [String: Session] = [:]
        var touches: [Int64] = []
        var isDown = false
    }

    private let contents = Mutex(Contents())
    private let memory = SharedSessions()
    private let limits: SessionLimits

    init(limits: SessionLimits) { self.limits = limits }

    var isDown: Bool {
        get { contents.withLock(\.isDown) }
        set { contents.withLock { $0.isDown = newValue } }
    }
    var touches: [Int64] { contents.withLock(\.touches) }

    private func wait() async throws(SessionStoreError) {
        await Task.yield()
        if isDown { throw .unavailable("connection refused") }
    }

    private static func name(of session: Session) -> String { session.id.map { String($0, radix: 16) }.joined(separator: "-") }

    func lookup(_ cookie: UnsafeRawBufferPointer, now: Int64) -> SessionLookup { .ask }
    let keepsSessions = true
    func cookie(for session: Session) -> String? { nil }

    func load(_ cookie: [UInt8], now: Int64) async throws(SessionStoreError) -> Session? {
        try await wait()
        return contents.withLock { $0.sessions[String(decoding: cookie, as: UTF8.self)] }
    }

    func save(_ session: Session, now: Int64) async throws(SessionStoreError) -> String {
        try await wait()
        let name = Self.name(of: session)
        contents.withLock { $0.sessions[name] = session }
        return name
    }

    func touch(_ session: Session, now: Int64) async throws(SessionStoreError) -> String {
        contents.withLock { $0.touches.append(now) }
        return try await save(limits.renewed(session, now: now), now: now)
    }

    func end(_ session: Session, replacedBy successor: Session?, now: Int64) async throws(SessionStoreError) {
        try await wait()
        guard memory.revoke(session, replacedBy: successor, limits: limits, now: now) else { throw .full }
    }

    func end(_ ending: AccountEnding, now: Int64) async throws(SessionStoreError) {
        try await wait()
        guard memory.end(ending, limits: limits, now: now) else { throw .full }
    }

    func end(_ logout: ProviderLogout, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        switch memory.end(logout, limits: limits, now: now) {
        case .ended: return true
        case .replayed: return false
        case .full: throw .full
        }
    }

    func end(_ logout: FrontChannelLogout, from address: String?, now: Int64) async throws(SessionStoreError) -> FrontChannelEnd {
        try await wait()
        let outcome = memory.endFromFrontChannel(
            issuer: logout.issuer, providerSessionID: logout.sessionID, from: address, limits: limits, now: now)
        guard let outcome else { throw .full }
        return FrontChannelEnd(outcome, isKept: true)
    }

    var ends: EndCount { memory.ends }
    func digests(of session: Session) -> SessionDigests { SessionDigests(of: session, memory.digester) }
    func knownEnd(of session: Session, digests: SessionDigests?, now: Int64) -> KnownEnd { .ask }
    func knownEnd(ofToken token: String, now: Int64) -> KnownEnd { .ask }

    func isEnded(_ session: Session, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        return memory.isEnded(session, limits: limits, now: now)
    }

    func isEnded(token: String, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        return memory.isEnded(token: token, now: now)
    }

    func finishLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        return memory.finishLogin(id, now: now)
    }

    func isFinishedLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool {
        try await wait()
        return memory.isFinishedLogin(id)
    }

    func sessions(ofUser uid: String, now: Int64) async throws(SessionStoreError) -> [Session]? {
        try await wait()
        return contents.withLock { $0.sessions.values.filter { $0.uid == uid } }
            .filter { !memory.isEnded($0, limits: limits, now: now) }
    }

    func lock(_ key: RefreshCoordinator.Key, now: Int64) async throws(SessionStoreError) -> RefreshCoordinator.Answer {
        try await wait()
        return memory.lockRefresh(key, now: now)
    }

    func unlock(_ key: RefreshCoordinator.Key, _ result: RefreshResult, now: Int64) async throws(SessionStoreError) {
        try await wait()
        memory.unlockRefresh(key, result, now: now)
    }

    var status: SessionStoreStatus { SessionStoreStatus(isServing: !isDown) }
}
