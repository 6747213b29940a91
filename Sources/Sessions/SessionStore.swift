/// The reason why a store could not do what it was asked; safe to log.
package enum SessionStoreError: Error, Sendable, Equatable {
    /// The list of ended sessions is full: the session goes on.
    case full
    /// The session has ended in this process, and the end is not kept: it would be undone by a restart.
    case notKept
    /// The store does not answer: nothing is known, and nothing has changed. The reason holds no secret.
    case unavailable(String)
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
    /// Only `load` can tell.
    case ask
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
    /// Like `load`, at once and without an allocation of its own; `.ask` where that is impossible. The caller must then call `load`.
    func lookup(_ cookie: UnsafeRawBufferPointer, now: Int64) -> SessionLookup

    /// The session of a cookie value; nil where there is none. Its limits, its provider and `isEnded` are the caller's to check.
    func load(_ cookie: [UInt8], now: Int64) async throws(SessionStoreError) -> Session?

    /// Keeps a session, or the next generation of one, until its absolute limit at the longest. Returns the cookie value.
    ///
    /// A `load` of that value that begins after the return finds the session, on every replica that shares the store.
    func save(_ session: Session, now: Int64) async throws(SessionStoreError) -> String

    /// Stamps the idle limit. Returns the cookie value, which may be a new one. Never moves the stamp back.
    func touch(_ session: Session, now: Int64) async throws(SessionStoreError) -> String

    /// Ends a session, every renewed or refreshed form of it, and its tokens. `successor`: a session that keeps the same tokens.
    ///
    /// On return the end survives a restart as far as this store's content does. Ending a session again is no error.
    func end(_ session: Session, replacedBy successor: Session?, now: Int64) async throws(SessionStoreError)

    /// Carries out a provider's logout token, once. False: its `jti` was used before, and nothing was changed. After a throw, the
    /// provider may send the token again.
    func end(_ logout: ProviderLogout, now: Int64) async throws(SessionStoreError) -> Bool

    /// Whether a session was ended, by itself or at its provider. An end that was confirmed is never forgotten before the session's
    /// absolute limit.
    func isEnded(_ session: Session, now: Int64) async throws(SessionStoreError) -> Bool

    /// Whether a token was held by a session that was ended.
    func isEnded(token: String, now: Int64) async throws(SessionStoreError) -> Bool

    /// Marks the login with this id as finished, atomically. False: it was finished before.
    func finishLogin(_ id: String, now: Int64) async throws(SessionStoreError) -> Bool

    /// Asks for the right to refresh one generation of a session. One caller at a time gets `.start`, and again only after the attempt
    /// limit of `RefreshCoordinator.Limits`; it must call `unlock`. Later callers get the result for at least ten minutes.
    func lock(_ key: RefreshCoordinator.Key, now: Int64) async throws(SessionStoreError) -> RefreshCoordinator.Answer

    /// Reports the outcome. A success is never replaced by a failure.
    func unlock(_ key: RefreshCoordinator.Key, _ result: RefreshResult, now: Int64) async throws(SessionStoreError)

    /// The current status; never waits.
    var status: SessionStoreStatus { get }
}
