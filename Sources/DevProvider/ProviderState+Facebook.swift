import Pages
import TokenCrypto

/// Facebook Login as its documentation has it: Graph errors, fields that must be listed, proofs of the app secret.
extension ProviderState {
    /// A Graph error (developers.facebook.com/docs/graph-api/guides/error-handling).
    private func graphError(_ message: String, _ type: String, _ code: Int64, status: Int = 400) -> DevResponse {
        .json(
            .object([
                "error": .object([
                    "message": .string(message), "type": .string(type), "code": .integer(code), "fbtrace_id": .string("Aq5YMsRwd0G"),
                ])
            ]), status: status)
    }

    mutating func facebookToken(_ request: DevRequest, _ now: Int64) -> DevResponse {
        let fields = request.method == "GET" ? request.queryFields : request.formFields
        guard let client = fields["client_id"].flatMap({ client($0) }) else {
            return graphError("Error validating application. Cannot get application info due to a system error.", "OAuthException", 101)
        }
        guard let expected = client.secret, constantTimeEqual(Array(expected.utf8), Array((fields["client_secret"] ?? "").utf8)) else {
            return graphError("Error validating client secret.", "OAuthException", 1)
        }
        let grant: Grant
        do throws(TokenError) {
            grant = try redeemedGrant(fields, client, side: .facebook, now)
        } catch {
            return graphError("This authorization code has been used.", "OAuthException", 100)
        }
        let token = newToken("EAA")
        memory.accessTokens.insert(grant, key: token, expiry: now / 1000 + 5_183_944, now: now / 1000)
        return .json(.object(["access_token": .string(token), "token_type": .string("bearer"), "expires_in": .integer(5_183_944)]))
    }

    mutating func facebookMe(_ request: DevRequest, _ now: Int64) -> DevResponse {
        guard let token = bearerToken(request), let grant = memory.accessTokens.value(token, now: now / 1000), grant.side == .facebook,
            let person = person(grant.personID), let secret = client(grant.clientID)?.secret
        else { return graphError("Invalid OAuth access token - Cannot parse access token", "OAuthException", 190, status: 401) }
        let proof = HMAC.sha256(key: Array(secret.utf8), Array(token.utf8)).map { byte -> String in
            let text = String(byte, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }.joined()
        guard request.queryFields["appsecret_proof"] == proof else {
            return graphError("Invalid appsecret_proof provided in the API argument", "GraphMethodException", 100)
        }
        // Without fields Graph gives id and name only.
        let wanted = Set((request.queryFields["fields"] ?? "id,name").split(separator: ",").map(String.init))
        var members: [String: JSONValue] = [
            "id": .string(String(person.number)), "name": .string(person.name),
            "picture": .object(["data": .object(["url": .string("\(origin)/p/\(person.number)"), "is_silhouette": .bool(false)])]),
        ]
        if !has(.emulation(.facebookNoEmail)) { members["email"] = person.email.map(JSONValue.string) }
        return .json(.object(members.filter { $0.key == "id" || wanted.contains($0.key) }))
    }

    mutating func facebookDebugToken(_ request: DevRequest, _ now: Int64) -> DevResponse {
        let parts = (bearerToken(request) ?? "").split(separator: "|", maxSplits: 1).map(String.init)
        guard parts.count == 2, let client = client(parts[0]), client.secret == parts[1] else {
            return graphError("Invalid OAuth access token signature.", "OAuthException", 190)
        }
        guard let grant = request.queryFields["input_token"].flatMap({ memory.accessTokens.value($0, now: now / 1000) }),
            let person = person(grant.personID)
        else { return .json(.object(["data": .object(["is_valid": .bool(false), "error": .object(["code": .integer(190)])])])) }
        return .json(
            .object([
                "data": .object([
                    "app_id": .string(has(.emulation(.facebookOtherApp)) ? "9999" : grant.clientID), "type": .string("USER"),
                    "application": .string("Test"), "is_valid": .bool(!has(.emulation(.facebookTokenInvalid))),
                    "user_id": .string(has(.emulation(.facebookOtherPerson)) ? "4242" : String(person.number)),
                    "scopes": .strings(grant.scopes),
                ])
            ]))
    }
}
