import Primitives
import TokenCrypto

/// The reason why a request's token was refused: one case per check, safe to log.
package enum BearerRefusal: Error, Sendable, Equatable {
    /// As for an ID token.
    case check(IDTokenRefusal)
    /// An introspected token's `exp`.
    case expired(TimeClaim)
    /// RFC 9068 section 4: `aud` does not hold the configured audience.
    case audience
    /// Bound to a key or certificate of its holder (`cnf`): not to be taken as a bearer token (RFC 9449 section 7.1, RFC 8705 section 3).
    case senderConstrained
    /// An access token where only ID tokens are taken, or one that nothing proves the audience of.
    case unprovenAccessToken
    /// Not a JWT, and no introspection endpoint to ask: an access token and junk look the same.
    case opaque
    /// No provider of this route has issued it.
    case foreignIssuer
    /// RFC 7662: not active, or the answer is about something else.
    case inactive
    case nonce
    /// The scopes that are missing.
    case scope
    case identity
    /// Its user's account does not take it: the account is disabled, or the identity was removed from it.
    case account

    package var reason: String {
        switch self {
        // A client that sends an old token is no sign of a wrong clock.
        case .check(.time(let claim)), .expired(let claim): claim.finding
        case .check(let refusal): refusal.reason
        case .audience: "aud does not contain accessTokens.audience"
        case .senderConstrained: "it is bound to a key (cnf), so it cannot be used as a bearer token"
        case .unprovenAccessToken: "it is an access token, and nothing proves that it was issued for this app; set accessTokens.audience"
        case .opaque:
            "it is not a JWT, and nothing proves that it was issued for this app; set accessTokens.introspection if the provider has an introspection endpoint"
        case .foreignIssuer: "its issuer is none of this route's providers"
        case .inactive: "the introspection endpoint reports it as inactive, or names no subject"
        case .nonce: "its nonce differs from the one in the request"
        case .scope: "it lacks a scope of accessTokens.scopes"
        case .identity: "its claims name no user"
        case .account: "the account of its user is disabled, or does not have this identity any more"
        }
    }
}

/// The unverified shape of a token, used only to choose its verifier.
package struct BearerShape: Sendable {
    package enum Form: Sendable, Equatable { case idToken, accessToken, opaque }
    package let form: Form
    /// `iss`, unverified; nil where it cannot be read.
    package let issuer: String?

    /// Longest token that is looked at.
    package static let maximumBytes = 16 * 1024

    /// RFC 6750 section 2.1: `b68token`, not empty; nil for anything else, or over 16 KiB.
    package init?(_ token: String) {
        guard (1...Self.maximumBytes).contains(token.utf8.count), token.utf8.allSatisfy(Self.isTokenByte) else { return nil }
        guard let jws = try? UnverifiedJWS(compact: token) else {
            self.form = .opaque
            self.issuer = nil
            return
        }
        self.issuer = jws.payload["iss"]?.string
        self.form = Self.isAccessToken(jws) ? .accessToken : .idToken
    }

    /// RFC 9068 section 2.1 by `typ`; and what providers that do not follow it write into their access tokens.
    static func isAccessToken(_ jws: UnverifiedJWS) -> Bool {
        if let type = jws.type?.lowercased(), type == "at+jwt" || type == "application/at+jwt" { return true }
        let claims = jws.payload
        // Keycloak's `typ`, Cognito's `token_use`; no ID token carries the scopes that were granted.
        if let type = claims["typ"]?.string, type != "ID" { return true }
        if let use = claims["token_use"]?.string, use != "id" { return true }
        return claims["scope"] != nil || claims["scp"] != nil
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "-._~+/=".utf8.contains(byte)
        }
    }
}

/// A raw nonce and what a token says of it (OpenID Connect Core 1.0 section 15.5.2; Apple and Firebase send the hash).
package enum RawNonce {
    /// Whether `claim` is the raw nonce, or its SHA-256 in lower-case hexadecimal or base64url.
    package static func matches(_ raw: String, claim: String?) -> Bool {
        guard let claim, !raw.isEmpty, raw.utf8.count <= 1024 else { return false }
        let hash = SHA2.sha256(Array(raw.utf8))
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        var isEqual = false
        // Each is compared, so that the time does not tell which.
        for form in [raw, hexadecimal, Base64URL.encode(hash)] where constantTimeEqualStates(form, claim) { isEqual = true }
        return isEqual
    }
}
