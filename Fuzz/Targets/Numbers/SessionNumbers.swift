import Accounts
import Sessions
import TokenCrypto

/// The times and limits of sessions. A cookie may have been sealed by another build, or by a machine whose clock was wrong.
enum SessionNumbers {
    static func checkSealed(_ number: String) throws(Broken) {
        guard let time = Int64(number) else { return }
        let usual = TokenNumbers.now
        for (issuedAt, authTime, expiry) in [(time, usual, usual), (usual, time, usual), (usual, usual, time), (time, time, time)] {
            let session = session(issuedAt: issuedAt, authTime: authTime, expiry: expiry)
            guard let opened = SessionCodec.decode(SessionCodec.encode(session)) else {
                try hold(!PlausibleTime.milliseconds.contains(time), "a session with the time \(time) does not open")
                continue
            }
            try hold(opened == session, "a session opens to another")
            for time in [opened.issuedAt, opened.seenAt, opened.authTime, opened.tokens.accessTokenExpiresAt ?? 0] {
                try hold(PlausibleTime.milliseconds.contains(time), "a session holds the time \(time)")
            }
            try use(opened, SessionLimits(idle: 3_600_000, absolute: 86_400_000), time)
        }
    }

    static func checkLimits(_ number: String) throws(Broken) {
        guard let limit = Int64(number), limit > 0 else { return }
        let session = session(issuedAt: TokenNumbers.now, authTime: TokenNumbers.now, expiry: TokenNumbers.now)
        for limits in [SessionLimits(idle: limit, absolute: limit), SessionLimits(idle: 1, absolute: limit)] {
            try use(session, limits, limit)
        }
    }

    private static func use(_ session: Session, _ limits: SessionLimits, _ time: Int64) throws(Broken) {
        for now in [0, TokenNumbers.now, time, .max] {
            let isLive = limits.evaluate(session, now: now) == .session(session)
            try hold(!isLive || now < limits.expiry(of: session), "a session is live after its end")
            let renewed = limits.renewed(session, now: now)
            try hold(renewed.seenAt >= session.seenAt && renewed.issuedAt == session.issuedAt, "a renewal goes back in time")
            _ = limits.renewalDue(session, now: now)
            _ = RefreshCoordinator.refreshDue(session, now: now)
        }
    }

    private static func session(issuedAt: Int64, authTime: Int64, expiry: Int64) -> Session {
        let identity = ProviderIdentity(provider: "oidc.acme", issuer: TokenNumbers.issuer, subject: "alice")
        return .issue(
            for: AccountOutcome(supposing: identity), authTime: authTime, providerSessionID: nil,
            tokens: .init(accessToken: "at", accessTokenExpiresAt: expiry, refreshToken: "rt"), now: issuedAt)
    }
}
