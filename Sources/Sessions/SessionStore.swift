import Primitives
import Synchronization

/// The reason why a store could not do what it was asked; safe to log.
package enum SessionStoreError: Error, Sendable, Equatable {
    /// The list of ended sessions is full: the session goes on.
    case full
    /// The session has ended in this process, and the end is not kept: it would be undone by a restart.
    case notKept
    /// The store does not answer: nothing is known, and nothing has changed. The reason holds no secret.
    case unavailable(String)
    /// The store does not keep sessions, so it can neither list them nor find one by its reference.
    case unsupported
}

/// The outcome of a refresh that held the lock.
package enum RefreshResult: Sendable {
    case refreshed(Session)
    case failed(RefreshCoordinator.Failure)
}

/// What a store knows about a cookie without asking another machine.
package enum SessionLookup: Sendable {
    case known(Session)
    /// The cookie refers to no session, for whatever reason.
    case none
    /// Only an answer to this question can tell.
    case ask(SessionQuestion)
}

/// The question of `lookup` about one cookie, with what it has read of the cookie already.
package struct SessionQuestion: Sendable {
    /// Hears the answer once: the session, nil where there is none, or the reason why the store cannot tell.
    package typealias Completion = @Sendable (Result<LoadedSession?, SessionStoreError>) -> Void

    /// Like `SessionStore.load`, but without a task: requests ask it. The completion is called before it returns, or later on any thread.
    package let ask: @Sendable (_ now: Int64, _ completion: @escaping Completion) -> Void

    package init(_ ask: @escaping @Sendable (_ now: Int64, _ completion: @escaping Completion) -> Void) { self.ask = ask }

    /// Asks for the whole cookie.
    package init(about cookie: RawSpan, to store: any SessionStore) {
        let cookie = Array(cookie)
        self.init { now, completion in
            Task {
                do throws(SessionStoreError) {
                    completion(.success(try await store.load(cookie, now: now).map { LoadedSession($0) }))
                } catch {
                    completion(.failure(error))
                }
            }
        }
    }

    package func answer(_ now: Int64) async throws(SessionStoreError) -> LoadedSession? {
        try await withCheckedContinuation { continuation in ask(now) { continuation.resume(returning: $0) } }.get()
    }
}

/// A session that a store has opened. A class, because it passes through several functions that wait, and a session is large.
package final class LoadedSession: Sendable {
    package let session: Session
    /// nil: they have not been made.
    package let digests: SessionDigests?
    /// Whether it has ended, as far as the store asked.
    package let end: KnownEnd

    package init(_ session: consuming Session, digests: SessionDigests? = nil, end: KnownEnd = .ask) {
        self.session = session
        self.digests = digests
        self.end = end
    }
}

/// What a store knows about the end of a session or token without asking another machine.
package enum KnownEnd: Sendable, Equatable {
    case ended
    case alive
    /// Only `isEnded` can tell.
    case ask
}

/// Counts the ends of sessions that a process knows. Whoever kept the answer "it has not ended" asks again when the count has changed.
package final class EndCount: Sendable {
    private let count = Atomic<Int>(0)
    private let isIncomplete = Atomic<Bool>(false)

    package init() {}

    package var value: Int {
        guard isIncomplete.load(ordering: .acquiring) else { return count.load(ordering: .acquiring) }
        return count.add(1, ordering: .acquiringAndReleasing).newValue
    }

    /// Whether ends may be missing, because the process does not hear of them: then no value is read twice, and each request asks the store.
    package func setIncomplete(_ value: Bool) {
        isIncomplete.store(value, ordering: .releasing)
        increment()
    }

    package func increment() { count.add(1, ordering: .acquiringAndReleasing) }
}

/// What a store did with a front-channel logout.
package struct FrontChannelEnd: Sendable {
    package let outcome: FrontChannelLogouts.Outcome
    /// False: it holds in this process only, and would be undone by a restart.
    package let isKept: Bool

    package init(_ outcome: FrontChannelLogouts.Outcome, isKept: Bool) {
        self.outcome = outcome
        self.isKept = isKept
    }
}

/// What a store reports about itself, for `/readyz`.
package struct SessionStoreStatus: Sendable, Equatable {
    /// Whether sessions can be opened and issued.
    package var isServing: Bool
    /// A failure, or a limitation of a store that serves; empty without one. Holds no secret.
    package var detail: String

    package init(isServing: Bool, detail: String = "") {
        self.isServing = isServing
        self.detail = detail
    }
}

/// Keeps sessions, and what must be known to all requests and outlive them: what ended, what was used, who refreshes.
///
/// Times are Unix milliseconds. Cookie values are what the browser sends, its pieces joined: at most 20 KiB. A store is safe to call from
/// any thread. Whatever a function throws, the caller refuses: a session that cannot be checked counts as none.
package protocol SessionStore: Sendable {
    /// Like `load`, at once and without an allocation of its own; `.ask` where that is impossible.
    func lookup(_ cookie: RawSpan, now: Int64) -> SessionLookup

    /// The session of a cookie value; nil where there is none. Its limits, its provider and `isEnded` are the caller's to check.
    func load(_ cookie: [UInt8], now: Int64) async throws(SessionStoreError) -> Session?

    /// Keeps a session, or the next generation of one, until its absolute limit at the longest. Returns the cookie value.
    ///
    /// A `load` of that value that begins after the return finds the session, on every replica that shares the store. `client`: where a
    /// new session was begun; nil for a next generation, which keeps what is known.
    func save(_ session: Session, client: SessionClient?, now: Int64) async throws(SessionStoreError) -> String

    /// Whether the store keeps sessions itself, and the cookie only names one.
    var keepsSessions: Bool { get }

    /// The cookie value that stores a session, at once; nil: the browser's value stays good, because the store keeps the session itself.
    func cookie(for session: Session) -> String?

    /// Stamps the idle limit. Returns the cookie value, which may be a new one. Never moves the stamp back.
    func touch(_ session: Session, now: Int64) async throws(SessionStoreError) -> String

    /// Ends a session, every renewed or refreshed form of it, and its tokens. `successor`: a session that keeps the same tokens.
    ///
    /// On return the end survives a restart as far as this store's content does. Ending a session again is no error.
    func end(_ session: Session, replacedBy successor: Session?, now: Int64) async throws(SessionStoreError)

    /// Ends a session like `end(_:replacedBy:now:)`, in one step with the look whether it has ended before. False: it had, by itself or with
    /// others, and the successor must not be used.
    func replace(_ session: Session, by successor: Session, now: Int64) async throws(SessionStoreError) -> Bool

    /// Carries out a provider's logout token, once. False: its `jti` was used before, and nothing was changed. After a throw, the
    /// provider may send the token again.
    func end(_ logout: ProviderLogout, now: Int64) async throws(SessionStoreError) -> Bool

    /// Carries out a front-channel logout, which anybody can send. `address`: the client's network; nil without one. Throws
    /// `.full` when it names sessions that were seen and cannot be recorded.
    func end(_ logout: FrontChannelLogout, from address: String?, now: Int64) async throws(SessionStoreError) -> FrontChannelEnd

    /// Ends the sessions of an account that were issued up to a time. Only this process has to know: the account store tells every
    /// replica. Repeating it is no error. Never refused because of other ends: no throw of `.full`.
    func end(_ ending: AccountEnding, now: Int64) async throws(SessionStoreError)

    /// Grows with each end that this process knows.
    var ends: EndCount { get }

    /// What `knownEnd` compares; made once for a session that is asked about often.
    func digests(of session: Session) -> SessionDigests

    /// Like `isEnded`, at once; `.ask` where that is impossible. `digests`: nil makes them.
    func knownEnd(of session: Session, digests: SessionDigests?, now: Int64) -> KnownEnd

    /// Like `isEnded(token:)`, at once.
    func knownEnd(ofToken token: String, now: Int64) -> KnownEnd

    /// Whether a session was ended, by itself or at its provider. An end that was confirmed is never forgotten before the session's
    /// absolute limit.
    func isEnded(_ session: Session, now: Int64) async throws(SessionStoreError) -> Bool

    /// Whether a token was held by a session that was ended.
    func isEnded(token: String, now: Int64) async throws(SessionStoreError) -> Bool

    /// Marks the login with this id as finished, atomically. False: it was finished before.
    func finishLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool

    func isFinishedLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool

    /// The sessions of a user that have not ended, the most recently used first, at most `SessionRecord.listLimit` of them. Their provider
    /// and limits are the caller's to check. Throws `.unsupported` where the store does not keep sessions.
    func records(ofUser uid: String, now: Int64) async throws(SessionStoreError) -> [SessionRecord]

    /// Ends the session with this reference and its tokens, like `end(_:replacedBy:now:)`. `uid`: the user whose session it must be; nil:
    /// anybody's. Returns its record; nil: there is no such session, or it had ended. Throws `.unsupported` where the store does not keep
    /// sessions. `reference` is any text.
    func end(reference: String, ofUser uid: String?, now: Int64) async throws(SessionStoreError) -> SessionRecord?

    /// Ends all sessions of a user that were issued up to now, on every replica that shares the store, and tokens that the provider issued
    /// to the user until then. `reference`: a session that goes on with its tokens; throws `.unsupported` with one where the store does not
    /// keep sessions. Without a session of the user it is no error.
    func endAll(ofUser uid: String, except reference: String?, now: Int64) async throws(SessionStoreError)

    /// Ends all sessions of all users that were issued up to now, and all tokens that providers issued until then.
    func endEveryone(now: Int64) async throws(SessionStoreError)

    /// Asks for the right to refresh one generation of a session. One caller at a time gets `.start`, and again only after the attempt
    /// limit of `RefreshCoordinator.Limits`; it must call `unlock`. Later callers get the result for at least ten minutes.
    func lock(_ key: RefreshCoordinator.Key, now: Int64) async throws(SessionStoreError) -> RefreshCoordinator.Answer

    /// Reports the outcome. A success is never replaced by a failure.
    func unlock(_ key: RefreshCoordinator.Key, _ result: RefreshResult, now: Int64) async throws(SessionStoreError)

    /// The current status; never waits.
    var status: SessionStoreStatus { get }

    /// The lists of what this process knows of ends, for `/readyz` and metrics.
    func revocationLists(now: Int64) -> [RevocationList]
}

extension SessionStore {
    /// Keeps the next generation of a session.
    package func save(_ session: Session, now: Int64) async throws(SessionStoreError) -> String {
        try await save(session, client: nil, now: now)
    }
}
