import Decisions
import Primitives
import Sessions

/// A caller whose session was opened from a cookie, as the cache keeps it.
final class OpenedSession: RevocableEntry {
    let caller: Caller
    /// The bytes of the cookie it came from.
    private let cookie: [UInt8]
    var epoch = -1
    /// The hash of its cookie.
    let key: Int
    var slot = 0
    var wasUsed = false
    /// The digests that can end it, made when it is first compared.
    private var digests: SessionDigests?

    init(_ caller: Caller, cookie: [UInt8]) {
        self.caller = caller
        self.cookie = cookie
        key = SessionCache.hash(cookie.span.bytes)
    }

    /// It is the session of exactly these cookie bytes, has not ended, and none was revoked since it was kept.
    func isCurrent(for presented: RawSpan, epoch: Int, now: Int64) -> Bool {
        self.epoch == epoch && isKept(for: presented, now: now)
    }

    /// It is the session of exactly these cookie bytes, and its time is not over.
    fileprivate func isKept(for presented: RawSpan, now: Int64) -> Bool {
        caller.times.staleAt > now && !caller.isSuperseded && presented.equals(cookie)
    }

    /// Whether it was ended, by itself or at its provider, or only the store can tell.
    func mayHaveEnded(in store: some SessionStore, now: Int64) -> Bool {
        let known = digests ?? store.digests(of: caller.session)
        digests = known
        return store.knownEnd(of: caller.session, digests: known, now: now) != .alive
    }
}

/// The sessions that one event loop has opened lately, by the bytes of their cookie: a hit costs no cryptography.
///
/// An entry outlives the ends of other sessions: after any, it is compared with the revocations once, by digests.
struct SessionCache {
    private var entries: SecondChanceCache<OpenedSession>

    init(capacity: Int = 8_192) { entries = SecondChanceCache(capacity: capacity) }

    /// The session of exactly these cookie bytes, unless its time is over or it was ended.
    ///
    /// `mayHaveEnded` is called only for an entry that was last compared at another epoch; an entry that may have ended is dropped.
    mutating func find(
        _ cookie: RawSpan, epoch: Int, now: Int64, mayHaveEnded: (OpenedSession) -> Bool
    ) -> OpenedSession? {
        guard let entry = entries.find(Self.hash(cookie)), entry.isKept(for: cookie, now: now) else { return nil }
        return entries.use(entry, epoch: epoch, mayHaveEnded: mayHaveEnded)
    }

    /// `epoch`: read before the session was compared with the revocations.
    mutating func insert(_ opened: OpenedSession, epoch: Int) { entries.insert(opened, epoch: epoch) }

    /// Over the last bytes alone: they hold the seal's tag, which nobody can choose in a cookie that opens, and only such
    /// cookies are kept.
    fileprivate static func hash(_ bytes: RawSpan) -> Int {
        var hasher = Hasher()
        bytes.extracting(last: 24).withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
