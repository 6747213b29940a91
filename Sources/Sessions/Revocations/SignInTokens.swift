import Accounts
import TokenCrypto

/// The ID tokens that one sign-in and its refreshes brought. A session holds only the last of them, so its end also ends those that have the
/// provider's session in common, or issuer, subject and `auth_time`, and were issued until then.
extension RevocationDigester {
    private func signIn(issuer: String, sid: String) -> RevocationDigest { signIn([issuer, "sid", sid]) }

    /// `authTime` nil: of tokens that do not have it.
    private func signIn(issuer: String, subject: String, authTime: Int64?) -> RevocationDigest {
        signIn([issuer, "sub", subject] + (authTime.map { [String($0)] } ?? []))
    }

    /// Of a presented token; nil if the gateway cannot have received it.
    func signIn(ofPresented token: Session) -> RevocationDigest? {
        guard token.isPossiblyOwnToken else { return nil }
        let identity = token.identity
        if let sid = token.providerSessionID { return signIn(issuer: identity.issuer, sid: sid) }
        return signIn(issuer: identity.issuer, subject: identity.subject, authTime: token.authTime == 0 ? nil : token.authTime)
    }

    /// Of a session's earlier ID tokens: none, if it cannot have been refreshed.
    package func signIns(of session: Session) -> [RevocationDigest] {
        guard session.tokens.refreshToken != nil || session.generation > 0 else { return [] }
        let identity = session.identity
        let held = session.tokens.idToken.flatMap { UnverifiedJWS.payload(ofVerified: $0) }
        let heldID = held?["sid"]?.string
        var digests = Set([session.providerSessionID, heldID].compactMap(\.self)).map { signIn(issuer: identity.issuer, sid: $0) }
        // Providers need not repeat `sid` and `auth_time` at a refresh.
        guard session.providerSessionID == nil || heldID == nil else { return digests }
        digests.append(signIn(issuer: identity.issuer, subject: identity.subject, authTime: session.authTime))
        if held?["auth_time"] == nil { digests.append(signIn(issuer: identity.issuer, subject: identity.subject, authTime: nil)) }
        return digests
    }

    /// The end of the ID tokens of a sign-in that were issued until now.
    package func record(endingSignIn digest: RevocationDigest, limits: SessionLimits, now: Int64) -> RevocationRecord {
        RevocationRecord(.token, digest, issuedUpTo: now, expiry: Self.logoutExpiry(limits, now))
    }
}
