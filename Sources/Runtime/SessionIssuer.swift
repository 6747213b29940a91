import Accounts
import Backchannel
import Decisions
import Logging
import Sessions
import SignIn

/// Issues the session of a completed sign-in. Every kind of sign-in goes through here, so all sessions keep the same parts of an identity.
struct SessionIssuer: Sendable {
    /// The identity and tokens that a provider has verified.
    struct SignIn: Sendable {
        let identity: ProviderIdentity
        /// Unix milliseconds; nil: the time of issue.
        let authTime: Int64?
        let providerSessionID: String?
        let tokens: Session.Tokens
    }

    struct Issued: Sendable {
        let session: Session
        /// Values of `Set-Cookie`, one field each.
        let setCookies: [String]
    }

    let core: GatewayCore
    let requestID: RequestID
    /// The session that the browser has already: it ends when another one is issued.
    let previous: Session?
    /// The names of the cookies that the browser sent.
    let cookieNames: [String]

    /// The new session, always with a new id; nil when no form of it fits into cookies, which the log says.
    func issue(for signIn: SignIn, message: String, now: Int64) -> Issued? {
        let identity = core.snapshot.contents.kept(signIn.identity)
        let provider = identity.provider
        guard let issued = core.snapshot.stored(identity, existingNames: cookieNames, issue: { session(signIn, $0, now) }) else {
            core.log.write(
                .error, "session-too-large", "sign-in failed: the session is too large for cookies; limit groups with groups.keep",
                [("provider", .text(provider)), ("request_id", .text(requestID.text))])
            return nil
        }
        logOmittedGroups(of: identity, in: issued.session)
        if let previous { end(previous, replacedBy: issued.session, now: now) }
        core.log.write(
            .info, "signed-in", message,
            [("provider", .text(provider)), ("uid", .text(issued.session.uid)), ("request_id", .text(requestID.text))])
        return issued
    }

    private func session(_ signIn: SignIn, _ identity: ProviderIdentity, _ now: Int64) -> Session {
        Session.issue(
            for: AccountOutcome(withoutStore: identity), authTime: signIn.authTime, providerSessionID: signIn.providerSessionID,
            tokens: core.snapshot.contents.tokens(signIn.tokens), now: now)
    }

    private func end(_ previous: Session, replacedBy next: Session, now: Int64) {
        guard !core.sessions.revoke(previous, replacedBy: next, limits: core.snapshot.limits, now: now) else { return }
        core.log.write(
            .error, "previous-session-not-ended",
            "the browser's earlier session was not ended: the list of revocations is full",
            [("uid", .text(previous.uid)), ("request_id", .text(requestID.text))])
    }

    private func logOmittedGroups(of identity: ProviderIdentity, in session: Session) {
        let omitted = identity.groups.count - session.identity.groups.count
        guard omitted > 0 else { return }
        core.log.write(
            .warning, "groups-left-out",
            "a user has more groups than a session can hold; dropped those that no rule names; "
                + "select groups with `groups.keep`",
            [
                ("provider", .text(identity.provider)), ("uid", .text(session.uid)), ("groups", .number(identity.groups.count)),
                ("left_out", .number(omitted)), ("request_id", .text(requestID.text)),
            ])
    }
}

extension Snapshot {
    /// The first form of a session that fits into the browser's cookies: whole, without claims and groups that no rule and no header reads,
    /// without the provider's tokens. An app can do without a token, but not without a session.
    ///
    /// `issue` makes the session of an identity; nil when none fits.
    fileprivate func stored(
        _ identity: ProviderIdentity, existingNames: [String], issue: (ProviderIdentity) -> Session
    ) -> SessionIssuer.Issued? {
        let reduced = contents.reduced(identity)
        for form in [issue(identity), issue(reduced), issue(reduced).withoutAccessToken()] {
            if let lines = try? cookies.setCookieLines(for: form, seal: seal, existingNames: existingNames) {
                return SessionIssuer.Issued(session: form, setCookies: lines)
            }
        }
        return nil
    }
}
