package import Accounts

/// From a request's cookies to its `Authentication`, the whole way, without a cache.
package struct SessionAuthenticator: Sendable {
    package let cookies: SessionCookies
    package let seal: SessionSeal
    package let limits: SessionLimits
    /// The reason why an identity's provider no longer vouches for it; nil while it does.
    package let providerRefusal: @Sendable (ProviderIdentity) -> Authentication.Refusal?

    package init(
        cookies: SessionCookies, seal: SessionSeal, limits: SessionLimits,
        providerRefusal: @escaping @Sendable (ProviderIdentity) -> Authentication.Refusal?
    ) {
        self.cookies = cookies
        self.seal = seal
        self.limits = limits
        self.providerRefusal = providerRefusal
    }

    package func authenticate(
        pairs: some Sequence<(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)>, revoked: RevokedSessions, now: Int64
    ) -> Authentication {
        switch open(cookies.assemble(pairs: pairs), now: now) {
        case .session(let session): check(session, revoked: revoked, now: now)
        case let other: other
        }
    }

    /// The contents of the cookies: a `.session` here is opened but unchecked.
    package func open(_ value: SessionCookieValue, now: Int64) -> Authentication {
        let session: Session?
        switch value {
        case .absent: return .anonymous
        case .refused(let refusal): return .invalid(refusal)
        case .whole(let value): session = seal.openBytes(value, now: now)
        case .joined(let bytes): session = bytes.withUnsafeBytes { seal.openBytes($0, now: now) }
        }
        return session.map { .session($0) } ?? .invalid(.seal)
    }

    /// Revocation, provider and limits, for a session that was opened before.
    package func check(_ session: Session, revoked: RevokedSessions, now: Int64) -> Authentication {
        revoked.contains(session, now: now) ? .invalid(.revoked) : evaluate(session, now: now)
    }

    /// Provider and limits, for a session that was not revoked.
    package func evaluate(_ session: Session, now: Int64) -> Authentication {
        if let refusal = providerRefusal(session.identity) { return .invalid(refusal) }
        return limits.evaluate(session, now: now)
    }
}
