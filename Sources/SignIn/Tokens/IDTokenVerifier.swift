import Primitives
package import Providers
package import TokenCrypto

/// An ID token that passed every check. Made only by `IDTokenVerifier`.
package struct VerifiedIDToken: Sendable {
    /// The configured issuer, also where the token spells it as a listed alias; the tenant's where each tenant has its own.
    package let issuer: String
    package let subject: String
    package let claims: JSONValue
    /// Unix milliseconds.
    package let authTime: Int64?
    /// `sid`, the provider's own session.
    package let sessionID: String?

    fileprivate init(issuer: String, subject: String, claims: JSONValue, authTime: Int64?, sessionID: String?) {
        self.issuer = issuer
        self.subject = subject
        self.claims = claims
        self.authTime = authTime
        self.sessionID = sessionID
    }
}

/// The reason why an ID token was refused: one case per check, safe to log.
package enum IDTokenRefusal: Error, Sendable, Equatable {
    case signature(JWSError)
    /// `typ` says that it is another kind of token (RFC 8725 section 3.11), or it has a logout token's `events`.
    case wrongKind
    case issuer
    case audience
    case authorizedParty
    /// `exp`, `nbf`, `iat` or `auth_time` is missing, or outside its limits by the gateway's clock.
    case time(TimeClaim)
    case subject
    case nonce
    case accessTokenHash
    case authenticationContext
    /// OpenID Connect Core 1.0 section 12.2: the refreshed token's claim is not the original's.
    case changedAtRefresh(String)

    package var reason: String {
        switch self {
        case .signature(.malformed(let what)): "malformed: \(what)"
        case .signature(.tooLarge): "it is larger than 64 KiB"
        case .signature(.algorithmNotAllowed): "its alg is not among the allowed algorithms"
        case .signature(.criticalHeader): "it has a crit header, which is not supported"
        case .signature(.unknownKeyID): "no key of the provider has its kid"
        case .signature(.noUsableKey): "no key of the provider fits its alg"
        case .signature(.signatureInvalid): "its signature is invalid"
        case .wrongKind: "it is another kind of token"
        case .issuer: "iss is neither the issuer nor that of an admitted tenant"
        case .audience: "aud is not this client alone"
        case .authorizedParty: "azp is not this client"
        case .time(let claim): claim.reason
        case .subject: "sub is missing, or not 1 to 255 ASCII characters"
        case .nonce: "nonce differs from the sign-in's"
        case .accessTokenHash: "at_hash does not match the access token"
        case .authenticationContext: "acr is not among the requested values"
        case .changedAtRefresh(let claim): "\(claim) differs from the sign-in's"
        }
    }

    package func signInError(provider: String) -> SignInError {
        var error = SignInError(.invalidIDToken, provider: provider, "the ID token was refused: \(self.reason)")
        if case .time(let claim) = self { error.timeClaim = claim }
        return error
    }
}

/// The ID-token checks of OpenID Connect Core 1.0 section 3.1.3.7, all of them, in the order of the numbered steps after the signature.
package struct IDTokenVerifier: Sendable {
    /// The tolerated difference between the provider's clock and the gateway's, in milliseconds.
    package static let skew: Int64 = 60_000
    /// The greatest age of `iat`, in milliseconds: an ID token of the code flow is issued for this response.
    package static let oldest: Int64 = 600_000

    let issuer: String
    private let issuerAliases: [String]
    private let tenants: TenantIssuers?
    private let metadataIssuer: String?
    let clientID: String
    let trustedAudiences: [String]
    let algorithms: Set<JWSAlgorithm>
    private let secret: [UInt8]?
    private let noncePolicy: ProviderPreset.NoncePolicy

    /// The values that the sign-in requested.
    package struct Expectation: Sendable {
        package var nonce: String?
        package var requestedACR: [String]
        package var maxAge: MaxAge?
        package var accessToken: String?
        package init(nonce: String?, requestedACR: [String] = [], maxAge: MaxAge? = nil, accessToken: String?) {
            self.nonce = nonce
            self.requestedACR = requestedACR
            self.maxAge = maxAge
            self.accessToken = accessToken
        }
    }

    /// nil where the settings name no issuer: then there is nothing an ID token could be checked against.
    /// `metadataIssuer`: the discovery document's, which identifies a tenant that is configured by its domain.
    package init?(settings: ProviderSettings, algorithms: Set<JWSAlgorithm>, metadataIssuer: String? = nil) {
        guard let issuer = settings.issuer else { return nil }
        self.issuer = issuer
        self.issuerAliases = settings.issuerAliases
        self.tenants = settings.tenantIssuers
        self.metadataIssuer = metadataIssuer
        self.clientID = settings.clientID
        self.trustedAudiences = settings.additionalAudiences
        self.algorithms = algorithms
        // OpenID Connect Core 1.0 section 10.1: the UTF-8 octets of the client secret.
        self.secret = settings.clientSecret.map { Array($0.exposed.utf8) }
        self.noncePolicy = settings.nonce
    }

    /// The ID token of a code exchange.
    package func verify(_ compact: String, keys: JWKSet, expecting: Expectation, now: Int64) throws(IDTokenRefusal) -> VerifiedIDToken {
        let (token, claims) = try self.opened(compact, keys: keys)
        let verified = try self.checked(
            claims, algorithm: token.algorithm, accessToken: expecting.accessToken, authTime: claims["auth_time"], now: now)
        try self.checkNonce(claims["nonce"], expected: expecting.nonce)
        if !expecting.requestedACR.isEmpty {
            guard let acr = claims["acr"]?.string, expecting.requestedACR.contains(where: { sameBytes($0, acr) }) else {
                throw .authenticationContext
            }
        }
        if let maxAge = expecting.maxAge {
            guard let authTime = verified.authTime, (now - authTime) / 1000 <= maxAge.seconds + Self.skew / 1000 else {
                throw .time(TimeClaim(.authTime, claims["auth_time"], now: now))
            }
        }
        return verified
    }

    /// The ID token of a refresh: the same checks but nonce, and section 12.2's against the original's claims.
    ///
    /// `auth_time` is not checked: the session keeps the sign-in's.
    package func verifyRefreshed(
        _ compact: String, keys: JWKSet, original: OriginalIDToken, accessToken: String?, now: Int64
    ) throws(IDTokenRefusal) -> (token: VerifiedIDToken, hasOtherAuthTime: Bool) {
        let (token, claims) = try self.opened(compact, keys: keys)
        let verified = try self.checked(claims, algorithm: token.algorithm, accessToken: accessToken, authTime: nil, now: now)
        try original.check(claims, subject: verified.subject)
        return (verified, original.hasOtherAuthTime(claims))
    }

    /// A JWT that signed userinfo comes as (section 5.3.2): signature, `iss` and `aud`.
    package func verifyUserinfo(_ compact: String, keys: JWKSet) throws(IDTokenRefusal) -> JSONValue {
        let claims = try self.opened(compact, keys: keys).claims
        try self.checkIssuer(claims)
        guard Self.audiences(claims["aud"])?.contains(where: { sameBytes($0, self.clientID) }) == true else { throw .audience }
        return claims
    }

    /// The claims of an access token that is a JWT of this provider for this client about this person; nil for any other. It was
    /// handed over by the token endpoint: what is in it only adds to what the ID token says.
    package func accessTokenClaims(_ compact: String, keys: JWKSet, subject: String) -> JSONValue? {
        guard let token = try? UnverifiedJWS(compact: compact),
            let claims = try? token.verified(with: keys, secret: nil, allowed: self.algorithms),
            (try? self.checkIssuer(claims)) != nil, claims["sub"]?.string.map({ sameBytes($0, subject) }) ?? false,
            claims["azp"]?.string.map({ sameBytes($0, self.clientID) }) ?? false
        else { return nil }
        return claims
    }

    /// A logout token's claims, its signature verified as an ID token's (Back-Channel Logout 1.0 section 2.6). Its own `typ` is welcome,
    /// none or `JWT` too, since the text does not ask for it.
    func openedLogout(_ compact: String, keys: JWKSet) throws(IDTokenRefusal) -> JSONValue {
        try self.opened(compact, keys: keys, types: ["logout+jwt", "application/logout+jwt", "jwt"]).claims
    }

    func opened(
        _ compact: String, keys: JWKSet, types: [String] = ["jwt", "jose", "application/jwt"]
    ) throws(IDTokenRefusal) -> (token: UnverifiedJWS, claims: JSONValue) {
        do {
            let token = try UnverifiedJWS(compact: compact)
            guard token.type.map({ types.contains($0.lowercased()) }) ?? true else {
                throw IDTokenRefusal.wrongKind
            }
            return (token, try token.verified(with: keys, secret: self.secret, allowed: self.algorithms))
        } catch let error as JWSError {
            throw .signature(error)
        } catch {
            throw .wrongKind
        }
    }

    private func checked(
        _ claims: JSONValue, algorithm: String, accessToken: String?, authTime: JSONValue?, now: Int64
    ) throws(IDTokenRefusal) -> VerifiedIDToken {
        guard claims["events"] == nil else { throw .wrongKind }
        let issuer = try self.checkIssuer(claims)
        try self.checkAudience(claims, isSymmetric: JWSAlgorithm(rawValue: algorithm)?.isSymmetric ?? true)
        try self.checkTimes(claims, now: now)
        let subject = try Self.subject(claims["sub"])
        try self.checkAccessTokenHash(claims["at_hash"], algorithm: algorithm, accessToken: accessToken)
        return VerifiedIDToken(
            issuer: issuer, subject: subject, claims: claims, authTime: try Self.authTime(authTime, now: now),
            sessionID: claims["sid"]?.string)
    }

    static func subject(_ claim: JSONValue?) throws(IDTokenRefusal) -> String {
        guard let subject = claim?.string, (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .subject
        }
        return subject
    }

    static func authTime(_ claim: JSONValue?, now: Int64) throws(IDTokenRefusal) -> Int64? {
        guard let claim, claim != .null else { return nil }
        guard let time = NumericDate.milliseconds(claim), time <= now + Self.skew else {
            throw .time(TimeClaim(.authTime, claim, now: now))
        }
        return time
    }

    /// The issuer that identities get: an alias counts as the issuer itself, a tenant's own stays.
    @discardableResult
    func checkIssuer(_ claims: JSONValue) throws(IDTokenRefusal) -> String {
        guard let stated = claims["iss"]?.string else { throw .issuer }
        if let tenants {
            guard let tenantID = claims["tid"]?.string,
                tenants.admits(issuer: stated, tenantID: tenantID, metadataIssuer: self.metadataIssuer)
            else { throw .issuer }
            return stated
        }
        guard ([self.issuer] + self.issuerAliases).contains(where: { sameBytes($0, stated) }) else {
            throw .issuer
        }
        return self.issuer
    }

    /// The issuer that the sessions meant by a logout message carry; nil: the message is not from this provider. Unlike ID tokens, these
    /// messages need not repeat their tenant in `tid`.
    package func sessionIssuer(ofLogoutFrom stated: String, tenantID: String? = nil) -> String? {
        if let tenants {
            return tenants.admitsLogout(issuer: stated, tenantID: tenantID, metadataIssuer: self.metadataIssuer) ? stated : nil
        }
        return ([self.issuer] + self.issuerAliases).contains { sameBytes($0, stated) } ? self.issuer : nil
    }

    /// Steps 3 to 5 and 8: this client among the audiences, no audience that is not trusted, `azp` this client, and there
    /// when there are several audiences.
    private func checkAudience(_ claims: JSONValue, isSymmetric: Bool) throws(IDTokenRefusal) {
        guard let audiences = Self.audiences(claims["aud"]), audiences.contains(where: { sameBytes($0, self.clientID) }) else {
            throw .audience
        }
        let trusted = [self.clientID] + self.trustedAudiences
        guard audiences.allSatisfy({ audience in trusted.contains { sameBytes($0, audience) } }) else { throw .audience }
        if isSymmetric, audiences.count > 1 { throw .audience }
        guard let party = claims["azp"] else {
            if audiences.count > 1 { throw .authorizedParty }
            return
        }
        guard let party = party.string, sameBytes(party, self.clientID) else { throw .authorizedParty }
    }

    static func audiences(_ claim: JSONValue?) -> [String]? {
        if let one = claim?.string { return [one] }
        guard let list = claim?.array, !list.isEmpty, list.count <= 64 else { return nil }
        let texts = list.compactMap(\.string)
        return texts.count == list.count ? texts : nil
    }

    private func checkTimes(_ claims: JSONValue, now: Int64) throws(IDTokenRefusal) {
        let issued = try Self.times(claims, now: now).issuedAt
        guard now - issued <= Self.oldest + Self.skew else { throw .time(TimeClaim(.iat, claims["iat"], now: now)) }
    }

    /// `exp`, `nbf` and `iat` within the skew, in Unix milliseconds.
    static func times(_ claims: JSONValue, now: Int64) throws(IDTokenRefusal) -> (issuedAt: Int64, expiresAt: Int64) {
        let expiresAt = try self.expiry(claims, now: now)
        if let claim = claims["nbf"] {
            guard let start = NumericDate.milliseconds(claim), start <= now + self.skew else {
                throw .time(TimeClaim(.nbf, claim, now: now))
            }
        }
        return (try self.issuedAt(claims, now: now), expiresAt)
    }

    static func expiry(_ claims: JSONValue, now: Int64) throws(IDTokenRefusal) -> Int64 {
        guard let expiry = NumericDate.milliseconds(claims["exp"]), now < expiry + self.skew else {
            throw .time(TimeClaim(.exp, claims["exp"], now: now))
        }
        return expiry
    }

    static func issuedAt(_ claims: JSONValue, now: Int64) throws(IDTokenRefusal) -> Int64 {
        guard let issued = NumericDate.milliseconds(claims["iat"]), issued <= now + self.skew else {
            throw .time(TimeClaim(.iat, claims["iat"], now: now))
        }
        return issued
    }

    private func checkNonce(_ claim: JSONValue?, expected: String?) throws(IDTokenRefusal) {
        guard let expected else { return }
        guard let claim else {
            if self.noncePolicy == .required { throw .nonce }
            return
        }
        guard let nonce = claim.string, constantTimeEqualStates(nonce, expected) else { throw .nonce }
    }

    /// Section 3.1.3.8: the left half of the hash that `alg` names, when the claim is there.
    private func checkAccessTokenHash(_ claim: JSONValue?, algorithm: String, accessToken: String?) throws(IDTokenRefusal) {
        guard let claim, let accessToken else { return }
        let bytes = Array(accessToken.utf8)
        let hash: [UInt8]
        switch algorithm.suffix(3) {
        case "256": hash = SHA2.sha256(bytes)
        case "384": hash = SHA2.sha384(bytes)
        default: hash = SHA2.sha512(bytes)
        }
        guard let stated = claim.string, sameBytes(stated, Base64URL.encode(Array(hash.prefix(hash.count / 2)))) else {
            throw .accessTokenHash
        }
    }
}
