import Primitives
import TokenCrypto

extension ProviderState {
    /// The ID token of the grant (OpenID Connect Core 2, 3.1.3.6 and, refreshed, 12.2), with the faults in force.
    mutating func idToken(for grant: Grant, accessToken: String, nonce: String?, isRefresh: Bool, _ seconds: Int64) -> String {
        let key = keyChain.current()
        var claims: [String: JSONValue] = [
            "iss": .string(options.issuer),
            "aud": .string(grant.clientID),
            "iat": .integer(seconds),
            "exp": .integer(seconds + options.lifetimes.idToken),
            "auth_time": .integer(grant.authTime),
            "at_hash": .string(accessTokenHash(accessToken, key.algorithm)),
            "sid": .string(grant.sessionID),
        ]
        if let contextClass = grant.contextClass { claims["acr"] = .string(contextClass) }
        if let nonce { claims["nonce"] = .string(nonce) }
        if let person = person(grant.personID) {
            claims.merge(person.claims(scopes: grant.scopes)) { $1 }
            emulatedClaims(&claims, of: person, isIDToken: true)
        }
        if isRefresh { applyRefreshFaults(&claims) }
        for fault in IDTokenFault.allCases where has(.idToken(fault)) { apply(fault, to: &claims, grant: grant, seconds) }
        return signed(claims, key, secret: client(grant.clientID)?.secret ?? "")
    }

    /// The left half of the hash that goes with the algorithm (OpenID Connect Core 3.1.3.6).
    private func accessTokenHash(_ token: String, _ algorithm: JWSAlgorithm) -> String {
        let bytes = Array(token.utf8)
        let digest =
            switch algorithm {
            case .rs384, .ps384, .es384, .hs384: SHA2.sha384(bytes)
            case .rs512, .ps512, .es512, .hs512, .edDSA: SHA2.sha512(bytes)
            case .rs256, .ps256, .es256, .hs256: SHA2.sha256(bytes)
            }
        return Base64URL.encode(Array(digest.prefix(digest.count / 2)))
    }

    private func applyRefreshFaults(_ claims: inout [String: JSONValue]) {
        for fault in RefreshFault.allCases where has(.refresh(fault)) {
            switch fault {
            case .otherSubject: claims["sub"] = .string("somebody-else")
            case .otherAudience: claims["aud"] = .string("another-client")
            case .otherAuthTime: claims["auth_time"] = .integer((claims["auth_time"]?.integer ?? 0) - 3_600)
            case .otherNonce: claims["nonce"] = .string("a-nonce-that-was-never-sent")
            case .invalidGrant, .keepsToken, .withoutIDToken: break  // not about the token's content
            }
        }
    }

    private func apply(_ fault: IDTokenFault, to claims: inout [String: JSONValue], grant: Grant, _ seconds: Int64) {
        switch fault {
        case .issuerSuffix: claims["iss"] = .string(options.issuer + "1")
        case .issuerSlash: claims["iss"] = .string(options.issuer + "/")
        case .issuerUpperCase: claims["iss"] = .string(options.issuer.uppercased())
        case .issuerMissing: claims["iss"] = nil
        case .issuerArray: claims["iss"] = .strings([options.issuer])
        case .audienceMissing: claims["aud"] = nil
        case .audienceOther: claims["aud"] = .string("another-client")
        case .audienceCase:
            let upper = grant.clientID.uppercased()
            claims["aud"] = .string(upper == grant.clientID ? grant.clientID.lowercased() : upper)
        case .audienceUntrusted: claims["aud"] = .strings([grant.clientID, "another-client"])
        case .audienceUntrustedWithParty:
            claims["aud"] = .strings([grant.clientID, "another-client"])
            claims["azp"] = .string(grant.clientID)
        case .audienceNumber: claims["aud"] = .integer(1)
        case .audienceArray: claims["aud"] = .strings([grant.clientID])
        case .authorizedPartyOther: claims["azp"] = .string("another-client")
        case .expired:
            claims["iat"] = .integer(seconds - 660)
            claims["exp"] = .integer(seconds - 360)
        case .expiryMissing: claims["exp"] = nil
        case .expiryString: claims["exp"] = .string(String(seconds + 300))
        case .expiryHuge: claims["exp"] = .number(1e300)
        case .expiryNegative: claims["exp"] = .integer(-1)
        case .issuedAtMissing: claims["iat"] = nil
        case .issuedAtOld: claims["iat"] = .integer(seconds - 7 * 86_400)
        case .issuedAtFuture: claims["iat"] = .integer(seconds + 600)
        case .notBeforeFuture: claims["nbf"] = .integer(seconds + 600)
        case .nonceMissing: claims["nonce"] = nil
        case .nonceWrong: claims["nonce"] = .string((claims["nonce"]?.string ?? "") + "1")
        case .authTimeMissing: claims["auth_time"] = nil
        case .authTimeOld: claims["auth_time"] = .integer(seconds - 86_400)
        case .subjectMissing: claims["sub"] = nil
        case .subjectEmpty: claims["sub"] = .string("")
        case .subjectNumber: claims["sub"] = .integer(42)
        case .subjectLong: claims["sub"] = .string(String(repeating: "s", count: 256))
        case .accessTokenHashWrong: claims["at_hash"] = .string(Base64URL.encode([UInt8](repeating: 7, count: 16)))
        case .accessTokenHashMissing: claims["at_hash"] = nil
        }
    }

    static let logoutEvent = JSONValue.object(["http://schemas.openid.net/event/backchannel-logout": .object([:])])

    mutating func logoutToken(subject: String, clientID: String, sessionID: String?, now: Int64) -> String {
        var claims: [String: JSONValue] = [
            "iss": .string(options.issuer), "aud": .string(clientID), "iat": .integer(now / 1000), "exp": .integer(now / 1000 + 120),
            "jti": .string(newToken()), "sub": .string(subject), "events": ProviderState.logoutEvent,
        ]
        emulatedLogoutClaims(&claims)
        if let sessionID { claims["sid"] = .string(sessionID) }
        return keyChain.current().sign(payload: .object(claims), header: ["typ": .string("logout+jwt")])
    }
}

extension Person {
    /// What the scopes give away (OpenID Connect Core 5.4), `sub` always.
    func claims(scopes: [String]) -> [String: JSONValue] {
        var claims: [String: JSONValue] = ["sub": .string(subject)]
        if scopes.contains("profile") {
            claims["name"] = .string(name)
            claims["preferred_username"] = .string(username)
            claims["locale"] = .string("en")
        }
        if scopes.contains("email"), let email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(emailVerified)
        }
        if scopes.contains("groups") || scopes.contains("profile") { claims["groups"] = .strings(groups) }
        return claims
    }
}
