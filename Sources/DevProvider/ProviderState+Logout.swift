import Pages
import TokenCrypto

extension ProviderState {
    /// RP-Initiated Logout 1.0 section 2. A valid hint for the user signed in here signs out at once; otherwise a page asks.
    mutating func endSession(_ request: DevRequest, _ now: Int64) -> DevResponse {
        let fields: FormFields
        switch request.method {
        case "GET": fields = request.queryFields
        case "POST": fields = request.formFields
        default: return .methodNotAllowed("GET, POST")
        }
        if fields.repeatedName != nil { return refusedLogout("A parameter was sent twice.") }
        let hint = fields["id_token_hint"].flatMap { verifiedHint($0) }
        if fields["id_token_hint"] != nil, hint == nil { return refusedLogout("The id_token_hint was not issued here.") }
        let audience = hint?["aud"]?.string ?? hint?["aud"]?.array?.first?.string
        if let clientID = fields["client_id"], let audience, !clientID.utf8.elementsEqual(audience.utf8) {
            return refusedLogout("The client_id is not the one of the id_token_hint.")
        }
        let client = (fields["client_id"] ?? audience).flatMap { self.client($0) }

        var destination: String?
        if let uri = fields["post_logout_redirect_uri"] {
            guard let client, client.admits(uri, among: client.postLogoutRedirectURIs) else {
                return refusedLogout("This post_logout_redirect_uri is not registered for the client.")
            }
            let state = fields["state"].map { "\(uri.contains("?") ? "&" : "?")state=\(LinkTarget.percentEncoded($0))" } ?? ""
            destination = uri + state
        }

        let session = currentSession(request, now)
        let person = session.flatMap { self.person($0.personID) }
        let isHinted = hint != nil && (person == nil || hint?["sub"]?.string == person?.subject)
        guard isHinted || session == nil || fields["confirmed"] == "yes" else {
            return .page(
                pages.confirmSignOut(
                    person: person?.name ?? "", action: basePath + "/end-session", fields: fields, destination: destination))
        }
        var response =
            destination.map { DevResponse.redirect(to: $0, after: request.method) }
            ?? .page(
                pages.message(
                    title: "Signed out", text: "Nobody is signed in at the demo provider in this browser any more.", status: 200))
        signOut(request, into: &response)
        return response
    }

    /// Our own signature on it; an expired one is fine (section 2).
    private mutating func verifiedHint(_ token: String) -> JSONValue? {
        guard let jws = try? UnverifiedJWS(compact: token),
            let set = try? JWKSet(parsing: .object(["keys": .array(keyChain.published())])),
            let claims = try? jws.verified(with: set, secret: nil, allowed: [options.algorithm])
        else { return nil }
        return claims["iss"]?.string == options.issuer ? claims : nil
    }

    private func refusedLogout(_ text: String) -> DevResponse {
        .page(pages.message(title: "This sign-out cannot be done", text: text, status: 400))
    }

    /// The button on the overview page.
    mutating func signOut(_ request: DevRequest) -> DevResponse {
        guard request.method == "POST" else { return .methodNotAllowed("POST") }
        var response = DevResponse.redirect(to: basePath + "/", after: request.method)
        signOut(request, into: &response)
        return response
    }

    private mutating func signOut(_ request: DevRequest, into response: inout DevResponse) {
        if let cookie = request.cookie(cookieName) { memory.sessions.remove(cookie) }
        response.headers.append(("Set-Cookie", cookieHeader("", maxAge: 0)))
    }

    func overview(_ request: DevRequest, _ now: Int64) -> DevResponse {
        guard request.method == "GET" || request.method == "HEAD" else { return .methodNotAllowed("GET, HEAD") }
        let signedIn = currentSession(request, now).flatMap { person($0.personID) }
        return .page(pages.overview(issuer: options.issuer, people: options.people, signedIn: signedIn, signOut: basePath + "/sign-out"))
    }
}

extension ProviderState {
    /// RFC 7009: 200 for any token, known or not; a refresh token takes its family along.
    mutating func revoke(_ request: DevRequest, _ now: Int64) -> DevResponse {
        guard request.method == "POST" else { return .methodNotAllowed("POST") }
        let fields = request.formFields
        let client: DevClient
        do throws(TokenError) {
            client = try authenticatedClient(request, fields)
        } catch {
            return error.response
        }
        guard let token = fields["token"] else {
            return TokenError(code: "invalid_request", description: "token is missing.").response
        }
        if let entry = memory.refreshTokens.value(token, now: now / 1000), entry.grant.clientID == client.id {
            memory.revokeFamily(entry.grant.family)
        } else if let grant = memory.accessTokens.value(token, now: now / 1000), grant.clientID == client.id {
            memory.accessTokens.remove(token)
        }
        return DevResponse(status: 200, headers: [("Cache-Control", "no-store")])
    }
}
