import NIOConcurrencyHelpers
import Sessions
import SignIn
import Synchronization

/// What all event loops must agree on about sessions: which were ended early.
final class SharedSessions: Sendable {
    private let revoked = NIOLockedValueBox(RevokedSessions())
    /// Ended by a front-channel message, which anybody can send: a memory of its own, so that a flood displaces nothing else.
    private let frontChannel = NIOLockedValueBox(RevokedSessions(capacity: 10_000))
    private let seenLogouts = NIOLockedValueBox(SeenTokenIDs())
    /// Grows with each revocation, so that a loop's cache notices without taking the lock.
    private let epochCounter = Atomic<Int>(0)

    var epoch: Int { epochCounter.load(ordering: .acquiring) }

    func revoke(_ session: Session, limits: SessionLimits, now: Int64) {
        revoked.withLockedValue { $0.revoke(session, limits: limits, now: now) }
        epochCounter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Carries out a provider's logout message; false when it came before (Back-Channel Logout 1.0 section 2.6 step 8).
    func end(_ logout: VerifiedLogout, limits: SessionLimits, now: Int64) -> Bool {
        guard seenLogouts.withLockedValue({ $0.insert(logout, now: now) }) else { return false }
        revoked.withLockedValue {
            if let sid = logout.sessionID, !sid.isEmpty {
                $0.revoke(issuer: logout.issuer, providerSessionID: sid, limits: limits, now: now)
            } else if let subject = logout.subject {
                $0.revoke(issuer: logout.issuer, subject: subject, limits: limits, now: now)
            }
        }
        epochCounter.add(1, ordering: .acquiringAndReleasing)
        return true
    }

    /// A front-channel message: ends the sessions of that session of the provider's.
    func endFromFrontChannel(issuer: String, providerSessionID: String, limits: SessionLimits, now: Int64) {
        frontChannel.withLockedValue { $0.revoke(issuer: issuer, providerSessionID: providerSessionID, limits: limits, now: now) }
        epochCounter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Whether what a token says was ended at its provider after it was issued.
    func isEnded(_ session: Session, now: Int64) -> Bool {
        revoked.withLockedValue { $0.contains(session, now: now) } || frontChannel.withLockedValue { $0.contains(session, now: now) }
    }

    /// Opens and checks what a request's cookies hold. Only the check needs the lock.
    func authenticate(_ value: SessionCookieValue, by authenticator: SessionAuthenticator, now: Int64) -> Authentication {
        switch authenticator.open(value) {
        case .session(let session): check(session, by: authenticator, now: now)
        case let other: other
        }
    }

    func check(_ session: Session, by authenticator: SessionAuthenticator, now: Int64) -> Authentication {
        if frontChannel.withLockedValue({ $0.contains(session, now: now) }) { return .invalid(.revoked) }
        return revoked.withLockedValue { authenticator.check(session, revoked: $0, now: now) }
    }
}
