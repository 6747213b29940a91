import Decisions
import Glibc
import Sessions

/// A caller whose session was opened from a cookie, as the cache keeps it.
final class OpenedSession {
    let caller: Caller
    /// The bytes of the cookie it came from.
    private let cookie: [UInt8]
    /// Of the revocations, when it was last compared with them: since another one it may have ended.
    fileprivate var epoch = -1
    /// In the loop's cache.
    fileprivate var slot = 0
    /// Whether a request found it in the cache since the cache's hand passed it.
    fileprivate var wasUsed = false
    /// The digests that can end it, made when it is first compared.
    private var digests: SessionDigests?

    init(_ caller: Caller, cookie: [UInt8]) {
        self.caller = caller
        self.cookie = cookie
    }

    /// It is the session of exactly these cookie bytes, has not ended, and none was revoked since it was kept.
    func isCurrent(for presented: UnsafeRawBufferPointer, epoch: Int, now: Int64) -> Bool {
        self.epoch == epoch && isKept(for: presented, now: now)
    }

    /// It is the session of exactly these cookie bytes, and its time is not over.
    fileprivate func isKept(for presented: UnsafeRawBufferPointer, now: Int64) -> Bool {
        guard caller.times.staleAt > now, cookie.count == presented.count, let start = presented.baseAddress else { return false }
        return cookie.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, presented.count) == 0 } ?? false }
    }

    /// Whether it was ended, by itself or at its provider.
    func isEnded(in sessions: SharedSessions, limits: SessionLimits, now: Int64) -> Bool {
        let known = digests ?? SessionDigests(of: caller.session, sessions.digester)
        digests = known
        return sessions.isEnded(caller.session, digests: known, limits: limits, now: now)
    }

    fileprivate var hash: Int { cookie.withUnsafeBytes(SessionCache.hash) }
}

/// The sessions that one event loop has opened lately, by the bytes of their cookie: a hit costs no cryptography.
///
/// A full cache evicts one entry at a time by second chance: the hand passes an entry once if a request used it since the hand was there.
/// An entry outlives the ends of other sessions: after any, it is compared with the revocations once, by digests.
struct SessionCache {
    private let capacity: Int
    private var entries: [Int: OpenedSession] = [:]
    /// The entries in the order in which the hand passes them; nil: the slot is free.
    private var slots: [OpenedSession?] = []
    private var freeSlots: [Int] = []
    private var hand = 0

    init(capacity: Int = 8_192) { self.capacity = max(1, capacity) }

    /// The session of exactly these cookie bytes, unless its time is over or it was ended.
    ///
    /// `isEnded` is called only for an entry that was last compared at another epoch; an entry that has ended is dropped.
    mutating func find(
        _ cookie: UnsafeRawBufferPointer, epoch: Int, now: Int64, isEnded: (OpenedSession) -> Bool
    ) -> OpenedSession? {
        guard let entry = entries[Self.hash(cookie)], entry.isKept(for: cookie, now: now) else { return nil }
        if entry.epoch != epoch {
            guard !isEnded(entry) else {
                remove(entry)
                return nil
            }
            entry.epoch = epoch
        }
        entry.wasUsed = true
        return entry
    }

    /// `epoch`: read before the session was compared with the revocations.
    mutating func insert(_ opened: OpenedSession, epoch: Int) {
        if let earlier = entries[opened.hash] { remove(earlier) }
        opened.epoch = epoch
        opened.slot = takeSlot()
        slots[opened.slot] = opened
        entries[opened.hash] = opened
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        slots.removeAll(keepingCapacity: true)
        freeSlots.removeAll(keepingCapacity: true)
        hand = 0
    }

    private mutating func remove(_ entry: OpenedSession) {
        entries[entry.hash] = nil
        slots[entry.slot] = nil
        freeSlots.append(entry.slot)
    }

    private mutating func takeSlot() -> Int {
        if let free = freeSlots.popLast() { return free }
        if slots.count < capacity {
            slots.append(nil)
            return slots.count - 1
        }
        // Ends within two rounds: the first one takes every second chance.
        while true {
            let slot = hand
            hand = hand + 1 == capacity ? 0 : hand + 1
            guard let entry = slots[slot] else { continue }
            if entry.wasUsed {
                entry.wasUsed = false
            } else {
                entries[entry.hash] = nil
                return slot
            }
        }
    }

    /// Over the last bytes alone: they hold the seal's tag, which nobody can choose in a cookie that opens, and only such
    /// cookies are kept.
    fileprivate static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.suffix(24)))
        return hasher.finalize()
    }
}
