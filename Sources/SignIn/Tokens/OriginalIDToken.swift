import Primitives

import Accounts
package import Sessions
import TokenCrypto

/// The claims that a refreshed ID token must repeat (OpenID Connect Core 1.0 section 12.2).
package struct OriginalIDToken: Sendable {
    private let issuer: String
    private let subject: String
    /// The original's claims; nil when the session does not keep the token itself.
    private let claims: JSONValue?

    /// From a session: its ID token was verified at the sign-in, so its claims are read without another check.
    package init(session: Session) {
        let claims = session.tokens.idToken.flatMap { try? UnverifiedJWS(compact: $0) }?.payload
        self.issuer = session.identity.issuer
        self.subject = claims?["sub"]?.string ?? session.identity.claims["sub"]?.string ?? session.identity.subject
        self.claims = claims
    }

    init(issuer: String, subject: String, claims: JSONValue?) {
        self.issuer = issuer
        self.subject = subject
        self.claims = claims
    }

    func check(_ refreshed: JSONValue, subject: String) throws(IDTokenRefusal) {
        guard sameBytes(subject, self.subject) else { throw .changedAtRefresh("sub") }
        guard let claims else { return }
        for claim in ["iss", "aud"] where refreshed[claim] != claims[claim] { throw .changedAtRefresh(claim) }
        // A claim that came or went is the provider's choice, a different one is not.
        for claim in ["azp", "nonce"] where Self.differs(claim, refreshed, claims) { throw .changedAtRefresh(claim) }
    }

    /// A provider's mistake that ends no session (contract section 6, "Refreshed ID tokens").
    func hasOtherAuthTime(_ refreshed: JSONValue) -> Bool { self.claims.map { Self.differs("auth_time", refreshed, $0) } ?? false }

    private static func differs(_ claim: String, _ refreshed: JSONValue, _ original: JSONValue) -> Bool {
        guard let new = refreshed[claim], let old = original[claim] else { return false }
        return new != old
    }
}
