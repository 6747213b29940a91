package import Accounts

/// The account and tokens of a verified sign-in, from which a session is issued.
package struct VerifiedSignIn: Sendable {
    package let account: AccountOutcome
    /// Unix milliseconds; nil: the time of issue.
    package let authTime: Int64?
    package let providerSessionID: String?
    package let tokens: Session.Tokens
    /// nil without an account store.
    package let facts: SessionAccount?

    /// The same sign-in with other facts about the account.
    package func with(facts: SessionAccount?) -> VerifiedSignIn {
        VerifiedSignIn(account: account, authTime: authTime, providerSessionID: providerSessionID, tokens: tokens, facts: facts)
    }

    /// The same sign-in with the second factor of the session that it renews.
    ///
    /// The user did not show the factor again, so the time of the sign-in stays the session's, too: otherwise a fresh first factor would
    /// count as a fresh sign-in with two. Nil if the session has no second factor.
    package func keepingFactor(of session: Session) -> VerifiedSignIn? {
        guard let facts, let account = session.account, let factor = account.secondFactor else { return nil }
        return VerifiedSignIn(
            account: self.account, authTime: min(session.authTime, authTime ?? session.authTime), providerSessionID: providerSessionID,
            tokens: tokens, facts: facts.shown(factor, account.methods))
    }

    package init(
        account: AccountOutcome, authTime: Int64?, providerSessionID: String?, tokens: Session.Tokens, facts: SessionAccount? = nil
    ) {
        self.account = account
        self.authTime = authTime
        self.providerSessionID = providerSessionID
        self.tokens = tokens
        self.facts = facts
    }
}

/// The browser that a session is issued to.
package struct SessionBrowser: Sendable {
    package let client: SessionClient
    /// The names of the cookies that it sent, duplicates included.
    package let cookieNames: [String]

    package init(_ client: SessionClient, cookieNames: [String]) {
        self.client = client
        self.cookieNames = cookieNames
    }
}

/// A session that was issued and kept.
package struct IssuedSession: Sendable {
    package let session: Session
    /// Values of `Set-Cookie`, one field each.
    package let setCookies: [String]
    /// The groups of the identity, and how many of them the session lacks because it would not have fitted.
    package let groups: Int
    package let leftOutGroups: Int
    /// The reason why the browser's earlier session was not ended; nil: it was, or there was none.
    package let previousGoesOn: SessionStoreError?
}

/// The reason why no session was issued.
package enum SessionIssueError: Error, Sendable, Equatable {
    /// No form of it fits into cookies.
    case tooLarge
    /// The session that was to go on has ended.
    case ended
    case store(SessionStoreError)
}

extension SessionService {
    /// Issues the session of a completed sign-in, always with a new id. Every kind of sign-in goes through here, so all sessions keep the same
    /// parts of an identity.
    ///
    /// `previous`: the session that the browser has already: it ends. `browser`: the client, and the cookies that it sent.
    package func issue(
        for signIn: VerifiedSignIn, replacing previous: Session?, to browser: SessionBrowser, now: Int64
    ) async throws(SessionIssueError) -> IssuedSession {
        let forms = forms(of: signIn, now: now)
        return try await keep(forms, of: forms[0], .any(previous), browser, now)
    }

    /// A session for a sign-in, and what is left of it to make it fit: an app can do without claims that no rule reads, and without a
    /// token, but not without a session.
    func forms(of signIn: VerifiedSignIn, now: Int64) -> [Session] {
        let identity = contents.kept(signIn.account.identity)
        let whole = session(signIn, identity, now)
        let reduced = session(signIn, contents.reduced(identity), now)
        return [whole, whole.withoutIDToken(), reduced, reduced.withoutIDToken(), reduced.withoutAccessToken()]
    }

    /// The browser's earlier session, which ends.
    enum Replaced {
        /// Whether or not it has ended before.
        case any(Session?)
        /// Only if it has not ended before: else there is no new one.
        case alive(Session)
    }

    /// Keeps the first form that fits, and ends the browser's earlier session.
    func keep(
        _ forms: [Session], of whole: Session, _ previous: Replaced, _ browser: SessionBrowser, _ now: Int64
    ) async throws(SessionIssueError) -> IssuedSession {
        for form in forms {
            let lines: [String]
            do throws(SessionStoreError) {
                let cookie = try await store.save(form, client: browser.client, now: now)
                guard let fitting = try? cookies.setCookieLines(sealed: cookie, existingNames: browser.cookieNames) else { continue }
                lines = fitting
            } catch {
                throw .store(error)
            }
            return IssuedSession(
                session: form, setCookies: lines, groups: whole.identity.groups.count,
                leftOutGroups: whole.identity.groups.count - form.identity.groups.count,
                previousGoesOn: try await end(previous, replacedBy: form, now: now))
        }
        throw .tooLarge
    }

    private func session(_ signIn: VerifiedSignIn, _ identity: ProviderIdentity, _ now: Int64) -> Session {
        Session.issue(
            for: signIn.account.keeping(identity), authTime: signIn.authTime, providerSessionID: signIn.providerSessionID,
            tokens: contents.tokens(signIn.tokens), facts: signIn.facts, now: now)
    }

    /// Returns the reason why the earlier session goes on.
    private func end(
        _ previous: Replaced, replacedBy next: Session, now: Int64
    ) async throws(SessionIssueError) -> SessionStoreError? {
        let refusal: SessionIssueError
        var kept: Session?
        do throws(SessionStoreError) {
            switch previous {
            case .any(nil): return nil
            case .any(let previous?):
                try await store.end(previous, replacedBy: next, now: now)
                return nil
            case .alive(let previous):
                kept = previous
                if try await store.replace(previous, by: next, now: now) { return nil }
                refusal = .ended
            }
        } catch {
            // Where nobody knows whether the earlier one has ended, nothing begins.
            guard case .alive = previous, error != .full, error != .notKept else { return error }
            refusal = .store(error)
        }
        // No browser has its cookie. Its tokens are the earlier one's, and perhaps those of a session that has replaced it.
        try? await store.end(next, replacedBy: kept, now: now)
        throw refusal
    }
}
