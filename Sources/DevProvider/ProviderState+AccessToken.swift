import Primitives
import TokenCrypto

extension ProviderState {
    /// RFC 9068 section 2, with the faults in force.
    mutating func jwtAccessToken(for grant: Grant, _ seconds: Int64) -> String {
        let key = keyChain.current()
        var header: [String: JSONValue] = ["typ": .string("at+jwt")]
        var claims: [String: JSONValue] = [
            "iss": .string(options.issuer), "aud": .string(options.apiAudience), "exp": .integer(seconds + options.lifetimes.accessToken),
            "iat": .integer(seconds), "jti": .string(newToken()), "client_id": .string(grant.clientID),
            "scope": .string(grant.scopes.joined(separator: " ")), "auth_time": .integer(grant.authTime), "sid": .string(grant.sessionID),
        ]
        if let person = person(grant.personID) { claims.merge(person.claims(scopes: grant.scopes)) { $1 } }
        if let thumbprint = grant.thumbprint { claims["cnf"] = .texts(["jkt": thumbprint]) }
        for fault in AccessTokenFault.allCases where has(.accessToken(fault)) {
            switch fault {
            case .typeJWT: header["typ"] = .string("JWT")
            case .issuerOther: claims["iss"] = .string("https://evil.example")
            case .audienceOther: claims["aud"] = .string("https://other-api.example")
            case .audienceMissing: claims["aud"] = nil
            case .audienceClient: claims["aud"] = .string(grant.clientID)
            case .expired:
                claims["iat"] = .integer(seconds - 660)
                claims["exp"] = .integer(seconds - 360)
            case .expiryMissing: claims["exp"] = nil
            case .subjectMissing: claims["sub"] = nil
            case .bound: claims["cnf"] = .texts(["jkt": Base64URL.encode([UInt8](repeating: 7, count: 32))])
            case .scopesMissing: claims["scope"] = nil
            case .keyIDUnknown: header["kid"] = .string("no-such-key")
            case .otherKey:
                return keyChain.attackers().sign(payload: .object(claims), header: header.merging(["kid": .string(key.keyID)]) { $1 })
            case .clientSecretAsKey:
                let secret = Array((client(grant.clientID)?.secret ?? "").utf8)
                return HMACSigner.sign(payload: .object(claims), algorithm: .hs256, secret: secret, header: header)
            }
        }
        return key.sign(payload: .object(claims), header: header)
    }

    /// RFC 7662 section 2.
    mutating func introspect(_ request: DevRequest, _ now: Int64) -> DevResponse {
        guard request.method == "POST" else { return .methodNotAllowed("POST") }
        let fields = request.formFields
        do throws(TokenError) {
            _ = try authenticatedClient(request, fields)
        } catch {
            return error.response
        }
        guard let token = fields["token"], let grant = memory.accessTokens.value(token, now: now / 1000), grant.side == .openID,
            let person = person(grant.personID)
        else { return .json(.object(["active": .bool(false)])) }
        var members: [String: JSONValue] = [
            "active": .bool(true), "iss": .string(options.issuer), "aud": .string(options.apiAudience),
            "client_id": .string(grant.clientID),
            "scope": .string(grant.scopes.joined(separator: " ")), "username": .string(person.username),
            "token_type": .string(grant.thumbprint == nil ? "Bearer" : "DPoP"), "exp": .integer(now / 1000 + options.lifetimes.accessToken),
            "iat": .integer(now / 1000),
        ]
        members.merge(person.claims(scopes: grant.scopes)) { $1 }
        for fault in IntrospectionFault.allCases where has(.introspected(fault)) { apply(fault, to: &members, now / 1000) }
        return .json(.object(members))
    }

    private func apply(_ fault: IntrospectionFault, to members: inout [String: JSONValue], _ seconds: Int64) {
        switch fault {
        case .inactive: members = ["active": .bool(false)]
        case .activeString: members["active"] = .string("true")
        case .activeMissing: members["active"] = nil
        case .audienceOther: members["aud"] = .string("https://other-api.example")
        case .audienceMissing: members["aud"] = nil
        case .clientOther:
            members["aud"] = nil
            members["client_id"] = .string("another-client")
        case .issuerOther: members["iss"] = .string("https://evil.example")
        case .subjectMissing: members["sub"] = nil
        case .expired: members["exp"] = .integer(seconds - 1)
        case .bound: members["cnf"] = .texts(["jkt": Base64URL.encode([UInt8](repeating: 7, count: 32))])
        case .scopesMissing: members["scope"] = nil
        }
    }
}
