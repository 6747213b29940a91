import Primitives
import TokenCrypto

/// An error of the token endpoint (RFC 6749 section 5.2).
struct TokenError: Error {
    var code: String
    var description: String
    var status = 400
    /// The client used HTTP Basic, so the answer names that scheme.
    var challenge = false

    var response: DevResponse {
        var response = DevResponse.json(.texts(["error": code, "error_description": description]), status: status)
        if challenge { response.headers.append(("WWW-Authenticate", "Basic realm=\"demo provider\"")) }
        return response
    }
}

extension ProviderState {
    /// The token endpoint: codes and refresh tokens.
    mutating func token(_ request: DevRequest, _ now: Int64) -> DevResponse {
        guard request.method == "POST" else { return .methodNotAllowed("POST") }
        do throws(TokenError) {
            guard request.hasForm else {
                throw TokenError(code: "invalid_request", description: "The body is not application/x-www-form-urlencoded.")
            }
            let fields = request.formFields
            if let name = fields.repeatedName { throw TokenError(code: "invalid_request", description: "\(name) was sent twice.") }
            if request.queryFields["client_secret"] != nil {
                throw TokenError(code: "invalid_request", description: "A secret must not be in the address (RFC 6749 section 2.3.1).")
            }
            let client = try emulates(.apple) ? appleClient(fields, now) : authenticatedClient(request, fields)
            if has(.token(.invalidClient)) { throw TokenError(code: "invalid_client", description: "Made to fail.", status: 401) }
            let thumbprint = try provenThumbprint(request, now)
            switch fields["grant_type"] {
            case "authorization_code": return try exchange(fields, client, thumbprint, now)
            case "refresh_token": return try refresh(fields, client, thumbprint, now)
            case nil: throw TokenError(code: "invalid_request", description: "grant_type is missing.")
            default: throw TokenError(code: "unsupported_grant_type", description: "Only codes and refresh tokens are taken here.")
            }
        } catch {
            return withNonce(error.response)
        }
    }

    /// `client_secret_basic` with form-urlencoded halves (RFC 6749 section 2.3.1), `client_secret_post`, or nothing for a
    /// public client; never two at once.
    func authenticatedClient(_ request: DevRequest, _ fields: FormFields) throws(TokenError) -> DevClient {
        let id: String
        let secret: String?
        let usedBasic: Bool
        if let header = request.header("Authorization") {
            guard header.lowercased().hasPrefix("basic "), let decoded = Base64.decode(String(header.dropFirst(6))),
                let colon = decoded.firstIndex(of: UInt8(ascii: ":"))
            else {
                throw TokenError(
                    code: "invalid_client", description: "The Authorization header is not Basic.", status: 401, challenge: true)
            }
            guard fields["client_secret"] == nil else {
                throw TokenError(code: "invalid_request", description: "The client authenticated in two ways at once.")
            }
            id = FormFields.decode(String(decoding: decoded[..<colon], as: UTF8.self))
            secret = FormFields.decode(String(decoding: decoded[(colon + 1)...], as: UTF8.self))
            usedBasic = true
            if let named = fields["client_id"], named != id {
                throw TokenError(code: "invalid_request", description: "client_id differs from the one in the header.")
            }
        } else {
            id = fields["client_id"] ?? ""
            secret = fields["client_secret"]
            usedBasic = false
        }
        guard let client = client(id), sameSecret(client.secret, secret) else {
            throw TokenError(code: "invalid_client", description: "Unknown client or wrong secret.", status: 401, challenge: usedBasic)
        }
        return client
    }

    private func appleClient(_ fields: FormFields, _ now: Int64) throws(TokenError) -> DevClient {
        guard let client = fields["client_id"].flatMap({ client($0) }), isAppleSecret(fields["client_secret"] ?? "", now) else {
            throw TokenError(code: "invalid_client", description: "", status: 400)
        }
        return client
    }

    private func sameSecret(_ expected: String?, _ given: String?) -> Bool {
        switch (expected, given) {
        case (let expected?, let given?): constantTimeEqual(Array(expected.utf8), Array(given.utf8))
        case (nil, nil): true
        default: false
        }
    }

    private mutating func exchange(
        _ fields: FormFields, _ client: DevClient, _ thumbprint: String?, _ now: Int64
    ) throws(TokenError) -> DevResponse {
        var grant = try redeemedGrant(fields, client, side: .openID, now)
        if let requested = grant.requestedThumbprint, requested != thumbprint {
            throw TokenError(code: "invalid_grant", description: "The proof's key is not the one of dpop_jkt (RFC 9449 section 10).")
        }
        grant.thumbprint = has(.proof(.ignored)) ? nil : thumbprint
        if has(.token(.invalidGrant)) { throw TokenError(code: "invalid_grant", description: "Made to fail.") }
        return tokens(for: grant, nonce: grant.nonce, isRefresh: false, rotated: nil, now)
    }

    /// The code's grant, used up. A second use ends what the first one gave (RFC 6749 section 4.1.2).
    mutating func redeemedGrant(_ fields: FormFields, _ client: DevClient, side: Grant.Side, _ now: Int64) throws(TokenError) -> Grant {
        func invalid(_ description: String) -> TokenError { TokenError(code: "invalid_grant", description: description) }
        guard let code = fields["code"] else { throw TokenError(code: "invalid_request", description: "code is missing.") }
        guard let entry = memory.codes.value(code, now: now / 1000), entry.grant.side == side else {
            throw invalid("The code is unknown or expired.")
        }
        let grant = entry.grant
        guard !entry.isUsed else {
            memory.revokeFamily(grant.family)
            throw invalid("The code was used before.")
        }
        memory.codes.update(code) { $0.isUsed = true }
        guard grant.clientID == client.id else { throw invalid("The code belongs to another client.") }
        if side == .openID || fields["redirect_uri"] != nil {
            guard let redirectURI = fields["redirect_uri"], redirectURI.utf8.elementsEqual(grant.redirectURI.utf8) else {
                throw invalid("redirect_uri differs from the authorization request (RFC 6749 section 4.1.3).")
            }
        }
        switch (grant.challenge, fields["code_verifier"]) {
        case (nil, nil): break
        case (nil, _?): throw invalid("A code_verifier without a code_challenge (RFC 9700 section 4.8.2).")
        case (_?, nil): throw invalid("The code_verifier is missing.")
        case (let challenge?, let verifier?):
            guard (43...128).contains(verifier.utf8.count), Base64URL.encode(SHA2.sha256(Array(verifier.utf8))) == challenge else {
                throw invalid("The code_verifier does not fit (RFC 7636 section 4.6).")
            }
        }
        return grant
    }

    private mutating func refresh(
        _ fields: FormFields, _ client: DevClient, _ thumbprint: String?, _ now: Int64
    ) throws(TokenError) -> DevResponse {
        guard let token = fields["refresh_token"] else {
            throw TokenError(code: "invalid_request", description: "refresh_token is missing.")
        }
        let invalid = TokenError(code: "invalid_grant", description: "The refresh token is unknown, used or revoked.")
        if has(.refresh(.invalidGrant)) { throw invalid }
        guard let entry = memory.refreshTokens.value(token, now: now / 1000), entry.grant.clientID == client.id else { throw invalid }
        guard !entry.isUsed else {
            memory.revokeFamily(entry.grant.family)
            throw invalid
        }
        var grant = entry.grant
        // Stricter than RFC 9449 section 5, which binds the refresh tokens of public clients only.
        guard grant.thumbprint == thumbprint || has(.proof(.ignored)) else { throw invalid }
        if let asked = fields["scope"]?.split(separator: " ").map(String.init) {
            guard Set(asked).isSubset(of: grant.scopes) else {
                throw TokenError(code: "invalid_scope", description: "More than was granted (RFC 6749 section 6).")
            }
            grant.scopes = asked
        }
        return tokens(for: grant, nonce: nil, isRefresh: true, rotated: token, now)
    }

    /// The successful answer. `rotated`: the refresh token that this answer replaces.
    private mutating func tokens(for grant: Grant, nonce: String?, isRefresh: Bool, rotated: String?, _ now: Int64) -> DevResponse {
        let seconds = now / 1000
        let accessToken = options.accessTokens == .jwt ? jwtAccessToken(for: grant, seconds) : newToken("at-")
        memory.accessTokens.insert(grant, key: accessToken, expiry: seconds + options.lifetimes.accessToken, now: seconds)
        var members: [String: JSONValue] = [
            "access_token": .string(accessToken),
            "token_type": .string(grant.thumbprint == nil ? "Bearer" : "DPoP"),
            "expires_in": .integer(options.lifetimes.accessToken),
            "scope": .string(grant.scopes.joined(separator: " ")),
            "id_token": .string(idToken(for: grant, accessToken: accessToken, nonce: nonce, isRefresh: isRefresh, seconds)),
        ]
        let wantsRefreshToken =
            switch options.refreshTokens {
            case .always: true
            case .withOfflineAccess: grant.scopes.contains("offline_access")
            case .never: false
            }
        if wantsRefreshToken, emulatedRefreshToken(grant), !(isRefresh && has(.refresh(.keepsToken))) {
            let refreshToken = newToken("rt-")
            memory.refreshTokens.insert(OneTime(grant: grant), key: refreshToken, expiry: seconds + 30 * 86_400, now: seconds)
            members["refresh_token"] = .string(refreshToken)
            if let rotated { memory.refreshTokens.update(rotated) { $0.isUsed = true } }
        }
        if isRefresh, has(.refresh(.withoutIDToken)) { members["id_token"] = nil }
        return withNonce(tokenAnswer(members))
    }

    private func tokenAnswer(_ right: [String: JSONValue]) -> DevResponse {
        var members = right
        for fault in TokenFault.allCases where has(.token(fault)) {
            switch fault {
            case .typeMissing: members["token_type"] = nil
            case .typeUnknown: members["token_type"] = .string("mac")
            case .typeLowerCase: members["token_type"] = .string("bearer")
            case .accessTokenMissing: members["access_token"] = nil
            case .accessTokenNumber: members["access_token"] = .integer(12_345)
            case .idTokenMissing: members["id_token"] = nil
            case .idTokenGarbage: members["id_token"] = .string("not.a.token")
            case .expiresInMissing: members["expires_in"] = nil
            case .expiresInString: members["expires_in"] = .string("300")
            case .expiresInNegative: members["expires_in"] = .integer(-1)
            case .expiresInHuge: members["expires_in"] = .number(1e300)
            case .deep: members["deep"] = (0..<64).reduce(JSONValue.null) { inner, _ in .array([inner]) }
            case .errorWithStatus200: return .json(.texts(["error": "invalid_grant", "error_description": "The code is used up."]))
            case .invalidGrant, .invalidClient: break  // before anything was issued
            }
        }
        return .json(.object(members))
    }
}
