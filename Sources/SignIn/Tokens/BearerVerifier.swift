import Primitives

package import Providers
package import TokenCrypto

/// A token that came with a request and passed every check. Made only by `BearerVerifier`.
package struct VerifiedBearer: Sendable {
    package enum Kind: String, Sendable { case idToken = "id-token", accessToken = "access-token", introspected }

    /// What the token says, or the introspection endpoint says of it.
    package struct Token: Sendable {
        package let issuer: String
        package let subject: String
        package let claims: JSONValue
        /// Unix milliseconds.
        package let authTime: Int64?
        /// `sid`, the provider's own session.
        package let sessionID: String?
    }

    package let kind: Kind
    package let token: Token
    /// Unix milliseconds.
    package let issuedAt: Int64
    /// Unix milliseconds; the token is never taken from then on, whatever is remembered about it.
    package let expiresAt: Int64
    /// Of an ID token.
    package let nonce: String?

    fileprivate init(kind: Kind, token: Token, issuedAt: Int64, expiresAt: Int64, nonce: String?) {
        self.kind = kind
        self.token = token
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.nonce = nonce
    }
}

/// The checks of tokens that come with a request: ID tokens (OpenID Connect Core 1.0 section 3.1.3.7 but for the nonce), JWT access
/// tokens (RFC 9068 section 4) and introspection answers (RFC 7662 section 2.2).
package struct BearerVerifier: Sendable {
    private let verifier: IDTokenVerifier
    private let accessTokens: ProviderSettings.AccessTokens?

    package init(_ verifier: IDTokenVerifier, settings: ProviderSettings) {
        self.verifier = verifier
        self.accessTokens = settings.accessTokens
    }

    /// An ID token: signature, `iss`, `aud` and `azp` among this client and `additionalAudiences`, all times. Its age does not count as
    /// long as it has not expired: a program uses it more than once.
    package func verifyIDToken(_ compact: String, keys: JWKSet, now: Int64) throws(BearerRefusal) -> VerifiedBearer {
        do throws(IDTokenRefusal) {
            let (token, claims) = try self.verifier.opened(compact, keys: keys)
            guard claims["events"] == nil, !BearerShape.isAccessToken(token) else { throw .wrongKind }
            let issuer = try self.verifier.checkIssuer(claims)
            try self.checkAudience(claims, isSymmetric: JWSAlgorithm(rawValue: token.algorithm)?.isSymmetric ?? true)
            guard claims["cnf"] == nil else { throw .wrongKind }
            let times = try IDTokenVerifier.times(claims, now: now)
            return VerifiedBearer(
                kind: .idToken, token: try self.verified(claims, issuer, now: now), issuedAt: times.issuedAt, expiresAt: times.expiresAt,
                nonce: claims["nonce"]?.string)
        } catch {
            throw .check(error)
        }
    }

    /// A JWT access token: `typ` `at+jwt`, an asymmetric signature, `iss`, the configured audience, `exp`, `sub`, the scopes.
    package func verifyAccessToken(_ compact: String, keys: JWKSet, now: Int64) throws(BearerRefusal) -> VerifiedBearer {
        guard let accessTokens else { throw .unprovenAccessToken }
        let claims: JSONValue
        do {
            let token = try UnverifiedJWS(compact: compact)
            guard let type = token.type?.lowercased(), type == "at+jwt" || type == "application/at+jwt" else {
                throw BearerRefusal.unprovenAccessToken
            }
            // The client secret is no key of the resource's (RFC 9068 section 5).
            claims = try token.verified(with: keys, secret: nil, allowed: self.verifier.algorithms.filter { !$0.isSymmetric })
        } catch let refusal as BearerRefusal {
            throw refusal
        } catch let error as JWSError {
            throw .check(.signature(error))
        } catch {
            throw .check(.wrongKind)
        }
        let times: (issuedAt: Int64, expiresAt: Int64)
        let token: VerifiedBearer.Token
        do throws(IDTokenRefusal) {
            let issuer = try self.verifier.checkIssuer(claims)
            times = try IDTokenVerifier.times(claims, now: now)
            token = try self.verified(claims, issuer, now: now)
        } catch {
            throw .check(error)
        }
        guard IDTokenVerifier.audiences(claims["aud"])?.contains(where: { sameBytes($0, accessTokens.audience) }) == true else {
            throw .audience
        }
        try Self.checkUnbound(claims)
        try Self.checkScopes(claims, wanted: accessTokens.scopes)
        return VerifiedBearer(kind: .accessToken, token: token, issuedAt: times.issuedAt, expiresAt: times.expiresAt, nonce: nil)
    }

    private func verified(_ claims: JSONValue, _ issuer: String, now: Int64) throws(IDTokenRefusal) -> VerifiedBearer.Token {
        VerifiedBearer.Token(
            issuer: issuer, subject: try IDTokenVerifier.subject(claims["sub"]), claims: claims,
            authTime: try IDTokenVerifier.authTime(claims["auth_time"], now: now), sessionID: claims["sid"]?.string)
    }

    /// Requires `aud` and `azp` to name only this client and `additionalAudiences`.
    private func checkAudience(_ claims: JSONValue, isSymmetric: Bool) throws(IDTokenRefusal) {
        let trusted = [self.verifier.clientID] + self.verifier.trustedAudiences
        func isTrusted(_ text: String) -> Bool { trusted.contains { sameBytes($0, text) } }
        guard let audiences = IDTokenVerifier.audiences(claims["aud"]), audiences.allSatisfy(isTrusted) else { throw .audience }
        if isSymmetric, audiences.count > 1 || !sameBytes(audiences[0], self.verifier.clientID) { throw .audience }
        guard let party = claims["azp"] else {
            if audiences.count > 1 { throw .authorizedParty }
            return
        }
        guard let party = party.string, isTrusted(party) else { throw .authorizedParty }
    }

    /// RFC 7800 section 3.1: the client must prove a key, which a bearer token does not do.
    private static func checkUnbound(_ claims: JSONValue) throws(BearerRefusal) {
        if let confirmation = claims["cnf"], confirmation != .null { throw .senderConstrained }
    }

    /// RFC 9068 section 2.2.3.1, RFC 8693 section 4.2 for the list form.
    private static func checkScopes(_ claims: JSONValue, wanted: [String]) throws(BearerRefusal) {
        guard !wanted.isEmpty else { return }
        var granted: [String] = []
        for name in ["scope", "scp"] {
            granted += claims[name]?.string?.split(separator: " ").map(String.init) ?? claims[name]?.array?.compactMap(\.string) ?? []
        }
        guard wanted.allSatisfy({ scope in granted.contains { sameBytes($0, scope) } }) else { throw .scope }
    }
}

extension BearerVerifier {
    /// Verifies the response of an introspection endpoint: `active`, for the configured audience, or issued to this client, not expired,
    /// not
    /// bound to a key. `issuer`: whose answer it is, where it names none itself.
    ///
    /// Static: a plain OAuth 2.0 provider has no ID tokens to verify.
    package static func verifyIntrospection(
        _ json: JSONValue, settings: ProviderSettings, issuer: String, now: Int64
    ) throws(BearerRefusal) -> VerifiedBearer {
        guard let accessTokens = settings.accessTokens, accessTokens.introspects else { throw .unprovenAccessToken }
        guard json["active"]?.bool == true else { throw .inactive }
        if let stated = json["iss"], stated != .null {
            guard let stated = stated.string, sameBytes(stated, issuer) else { throw .check(.issuer) }
        }
        if let claim = json["aud"], claim != .null {
            guard IDTokenVerifier.audiences(claim)?.contains(where: { sameBytes($0, accessTokens.audience) }) == true else {
                throw .audience
            }
        } else {
            // Without an audience the client it was issued to must be us: a token that another app obtained proves nothing here.
            guard let client = json["client_id"]?.string, sameBytes(client, settings.clientID) else { throw .audience }
        }
        if json["token_type"]?.string?.lowercased() == "dpop" { throw .senderConstrained }
        try self.checkUnbound(json)
        try self.checkScopes(json, wanted: accessTokens.scopes)
        var expiry = Int64.max
        if let claim = json["exp"], claim != .null {
            guard let time = NumericDate.milliseconds(claim), now < time else { throw .expired(TimeClaim(.exp, claim, now: now)) }
            expiry = time
        }
        do throws(IDTokenRefusal) {
            let subject = try IDTokenVerifier.subject(json["sub"])
            var claims = json.object ?? [:]
            if claims["preferred_username"] == nil { claims["preferred_username"] = claims["username"] }
            let token = VerifiedBearer.Token(
                issuer: issuer, subject: subject, claims: .object(claims),
                authTime: try IDTokenVerifier.authTime(json["auth_time"], now: now), sessionID: json["sid"]?.string)
            return VerifiedBearer(
                kind: .introspected, token: token, issuedAt: NumericDate.milliseconds(json["iat"]) ?? now, expiresAt: expiry, nonce: nil)
        } catch {
            throw .check(error)
        }
    }
}
