import NIOConcurrencyHelpers
import Sessions
import Synchronization

/// What all event loops must agree on about sessions: which were ended early.
final class SharedSessions: Sendable {
    private let revoked = NIOLockedValueBox(RevokedSessions())
    /// Grows with each revocation, so that a loop's cache notices without taking the lock.
    private let epochCounter = Atomic<Int>(0)

    var epoch: Int { epochCounter.load(ordering: .acquiring) }

    func revoke(_ session: Session, limits: SessionLimits, now: Int64) {
        revoked.withLockedValue { $0.revoke(session, limits: limits, now: now) }
        epochCounter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Opens and checks what a request's cookies hold. Only the check needs the lock.
    func authenticate(_ value: SessionCookieValue, by authenticator: SessionAuthenticator, now: Int64) -> Authentication {
        switch authenticator.open(value) {
        case .session(let session): check(session, by: authenticator, now: now)
        case let other: other
        }
    }

    func check(_ session: Session, by authenticator: SessionAuthenticator, now: Int64) -> Authentication {
        revoked.withLockedValue { authenticator.check(session, revoked: $0, now: now) }
    }
}
