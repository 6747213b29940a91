import Access
import Config
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
    /// Unix milliseconds from which the idle limit is stamped anew.
    let renewalAt: Int64
    /// It is a token that came with the request: there is no cookie to renew.
    let isBearer: Bool
    /// The bytes of the lines with the provider's tokens, by route, until the access token expires.
    private var tokenLines: [(route: Int, lines: ByteBuffer)] = []
    /// What it has been admitted to.
    var permits = PermitMemory()
    /// The bytes of the cookie it came from.
    fileprivate let cookie: [UInt8]

    init(_ session: Session, cookie: [UInt8], snapshot: Snapshot) {
        self.session = session
        self.cookie = cookie
        let rendered = snapshot.identity.render(session: session)
        identityLines = ByteBuffer(bytes: rendered.bytes)
        omissions = rendered.omissions
        endsAt = snapshot.limits.expiry(of: session)
        renewalAt = snapshot.limits.renewalAt(session)
        isBearer = false
    }

    /// A token's session: good until `endsAt`, never renewed.
    init(bearer session: Session, endsAt: Int64, snapshot: Snapshot) {
        self.session = session
        cookie = []
        let rendered = snapshot.identity.render(session: session)
        identityLines = ByteBuffer(bytes: rendered.bytes)
        omissions = rendered.omissions
        self.endsAt = endsAt
        renewalAt = .max
        isBearer = true
    }

    /// The identity headers with the provider's tokens behind them, for a route that asks for tokens.
    func identityLines(with tokens: RouteTokens, on route: Int, now: Int64) -> ByteBuffer {
        if session.tokens.accessTokenExpiresAt ?? .max > now {
            if let known = tokenLines.first(where: { $0.route == route }) { return known.lines }
        } else {
            tokenLines = []
        }
        var lines = identityLines
        lines.writeBytes(TokenHeaders.lines(tokens, for: session, now: now))
        tokenLines.append((route, lines))
        return lines
    }
}

/// The sessions that one event loop has opened lately, by the bytes of their cookie: a hit costs no cryptography.
struct SessionCache {
    private static let capacity = 8_192
    private var entries: [Int: OpenedSession] = [:]
    private var epoch = 0

    /// The session of exactly these cookie bytes, unless it has ended or any session was revoked since.
    mutating func find(_ cookie: UnsafeRawBufferPointer, epoch: Int, now: Int64) -> OpenedSession? {
        if epoch != self.epoch {
            self.epoch = epoch
            entries.removeAll(keepingCapacity: true)
            return nil
        }
        guard let entry = entries[Self.hash(cookie)], entry.cookie.count == cookie.count, entry.endsAt > now else { return nil }
        guard let presented = cookie.baseAddress else { return nil }
        return entry.cookie.withUnsafeBytes { $0.baseAddress.map { memcmp($0, presented, cookie.count) == 0 } ?? false } ? entry : nil
    }

    mutating func insert(_ opened: OpenedSession) {
        if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
        entries[opened.cookie.withUnsafeBytes(Self.hash)] = opened
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Over the last bytes alone: they hold the seal's tag, which nobody can choose in a cookie that opens, and only such
    /// cookies are kept.
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.suffix(24)))
        return hasher.finalize()
    }
}
