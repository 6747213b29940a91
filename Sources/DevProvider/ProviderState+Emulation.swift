import TokenCrypto

/// The places where an emulated provider differs from the plain one.
extension ProviderState {
    func emulates(_ emulation: Emulation) -> Bool { options.emulation == emulation }

    /// What the authorization endpoint refuses besides; nil when it goes on.
    func emulatedRefusal(_ request: AuthorizationRequest) -> (error: String, description: String)? {
        if emulates(.yahoo), Set(request.scopes) != Emulation.yahooScopes {
            return ("invalid_scope", "The scopes are not those of the application.")
        }
        if emulates(.apple), request.responseMode != .formPost, !Set(request.scopes).isDisjoint(with: ["name", "email"]) {
            return ("invalid_request", "response_mode must be form_post when name or email scope is requested.")
        }
        return nil
    }

    /// The callback's parameters as the provider sends them: of those emulated only Google says who it is (RFC 9207).
    mutating func emulated(_ parameters: [(String, String)], _ grant: Grant) -> [(String, String)] {
        guard let emulation = options.emulation, emulation != .google else { return parameters }
        var result = parameters.filter { $0.0 != "iss" }
        if emulation == .apple, grant.scopes.contains("name"), !knownToApple.contains(grant.personID), let person = person(grant.personID) {
            knownToApple.insert(grant.personID)
            let words = person.name.split(separator: " ", maxSplits: 1).map(String.init)
            let user = JSONValue.object([
                "name": .texts(["firstName": words.first ?? "", "lastName": words.last ?? ""]), "email": .string(person.email ?? ""),
            ])
            result.append(("user", user.serialized()))
        }
        return result
    }

    func emulatedMetadata(_ members: inout [String: JSONValue]) {
        guard let emulation = options.emulation else { return }
        switch emulation {
        case .yahoo, .apple, .microsoft:
            members["code_challenge_methods_supported"] = nil
            members["authorization_response_iss_parameter_supported"] = nil
        case .google, .facebook: break
        }
        if emulation == .apple {
            members["userinfo_endpoint"] = nil
            members["end_session_endpoint"] = nil
            members["token_endpoint_auth_methods_supported"] = .strings(["client_secret_post"])
        }
        if emulation == .microsoft {
            members["issuer"] = .string("\(origin)/{tenantid}/v2.0")
            members["token_endpoint_auth_methods_supported"] = .strings(["client_secret_post", "private_key_jwt", "client_secret_basic"])
        }
    }

    /// The claims of an ID token, or of userinfo, as the provider writes them.
    func emulatedClaims(_ claims: inout [String: JSONValue], of person: Person, isIDToken: Bool) {
        if has(.emulation(.noSessionID)) { claims["sid"] = nil }
        switch options.emulation {
        case .google:
            claims["groups"] = nil
            claims["hd"] = person.email?.hasSuffix("@example.com") == true ? .string("example.com") : nil
            if has(.emulation(.googleNoDomain)) { claims["hd"] = nil }
            if has(.emulation(.googleOtherDomain)) { claims["hd"] = .string("evil.example") }
        case .apple:
            for name in ["name", "preferred_username", "groups", "locale", "sid"] { claims[name] = nil }
            if let email = person.email {
                claims["email"] = .string(email)
                claims["email_verified"] = .string(person.emailVerified ? "true" : "false")
                claims["is_private_email"] = .string("false")
            }
            claims["nonce_supported"] = .bool(true)
        case .microsoft:
            claims["groups"] = nil
            claims["email_verified"] = nil
            guard isIDToken else { return }
            let tenant = has(.emulation(.microsoftPersonal)) ? "9188040d-6c67-4c5b-b112-36a304b66dad" : Emulation.tenantID
            claims["tid"] = .string(tenant)
            claims["iss"] = .string("\(origin)/\(tenant)/v2.0")
            if has(.emulation(.microsoftForeignIssuer)) {
                claims["iss"] = .string("\(origin)/00000000-1111-2222-3333-444444444444/v2.0")
            }
            claims["oid"] = .string("oid-of-\(person.id)")
            claims["sub"] = .string("pairwise-\(person.subject)")
            claims["xms_edov"] = person.emailVerified ? .string("1") : nil
            if has(.emulation(.microsoftOverage)) {
                claims["_claim_names"] = .object(["groups": .string("src1")])
                claims["_claim_sources"] = .object(["src1": .texts(["endpoint": "http://127.0.0.1:1/never-asked"])])
            } else {
                claims["groups"] = .strings(person.groups)
            }
        case .yahoo, .facebook, nil: break
        }
    }

    /// Microsoft's logout tokens name the tenant's issuer.
    func emulatedLogoutClaims(_ claims: inout [String: JSONValue]) {
        guard emulates(.microsoft) else { return }
        claims["iss"] = .string("\(origin)/\(Emulation.tenantID)/v2.0")
        claims["tid"] = .string(Emulation.tenantID)
    }

    /// Microsoft's `sub` at userinfo is the ID token's.
    func emulatedSubject(_ person: Person) -> String { emulates(.microsoft) ? "pairwise-\(person.subject)" : person.subject }

    /// Whether this exchange gives a refresh token.
    func emulatedRefreshToken(_ grant: Grant) -> Bool { !emulates(.google) || grant.isOffline }

    /// Apple's client secret: a JWT of the registered key, for this audience, good for six months at most.
    func isAppleSecret(_ compact: String, _ now: Int64) -> Bool {
        guard let key = options.clientKey, let token = try? UnverifiedJWS(compact: compact), token.algorithm == "ES256",
            let keyID = token.keyID, keyID == "ABC123DEFG",
            let keys = try? JWKSet(parsing: .object(["keys": .array([key.publicJWK.setting("kid", keyID)])])),
            let claims = try? token.verified(with: keys, secret: nil, allowed: [.es256]), claims["iss"]?.string == "DEF456GHIJ",
            claims["aud"]?.string == options.issuer, let issued = claims["iat"]?.integer, let expiry = claims["exp"]?.integer
        else { return false }
        let seconds = now / 1000
        let longest: Int64 = 15_777_000
        return options.clients.contains { $0.id == claims["sub"]?.string } && (seconds - longest...seconds + 60).contains(issued)
            && expiry > seconds && expiry <= issued + longest
    }

    /// GET /v1.0/me/transitiveMemberOf: two pages, a directory role among the groups.
    mutating func graphGroups(_ request: DevRequest, _ now: Int64) -> DevResponse {
        func failure(_ status: Int, _ code: String) -> DevResponse {
            .json(.object(["error": .texts(["code": code, "message": "Made to fail."])]), status: status)
        }
        guard let grant = bearerToken(request).flatMap({ memory.accessTokens.value($0, now: now / 1000) }),
            let person = person(grant.personID)
        else { return failure(401, "InvalidAuthenticationToken") }
        if has(.emulation(.graphForbidden)) { return failure(403, "Authorization_RequestDenied") }
        func group(_ id: String) -> JSONValue { .texts(["@odata.type": "#microsoft.graph.group", "id": id]) }
        if request.queryFields["$skiptoken"] == "2" {
            return .json(
                .object([
                    "value": .array(
                        [.texts(["@odata.type": "#microsoft.graph.directoryRole", "id": "a-role"])] + person.groups.dropFirst().map(group))
                ]))
        }
        let elsewhere = has(.emulation(.graphElsewhere)) ? "http://127.0.0.1:1" : origin
        return .json(
            .object([
                "value": .array(person.groups.prefix(1).map(group)),
                "@odata.nextLink": .string("\(elsewhere)/v1.0/me/transitiveMemberOf?$select=id&$top=999&$skiptoken=2"),
            ]))
    }
}
