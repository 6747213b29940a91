import Sessions
import Synchronization

/// What a process knows of the sessions of a store: those that it opened lately, and what it heard of ends.
///
/// A session that was opened while the process heard all ends is alive as long as it goes on hearing, and hears of none that names the
/// session. `epoch` counts the times that hearing began: what was known before a gap is to be asked again.
final class KnownSessions: Sendable {
    private struct Entry {
        /// With its digests, unless they have not been made.
        var loaded: LoadedSession
        /// Of the hearing, when the store was asked; nil: while nothing was heard.
        var epoch: Int?
        /// Unix milliseconds.
        var askedAt: Int64
        /// The stamp of the idle limit that the store has.
        var storedSeenAt: Int64
    }

    private struct State {
        var epoch = 0
        var isHearing = false
        var current: [RevocationDigest: Entry] = [:]
        var previous: [RevocationDigest: Entry] = [:]
        /// Tokens that the store had no end of, with the times when it was asked.
        var tokens: [RevocationDigest: (epoch: Int, askedAt: Int64)] = [:]
        var ends: RevokedSessions

        subscript(id: RevocationDigest) -> Entry? {
            mutating get {
                if let entry = current[id] { return entry }
                guard let entry = previous[id] else { return nil }
                self[id] = entry
                return entry
            }
            set {
                previous[id] = nil
                current[id] = newValue
                guard current.count > KnownSessions.capacity / 2 else { return }
                previous = current
                current = [:]
            }
        }

        mutating func valid(_ name: RevocationDigest, _ now: Int64) -> Entry? {
            guard isHearing, let entry = self[name], entry.epoch == epoch,
                (-60_000..<KnownSessions.longestKnowledge).contains(now &- entry.askedAt)
            else { return nil }
            return entry
        }

        mutating func forgetAll() {
            epoch += 1
            current = [:]
            previous = [:]
            tokens = [:]
        }
    }

    private static let capacity = 16_384
    /// After this, the store is asked again about a session.
    static let longestKnowledge: Int64 = 10 * 60_000
    /// Ends that were heard are kept for longer than the knowledge of any session.
    static let endMemory: Int64 = 2 * longestKnowledge

    /// Grows with each end, and all the time while others are not heard.
    let ends = EndCount()
    private let state: Mutex<State>

    /// `capacity`: the most ends that are kept; as many of anonymous sessions in addition.
    init(capacity: Int = 200_000) {
        state = Mutex(State(ends: RevokedSessions(capacity: capacity, anonymousCapacity: capacity)))
        ends.setIncomplete(true)
    }

    // MARK: Hearing

    /// The current epoch; nil while others are not heard.
    var epoch: Int? { state.withLock { $0.isHearing ? $0.epoch : nil } }

    func setHearing(_ isHearing: Bool) {
        state.withLock {
            $0.epoch += 1
            $0.isHearing = isHearing
        }
        ends.setIncomplete(!isHearing)
    }

    // MARK: Ends

    /// Takes ends that were made here or heard. They are kept for a while only: the store has them.
    func insert(_ records: [RevocationRecord], now: Int64) {
        let expiry = now + Self.endMemory
        take(records.map { RevocationRecord($0.kind, $0.digest, issuedUpTo: $0.issuedUpTo, expiry: min($0.expiry, expiry)) }, now: now)
    }

    /// Takes an ending of the account store, which the servers do not have: never refused, however full the list of ends is.
    func insertLocal(_ record: RevocationRecord, now: Int64) {
        state.withLock { _ = $0.ends.insert([record], now: now) }
        ends.increment()
    }

    func revocationLists(now: Int64) -> [RevocationList] { state.withLock { $0.ends.lists(now: now) } }

    private func take(_ records: [RevocationRecord], now: Int64) {
        state.withLock { state in
            for record in records where record.kind == .session {
                state.current[record.digest] = nil
                state.previous[record.digest] = nil
            }
            // Without a place for an end, every session is asked about again.
            if !state.ends.insert(records, now: now) { state.forgetAll() }
        }
        ends.increment()
    }

    func isEnded(_ digests: [RevocationDigest], issuedAt: Int64, now: Int64) -> Bool {
        state.withLock { $0.ends.contains(anyOf: digests, issuedAt: issuedAt, now: now) }
    }

    /// Whether something else ended a session than the change that made its successor.
    func isEnded(_ digests: [RevocationDigest], of session: Session, before successor: Session, now: Int64) -> Bool {
        state.withLock { $0.ends.contains(anyOf: digests, of: session, before: successor, now: now) }
    }

    // MARK: Sessions

    /// Takes a session that the store had, and that had not ended. Returns what is known of it with that: a later use, or an end that was
    /// heard meanwhile. `epoch`: read before the store was asked.
    @discardableResult
    func insert(_ loaded: LoadedSession, as name: RevocationDigest, epoch: Int?, storedSeenAt: Int64, now: Int64) -> LoadedSession {
        state.withLock { state in
            if let digests = loaded.digests, state.ends.contains(anyOf: digests.all, issuedAt: loaded.session.issuedAt, now: now) {
                return LoadedSession(loaded.session, digests: digests, end: .ended)
            }
            let known = state[name]
            // Another request has loaded a later form meanwhile.
            if let known, known.loaded.session.generation > loaded.session.generation { return loaded }
            let latest = loaded.seen(at: known?.loaded.session.seenAt ?? 0)
            state[name] = Entry(
                loaded: latest, epoch: epoch == state.epoch ? epoch : nil, askedAt: now,
                storedSeenAt: max(storedSeenAt, known?.storedSeenAt ?? 0))
            return latest
        }
    }

    /// Takes the next form of a session that was saved here.
    func replace(_ session: Session, as name: RevocationDigest) {
        state.withLock { state in
            let known = state[name]
            state[name] = Entry(
                loaded: LoadedSession(session).seen(at: known?.loaded.session.seenAt ?? 0), epoch: known?.epoch,
                askedAt: known?.askedAt ?? 0, storedSeenAt: max(session.seenAt, known?.storedSeenAt ?? 0))
        }
        ends.increment()
    }

    /// The session has changed, or is no longer in the store.
    func forget(_ name: RevocationDigest) {
        state.withLock {
            $0.current[name] = nil
            $0.previous[name] = nil
        }
        ends.increment()
    }

    /// The session of a ticket that can be used without asking; nil: only the store can tell.
    func session(_ name: RevocationDigest, now: Int64) -> Session? { state.withLock { $0.valid(name, now)?.loaded }?.session }

    /// The digests of a session in exactly this form; nil: they have not been made.
    func digests(of session: Session, as name: RevocationDigest) -> SessionDigests? {
        guard let known = state.withLock({ $0[name]?.loaded }), known.session.generation == session.generation else { return nil }
        return known.digests
    }

    /// What is known about the end of a session, whose digests are given; its own is the first.
    func knownEnd(of session: Session, _ digests: [RevocationDigest], now: Int64) -> KnownEnd {
        state.withLock { state in
            if state.ends.contains(anyOf: digests, issuedAt: session.issuedAt, now: now) { return .ended }
            guard let name = digests.first, let entry = state.valid(name, now) else { return .ask }
            // Otherwise, a cache has an earlier form.
            return entry.loaded.session.generation == session.generation ? .alive : .ask
        }
    }

    /// Whether a session is alive without a doubt, in any of its forms.
    func isAlive(_ name: RevocationDigest, now: Int64) -> Bool { state.withLock { $0.valid(name, now) != nil } }

    fileprivate func confirm(token: RevocationDigest, epoch: Int, now: Int64) {
        state.withLock { state in
            guard state.epoch == epoch else { return }
            if state.tokens.count >= Self.capacity { state.tokens = [:] }
            state.tokens[token] = (epoch, now)
        }
    }

    fileprivate func isConfirmed(token: RevocationDigest, now: Int64) -> Bool {
        state.withLock { state in
            guard state.isHearing, let known = state.tokens[token], known.epoch == state.epoch else { return false }
            return (-60_000..<Self.longestKnowledge).contains(now &- known.askedAt)
        }
    }

    /// The latest stamp of the idle limit that this process knows; nil: none.
    func seenAt(_ name: RevocationDigest) -> Int64? { state.withLock { $0[name]?.loaded.session.seenAt } }

    /// Stamps a session's idle limit. Returns whether the store is to be told.
    func touch(_ session: Session, as name: RevocationDigest, interval: Int64) -> Bool {
        state.withLock { state in
            guard var entry = state[name] else { return true }
            entry.loaded = entry.loaded.seen(at: session.seenAt)
            let isDue = session.seenAt - entry.storedSeenAt >= interval
            // Requests that come at the same time need not write it twice.
            if isDue { entry.storedSeenAt = session.seenAt }
            state[name] = entry
            return isDue
        }
    }
}

/// Tokens, and sessions that are in no store because they stand for a token.
extension KnownSessions {
    /// Takes that the store has no end of a session.
    func confirm(_ session: Session, as name: RevocationDigest, epoch: Int?, now: Int64) {
        guard let epoch else { return }
        insert(LoadedSession(session), as: name, epoch: epoch, storedSeenAt: 0, now: now)
    }

    func confirm(tokens: [RevocationDigest], epoch: Int?, now: Int64) {
        guard let epoch, let first = tokens.first else { return }
        confirm(token: first, epoch: epoch, now: now)
    }

    /// What is known about the end of a token. The digests are those of one token.
    func knownEnd(ofTokens digests: [RevocationDigest], now: Int64) -> KnownEnd {
        if isEnded(digests, issuedAt: .min, now: now) { return .ended }
        return digests.first.map { isConfirmed(token: $0, now: now) } ?? false ? .alive : .ask
    }
}

extension LoadedSession {
    /// This session, used at `time` (Unix milliseconds).
    fileprivate func seen(at time: Int64) -> LoadedSession {
        time <= session.seenAt ? self : LoadedSession(session.seen(at: time), digests: digests, end: end)
    }
}
