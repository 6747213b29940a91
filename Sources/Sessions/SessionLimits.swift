import Accounts
/// The lifetimes of sessions. All values are milliseconds.
package struct SessionLimits: Sendable, Equatable {
    /// Without a request, a session ends after this.
    package let idle: Int64
    /// With or without requests, a session ends this long after it was issued; nothing extends it.
    package let absolute: Int64
    /// Whether clients present tokens of providers, as `Bearer` or at `POST /session`.
    package let admitsTokens: Bool

    /// A logout or an ending also ends tokens that were never part of a session here. Those may be good for longer than a session, up to this.
    package static let tokenMemory: Int64 = 7 * 24 * 3_600_000

    /// The tolerated lead of another machine's clock: that of the account store, whose times sessions begin at.
    static let clockSkew = Account.clockSkew
    /// The longest time for which a request may go unrecorded.
    static let longestRenewalInterval: Int64 = 60_000

    package init(idle: Int64, absolute: Int64, admitsTokens: Bool = true) {
        self.idle = idle
        self.absolute = absolute
        self.admitsTokens = admitsTokens
    }

    /// How long an ending of the account store means something: afterwards every session that was issued until then has reached its absolute
    /// limit, and no token of that time is accepted.
    package var endingMemory: Int64 { admitsTokens ? max(absolute, Self.tokenMemory) : absolute }

    /// `.session` while it is within both limits, `.invalid` after. A limit is reached at its last millisecond.
    package func evaluate(_ session: Session, now: Int64) -> Authentication {
        evaluate(issuedAt: session.issuedAt, seenAt: session.seenAt, now: now).map { .invalid($0) } ?? .session(session)
    }

    /// The limit that a session with these times has reached; nil: none.
    package func evaluate(issuedAt: Int64, seenAt: Int64, now: Int64) -> Authentication.Refusal? {
        let latest = now.addingSaturating(Self.clockSkew)
        guard issuedAt <= latest, seenAt <= latest else { return .fromTheFuture }
        guard now < issuedAt.addingSaturating(absolute) else { return .absoluteLimit }
        guard now < seenAt.addingSaturating(idle) else { return .idleLimit }
        return nil
    }

    /// The end of the session without further requests.
    package func expiry(of session: Session) -> Int64 {
        min(absoluteEnd(of: session), session.seenAt.addingSaturating(idle))
    }

    /// The end of the session regardless of further requests.
    package func absoluteEnd(of session: Session) -> Int64 { absoluteEnd(issuedAt: session.issuedAt) }

    package func absoluteEnd(issuedAt: Int64) -> Int64 { issuedAt.addingSaturating(absolute) }

    /// Whether the idle limit should be stamped anew: after a tenth of it or 60 s, whichever is shorter, so that not
    /// every response sets a cookie.
    package func renewalDue(_ session: Session, now: Int64) -> Bool { now >= renewalAt(session) }

    /// The time of that renewal.
    package func renewalAt(_ session: Session) -> Int64 {
        session.seenAt.addingSaturating(renewalInterval)
    }

    /// The interval between renewals of the stamp.
    package var renewalInterval: Int64 { min(idle / 10, Self.longestRenewalInterval) }

    /// The session with its idle limit stamped `now`; nothing else changes.
    package func renewed(_ session: Session, now: Int64) -> Session { session.seen(at: now) }
}

extension Session {
    /// This session, used at `time` (Unix milliseconds).
    package func seen(at time: Int64) -> Session {
        var seen = self
        seen.see(at: time)
        return seen
    }

    /// Like `seen(at:)`, in place.
    package mutating func see(at time: Int64) { seenAt = max(seenAt, time) }
}

extension Int64 {
    /// The sum, or the nearest value there is.
    func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
