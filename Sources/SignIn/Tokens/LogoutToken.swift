import Primitives

package import TokenCrypto

/// A logout token that passed every check but for replay. Made only by `LogoutTokenVerifier`.
package struct VerifiedLogout: Sendable {
    /// As the sessions carry it.
    package let issuer: String
    package let subject: String?
    /// The provider's own session; nil: all of the user's.
    package let sessionID: String?
    package let tokenID: String
    /// Unix milliseconds until which `tokenID` must be remembered.
    package let expiresAt: Int64

    fileprivate init(issuer: String, subject: String?, sessionID: String?, tokenID: String, expiresAt: Int64) {
        self.issuer = issuer
        self.subject = subject
        self.sessionID = sessionID
        self.tokenID = tokenID
        self.expiresAt = expiresAt
    }
}

/// The reason why a logout token was refused; safe to log.
package enum LogoutRefusal: Error, Sendable, Equatable {
    case check(IDTokenRefusal)
    case subjectAndSessionMissing
    case events
    case nonce
    case tokenID

    package var reason: String {
        switch self {
        case .check(let refusal): refusal.reason
        case .subjectAndSessionMissing: "it has neither sub nor sid"
        case .events: "events does not contain the back-channel logout event"
        case .nonce: "it has a nonce, which a logout token must not have"
        case .tokenID: "jti is missing, or not 1 to 512 characters"
        }
    }
}

/// OpenID Connect Back-Channel Logout 1.0 section 2.6, all steps but the memory of `jti`s.
package struct LogoutTokenVerifier: Sendable {
    package static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// The greatest age of a token without `exp`, in milliseconds: the specification of 2022 does not require `exp`.
    private static let oldestWithoutExpiry: Int64 = 120_000

    private let verifier: IDTokenVerifier

    package init(_ verifier: IDTokenVerifier) { self.verifier = verifier }

    package func verify(_ compact: String, keys: JWKSet, now: Int64) throws(LogoutRefusal) -> VerifiedLogout {
        let claims: JSONValue
        let expiry: Int64
        let issuer: String
        do throws(IDTokenRefusal) {
            claims = try self.verifier.openedLogout(compact, keys: keys)
            guard let stated = claims["iss"]?.string,
                let own = self.verifier.sessionIssuer(ofLogoutFrom: stated, tenantID: claims["tid"]?.string)
            else { throw .issuer }
            issuer = own
            guard let audiences = IDTokenVerifier.audiences(claims["aud"]),
                audiences.contains(where: { sameBytes($0, self.verifier.clientID) })
            else { throw .audience }
            expiry = try Self.expiry(claims, now: now)
        } catch {
            throw .check(error)
        }
        guard let event = claims["events"]?.object?[Self.event], event.object != nil else { throw .events }
        guard claims["nonce"] == nil else { throw .nonce }
        guard let tokenID = claims["jti"]?.string, (1...512).contains(tokenID.utf8.count) else { throw .tokenID }
        let subject = claims["sub"]?.string
        let sessionID = claims["sid"]?.string
        guard subject?.isEmpty == false || sessionID?.isEmpty == false else { throw .subjectAndSessionMissing }
        return VerifiedLogout(
            issuer: issuer, subject: subject, sessionID: sessionID, tokenID: tokenID, expiresAt: expiry)
    }

    private static func expiry(_ claims: JSONValue, now: Int64) throws(IDTokenRefusal) -> Int64 {
        let issued = try IDTokenVerifier.issuedAt(claims, now: now)
        guard claims["exp"] != nil else {
            guard now - issued <= Self.oldestWithoutExpiry else { throw .time(TimeClaim(.iat, claims["iat"], now: now)) }
            return issued + Self.oldestWithoutExpiry
        }
        return try IDTokenVerifier.expiry(claims, now: now) + IDTokenVerifier.skew
    }
}
