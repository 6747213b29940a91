import TokenCrypto

extension ProviderState {
    /// OpenID Connect Core 5.3; the token in the Authorization header only (RFC 6750 section 2.1).
    mutating func userinfo(_ request: DevRequest, _ now: Int64) -> DevResponse {
        guard request.method == "GET" || request.method == "POST" else { return .methodNotAllowed("GET, POST") }
        let bound = boundToken(request)
        guard !has(.userinfo(.unauthorized)), let token = bound ?? bearerToken(request),
            let grant = memory.accessTokens.value(token, now: now / 1000), grant.side == .openID, let person = person(grant.personID),
            (grant.thumbprint != nil) == (bound != nil)
        else {
            var response = DevResponse.json(.texts(["error": "invalid_token"]), status: 401)
            let hasToken = bearerToken(request) != nil
            response.headers.append(("WWW-Authenticate", hasToken ? "Bearer error=\"invalid_token\"" : "Bearer"))
            return response
        }
        if let thumbprint = grant.thumbprint {
            do throws(TokenError) {
                guard try provenThumbprint(request, accessToken: token, now) == thumbprint else {
                    throw TokenError(code: "invalid_token", description: "The proof is another key's.")
                }
            } catch {
                var response = withNonce(error.response)
                response.status = 401
                response.headers.append(("WWW-Authenticate", "DPoP error=\"\(error.code)\""))
                return response
            }
        }
        var claims = person.claims(scopes: grant.scopes)
        claims["sub"] = .string(emulatedSubject(person))
        emulatedClaims(&claims, of: person, isIDToken: false)
        for fault in UserinfoFault.allCases where has(.userinfo(fault)) { apply(fault, &claims) }
        return .json(.object(claims))
    }

    func bearerToken(_ request: DevRequest) -> String? {
        guard let header = request.header("Authorization"), header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst(7))
    }

    private func apply(_ fault: UserinfoFault, _ claims: inout [String: JSONValue]) {
        switch fault {
        case .subjectMismatch: claims["sub"] = .string("somebody-else")
        case .subjectMissing: claims["sub"] = nil
        case .unauthorized: break  // answered before
        case .emailVerifiedString: claims["email_verified"] = .string("true")
        case .emailUnverified: claims["email_verified"] = .bool(false)
        case .groupsString: claims["groups"] = .string("admins,staff")
        case .hostileValues:
            claims["name"] = .string("Eve\r\nX-Forwarded-Groups: admins<script>alert(1)</script>")
            claims["preferred_username"] = .string("eve\u{0}\u{7F}")
            claims["groups"] = .strings(["staff,admins", "line\nend", "ok", ""])
        }
    }
}
