import Pages
import TokenCrypto

/// The plain OAuth 2.0 side: errors with status 200, form bodies unless JSON is asked for, identity from an API.
extension ProviderState {
    mutating func gitHubToken(_ request: DevRequest, _ now: Int64) -> DevResponse {
        guard request.method == "POST" else { return notFound() }
        let fields = request.formFields
        func failure(_ code: String, _ description: String) -> DevResponse {
            gitHubAnswer(["error": code, "error_description": description, "error_uri": "\(origin)/"], request)
        }
        let wrongClient = failure("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.")
        if has(.gitHub(.incorrectClientCredentials)) { return wrongClient }
        guard let client = fields["client_id"].flatMap({ client($0) }), let expected = client.secret,
            constantTimeEqual(Array(expected.utf8), Array((fields["client_secret"] ?? "").utf8))
        else { return wrongClient }

        let badCode = failure("bad_verification_code", "The code passed is incorrect or expired.")
        if has(.gitHub(.badVerificationCode)) { return badCode }
        let grant: Grant
        do throws(TokenError) {
            grant = try redeemedGrant(fields, client, side: .gitHub, now)
        } catch {
            return error.description.hasPrefix("redirect_uri")
                ? failure("redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application.")
                : badCode
        }
        let token = newToken("gho_")
        memory.accessTokens.insert(grant, key: token, expiry: now / 1000 + 8 * 3_600, now: now / 1000)
        return gitHubAnswer(
            ["access_token": token, "scope": grant.scopes.joined(separator: ","), "token_type": "bearer"], request)
    }

    /// Always 200; a form unless the client accepts JSON.
    private func gitHubAnswer(_ members: KeyValuePairs<String, String>, _ request: DevRequest) -> DevResponse {
        if request.header("Accept")?.lowercased().contains("application/json") == true { return .json(.texts(members)) }
        let form = members.map { "\(LinkTarget.percentEncoded($0.key))=\(LinkTarget.percentEncoded($0.value))" }.joined(separator: "&")
        return DevResponse(
            status: 200,
            headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"), ("Cache-Control", "no-store")],
            body: Array(form.utf8))
    }

    func gitHubUser(_ request: DevRequest, _ now: Int64) -> DevResponse {
        gitHubAPI(request, now) { person, _ in
            var members: [String: JSONValue] = [
                "login": .string(person.username), "id": .integer(person.number), "node_id": .string("U_\(person.number)"),
                "type": .string("User"), "name": .string(person.name), "email": .null, "site_admin": .bool(false),
                "html_url": .string("\(origin)/\(person.username)"), "avatar_url": .string("\(origin)/avatars/\(person.number)"),
            ]
            if has(.gitHub(.idMissing)) { members["id"] = nil }
            if has(.gitHub(.idString)) { members["id"] = .string(String(person.number)) }
            return .json(.object(members))
        }
    }

    func gitHubEmails(_ request: DevRequest, _ now: Int64) -> DevResponse {
        gitHubAPI(request, now) { person, scopes in
            guard scopes.contains("user:email") || scopes.contains("user"), !has(.gitHub(.emailsNotFound)) else {
                return gitHubMessage("Not Found", status: 404)
            }
            guard let email = person.email, !has(.gitHub(.emailsEmpty)) else { return .json(.array([])) }
            let isVerified = person.emailVerified && !has(.gitHub(.emailsUnverified))
            return .json(
                .array([
                    .object([
                        "email": .string("\(person.number)+\(person.id)@users.noreply.example.com"), "primary": .bool(false),
                        "verified": .bool(true), "visibility": .null,
                    ]),
                    .object([
                        "email": .string(email), "primary": .bool(true), "verified": .bool(isVerified), "visibility": .string("private"),
                    ]),
                ]))
        }
    }

    /// The person's groups as organisations, one on each page (RFC 8288 `Link`).
    func gitHubOrganisations(_ request: DevRequest, _ now: Int64) -> DevResponse {
        gitHubList(request, now) { .texts(["login": $0, "id": "1"]) }
    }

    func gitHubTeams(_ request: DevRequest, _ now: Int64) -> DevResponse {
        gitHubList(request, now) { .object(["slug": .string("team-of-\($0)"), "organization": .texts(["login": $0])]) }
    }

    private func gitHubList(_ request: DevRequest, _ now: Int64, item: (String) -> JSONValue) -> DevResponse {
        var person: Person?
        var response = gitHubAPI(request, now) { who, scopes in
            guard scopes.contains("read:org"), !has(.gitHub(.organisationsForbidden)) else {
                return gitHubMessage("You need at least read:org scope to list your organizations.", status: 403)
            }
            person = who
            return .json(.array([]))
        }
        guard let person else { return response }
        let page = request.queryFields["page"].flatMap { Int($0) } ?? 1
        guard page > 0, person.groups.indices.contains(page - 1) else { return response }
        response.body = JSONValue.array([item(person.groups[page - 1])]).serializedBytes()
        if page < person.groups.count {
            let base = "\(origin)\(request.path)?per_page=100&page="
            response.headers.append(("Link", "<\(base)\(page + 1)>; rel=\"next\", <\(base)\(person.groups.count)>; rel=\"last\""))
        }
        return response
    }

    /// What the API asks of every call: a User-Agent and a token.
    private func gitHubAPI(
        _ request: DevRequest, _ now: Int64, answer: (_ person: Person, _ scopes: [String]) -> DevResponse
    ) -> DevResponse {
        guard request.method == "GET" else { return gitHubMessage("Not Found", status: 404) }
        guard request.header("User-Agent")?.isEmpty == false else {
            return gitHubMessage(
                "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.", status: 403)
        }
        guard let header = request.header("Authorization") else { return gitHubMessage("Requires authentication", status: 401) }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, ["bearer", "token"].contains(parts[0].lowercased()), !has(.gitHub(.badCredentials)),
            let grant = memory.accessTokens.value(String(parts[1]), now: now / 1000), grant.side == .gitHub,
            let person = person(grant.personID)
        else { return gitHubMessage("Bad credentials", status: 401) }
        var response = answer(person, grant.scopes)
        response.headers.append(("X-OAuth-Scopes", grant.scopes.joined(separator: ", ")))
        return response
    }

    private func gitHubMessage(_ message: String, status: Int) -> DevResponse {
        .json(.texts(["message": message, "status": String(status)]), status: status)
    }
}
