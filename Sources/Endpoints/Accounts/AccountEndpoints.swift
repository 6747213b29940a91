import Access
import Accounts
import Backchannel
import Config
import Decisions
import HTTPWire
import Logging
import Pages
import Primitives
import Providers
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// What a signed-in user sees and changes of the own account.
extension Endpoints {
    // MARK: The session of the account

    /// Goes on with the account's context and the live session; answers 401 without one, with the way to sign in and back.
    private func withAccount(
        _ request: EndpointRequest, form: AccountForm? = nil, returnPath: String? = nil,
        _ next: @escaping @Sendable (Endpoints, EndpointRequest, AccountSignIn, Session) -> Void
    ) {
        let target = returnPath ?? accountPath
        withAuthentication(of: request) { endpoints, request, authentication in
            guard let accounts = endpoints.context.accounts else { return endpoints.refuseWithoutAccounts(request) }
            guard case .session(let session) = authentication else {
                let isPage = form?.wantsPage ?? endpoints.answers.wantsPage(request.head)
                let login = endpoints.answers.login(returningTo: target, on: request.head)
                if isPage, request.head.method == .get {
                    return request.send(.redirect(status: 302, to: login.location, hsts: endpoints.site.hsts))
                }
                return request.send(
                    endpoints.answers.unauthenticated(
                        isPage: isPage, login: login, hadSession: authentication.hasEnded, requestID: request.id))
            }
            var signIn = endpoints.signIn(request, form, accounts, session)
            if form == nil { signIn.form = endpoints.answers.wantsPage(request.head) ? .page : .json }
            next(endpoints, request, signIn, session)
        }
    }

    private func send(
        _ request: EndpointRequest, _ work: @escaping @Sendable () async -> Answer
    ) {
        let pending = request.pending
        Task { pending.send(await work()) }
    }

    // MARK: Account

    /// `GET /account`.
    func showAccount(_ request: EndpointRequest) {
        let notice = request.query?.first { $0.name == "notice" }.flatMap { AccountPage.Notice(rawValue: $0.value) }
        withAccount(request) { endpoints, request, signIn, session in
            let origins = endpoints.authorizationOrigins
            endpoints.send(request) { await signIn.account(session, notice: notice, origins: origins) }
        }
    }

    /// The origins that a form of a page leads to, by provider id.
    private var authorizationOrigins: [String: String] {
        context.clients.compactMapValues(\.authorizationOrigin)
    }

    /// `POST /link/{provider}`: to the provider, whose identity joins the account.
    func beginLink(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form, fallback: accountPath)
            guard let client = context.client(urlForm: request.segment) else {
                return refuse(request, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
            }
            withAccount(request, form: form) { endpoints, request, signIn, session in
                let names = request.cookieNames
                endpoints.send(request) { await signIn.beginLink(client, session, returnPath: target, cookieNames: names) }
            }
        }
    }

    /// `GET /account/pending`: asks whether to link the identity that met a conflict.
    func showPending(_ request: EndpointRequest) {
        withAccount(request, returnPath: accountPath + "/pending") { endpoints, request, signIn, session in
            endpoints.send(request) { await signIn.askToLink(session) }
        }
    }

    /// `POST /account/pending`: `accept`.
    func answerPending(_ request: EndpointRequest) {
        collectAccountForm(request, flags: ["accept"]) { [self] request, form in
            withAccount(request, form: form, returnPath: accountPath + "/pending") { endpoints, request, signIn, session in
                endpoints.send(request) { await signIn.answerToLink(session, form) }
            }
        }
    }

    /// `POST /unlink/{provider}`.
    func unlink(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let provider = String(request.segment.map { $0 == "~" ? "/" : $0 })
            withAccount(request, form: form) { endpoints, request, signIn, session in
                endpoints.send(request) { await signIn.unlink(provider, session, form) }
            }
        }
    }

    /// `GET /reauthenticate`: to a provider of the account for a fresh sign-in, or the form of the password.
    func reauthenticate(_ request: EndpointRequest) {
        let target = returnPath(request, nil, fallback: accountPath)
        let wanted = request.query?.first { $0.name == "provider" }?.value
        withAccount(request, returnPath: target) { endpoints, request, signIn, session in
            let names = request.cookieNames
            endpoints.send(request) { await signIn.reauthenticate(session, wanted: wanted, returnPath: target, cookieNames: names) }
        }
    }

    /// `GET /account/delete`: asks first.
    func showAccountDeletion(_ request: EndpointRequest) {
        withAccount(request, returnPath: accountPath + "/delete") { endpoints, request, signIn, session in
            endpoints.send(request) { await signIn.askToDelete(session) }
        }
    }

    /// `POST /account/delete`.
    func deleteAccount(_ request: EndpointRequest) { withAccountForm(request) { await $0.delete($1, $2) } }

    /// `POST /account/password`: `new_password`.
    func changePassword(_ request: EndpointRequest) {
        let share = ClientShare(request.client).key
        withAccountForm(request) { await $0.changePassword($1, $2, share: share) }
    }

    /// `POST /account/email`: `email`.
    func changeEmail(_ request: EndpointRequest) { withAccountForm(request) { await $0.requestEmailChange($1, $2) } }

    private func withAccountForm(
        _ request: EndpointRequest, _ work: @escaping @Sendable (AccountSignIn, Session, AccountForm) async -> Answer
    ) {
        collectAccountForm(request) { [self] request, form in
            withAccount(request, form: form) { endpoints, request, signIn, session in
                endpoints.send(request) { await work(signIn, session, form) }
            }
        }
    }
}
