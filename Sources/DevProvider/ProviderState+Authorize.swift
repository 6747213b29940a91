import Pages

extension ProviderState {
    /// Cookies do not tell ports apart, and the demo runs two providers at one host.
    var cookieName: String { options.name.map { "demo_\($0.lowercased())_session" } ?? "demo_provider_session" }

    /// The authorization endpoint of either side: a page, or straight back.
    mutating func authorize(_ request: DevRequest, _ side: Grant.Side, _ now: Int64) -> DevResponse {
        let query: String
        switch request.method {
        case "GET", "HEAD": query = request.query ?? ""
        case "POST" where request.hasForm: query = String(decoding: request.body, as: UTF8.self)
        default: return .methodNotAllowed("GET, POST")
        }
        let checked: AuthorizationRequest
        do {
            checked = try checkedRequest(try unpushed(query, side, now), side)
        } catch {
            return refused(error, request)
        }
        if let automaticPerson, let person = person(automaticPerson) {
            return finish(
                checked, session: BrowserSession(personID: person.id, authTime: now / 1000, sessionID: newToken("sid-")), request, now)
        }
        let current = currentSession(request, now)
        let isFresh = current.map { session in checked.maxAge.map { now / 1000 - session.authTime <= $0 } ?? true } ?? false
        let mustAsk = !checked.prompts.isDisjoint(with: ["login", "select_account", "consent"])
        if let current, isFresh, !mustAsk, options.silentSignOn || checked.prompts.contains("none") {
            return finish(checked, session: current, request, now)
        }
        if checked.prompts.contains("none") {
            return sendBack(checked, error: "login_required", description: "Nobody is signed in.", request)
        }
        let known = isFresh && !checked.prompts.contains("login") ? current.flatMap { person($0.personID) } : nil
        return .page(pages.chooser(checked, people: options.people, signedIn: known, action: answerPath(side)))
    }

    /// What the user clicked on that page.
    mutating func authorizationAnswer(_ request: DevRequest, _ side: Grant.Side, _ now: Int64) -> DevResponse {
        guard request.method == "POST" else { return .methodNotAllowed("POST") }
        let fields = request.formFields
        let checked: AuthorizationRequest
        do {
            checked = try checkedRequest(fields["authorization_request"] ?? "", side)
        } catch {
            return refused(error, request)
        }
        switch fields["decision"] {
        case "deny":
            if emulates(.apple) { return sendBack(checked, error: "user_cancelled_authorize", description: "", request) }
            let description = side == .gitHub ? "The user has denied your application access." : "The user denied the request."
            return sendBack(checked, error: "access_denied", description: description, request)
        case "other":
            return .page(pages.chooser(checked, people: options.people, signedIn: nil, action: answerPath(side)))
        case "continue":
            guard let session = currentSession(request, now) else {
                return .page(pages.chooser(checked, people: options.people, signedIn: nil, action: answerPath(side)))
            }
            return finish(checked, session: session, request, now)
        default:
            guard let person = fields["person"].flatMap({ person($0) }) else {
                return .page(pages.message(title: "Unknown user", text: "Go back and choose one of the users.", status: 400))
            }
            let session = BrowserSession(personID: person.id, authTime: now / 1000, sessionID: newToken("sid-"))
            let cookie = newToken()
            memory.sessions.insert(session, key: cookie, expiry: now / 1000 + 86_400, now: now / 1000)
            var response = finish(checked, session: session, request, now)
            response.headers.append(("Set-Cookie", cookieHeader(cookie, maxAge: 86_400)))
            return response
        }
    }

    func currentSession(_ request: DevRequest, _ now: Int64) -> BrowserSession? {
        request.cookie(cookieName).flatMap { memory.sessions.value($0, now: now / 1000) }
    }

    func cookieHeader(_ value: String, maxAge: Int) -> String {
        let secure = origin.hasPrefix("https://") ? "; Secure" : ""
        return "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(maxAge)\(secure)"
    }

    private func answerPath(_ side: Grant.Side) -> String {
        switch side {
        case .openID: basePath + "/authorize/answer"
        case .gitHub: "/login/oauth/authorize/answer"
        case .facebook: "/dialog/oauth/answer"
        }
    }

    private func refused(_ refusal: AuthorizationRequest.Refusal, _ request: DevRequest) -> DevResponse {
        switch refusal {
        case .page(let text): .page(pages.message(title: "This request cannot be answered", text: text, status: 400))
        case .redirect(let checked, let error, let description): sendBack(checked, error: error, description: description, request)
        }
    }
}

extension ProviderState {
    /// Issues a code and sends the browser back with it.
    private mutating func finish(_ checked: AuthorizationRequest, session: BrowserSession, _ request: DevRequest, _ now: Int64)
        -> DevResponse
    {
        let grant = Grant(
            side: checked.side, clientID: checked.client.id, personID: session.personID, redirectURI: checked.redirectURI,
            scopes: checked.scopes, nonce: checked.nonce, challenge: checked.challenge, contextClass: checked.contextClass,
            authTime: session.authTime,
            sessionID: session.sessionID, family: newToken(), isOffline: checked.isOffline,
            requestedThumbprint: checked.thumbprint)
        var code = newToken("code-")
        if has(.callback(.codeLong)) { code += String(repeating: "x", count: 4_096 - code.utf8.count) }
        memory.codes.insert(OneTime(grant: grant), key: code, expiry: now / 1000 + options.lifetimes.code, now: now / 1000)
        var parameters = [("code", code)]
        if let state = checked.state { parameters.append(("state", state)) }
        if checked.side == .openID { parameters.append(("iss", options.issuer)) }
        parameters = emulated(parameters, grant)
        for fault in CallbackFault.allCases where has(.callback(fault)) { apply(fault, &parameters) }
        return send(checked, parameters, request)
    }

    private func sendBack(_ checked: AuthorizationRequest, error: String, description: String, _ request: DevRequest) -> DevResponse {
        var parameters = [("error", error), ("error_description", description)]
        if let state = checked.state { parameters.append(("state", state)) }
        if checked.side == .openID, options.emulation == nil { parameters.append(("iss", options.issuer)) }
        for fault in [CallbackFault.issuerWrong, .issuerMissing, .issuerSlash, .stateMissing, .stateWrong, .stateTwice]
        where has(.callback(fault)) {
            apply(fault, &parameters)
        }
        return send(checked, parameters, request)
    }

    private func send(_ checked: AuthorizationRequest, _ parameters: [(String, String)], _ request: DevRequest) -> DevResponse {
        if checked.responseMode == .formPost {
            return .page(pages.formPost(to: checked.redirectURI, fields: parameters))
        }
        let query = parameters.map { "\(LinkTarget.percentEncoded($0.0))=\(LinkTarget.percentEncoded($0.1))" }.joined(separator: "&")
        return .redirect(to: checked.redirectURI + (checked.redirectURI.contains("?") ? "&" : "?") + query, after: request.method)
    }

    private func apply(_ fault: CallbackFault, _ parameters: inout [(String, String)]) {
        func set(_ name: String, _ value: String) {
            parameters.removeAll { $0.0 == name }
            parameters.append((name, value))
        }
        func repeated(_ name: String) {
            if let pair = parameters.first(where: { $0.0 == name }) { parameters.append(pair) }
        }
        switch fault {
        case .issuerWrong: set("iss", "https://evil.example")
        case .issuerMissing: parameters.removeAll { $0.0 == "iss" }
        case .issuerSlash: set("iss", options.issuer + "/")
        case .issuerTwice: repeated("iss")
        case .stateMissing: parameters.removeAll { $0.0 == "state" }
        case .stateWrong: set("state", "not-the-state-that-was-sent")
        case .stateTwice: repeated("state")
        case .codeMissing: parameters.removeAll { $0.0 == "code" }
        case .codeTwice: repeated("code")
        case .codeUnknown: set("code", "code-that-nobody-issued")
        case .codeLong: break  // when the code is made
        case .codeAndError: set("error", "access_denied")
        case .hostileError:
            parameters.removeAll { $0.0 == "code" }
            set("error", "server_error")
            set("error_description", "\"><script>alert(document.domain)</script>\r\nSet-Cookie: a=b")
            set("error_uri", "javascript:alert(1)")
        case .temporarilyUnavailable:
            parameters.removeAll { $0.0 == "code" }
            set("error", "temporarily_unavailable")
        case .extraParameters:
            set("session_state", "abc.def")
            set("scope", "openid profile")
        }
    }
}
