import Pages
import TokenCrypto

extension ProviderState {
    /// The one list of what the provider answers, and the place where a broken endpoint breaks.
    mutating func respond(to request: DevRequest, now: Int64) -> DevResponse {
        if options.controlEnabled, request.path == "/_control" { return control(request, now) }
        if request.path == "/health" { return .text("ok\n") }

        let redirected = basePath + "/redirected"
        if request.path.hasPrefix(redirected + "/") {
            counters[.redirectFollowed, default: 0] += 1
            var inner = request
            inner.path = basePath + request.path.dropFirst(redirected.count)
            return endpoint(of: inner).map { answer($0, inner, now) } ?? notFound()
        }
        guard let endpoint = endpoint(of: request) else { return page(request, now) }
        counters[endpoint, default: 0] += 1
        return broken(endpoint, request, now)
    }

    /// nil: a page, or nothing.
    private func endpoint(of request: DevRequest) -> Endpoint? {
        switch request.path {
        case basePath + "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server" + basePath: .discovery
        case let path where emulates(.microsoft) && path.hasSuffix("/v2.0/.well-known/openid-configuration"): .discovery
        case basePath + "/jwks": .jwks
        case basePath + "/authorize": .authorization
        case basePath + "/token": request.formFields["grant_type"] == "refresh_token" ? .refresh : .token
        case basePath + "/userinfo": .userinfo
        case basePath + "/end-session": .endSession
        case basePath + "/revoke": .revocation
        case basePath + "/introspect": .introspection
        case basePath + "/par": .pushedAuthorization
        case "/login/oauth/authorize": .gitHubAuthorization
        case "/login/oauth/access_token": .gitHubToken
        case "/api/v3/user": .gitHubUser
        case "/api/v3/user/emails": .gitHubEmails
        case "/api/v3/user/orgs": .gitHubOrganisations
        case "/api/v3/user/teams": .gitHubTeams
        case "/dialog/oauth", "/v21.0/dialog/oauth": .facebookAuthorization
        case "/oauth/access_token", "/v21.0/oauth/access_token": .facebookToken
        case "/me", "/v21.0/me": .facebookMe
        case "/debug_token", "/v21.0/debug_token": .facebookDebugToken
        case "/v1.0/me/transitiveMemberOf": .graphGroups
        default: nil
        }
    }

    private mutating func answer(_ endpoint: Endpoint, _ request: DevRequest, _ now: Int64) -> DevResponse {
        switch endpoint {
        case .discovery: discovery(request)
        case .jwks: keySet(request)
        case .authorization: authorize(request, .openID, now)
        case .token, .refresh: token(request, now)
        case .userinfo: userinfo(request, now)
        case .endSession: endSession(request, now)
        case .revocation: revoke(request, now)
        case .introspection: introspect(request, now)
        case .pushedAuthorization: push(request, now)
        case .gitHubAuthorization: authorize(request, .gitHub, now)
        case .gitHubToken: gitHubToken(request, now)
        case .gitHubUser: gitHubUser(request, now)
        case .gitHubEmails: gitHubEmails(request, now)
        case .gitHubOrganisations: gitHubOrganisations(request, now)
        case .gitHubTeams: gitHubTeams(request, now)
        case .facebookAuthorization: authorize(request, .facebook, now)
        case .facebookToken: facebookToken(request, now)
        case .facebookMe: facebookMe(request, now)
        case .facebookDebugToken: facebookDebugToken(request, now)
        case .graphGroups: graphGroups(request, now)
        case .redirectFollowed: notFound()
        }
    }

    private mutating func page(_ request: DevRequest, _ now: Int64) -> DevResponse {
        switch request.path {
        case basePath + "/authorize/answer": authorizationAnswer(request, .openID, now)
        case "/login/oauth/authorize/answer": authorizationAnswer(request, .gitHub, now)
        case "/dialog/oauth/answer": authorizationAnswer(request, .facebook, now)
        case basePath + "/sign-out": signOut(request)
        case basePath, basePath + "/": overview(request, now)
        default: notFound()
        }
    }

    func notFound() -> DevResponse {
        .page(pages.message(title: "Nothing here", text: "This address of the demo provider leads nowhere.", status: 404))
    }
}

extension ProviderState {
    /// The endpoint's answer, with the breakage in force. What stands for an outage leaves the state alone, so that a
    /// second attempt after the outage can succeed.
    private mutating func broken(_ endpoint: Endpoint, _ request: DevRequest, _ now: Int64) -> DevResponse {
        guard let breakage = Breakage.allCases.first(where: { has(.answer(endpoint, $0)) }) else { return answer(endpoint, request, now) }
        switch breakage {
        case .internalError: return .text("internal error\n", status: 500)
        case .unavailable:
            var response = DevResponse.json(.object(["error": .string("temporarily_unavailable")]), status: 503)
            response.headers.append(("Retry-After", "1"))
            return response
        case .html: return .page(pages.message(title: "Sign in to the hotel Wi-Fi", text: "Accept the terms to go on.", status: 200))
        case .empty: return DevResponse(status: 200, headers: [("Content-Type", "application/json")])
        case .redirect:
            let query = request.query.map { "?\($0)" } ?? ""
            let path = request.path.hasPrefix(basePath) ? String(request.path.dropFirst(basePath.count)) : request.path
            return DevResponse(status: 307, headers: [("Location", "\(base)/redirected\(path)\(query)")])
        case .never, .close:
            var response = DevResponse(status: 200)
            response.pace = breakage == .never ? .never : .close
            return response
        case .slow:
            var response = answer(endpoint, request, now)
            response.pace = .after(milliseconds: slowness)
            return response
        case .huge, .truncated, .duplicateMembers, .array, .wrongContentType:
            return answer(endpoint, request, now).mangled(breakage)
        }
    }
}

extension DevResponse {
    /// The body made useless; only bodies that start with `{` change their JSON.
    fileprivate func mangled(_ breakage: Breakage) -> DevResponse {
        var response = self
        switch breakage {
        case .huge:
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: 10 << 20)
            response.body = body.prefix(1) + padding + body.dropFirst()
        case .truncated: response.body = Array(body.prefix(body.count / 2))
        case .array: response.body = [UInt8(ascii: "[")] + body + [UInt8(ascii: "]")]
        case .wrongContentType:
            response.headers = headers.filter { $0.name != "Content-Type" } + [("Content-Type", "text/html; charset=utf-8")]
        case .duplicateMembers:
            guard body.first == UInt8(ascii: "{"), let value = try? JSONValue(parsing: body), let members = value.object,
                let name = ["issuer", "access_token", "sub", "keys", "id", "request_uri", "active", "error"].first(where: {
                    members[$0] != nil
                })
            else { return response }
            response.body = Array("{\"\(name)\":\"https://evil.example\",".utf8) + body.dropFirst()
        case .internalError, .unavailable, .html, .empty, .redirect, .slow, .never, .close: break
        }
        return response
    }
}
