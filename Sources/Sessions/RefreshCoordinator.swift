/// Makes sure that one generation of a session is refreshed once, however many requests need it.
///
/// A pure state machine. A caller that gets `.start` calls the provider and reports `succeeded` or `failed`. A caller that gets `.wait`
/// asks again after the report, or continues with the old claims. A refreshed session is remembered for a while, for requests that
/// arrive later with the old cookie. Its owner checks the session that `.useResult` carries like
/// any other (revocation, `refreshDue`: it may be due for the next generation). Times are Unix milliseconds.
package struct RefreshCoordinator: Sendable {
    /// One generation of one session.
    package struct Key: Hashable, Sendable {
        package let sessionID: [UInt8]
        package let generation: UInt32
        /// Opens a result that a store keeps.
        package let secret: TicketSecret
        package init(_ session: Session) {
            sessionID = session.id
            generation = session.generation
            secret = session.ticketSecret
        }
    }

    package enum Answer: Sendable, Equatable {
        /// Refresh it, and report: nobody else does.
        case start
        /// Another request is at it.
        case wait
        case useResult(Session)
        /// The provider was out of order; not before this time. The old claims hold until then.
        case notNow(retryAt: Int64)
        /// The provider refused: the session is over.
        case ended
    }

    package enum Failure: Sendable, Equatable {
        /// `invalid_grant`, or an answer that fails a check.
        case invalidGrant
        /// Everything that may pass: a timeout, a 5xx, a connection refused.
        case outage
    }

    package struct Limits: Sendable {
        /// The time for which a result is remembered: longer than the browser needs to receive its new cookie.
        package var memory: Int64 = 10 * 60_000
        /// The time after which a refresh without a report counts as abandoned; longer than the ten seconds that a provider gets.
        package var attempt: Int64 = 30_000
        package var firstDelay: Int64 = 1_000
        package var longestDelay: Int64 = 60_000
        package var entries = 10_000
        package init() {}
    }

    private enum State {
        case running(until: Int64)
        case done(Session)
        case ended
        case resting(retryAt: Int64)
    }

    private struct Entry {
        var state: State
        /// Consecutive outages.
        var outages = 0
        /// The time at which the entry expires.
        var expiry: Int64

        var isRunning: Bool { if case .running = state { true } else { false } }
    }

    private var entries: [Key: Entry] = [:]
    private let limits: Limits

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var count: Int { entries.count }

    /// Whether a session should be refreshed: it has a refresh token, and its access token is in the last minute before it expires, or in the
    /// last quarter of its lifetime if that is shorter. An access token without an expiry is left alone.
    package static func refreshDue(_ session: Session, now: Int64) -> Bool { now >= refreshAt(session) }

    /// From when it should be; `Int64.max`: never.
    package static func refreshAt(_ session: Session) -> Int64 {
        guard session.tokens.refreshToken != nil, let expiry = session.tokens.accessTokenExpiresAt else { return .max }
        guard let lifetime = session.tokens.accessTokenLifetime else { return expiry.addingSaturating(-longestMargin) }
        let issued = expiry.addingSaturating(-max(0, lifetime))
        // A provider that issues expired tokens is not asked again by every request.
        return max(expiry.addingSaturating(-min(longestMargin, max(0, lifetime) / 4)), issued.addingSaturating(shortestInterval))
    }

    private static let longestMargin: Int64 = 60_000
    /// Between an access token's issue and its refresh.
    private static let shortestInterval: Int64 = 1_000

    package mutating func request(_ key: Key, now: Int64) -> Answer {
        guard let entry = entries[key], now < entry.expiry else { return start(key, outages: 0, now: now) }
        switch entry.state {
        case .running(let until): return now < until ? .wait : start(key, outages: entry.outages, now: now)
        case .done(let session): return .useResult(session)
        case .ended: return .ended
        case .resting(let retryAt): return now < retryAt ? .notNow(retryAt: retryAt) : start(key, outages: entry.outages, now: now)
        }
    }

    /// A success counts even when it comes late, after another attempt was begun or had failed.
    package mutating func succeeded(_ key: Key, _ session: Session, now: Int64) {
        entries[key] = Entry(state: .done(session), expiry: now.addingSaturating(limits.memory))
    }

    /// A failure never takes back a success: a provider that rotates refuses the second use of a refresh token.
    package mutating func failed(_ key: Key, _ failure: Failure, now: Int64) {
        let entry = entries[key]
        switch (entry?.state, failure) {
        case (.done, _), (.ended, _): return
        case (_, .invalidGrant): entries[key] = Entry(state: .ended, expiry: now.addingSaturating(limits.memory))
        case (_, .outage):
            let outages = (entry?.outages ?? 0) + 1
            let retryAt = now.addingSaturating(delay(after: outages))
            entries[key] = Entry(
                state: .resting(retryAt: retryAt), outages: outages, expiry: retryAt.addingSaturating(limits.longestDelay))
        }
    }

    /// Doubles with each outage up to the longest.
    private func delay(after outages: Int) -> Int64 {
        min(limits.longestDelay, limits.firstDelay << Int64(min(outages - 1, 20)))
    }

    private mutating func start(_ key: Key, outages: Int, now: Int64) -> Answer {
        if entries[key] == nil, entries.count >= limits.entries, !makeRoom(now) {
            return .notNow(retryAt: now.addingSaturating(limits.firstDelay))
        }
        let until = now.addingSaturating(limits.attempt)
        // Kept beyond the attempt, so that the count of outages outlives it.
        entries[key] = Entry(state: .running(until: until), outages: outages, expiry: until.addingSaturating(limits.longestDelay))
        return .start
    }

    /// Forgets what has expired; if that is nothing, the sixteenth that would expire first. Never what is running:
    /// false when that is all there is.
    private mutating func makeRoom(_ now: Int64) -> Bool {
        entries = entries.filter { now < $0.value.expiry }
        guard entries.count >= limits.entries else { return true }
        let oldest = entries.filter { !$0.value.isRunning }.sorted { $0.value.expiry < $1.value.expiry }
        for entry in oldest.prefix(max(1, limits.entries / 16)) { entries[entry.key] = nil }
        return entries.count < limits.entries
    }
}
