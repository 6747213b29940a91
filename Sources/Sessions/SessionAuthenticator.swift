/// From a request's cookies to its `Authentication`, the whole way, without a cache.
package struct SessionAuthenticator: Sendable {
    package let cookies: SessionCookies
    package let seal: SessionSeal
    package let limits: SessionLimits

    package init(cookies: SessionCookies, seal: SessionSeal, limits: SessionLimits) {
        self.cookies = cookies
        self.seal = seal
        self.limits = limits
    }

    package func authenticate(
        pairs: some Sequence<(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)>, revoked: RevokedSessions, now: Int64
    ) -> Authentication {
        switch open(cookies.assemble(pairs: pairs)) {
        case .session(let session): check(session, revoked: revoked, now: now)
        case let other: other
        }
    }

    /// What the cookies hold, limits and revocation not asked yet: a `.session` here has only been opened.
    package func open(_ value: SessionCookieValue) -> Authentication {
        let session: Session?
        switch value {
        case .absent: return .anonymous
        case .refused(let refusal): return .invalid(refusal)
        case .whole(let value): session = seal.openBytes(value)
        case .joined(let bytes): session = bytes.withUnsafeBytes(seal.openBytes)
        }
        return session.map { .session($0) } ?? .invalid(.seal)
    }

    /// Limits and revocation, for a session that was opened before.
    package func check(_ session: Session, revoked: RevokedSessions, now: Int64) -> Authentication {
        revoked.contains(session, now: now) ? .invalid(.revoked) : limits.evaluate(session, now: now)
    }
}
