import Accounts
import TokenCrypto

/// One thing that ended. Times are Unix milliseconds.
package struct RevocationRecord: Sendable, Equatable {
    /// The raw value is the file's.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case session = 1
        case providerSession
        case user
        case token
        /// The `jti` of a logout token that was used.
        case logoutToken
        /// A front-channel logout that named a `sid` of no session that this process had seen.
        case unmatched
    }

    package let kind: Kind
    package let digest: RevocationDigest
    /// Sessions issued later are not meant.
    package let issuedUpTo: Int64
    /// From when on the record is of no use.
    package let expiry: Int64

    init(_ kind: Kind, _ digest: RevocationDigest, issuedUpTo: Int64 = .max, expiry: Int64) {
        self.kind = kind
        self.digest = digest
        self.issuedUpTo = issuedUpTo
        self.expiry = expiry
    }
}

extension RevocationDigester {
    /// Everything that a session can be ended under.
    package func digests(of session: Session) -> [RevocationDigest] {
        let issuer = session.identity.issuer
        let subject = session.identity.subject
        var digests = [self.session(session.id), user(issuer: issuer, subject: subject)]
        if let sid = session.providerSessionID { digests.append(providerSession(issuer: issuer, sid: sid)) }
        // The configuration may take another claim than `sub` as the subject; a logout message always names `sub`.
        if let claim = session.identity.claims["sub"]?.string, !claim.utf8.elementsEqual(subject.utf8) {
            digests.append(user(issuer: issuer, subject: claim))
        }
        return digests
    }

    /// How long a token may be taken after its `exp` by a verifier that allows for another clock.
    private static let tokenLeeway: Int64 = 120_000

    /// The end of a session, and of the tokens it holds; `keeping` are those of a session that goes on with the same ones.
    package func records(
        ending session: Session, keeping successor: Session? = nil, limits: SessionLimits
    ) -> [RevocationRecord] {
        let end = limits.absoluteEnd(of: session)
        let kept = [successor?.tokens.idToken, successor?.tokens.accessToken].compactMap { $0 }.map(token)
        let tokens = [
            session.tokens.idToken.map { ($0, end) }, session.tokens.accessToken.map { ($0, session.tokens.accessTokenExpiresAt ?? end) },
        ]
        return [RevocationRecord(.session, self.session(session.id), expiry: end)]
            + tokens.compactMap { $0 }.compactMap { text, fallback in
                let digest = token(text)
                guard !kept.contains(digest) else { return nil }
                let expiry = Self.expiry(ofToken: text) ?? fallback
                return RevocationRecord(.token, digest, expiry: expiry.addingSaturating(Self.tokenLeeway))
            }
    }

    package func record(endingProviderSession sid: String, issuer: String, limits: SessionLimits, now: Int64) -> RevocationRecord {
        RevocationRecord(
            .providerSession, providerSession(issuer: issuer, sid: sid), issuedUpTo: now, expiry: now.addingSaturating(limits.absolute))
    }

    package func record(endingUser subject: String, issuer: String, limits: SessionLimits, now: Int64) -> RevocationRecord {
        RevocationRecord(.user, user(issuer: issuer, subject: subject), issuedUpTo: now, expiry: now.addingSaturating(limits.absolute))
    }

    package func record(usingLogoutToken id: String, issuer: String, until expiry: Int64) -> RevocationRecord {
        RevocationRecord(.logoutToken, logoutToken(issuer: issuer, id: id), expiry: expiry)
    }

    /// `exp` of a JWT, which was verified when the session was made; nil for any other token.
    private static func expiry(ofToken text: String) -> Int64? {
        guard let claims = (try? UnverifiedJWS(compact: text))?.payload else { return nil }
        switch claims["exp"] {
        case .integer(let seconds):
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            return overflow ? (seconds < 0 ? .min : .max) : milliseconds
        case .number(let seconds): return Int64(exactly: (seconds * 1000).rounded(.up))
        default: return nil
        }
    }
}
