import Access
import Accounts
import Backchannel
import Decisions
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Pages
import Providers
import Server
import Sessions
import SignIn
import Telemetry

extension Endpoints {
    /// `GET /login`: a button for each provider; with one provider straight to it.
    func showSignIn(_ exchange: Exchange, _ connection: ConnectionState) {
        let target = returnPath(query(exchange.head))
        let notice = notice(exchange.head)
        if snapshot.providers.count == 1, let only = snapshot.providers.first, exchange.head.method == .get, notice?.needsPage != true {
            return beginLogin(exchange, connection, ProviderID.urlForm(of: only.id))
        }
        let page = SignInPage(
            site: snapshot.pageSite, providers: snapshot.providers.map { .init(id: $0.id, displayName: $0.displayName) },
            returnTo: target == "/" ? nil : target, notice: notice, lastUsed: lastUsed(exchange.head),
            selectsAccount: selectsAccount(query(exchange.head) ?? []))
        Answer(page, hsts: snapshot.hsts).send(on: exchange)
    }

    /// The reason for the sign-in, one of a fixed set; nil without one.
    private func notice(_ head: RequestHead) -> SignInPage.Notice? {
        query(head)?.first { $0.name == "notice" }.flatMap { SignInPage.Notice(rawValue: $0.value) }
    }

    private func selectsAccount(_ fields: [(name: String, value: String)]) -> Bool { fields.contains { $0 == SignInPage.accountField } }

    /// The cookie's word counts only as far as it names a provider that there is.
    private func lastUsed(_ head: RequestHead) -> String? {
        let name = snapshot.cookies.lastProviderCookieName
        guard let form = cookies(head).first(where: { $0.name == name })?.value else { return nil }
        return core.client(urlForm: form)?.settings.id
    }

    /// `GET /login/{provider}`: to the provider.
    func beginLogin(_ exchange: Exchange, _ connection: ConnectionState, _ segment: String) {
        guard let client = core.client(urlForm: segment) else {
            return refuse(exchange, connection, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        // Only navigations begin sign-ins: an image or a prefetch would leave a transaction behind for nothing.
        if let mode = exchange.head.text(.secFetchMode), ["cors", "no-cors", "same-origin", "websocket"].contains(mode) {
            return answers.unauthenticated(
                isPage: false, login: answers.login(returningTo: returnPath(query(exchange.head)), on: exchange.head),
                requestID: connection.requestID
            ).send(on: exchange)
        }
        // What cannot be read counts as not sent: `rd` becomes `/`.
        let fields = query(exchange.head) ?? []
        let isPage = answers.wantsPage(exchange.head)
        begin(
            PendingAnswer(exchange), client, returnPath: returnPath(fields),
            parameters: fields.filter { $0.name != "rd" && $0.name != Self.redirectedField && $0 != SignInPage.accountField },
            selectsAccount: selectsAccount(fields),
            cookieNames: cookies(exchange.head).map(\.name), isPage: isPage, requestID: connection.requestID)
    }

    private func begin(
        _ pending: PendingAnswer, _ client: ProviderClient, returnPath: String, parameters: [(name: String, value: String)],
        selectsAccount: Bool, cookieNames: [String], isPage: Bool, requestID: RequestID
    ) {
        let core = self.core
        let answers = self.answers
        Task {
            do throws(SignInError) {
                let start = try await client.logins.begin(
                    returnPath: returnPath, requestParameters: parameters, selectsAccount: selectsAccount, existingCookieNames: cookieNames)
                if !start.dropped.isEmpty { core.logDropped(start.dropped, client.settings.id, requestID) }
                core.log.write(
                    .info, "login-started", "sign-in started",
                    [("provider", .text(client.settings.id)), ("request_id", .text(requestID.text))])
                var answer = Answer.redirect(status: 302, to: start.url, hsts: core.snapshot.hsts)
                answer.setCookies(start.setCookies)
                pending.send(answer)
            } catch {
                let failure = error.returning(to: returnPath)
                core.logFailure(failure, requestID)
                pending.send(answers.signInFailure(failure, isPage: isPage, requestID: requestID))
            }
        }
    }

    /// `GET` or `POST /callback/{provider}`: the redirect URI.
    func receiveCallback(_ exchange: Exchange, _ connection: ConnectionState, _ segment: String) {
        guard let client = core.client(urlForm: segment) else {
            return refuse(exchange, connection, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        let isFormPost = client.settings.responseMode == .formPost
        // Only the requested mode: any page can link to a query.
        guard isFormPost == (exchange.head.method == .post) else {
            return refuse(exchange, connection, status: 400, code: "auth/invalid-request", reason: "callback-method")
        }
        if isFormPost {
            collectBody(exchange) { [self] exchange, body in finishLogin(exchange, connection, client, parameters: body) }
        } else {
            finishLogin(exchange, connection, client, parameters: exchange.head.queryText)
        }
    }

    private func finishLogin(_ exchange: Exchange, _ connection: ConnectionState, _ client: ProviderClient, parameters text: String) {
        withSession(of: exchange, connection) { endpoints, exchange, connection, previous in
            let head = exchange.head
            let callback = Callback(
                core: endpoints.core, answers: endpoints.answers, client: client, cookies: endpoints.cookies(head), previous: previous,
                isPage: endpoints.answers.wantsPage(head) || head.method == .post, requestID: connection.requestID)
            let pending = PendingAnswer(exchange)
            Task { pending.send(await callback.answer(parameters: text)) }
        }
    }
}

/// One authorization response on its way to a session.
struct Callback: Sendable {
    let core: GatewayCore
    let answers: Answers
    let client: ProviderClient
    /// The browser's, duplicates included.
    let cookies: [(name: String, value: String)]
    /// The session that the browser has already.
    let previous: Session?
    let isPage: Bool
    let requestID: RequestID

    private var snapshot: Snapshot { core.snapshot }

    func answer(parameters text: String) async -> Answer {
        let parameters: UnverifiedCallback
        do {
            parameters = try UnverifiedCallback(parsing: text)
        } catch {
            return failed(error.signInError(provider: client.settings.id), state: nil)
        }
        do throws(SignInError) {
            let login = try await client.logins.complete(parameters, cookies: cookies)
            return await signedIn(login, state: parameters.state)
        } catch {
            return failed(error, state: parameters.state)
        }
    }

    private func signedIn(_ login: CompletedLogin, state: String?) async -> Answer {
        let signIn = VerifiedSignIn(
            account: AccountOutcome(withoutStore: login.verified), authTime: login.authTime,
            providerSessionID: login.providerSessionID, tokens: login.tokens)
        let issued: IssuedSession
        do throws(SessionIssueError) {
            issued = try await core.sessions.issue(
                for: signIn, replacing: previous, existingNames: cookies.map(\.name), now: wallClock())
        } catch {
            core.log.reportIssueFailure(error, provider: login.identity.provider, requestID)
            return answers.refusal(status: 502, code: "auth/provider-error", isPage: isPage, requestID: requestID)
        }
        core.log.reportIssue(issued, replacing: previous, message: "user signed in", requestID)
        warnAboutMissingSessionID(issued.session)
        var answer = Answer.redirect(
            status: 303, to: snapshot.returnPaths.validate(login.returnPath).text, hsts: snapshot.hsts)
        answer.setCookies(issued.setCookies)
        answer.setCookies(transactionDeletion(state))
        if snapshot.providers.count > 1 { answer.setCookies([lastProviderCookie]) }
        return answer
    }

    /// Once for each provider: every one of its sign-ins is alike.
    private func warnAboutMissingSessionID(_ session: Session) {
        guard session.providerSessionID == nil, client.namesSessionsInLogouts, core.onceNotices.isFirst("no-sid \(client.settings.id)")
        else { return }
        core.log.write(
            .warning, "session-id-missing",
            "the provider's ID tokens have no `sid`, so its logout messages for single sessions have no effect; "
                + "enable the `sid` claim at the provider",
            [("provider", .text(client.settings.id)), ("request_id", .text(requestID.text))])
    }

    private var lastProviderCookie: String {
        snapshot.cookies.cookie(
            named: snapshot.cookies.lastProviderCookieName, value: ProviderID.urlForm(of: client.settings.id), maxAge: 180 * 24 * 3600
        ).headerValue()
    }

    /// Late and repeated callbacks go to the app where a session lives, or begin the sign-in again: nobody is stranded on an
    /// error page for having waited (contract section 1 of the login's robustness).
    private func failed(_ failure: SignInError, state: String?) -> Answer {
        core.logFailure(failure, requestID)
        let target = snapshot.returnPaths.validate(failure.returnPath ?? "/").text
        var answer: Answer
        if failure.restartsLogin, isPage {
            answer = .redirect(
                status: 303, to: previous != nil ? target : answers.loginPath(returningTo: target, notice: .loginExpired),
                hsts: snapshot.hsts)
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
        guard let state, let name = core.transactions.cookies.name(forState: state), cookies.contains(where: { $0.name == name }) else {
            return []
        }
        return [core.transactions.cookies.deletion(name: name)]
    }
}

extension GatewayCore {
    /// One line for a request, however many parameters it had.
    fileprivate func logDropped(_ dropped: DroppedParameters, _ provider: String, _ requestID: RequestID) {
        for (reason, count) in dropped.byReason { operations.counters.add(.parametersDropped, provider, reason.rawValue, count: count) }
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
