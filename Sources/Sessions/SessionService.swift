package import Accounts

/// Issues, opens, renews, refreshes, revokes and lists sessions, over any `SessionStore`. One per configuration.
///
/// Everything that has to do with a session goes through here: sign-ins, `POST /session`, bearer tokens, logouts, streams and tests. Times are
/// Unix milliseconds. What the store cannot tell counts as no session.
package final class SessionService: Sendable {
    package let cookies: SessionCookies
    package let limits: SessionLimits
    package let contents: SessionContents
    package let store: any SessionStore
    /// The count of `store`, here so that a request needs no call through the protocol.
    package let ends: EndCount
    /// For tunnels and event streams.
    package let activity: SessionActivity
    /// The reason why an identity's provider no longer vouches for it; nil while it does.
    package let providerRefusal: @Sendable (ProviderIdentity) -> Authentication.Refusal?
    let refresher: SessionRefresher

    /// `refresher` and `activity` go on across configurations.
    package init(
        store: any SessionStore, cookies: SessionCookies, limits: SessionLimits, contents: SessionContents, activity: SessionActivity,
        refresher: SessionRefresher, providerRefusal: @escaping @Sendable (ProviderIdentity) -> Authentication.Refusal?
    ) {
        self.store = store
        self.cookies = cookies
        self.limits = limits
        self.contents = contents
        self.activity = activity
        self.refresher = refresher
        self.providerRefusal = providerRefusal
        ends = store.ends
    }

    // MARK: Opening

    /// What `open` found.
    package enum Opened: Sendable {
        case known(Authentication)
        /// Only `ask` can tell.
        case ask(SessionQuestion)
    }

    /// The live session of a cookie's value, at once.
    package func open(_ cookie: RawSpan, now: Int64) -> Opened {
        switch store.lookup(cookie, now: now) {
        case .known(let session):
            if let known = standing(of: session, now: now) { return .known(known) }
            return .ask(SessionQuestion(about: cookie, to: store))
        case .none: return .known(.invalid(.seal))
        case .ask(let question): return .ask(question)
        }
    }

    /// The live session of a cookie that `open` has read. The completion is called once, before the return or later on any thread.
    package func ask(_ question: SessionQuestion, now: Int64, _ completion: @escaping @Sendable (Authentication) -> Void) {
        question.ask(now) { [self] answer in
            switch answer {
            case .failure: completion(.invalid(.storeUnavailable))
            case .success(nil): completion(.invalid(.seal))
            case .success(let loaded?):
                switch loaded.end {
                case .alive: completion(evaluate(loaded.session, now: now))
                case .ended: completion(.invalid(.revoked))
                case .ask: Task { completion(await check(loaded.session, digests: loaded.digests, now: now)) }
                }
            }
        }
    }

    package func ask(_ question: SessionQuestion, now: Int64) async -> Authentication {
        await withCheckedContinuation { continuation in ask(question, now: now) { continuation.resume(returning: $0) } }
    }

    /// The session of a cookie's value, whether or not it was ended or counts at present; nil after its absolute limit.
    package func loadUnchecked(_ cookie: [UInt8], now: Int64) async throws(SessionStoreError) -> Session? {
        let session: Session?
        switch store.lookup(cookie.span.bytes, now: now) {
        case .known(let known): session = known
        case .none: session = nil
        case .ask(let question): session = try await question.answer(now)?.session
        }
        return session.flatMap { now < limits.absoluteEnd(of: $0) ? $0 : nil }
    }

    // MARK: Checking

    /// Revocation, provider and limits of a session that was opened before, at once; nil: only `check` can tell.
    package func standing(of session: Session, digests: SessionDigests? = nil, now: Int64) -> Authentication? {
        switch store.knownEnd(of: session, digests: digests, now: now) {
        case .ended: .invalid(.revoked)
        case .alive: evaluate(session, now: now)
        case .ask: nil
        }
    }

    /// Revocation, provider and limits of a session that was opened before. `digests`: nil makes them.
    package func check(_ session: Session, digests: SessionDigests? = nil, now: Int64) async -> Authentication {
        if let known = standing(of: session, digests: digests, now: now) { return known }
        do throws(SessionStoreError) {
            return try await store.isEnded(session, now: now) ? .invalid(.revoked) : evaluate(session, now: now)
        } catch {
            return .invalid(.storeUnavailable)
        }
    }

    /// Provider and limits of a session that was not revoked.
    private func evaluate(_ session: Session, now: Int64) -> Authentication {
        if let refusal = providerRefusal(session.identity) { return .invalid(refusal) }
        return limits.evaluate(session, now: now)
    }

    /// Whether a token that came with a request has ended, and why: as the token of an ended session, or with its provider's session.
    /// At once; `.ask`: only `endOfToken` can tell.
    package func knownEnd(ofToken token: String, presenting session: Session, now: Int64) -> TokenEnd {
        switch (store.knownEnd(ofToken: token, now: now), store.knownEnd(of: session, digests: nil, now: now)) {
        case (.ended, _): .session
        case (_, .ended): .shared
        case (.alive, .alive): .none
        case (.ask, _), (_, .ask): .ask
        }
    }

    /// Like `knownEnd(ofToken:)`; never `.ask`.
    package func endOfToken(_ token: String, presenting session: Session, now: Int64) async throws(SessionStoreError) -> TokenEnd {
        let known = knownEnd(ofToken: token, presenting: session, now: now)
        guard known == .ask else { return known }
        if try await store.isEnded(token: token, now: now) { return .session }
        return try await store.isEnded(session, now: now) ? .shared : .none
    }

    /// The reason why a token has ended.
    package enum TokenEnd: Sendable, Equatable {
        case none
        /// A session that held it was ended.
        case session
        /// With its sign-in, its user or the provider's session.
        case shared
        case ask
    }

    // MARK: Renewing

    /// The session with its idle limit stamped now. A store that keeps sessions itself is told.
    package func renew(_ session: Session, now: Int64) -> Session {
        activity.note(session.id, now: now)
        let renewed = limits.renewed(session, now: now)
        // The stamp is not worth the wait: if it fails, the next request sets it.
        if store.keepsSessions { Task { [store] in _ = try? await store.touch(renewed, now: now) } }
        return renewed
    }

    /// The `Set-Cookie` values of a session, without its ID token if it does not fit otherwise; none where the browser's cookie stays good.
    package func setCookieLines(for session: Session, existingNames: [String]) throws(SessionTooLarge) -> [String] {
        guard let cookie = store.cookie(for: session) else { return [] }
        do {
            return try cookies.setCookieLines(sealed: cookie, existingNames: existingNames)
        } catch {
            guard session.tokens.idToken != nil, let smaller = store.cookie(for: session.withoutIDToken()) else { throw error }
            return try cookies.setCookieLines(sealed: smaller, existingNames: existingNames)
        }
    }

    // MARK: Refreshing

    /// The current form of a session that is due, checked: after a refresh with its idle limit stamped.
    package func refresh(_ session: Session) async -> RefreshedSession {
        let outcome = await refresher.current(session, in: store)
        let now = refresher.now()
        guard case .session(let current) = outcome else {
            // A copy of the cookie must not outlive what the provider has ended.
            try? await store.end(session, replacedBy: nil, now: now)
            return .ended
        }
        switch await check(current, now: now) {
        case .session: break
        case .invalid(.storeUnavailable): return .unavailable
        case .invalid, .anonymous: return .ended
        }
        guard current.generation != session.generation else { return .unchanged(current) }
        activity.note(current.id, now: now)
        // A remembered result carries the idle stamp of its refresh, not of this request.
        return .refreshed(limits.renewed(current, now: now))
    }

    // MARK: Ending

    /// Ends a session and its tokens. False: it had ended before.
    package func revoke(_ session: Session, now: Int64) async throws(SessionStoreError) -> Bool {
        let wasEnded = try await store.isEnded(session, now: now)
        try await store.end(session, replacedBy: nil, now: now)
        return !wasEnded
    }

    /// Carries out a provider's logout token, once. False: it was used before.
    package func end(_ logout: ProviderLogout, now: Int64) async throws(SessionStoreError) -> Bool {
        try await store.end(logout, now: now)
    }

    /// Carries out a front-channel logout.
    package func end(
        _ logout: FrontChannelLogout, from address: String?, now: Int64
    ) async throws(SessionStoreError) -> FrontChannelEnd {
        try await store.end(logout, from: address, now: now)
    }

    /// Ends the sessions of an account that were issued up to a time.
    package func end(_ ending: AccountEnding, now: Int64) async throws(SessionStoreError) { try await store.end(ending, now: now) }
}

/// The outcome of `SessionService.refresh`.
package enum RefreshedSession: Sendable {
    /// The next generation, whose cookie the browser needs.
    case refreshed(Session)
    /// It goes on as it is: nothing was due, or the provider cannot be reached.
    case unchanged(Session)
    case ended
    /// The store does not say whether it has ended.
    case unavailable
}
