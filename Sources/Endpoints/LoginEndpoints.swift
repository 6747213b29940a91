import Access
import Accounts
import Backchannel
import Decisions
import HTTPWire
import Logging
import Pages
import Providers
import Sessions
import SignIn
import Telemetry

extension Endpoints {
    /// `GET /login`: a button for each provider; with one provider straight to it.
    func showSignIn(_ request: EndpointRequest) {
        let target = returnPath(request.query)
        let notice = notice(request)
        if !site.hasSignInPage, let only = site.providers.first, request.head.method == .get, notice?.needsPage != true {
            return beginLogin(request, ProviderID.urlForm(of: only.id))
        }
        let page = SignInPage(
            site: site.pageSite, providers: site.providers.map { .init(id: $0.id, displayName: $0.displayName) },
            returnTo: target == "/" ? nil : target, notice: notice, lastUsed: lastUsed(request),
            selectsAccount: selectsAccount(request.query ?? []), password: answers.passwordSignIn(), offersAnonymous: site.offersAnonymous,
            offersPasskey: site.offersPasskeys)
        request.send(Answer(page, hsts: site.hsts))
    }

    /// The reason for the sign-in, one of a fixed set; nil without one.
    private func notice(_ request: EndpointRequest) -> SignInPage.Notice? {
        request.query?.first { $0.name == "notice" }.flatMap { SignInPage.Notice(rawValue: $0.value) }
    }

    private func selectsAccount(_ fields: [(name: String, value: String)]) -> Bool { fields.contains { $0 == SignInPage.accountField } }

    /// The cookie's word counts only as far as it names a provider that there is.
    private func lastUsed(_ request: EndpointRequest) -> String? {
        let name = site.cookies.host.lastProvider
        guard let form = request.cookies.first(where: { $0.name == name })?.value else { return nil }
        return context.client(urlForm: form)?.settings.id
    }

    /// `GET /login/{provider}`: to the provider.
    func beginLogin(_ request: EndpointRequest) { beginLogin(request, request.segment) }

    private func beginLogin(_ request: EndpointRequest, _ segment: String) {
        guard let client = context.client(urlForm: segment) else {
            return refuse(request, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        // Only navigations begin sign-ins: an image or a prefetch would leave a transaction behind for nothing.
        if let mode = request.head.text(.secFetchMode), ["cors", "no-cors", "same-origin", "websocket"].contains(mode) {
            return request.send(
                answers.unauthenticated(
                    isPage: false, login: answers.login(returningTo: returnPath(request.query), on: request.head), requestID: request.id))
        }
        // What cannot be read counts as not sent: `rd` becomes `/`.
        let fields = request.query ?? []
        let isPage = answers.wantsPage(request.head)
        let contextClasses = site.contextClasses(in: fields, for: client.settings)
        begin(
            request.pending, client, returnPath: returnPath(fields),
            parameters: fields.filter {
                $0.name != "rd" && $0.name != Self.redirectedField && $0 != SignInPage.accountField
                    && (contextClasses.isEmpty || $0.name != AuthorizationRequest.contextClassParameter)
            }, contextClasses: contextClasses,
            selectsAccount: selectsAccount(fields),
            cookieNames: request.cookieNames, isPage: isPage, requestID: request.id)
    }

    private func begin(
        _ pending: PendingAnswer, _ client: ProviderClient, returnPath: String, parameters: [(name: String, value: String)],
        contextClasses: [String], selectsAccount: Bool, cookieNames: [String], isPage: Bool, requestID: RequestID
    ) {
        let (context, answers) = (context, answers)
        Task {
            do throws(SignInError) {
                let start = try await client.logins.begin(
                    returnPath: returnPath, requestParameters: parameters, selectsAccount: selectsAccount, contextClasses: contextClasses,
                    existingCookieNames: cookieNames)
                if !start.dropped.isEmpty { context.logDropped(start.dropped, client.settings.id, requestID) }
                context.log.write(
                    .info, "login-started", "sign-in started",
                    [("provider", .text(client.settings.id)), ("request_id", .text(requestID.text))])
                var answer = Answer.redirect(status: 302, to: start.url, hsts: context.site.hsts)
                answer.setCookies(start.setCookies)
                pending.send(answer)
            } catch {
                let failure = error.returning(to: returnPath)
                context.logFailure(failure, requestID)
                pending.send(answers.signInFailure(failure, isPage: isPage, requestID: requestID))
            }
        }
    }

    /// `GET` or `POST /callback/{provider}`: the redirect URI.
    func receiveCallback(_ request: EndpointRequest) {
        guard let client = context.client(urlForm: request.segment) else {
            return refuse(request, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        let isFormPost = client.settings.responseMode == .formPost
        // Only the requested mode: any page can link to a query.
        guard isFormPost == (request.head.method == .post) else {
            return refuse(request, status: 400, code: "auth/invalid-request", reason: "callback-method")
        }
        if isFormPost {
            collectBody(request) { [self] request, body in finishLogin(request, client, parameters: body) }
        } else {
            finishLogin(request, client, parameters: request.head.queryText)
        }
    }

    private func finishLogin(_ request: EndpointRequest, _ client: ProviderClient, parameters text: String) {
        withSession(of: request) { endpoints, request, previous in
            let head = request.head
            let signIn = endpoints.context.accounts.map { endpoints.signIn(request, nil, $0, previous) }
            let callback = Callback(
                context: endpoints.context, answers: endpoints.answers, client: client, cookies: request.cookies, browser: request.browser,
                previous: previous,
                isPage: endpoints.answers.wantsPage(head) || head.method == .post, requestID: request.id, accounts: signIn)
            let pending = request.pending
            Task { pending.send(await callback.answer(parameters: text)) }
        }
    }
}

extension SiteContext {
    /// The values of `acr` that a rule sent the browser to ask for: `acr_values` of `/login`'s query, as far as rules name each of them.
    /// Others are parameters like any other.
    fileprivate func contextClasses(in fields: [(name: String, value: String)], for settings: ProviderSettings) -> [String] {
        let given = fields.filter { $0.name == AuthorizationRequest.contextClassParameter }
        guard settings.kind == .oidc, given.count == 1 else { return [] }
        let values = given[0].value.split(separator: " ").map(String.init)
        return values.allSatisfy(contextClasses.contains) ? values : []
    }
}

/// One authorization response on its way to a session.
struct Callback: Sendable {
    let context: EndpointContext
    let answers: Answers
    let client: ProviderClient
    /// The browser's, duplicates included.
    let cookies: [(name: String, value: String)]
    let browser: SessionBrowser
    /// The session that the browser has already.
    let previous: Session?
    let isPage: Bool
    let requestID: RequestID
    /// nil without an account store.
    let accounts: AccountSignIn?

    private var site: SiteContext { context.site }

    func answer(parameters text: String) async -> Answer {
        let parameters: UnverifiedCallback
        do {
            parameters = try UnverifiedCallback(parsing: text)
        } catch {
            return failed(error.signInError(provider: client.settings.id), state: nil)
        }
        do throws(SignInError) {
            let login = try await client.logins.complete(parameters, cookies: cookies)
            guard let accounts else { return await signedIn(login, state: parameters.state) }
            return await signedIn(login, accounts, state: parameters.state)
        } catch {
            return failed(error, state: parameters.state)
        }
    }

    /// With an account store: the account decides what comes of it.
    private func signedIn(_ login: CompletedLogin, _ accounts: AccountSignIn, state: String?) async -> Answer {
        var answer: Answer
        switch login.purpose {
        case .signIn: answer = await accounts.signIn(login)
        case .link(let uid): answer = await accounts.link(login, uid: uid)
        case .reauthenticate(let uid): answer = await accounts.reauthenticated(login, uid: uid)
        }
        // After a store failed, a reload of the page begins the sign-in again, and needs to know where it leads.
        if answer.status != 503 { answer.setCookies(transactionDeletion(state)) }
        if answer.status == 303, login.purpose == .signIn, site.hasSignInPage { answer.setCookies([lastProviderCookie]) }
        return answer
    }

    private func signedIn(_ login: CompletedLogin, state: String?) async -> Answer {
        guard login.purpose == .signIn else {
            // It began while there was an account store.
            return failed(
                SignInError(.invalidState, provider: client.settings.id, "accounts are no longer configured")
                    .returning(to: login.returnPath), state: state)
        }
        let signIn = VerifiedSignIn(
            account: AccountOutcome(withoutStore: login.verified), authTime: login.authTime,
            providerSessionID: login.providerSessionID, tokens: login.tokens)
        let issued: IssuedSession
        do throws(SessionIssueError) {
            issued = try await context.sessions.issue(
                for: signIn, replacing: previous, to: browser, now: wallClock())
        } catch {
            context.log.reportIssueFailure(error, provider: login.identity.provider, requestID)
            return answers.issueFailure(error, isPage: isPage, requestID: requestID)
        }
        context.log.reportIssue(issued, replacing: previous, message: "user signed in", requestID)
        warnAboutMissingSessionID(issued.session)
        var answer = Answer.redirect(
            status: 303, to: site.returnPaths.validate(login.returnPath).text, hsts: site.hsts)
        answer.setCookies(issued.setCookies)
        answer.setCookies(transactionDeletion(state))
        if site.providers.count > 1 { answer.setCookies([lastProviderCookie]) }
        return answer
    }

    /// Once for each provider: every one of its sign-ins is alike.
    private func warnAboutMissingSessionID(_ session: Session) {
        guard session.providerSessionID == nil, client.namesSessionsInLogouts, context.onceNotices.isFirst("no-sid \(client.settings.id)")
        else { return }
        context.log.write(
            .warning, "session-id-missing",
            "the provider's ID tokens have no `sid`, so its logout messages for single sessions have no effect; "
                + "enable the `sid` claim at the provider",
            [("provider", .text(client.settings.id)), ("request_id", .text(requestID.text))])
    }

    private var lastProviderCookie: String {
        site.cookies.host.cookie(
            named: site.cookies.host.lastProvider, value: ProviderID.urlForm(of: client.settings.id), maxAge: 180 * 24 * 3600
        ).headerValue()
    }

    /// Late and repeated callbacks go to the app where a session lives, or begin the sign-in again: nobody is stranded on an
    /// error page for having waited (contract section 1 of the login's robustness).
    private func failed(_ failure: SignInError, state: String?) -> Answer {
        context.logFailure(failure, requestID)
        let target = site.returnPaths.validate(failure.returnPath ?? "/").text
        var answer: Answer
        if failure.restartsLogin, isPage {
            answer = .redirect(
                status: 303, to: previous != nil ? target : answers.loginPath(returningTo: target, notice: .loginExpired),
                hsts: site.hsts)
        } else {
            answer = answers.signInFailure(failure, isPage: isPage, requestID: requestID)
        }
        // A provider or store that could not be asked has not spent the sign-in: a reload may still finish it.
        if ![.providerUnavailable, .providerTimeout, .storeUnavailable].contains(failure.code) {
            answer.setCookies(transactionDeletion(state))
        }
        return answer
    }

    private func transactionDeletion(_ state: String?) -> [String] {
        guard let state, let name = context.transactions.cookies.name(forState: state), cookies.contains(where: { $0.name == name }) else {
            return []
        }
        return [context.transactions.cookies.deletion(name: name)]
    }
}

extension EndpointContext {
    /// One line for a request, however many parameters it had.
    fileprivate func logDropped(_ dropped: DroppedParameters, _ provider: String, _ requestID: RequestID) {
        for (reason, count) in dropped.byReason { counters.add(.parametersDropped, provider, reason.rawValue, count: count) }
        log.write(
            .notice, "parameter-dropped", "dropped parameters of /login; list a parameter in requestParameters to allow it",
            [
                ("parameters", .text(dropped.names.joined(separator: ", "))), ("count", .number(dropped.count)),
                ("reason", .text(dropped.byReason.map { "\($0.reason.rawValue): \($0.count)" }.joined(separator: "; "))),
                ("provider", .text(provider)), ("request_id", .text(requestID.text)),
            ])
    }

    func logFailure(_ failure: SignInError, _ requestID: RequestID) {
        log.write(
            failure.status >= 500 ? .error : .notice, "login-failed", failure.summary,
            [
                ("code", .text(failure.code.rawValue)), ("provider", .text(failure.provider)), ("reason", .text(failure.reason)),
                ("provider_error", .text(failure.providerCode ?? "")), ("request_id", .text(requestID.text)),
            ])
    }
}
