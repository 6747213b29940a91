import Accounts
import TokenCrypto

/// One thing that ended. Times are Unix milliseconds.
package struct RevocationRecord: Sendable, Equatable {
    /// The raw value is the file's.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case session = 1
        case providerSession
        /// The sessions of a provider's user, of a uid, or of everyone.
        case user
        case token
        /// The `jti` of a logout token that was used.
        case logoutToken
        /// A front-channel logout that named a `sid` of no session that this process had seen.
        case unmatched
        /// The sessions of an account. Never in a file: the account store has it.
        case account
    }

    package let kind: Kind
    package let digest: RevocationDigest
    /// Sessions issued later are not meant.
    package let issuedUpTo: Int64
    /// From when on the record is of no use.
    package let expiry: Int64

    /// `issuedUpTo` of the end of an anonymous session. It marks the record in files and messages, in a form that earlier builds read as
    /// any other end of one session.
    static let anonymousMark = Int64.max - 1

    /// The end of an anonymous session, of which a stranger can make any number.
    package var isAnonymous: Bool { kind == .session && issuedUpTo == Self.anonymousMark }

    /// The end of one session.
    package static func session(_ digest: RevocationDigest, isAnonymous: Bool, expiry: Int64) -> RevocationRecord {
        RevocationRecord(.session, digest, issuedUpTo: isAnonymous ? anonymousMark : .max, expiry: expiry)
    }

    package init(_ kind: Kind, _ digest: RevocationDigest, issuedUpTo: Int64 = .max, expiry: Int64) {
        self.kind = kind
        self.digest = digest
        self.issuedUpTo = issuedUpTo
        self.expiry = expiry
    }
}

/// The digests that a session can be ended under, made once for a session that is compared often.
package struct SessionDigests: Sendable {
    /// nil: its provider names no session of its own.
    package let providerSession: RevocationDigest?
    package let all: [RevocationDigest]

    package init(providerSession: RevocationDigest?, all: [RevocationDigest]) {
        self.providerSession = providerSession
        self.all = all
    }

    package init(of session: Session, _ digester: RevocationDigester) {
        let shared = digester.sharedDigests(of: session)
        providerSession = shared.providerSession
        all = [digester.session(session.id)] + shared.all + [digester.everyone]
    }
}

extension RevocationDigester {
    /// Everything that a session can be ended under.
    package func digests(of session: Session) -> [RevocationDigest] { SessionDigests(of: session, self).all }

    /// The digests that end a session together with some others: all but its own and `everyone`. The user's is the first, and the provider
    /// session's, if there is one, the second.
    package func sharedDigests(of session: Session) -> SessionDigests {
        let issuer = session.identity.issuer
        let subject = session.identity.subject
        var digests = [user(issuer: issuer, subject: subject)]
        let providerSession = session.providerSessionID.map { self.providerSession(issuer: issuer, sid: $0) }
        if let providerSession { digests.append(providerSession) }
        // The configuration may take another claim than `sub` as the subject; a logout message always names `sub`.
        if let claim = session.identity.claims["sub"]?.string, !claim.utf8.elementsEqual(subject.utf8) {
            digests.append(user(issuer: issuer, subject: claim))
        }
        digests += [account(session.uid), account(session.uid, provider: session.identity.provider)]
        if let signIn = signIn(ofPresented: session) { digests.append(signIn) }
        return SessionDigests(providerSession: providerSession, all: digests)
    }

    /// The time after `exp` for which a verifier with clock tolerance may accept a token.
    private static let tokenLeeway: Int64 = 120_000
    /// No token is remembered longer than a year, whatever its `exp` says.
    private static let longestTokenLife: Int64 = 365 * 24 * 3_600_000

    /// The end of a session, and of the tokens that it holds or held; `keeping` are those of a session that goes on with the same ones.
    package func records(
        ending session: Session, keeping successor: Session? = nil, limits: SessionLimits, now: Int64
    ) -> [RevocationRecord] {
        let end = limits.absoluteEnd(of: session)
        let kept = [successor?.tokens.idToken, successor?.tokens.accessToken].compactMap { $0 }.map(token)
        let tokens = [
            session.tokens.idToken.map { ($0, end) }, session.tokens.accessToken.map { ($0, session.tokens.accessTokenExpiresAt ?? end) },
        ]
        let keptSignIns = successor.map { signIns(of: $0) } ?? []
        return [.session(self.session(session.id), isAnonymous: session.isAnonymous, expiry: end)]
            + signIns(of: session).filter { !keptSignIns.contains($0) }.map { record(endingSignIn: $0, limits: limits, now: now) }
            + tokens.compactMap { $0 }.compactMap { text, fallback in
                let digest = token(text)
                guard !kept.contains(digest) else { return nil }
                let expiry = min(Self.expiry(ofToken: text) ?? fallback, now.addingSaturating(Self.longestTokenLife))
                return RevocationRecord(.token, digest, expiry: expiry.addingSaturating(Self.tokenLeeway))
            }
    }

    /// The end of all sessions of this one's user up to now, and of the user's tokens issued until then; a `successor` goes on, and with it every
    /// session that began as late.
    package func record(
        endingAllOfUserOf session: Session, keeping successor: Session? = nil, limits: SessionLimits, now: Int64
    ) -> RevocationRecord {
        let issuedUpTo = successor.map { min(now, $0.issuedAt.addingSaturating(-1)) } ?? now
        return RevocationRecord(
            .user, user(issuer: session.identity.issuer, subject: session.identity.subject),
            issuedUpTo: successor == nil ? max(issuedUpTo, session.issuedAt) : issuedUpTo, expiry: Self.logoutExpiry(limits, now))
    }

    static func logoutExpiry(_ limits: SessionLimits, _ now: Int64) -> Int64 {
        now.addingSaturating(max(limits.absolute, SessionLimits.tokenMemory))
    }

    package func record(endingProviderSession sid: String, issuer: String, limits: SessionLimits, now: Int64) -> RevocationRecord {
        RevocationRecord(
            .providerSession, providerSession(issuer: issuer, sid: sid), issuedUpTo: now,
            expiry: Self.logoutExpiry(limits, now))
    }

    package func record(endingUser subject: String, issuer: String, limits: SessionLimits, now: Int64) -> RevocationRecord {
        RevocationRecord(.user, user(issuer: issuer, subject: subject), issuedUpTo: now, expiry: Self.logoutExpiry(limits, now))
    }

    /// The expiry counts from the ending itself, not from now: a start reads endings that are days old.
    package func record(_ ending: AccountEnding, limits: SessionLimits) -> RevocationRecord {
        RevocationRecord(
            .account, account(ending.uid, provider: ending.provider), issuedUpTo: ending.issuedUpTo,
            expiry: ending.issuedUpTo.addingSaturating(limits.endingMemory))
    }

    /// An operator's end of a user's sessions. It has a kind that is written to files: no account store has it.
    package func record(endingAllOfUID uid: String, limits: SessionLimits, now: Int64) -> RevocationRecord {
        RevocationRecord(.user, account(uid), issuedUpTo: now, expiry: Self.logoutExpiry(limits, now))
    }

    package func record(endingEveryone limits: SessionLimits, now: Int64) -> RevocationRecord {
        RevocationRecord(.user, everyone, issuedUpTo: now, expiry: Self.logoutExpiry(limits, now))
    }

    package func record(usingLogoutToken id: String, issuer: String, until expiry: Int64) -> RevocationRecord {
        RevocationRecord(.logoutToken, logoutToken(issuer: issuer, id: id), expiry: expiry)
    }

    /// `exp` of a JWT, as far as it is a time; nil for any other token. That of an access token was never verified.
    private static func expiry(ofToken text: String) -> Int64? {
        guard let claims = (try? UnverifiedJWS(compact: text))?.payload else { return nil }
        let milliseconds: Int64?
        switch claims["exp"] {
        case .integer(let seconds):
            let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            milliseconds = overflow ? nil : product
        case .number(let seconds): milliseconds = Int64(exactly: (seconds * 1000).rounded(.up))
        default: milliseconds = nil
        }
        return milliseconds.flatMap { PlausibleTime.milliseconds.contains($0) ? $0 : nil }
    }
}
