import TokenCrypto

extension ProviderState {
    private static let pushedLifetime: Int64 = 60
    /// What authenticates the client and is no part of the authorization request.
    private static let clientFields: Set<String> = ["client_secret", "client_assertion", "client_assertion_type"]

    /// RFC 9126 section 2.
    mutating func push(_ request: DevRequest, _ now: Int64) -> DevResponse {
        guard options.pushedAuthorization != .off else { return notFound() }
        guard request.method == "POST" else { return .methodNotAllowed("POST") }
        do throws(TokenError) {
            guard request.hasForm else {
                throw TokenError(code: "invalid_request", description: "The body is not application/x-www-form-urlencoded.")
            }
            let fields = request.formFields
            if let name = fields.repeatedName { throw TokenError(code: "invalid_request", description: "\(name) was sent twice.") }
            let client = try authenticatedClient(request, fields)
            if fields["request_uri"] != nil {
                throw TokenError(code: "invalid_request", description: "request_uri cannot be pushed (RFC 9126 section 2.1).")
            }
            guard fields["client_id"] == client.id else {
                throw TokenError(code: "invalid_request", description: "client_id is missing or another client's.")
            }
            if has(.pushed(.invalidRequest)) { throw TokenError(code: "invalid_request", description: "Made to fail.") }
            _ = try provenThumbprint(request, now)
            let query = String(decoding: request.body, as: UTF8.self).split(separator: "&").filter { part in
                !Self.clientFields.contains(String(part.prefix { $0 != "=" }))
            }.joined(separator: "&")
            do throws(AuthorizationRequest.Refusal) {
                _ = try checkedRequest(query, .openID)
            } catch {
                switch error {
                case .page(let text): throw TokenError(code: "invalid_request", description: text)
                case .redirect(_, let code, let description): throw TokenError(code: code, description: description)
                }
            }
            return pushedAnswer(query, now / 1000)
        } catch {
            return withNonce(error.response)
        }
    }

    private mutating func pushedAnswer(_ query: String, _ seconds: Int64) -> DevResponse {
        let uri = newToken("urn:ietf:params:oauth:request_uri:")
        let expiry = has(.pushed(.expired)) ? seconds : seconds + Self.pushedLifetime
        memory.pushed.insert(query, key: uri, expiry: expiry, now: seconds)
        var members: [String: JSONValue] = ["request_uri": .string(uri), "expires_in": .integer(Self.pushedLifetime)]
        if has(.pushed(.requestURIMissing)) { members["request_uri"] = nil }
        if has(.pushed(.requestURINumber)) { members["request_uri"] = .integer(7) }
        if has(.pushed(.expiryMissing)) { members["expires_in"] = nil }
        if has(.pushed(.expiryNegative)) { members["expires_in"] = .integer(-1) }
        return withNonce(.json(.object(members), status: has(.pushed(.status200)) ? 200 : 201))
    }

    /// The request that a `request_uri` stands for, once; a request in the open where that is allowed.
    mutating func unpushed(_ query: String, _ side: Grant.Side, _ now: Int64) throws(AuthorizationRequest.Refusal) -> String {
        let fields = FormFields(query)
        guard side == .openID, options.pushedAuthorization != .off, let uri = fields["request_uri"] else {
            if side == .openID, options.pushedAuthorization == .required {
                throw .page("Authorization requests must be pushed first (RFC 9126 section 5).")
            }
            return query
        }
        guard fields.pairs.count == 2, let clientID = fields["client_id"] else {
            throw .page("Beside request_uri there is client_id and nothing else.")
        }
        guard let pushed = memory.pushed.value(uri, now: now / 1000) else { throw .page("This request has expired or was used before.") }
        memory.pushed.remove(uri)
        guard FormFields(pushed)["client_id"] == clientID else { throw .page("This request is another client's.") }
        return pushed
    }
}
