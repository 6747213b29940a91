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

    /// Opens and checks what a request's cookies hold.
    func authenticate(
        _ value: SessionCookieValue, seal: SessionSeal, limits: SessionLimits, now: Int64
    ) -> Authentication {
        let session: Session?
        switch value {
        case .absent: return .anonymous
        case .refused(let refusal): return .invalid(refusal)
        case .whole(let bytes): session = seal.openBytes(bytes)
        case .joined(let bytes): session = bytes.withUnsafeBytes(seal.openBytes)
        }
        guard let session else { return .invalid(.seal) }
        return check(session, limits: limits, now: now)
    }

    func check(_ session: Session, limits: SessionLimits, now: Int64) -> Authentication {
        revoked.withLockedValue { $0.contains(session, now: now) } ? .invalid(.revoked) : limits.evaluate(session, now: now)
    }
}
