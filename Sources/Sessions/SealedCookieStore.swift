/// The store whose sessions live in the browser: the cookie value is the sealed session itself.
///
/// Only what ended and who refreshes is kept here, in memory, and in a journal where one is configured. `lookup` therefore never says
/// `.ask`. One per configuration; `memory` goes on across reloads.
package struct SealedCookieStore: SessionStore {
    package let seal: SessionSeal
    package let limits: SessionLimits
    package let memory: SharedSessions

    package init(seal: SessionSeal, limits: SessionLimits, memory: SharedSessions) {
        self.seal = seal
        self.limits = limits
        self.memory = memory
    }

    package func lookup(_ cookie: RawSpan, now: Int64) -> SessionLookup {
        seal.openBytes(cookie, now: now).map { .known($0) } ?? .none
    }

    package func load(_ cookie: [UInt8], now: Int64) async throws(SessionStoreError) -> Session? {
        seal.openBytes(cookie.span.bytes, now: now)
    }

    package func save(_ session: Session, client: SessionClient?, now: Int64) async throws(SessionStoreError) -> String {
        seal.seal(session)
    }

    package var keepsSessions: Bool { false }

    package func cookie(for session: Session) -> String? { seal.seal(session) }

    package func touch(_ session: Session, now: Int64) async throws(SessionStoreError) -> String {
        seal.seal(limits.renewed(session, now: now))
    }

    package func end(_ session: Session, replacedBy successor: Session?, now: Int64) async throws(SessionStoreError) {
        guard memory.revoke(session, replacedBy: successor, limits: limits, now: now) else { throw .full }
        guard await memory.synchronise() else { throw .notKept }
    }

    package func replace(_ session: Session, by successor: Session, now: Int64) async throws(SessionStoreError) -> Bool {
        switch memory.replace(session, by: successor, limits: limits, now: now) {
        case .ended: return false
        case .full: throw .full
        case .replaced: break
        }
        guard await memory.synchronise() else { throw .notKept }
        return true
    }

    package func end(_ logout: ProviderLogout, now: Int64) async throws(SessionStoreError) -> Bool {
        switch memory.end(logout, limits: limits, now: now) {
        case .replayed: return false
        case .full: throw .full
        case .ended: break
        }
        guard await memory.synchronise() else {
            memory.takeBackUse(of: logout)
            throw .notKept
        }
        return true
    }

    package func end(
        _ logout: FrontChannelLogout, from address: String?, now: Int64
    ) async throws(SessionStoreError) -> FrontChannelEnd {
        guard
            let outcome = memory.endFromFrontChannel(
                issuer: logout.issuer, providerSessionID: logout.sessionID, from: address, limits: limits, now: now)
        else { throw .full }
        switch outcome {
        case .tooManyFromAddress, .full: return FrontChannelEnd(outcome, isKept: true)
        case .matched, .repeated, .kept: return FrontChannelEnd(outcome, isKept: await memory.synchronise())
        }
    }

    package func end(_ ending: AccountEnding, now: Int64) async throws(SessionStoreError) {
        memory.end(ending, limits: limits, now: now)
    }

    package var ends: EndCount { memory.ends }

    package func digests(of session: Session) -> SessionDigests { SessionDigests(of: session, memory.digester) }

    package func knownEnd(of session: Session, digests: SessionDigests?, now: Int64) -> KnownEnd {
        memory.isEnded(session, digests: digests, limits: limits, now: now) ? .ended : .alive
    }

    package func knownEnd(ofToken token: String, now: Int64) -> KnownEnd { memory.isEnded(token: token, now: now) ? .ended : .alive }

    package func isEnded(_ session: Session, now: Int64) async throws(SessionStoreError) -> Bool {
        memory.isEnded(session, limits: limits, now: now)
    }

    package func isEnded(token: String, now: Int64) async throws(SessionStoreError) -> Bool { memory.isEnded(token: token, now: now) }

    package func finishLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool { memory.finishLogin(id, now: now) }

    package func isFinishedLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool { memory.isFinishedLogin(id) }

    package func records(ofUser uid: String, now: Int64) async throws(SessionStoreError) -> [SessionRecord] { throw .unsupported }

    package func end(reference: String, ofUser uid: String?, now: Int64) async throws(SessionStoreError) -> SessionRecord? {
        throw .unsupported
    }

    package func endAll(ofUser uid: String, except reference: String?, now: Int64) async throws(SessionStoreError) {
        guard reference == nil else { throw .unsupported }
        guard memory.endAll(ofUser: uid, limits: limits, now: now) else { throw .full }
        guard await memory.synchronise() else { throw .notKept }
    }

    package func endEveryone(now: Int64) async throws(SessionStoreError) {
        guard memory.endEveryone(limits: limits, now: now) else { throw .full }
        guard await memory.synchronise() else { throw .notKept }
    }

    package func lock(_ key: RefreshCoordinator.Key, now: Int64) async throws(SessionStoreError) -> RefreshCoordinator.Answer {
        memory.lockRefresh(key, now: now)
    }

    package func unlock(_ key: RefreshCoordinator.Key, _ result: RefreshResult, now: Int64) async throws(SessionStoreError) {
        memory.unlockRefresh(key, result, now: now)
    }

    /// The lists of revocations and their file have checks of their own, which do not decide about readiness.
    package var status: SessionStoreStatus { SessionStoreStatus(isServing: true) }

    package func revocationLists(now: Int64) -> [RevocationList] { memory.revocationLists(now: now) }
}
