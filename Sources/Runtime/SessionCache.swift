import Access
import Accounts
import Decisions
import Glibc
import NIOCore
import Sessions

/// A session that was opened, with what is rendered from it once.
final class OpenedSession {
    let session: Session
    /// The identity headers: complete lines.
    let identityLines: ByteBuffer
    /// Headers that had to be left out, for the log.
    let omissions: [HeaderOmission]
    /// Unix milliseconds from which the session has ended.
    let endsAt: Int64
    /// Unix milliseconds from which it is opened anew: its end, or that of an access token that headers carry.
    private let staleAt: Int64
    /// Unix milliseconds from which the idle limit is stamped anew.
    let renewalAt: Int64
    /// Unix milliseconds from which its tokens should be refreshed.
    let refreshAt: Int64
    /// A token came with the request: there is no cookie to renew.
    var isBearer: Bool { tokenExpiresAt != nil }
    /// Unix milliseconds until when the token that came with the request counts; nil: the session came in a cookie.
    let tokenExpiresAt: Int64?
    /// Unix milliseconds until when the provider's answer about that token counts; nil: it was verified without asking the provider.
    let introspectedUntil: Int64?
    /// For the access log.
    let uid: [UInt8]
    let provider: [UInt8]
    /// The identity headers, and those that a route sets, by the route's index.
    private var routeLines: [Int: ByteBuffer] = [:]
    /// The line of the signed assertion, by the upstream's index.
    private var assertions: [Int: (line: ByteBuffer, renewalAt: Int64)] = [:]
    /// The permits it has been given.
    var permits = PermitMemory()
    /// The `Set-Cookie` lines that renew it, for requests that bring cookies of the same names, and Unix milliseconds until when.
    private var renewal: (lines: ByteBuffer, names: Int, until: Int64)?
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
    /// The session for identity headers, without the access token, which apps do not need.
    private let shown: Session

    init(_ session: Session, cookie: [UInt8], snapshot: Snapshot, now: Int64 = wallClock()) {
        self.session = session
        self.cookie = cookie
        shown = session.withUsableTokens(now: now)
        let rendered = snapshot.identity.render(session: shown)
        identityLines = ByteBuffer(bytes: rendered.bytes)
        omissions = rendered.omissions
        uid = Array(session.uid.utf8)
        provider = Array(session.identity.provider.utf8)
        endsAt = snapshot.limits.expiry(of: session)
        staleAt = shown.tokens.accessToken == nil ? endsAt : min(endsAt, session.tokens.accessTokenExpiresAt ?? .max)
        renewalAt = snapshot.limits.renewalAt(session)
        refreshAt = RefreshCoordinator.refreshAt(session)
        tokenExpiresAt = nil
        introspectedUntil = nil
    }

    /// A token's session: verified anew at `accepted.until`, never renewed.
    init(bearer accepted: BearerTokens.Accepted, snapshot: Snapshot) {
        let session = accepted.session
        self.session = session
        cookie = []
        shown = session
        staleAt = accepted.until
        let rendered = snapshot.identity.render(session: session)
        identityLines = ByteBuffer(bytes: rendered.bytes)
        omissions = rendered.omissions
        uid = Array(session.uid.utf8)
        provider = Array(session.identity.provider.utf8)
        endsAt = accepted.until
        renewalAt = .max
        refreshAt = .max
        tokenExpiresAt = accepted.expiresAt
        introspectedUntil = accepted.isIntrospected ? accepted.until : nil
    }

    /// It is the session of exactly these cookie bytes, has not ended, and none was revoked since it was kept.
    func isCurrent(for presented: UnsafeRawBufferPointer, epoch: Int, now: Int64) -> Bool {
        self.epoch == epoch && isKept(for: presented, now: now)
    }

    /// It is the session of exactly these cookie bytes, and its time is not over.
    fileprivate func isKept(for presented: UnsafeRawBufferPointer, now: Int64) -> Bool {
        guard staleAt > now, cookie.count == presented.count, let start = presented.baseAddress else { return false }
        return cookie.withUnsafeBytes { $0.baseAddress.map { memcmp($0, start, presented.count) == 0 } ?? false }
    }

    /// Whether it was ended, by itself or at its provider.
    func isEnded(in sessions: SharedSessions, limits: SessionLimits, now: Int64) -> Bool {
        let known = digests ?? SessionDigests(of: session, sessions.digester)
        digests = known
        return sessions.isEnded(session, digests: known, limits: limits, now: now)
    }

    fileprivate var hash: Int { cookie.withUnsafeBytes(SessionCache.hash) }

    /// The lines that renew the cookie. Sealed once for all the requests that come at about the same time: until their answers are
    /// there, they all bring the old one.
    func renewalLines(names: Int, now: Int64, until: Int64, seal: () -> ByteBuffer) -> ByteBuffer {
        if let renewal, renewal.names == names, now < renewal.until { return renewal.lines }
        let lines = seal()
        renewal = (lines, names, until)
        return lines
    }

    /// The line with the signed assertion for a route's upstream; signed anew when half its lifetime is over.
    func assertionLine(_ assertion: IdentityAssertion, for route: Route, now: Int64) -> ByteBuffer {
        let index = assertion.audience == nil ? route.upstreamIndex : -1
        if let known = assertions[index], known.renewalAt > now { return known.line }
        let audience = assertion.audience ?? route.upstream?.assertionAudience ?? ""
        let line = ByteBuffer(string: "\(assertion.header): \(assertion.token(for: session, audience: audience, now: now))\r\n")
        assertions[index] = (line, assertion.renewalAt(issuedAt: now))
        return line
    }

    /// The lines that say who it is on a route with headers of its own: rendered once.
    func lines(on route: Int, _ features: RouteFeatures, omitted: (HeaderOmission) -> Void) -> ByteBuffer {
        if let known = routeLines[route] { return known }
        var lines = identityLines
        lines.writeImmutableBuffer(features.prefixLine)
        if let edits = features.requestLines {
            let rendered = edits.render(session: shown)
            rendered.omissions.forEach(omitted)
            lines.writeBytes(rendered.bytes)
        }
        routeLines[route] = lines
        return lines
    }
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
