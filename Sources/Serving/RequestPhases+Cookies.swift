import Decisions
import HTTPWire
import Logging
import NIOCore
import Primitives
import Sessions
import Telemetry

/// The `Set-Cookie` lines of responses.
extension RequestPhases {
    /// The `Set-Cookie` lines of a response: the refreshed session, or the old one with its idle limit stamped anew.
    func cookieLines(_ change: CookieChange, _ caller: Caller?, _ head: RequestHead, _ now: Int64) -> ByteBuffer? {
        switch change {
        case .none: return nil
        case .remove: return Self.setCookieLines(site.cookies.deletionLines(existingNames: cookieNames(head)))
        case .store: return caller.map { Self.setCookieLines(sessionLines($0.session, head)) }
        case .renew:
            guard let caller else { return nil }
            // For a tenth of the time after which the new cookie is due itself, and a second at most.
            let until = now + min(1_000, site.limits.session.renewalInterval / 10)
            // The next request gets the session with its new stamp from the store.
            if context.sessions.store.keepsSessions { caller.isSuperseded = true }
            return caller.renewalLines(names: cookieNamesHash(head), now: now, until: until) {
                Self.setCookieLines(sessionLines(context.sessions.renew(caller.session, now: now), head))
            }
        }
    }

    static func setCookieLines(_ cookies: [String]) -> ByteBuffer {
        var buffer = ByteBuffer()
        for cookie in cookies { buffer.writeString("Set-Cookie: \(cookie)\r\n") }
        return buffer
    }

    /// Of the names of all cookies that the request brings, in order.
    func cookieNamesHash(_ head: RequestHead) -> Int {
        var hasher = Hasher()
        head.forEachCookie { name, _ in
            hasher.combine(name.byteCount)
            name.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }

    /// None for a session that does not fit into cookies, and where the browser's cookie stays good.
    func sessionLines(_ session: Session, _ head: RequestHead) -> [String] {
        do {
            return try context.sessions.setCookieLines(for: session, existingNames: cookieNames(head))
        } catch {
            context.log.write(.warning, "session-too-large", "\(error)", [("uid", .text(session.uid))])
            return []
        }
    }

    func cookieNames(_ head: RequestHead) -> [String] {
        var names: [String] = []
        head.forEachCookie { name, _ in names.append(String(decoding: name)) }
        return names
    }
}
