package import Access
package import Accounts
import Config
package import Decisions
package import HTTPWire
import NIOCore
import Pages
import Primitives
import Providers
import SignIn
import TokenCrypto

/// The one map from what went wrong to HTTP: a page for a browser's navigation, JSON for everything else.
package struct Answers: Sendable {
    let site: SiteContext

    package init(_ site: SiteContext) { self.site = site }

    // MARK: Kinds of clients

    package func wantsPage(_ head: RequestHead) -> Bool {
        guard head.bytes.readableBytes > 0 else { return false }
        switch NavigationKind(head) {
        case .navigation, .formPost: return true
        case .programmatic, .preflight: return false
        }
    }

    // MARK: Errors

    /// A refusal or failure with the catalogue's text for its status or code.
    /// `allow`: the methods there are, for a 405.
    package func refusal(
        status: Int, code: String?, isPage: Bool, requestID: RequestID, allow: String = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    ) -> Answer {
        let text = code.map { ErrorText.of(code: $0, status: status) } ?? ErrorText.proxy(status: status)
        var answer = error(status: status, text: text, isPage: isPage, requestID: requestID, retry: nil)
        if status == 405 { answer.add("Allow", allow) }
        return answer
    }

    func error(
        status: Int, text: ErrorText, isPage: Bool, requestID: RequestID, retry: LinkTarget?, provider: String? = nil,
        account: String? = nil
    ) -> Answer {
        var answer: Answer
        if isPage {
            let page = ErrorPage(
                site: site.pageSite, code: text.code, status: status, requestID: requestID.text, provider: provider, account: account,
                retry: retry, text: text)
            answer = Answer(page, hsts: site.hsts)
        } else {
            answer = .json(
                status: status, ErrorBody.json(code: text.code, message: text.message, requestID: requestID.text),
                hsts: site.hsts)
        }
        answer.code = text.code
        return answer
    }

    // MARK: Access

    /// The answer to a request without a session (contract section 6, "Not signed in" and "Lost forms"). `hadSession`: the request has
    /// an ended session.
    package func challenge(for head: RequestHead, hadSession: Bool, requestID: RequestID) -> Answer {
        let kind = NavigationKind(head)
        let login = login(for: head, notice: kind == .formPost ? .formNotSent : nil)
        switch (site.configuration.onUnauthenticated, kind) {
        case (.auto, .navigation):
            return .redirect(status: 302, to: login.location, hsts: site.hsts)
        case (.auto, .formPost):
            return .redirect(status: 303, to: login.location, hsts: site.hsts)
        case (.redirect, .navigation), (.redirect, .programmatic), (.redirect, .formPost):
            let status = head.method == .get || head.method == .head ? 302 : 303
            return .redirect(status: status, to: login.location, hsts: site.hsts)
        case (.auto, .programmatic), (.auto, .preflight), (.redirect, .preflight), (.deny, _):
            return unauthenticated(
                isPage: kind == .navigation || kind == .formPost, login: login, hadSession: hadSession, requestID: requestID)
        }
    }

    /// 401 with the way to sign in (RFC 9110 section 15.5.2; RFC 6750 section 3: no error code where nothing was presented).
    func unauthenticated(isPage: Bool, login: LoginLink, hadSession: Bool = false, requestID: RequestID) -> Answer {
        var answer: Answer
        let text = ErrorText.of(code: hadSession ? "auth/session-expired" : "auth/login-required", status: 401)
        if isPage {
            let page = ErrorPage(
                site: site.pageSite, code: text.code, status: 401, requestID: requestID.text, retry: LinkTarget(login.location),
                text: text)
            answer = Answer(page, hsts: site.hsts)
        } else {
            answer = .json(
                status: 401,
                ErrorBody.json(code: text.code, message: text.message, requestID: requestID.text, loginURL: login.url),
                hsts: site.hsts)
        }
        answer.add("WWW-Authenticate", "Bearer realm=\"\(site.pageSite.name)\"")
        answer.code = text.code
        answer.nextStep = .init(address: login.url, leadsBrowsers: false)
        return answer
    }

    /// The rule of a route refuses a user.
    package func denial(_ denial: Denial, of identity: ProviderIdentity?, for head: RequestHead, requestID: RequestID) -> Answer {
        let isPage = wantsPage(head)
        switch denial.code {
        case .accessDenied:
            return refusedByRule(denial, of: identity, for: head, requestID: requestID)
        case .multiFactorAuthRequired where site.hasSecondFactors && site.hosts.sibling(of: head.authorityText) == nil:
            return secondFactorChallenge(for: head, requestID: requestID)
        case .multiFactorAuthRequired:
            return refusal(status: 403, code: denial.code.rawValue, isPage: isPage, requestID: requestID)
        case .insufficientUserAuthentication:
            return stepUp(denial, of: identity, for: head, requestID: requestID)
        case .requiresRecentLogin:
            let login = login(for: head, notice: .requiresRecentLogin)
            let text = ErrorText.of(code: denial.code.rawValue, status: 401)
            let again = site.hasAccounts && site.hosts.sibling(of: head.authorityText) == nil
            let retry = again ? reauthentication(returningTo: returnPath(of: head)) : LinkTarget(login.location)
            var answer = error(status: 401, text: text, isPage: isPage, requestID: requestID, retry: retry)
            answer.add("WWW-Authenticate", insufficient(maxAge(denial)))
            if let retry { answer.nextStep = .init(address: retry.text, leadsBrowsers: isPage) }
            return answer
        }
    }

    /// The challenge to a session that is not strong enough (RFC 9470 section 3).
    private func insufficient(_ parameters: String?...) -> String {
        (["Bearer realm=\"\(site.pageSite.name)\"", "error=\"insufficient_user_authentication\""] + parameters.compactMap { $0 })
            .joined(separator: ", ")
    }

    private func maxAge(_ denial: Denial) -> String? { denial.greatestAge.map { "max_age=\"\($0 / 1_000)\"" } }

    /// To the page that asks for a second factor, and back.
    private func secondFactorChallenge(for head: RequestHead, requestID: RequestID) -> Answer {
        let location = secondFactorPath(returningTo: returnPath(of: head))
        return stepUp(
            .multiFactorAuthRequired, at: LoginLink(location: location, url: (site.publicURL?.text ?? "") + location),
            challenge: insufficient("acr_values=\"mfa\""), for: head, requestID: requestID)
    }

    /// To the session's provider, which is asked for one of the classes, and back. Other providers confirm none: their users are refused.
    private func stepUp(_ denial: Denial, of identity: ProviderIdentity?, for head: RequestHead, requestID: RequestID) -> Answer {
        let classes = denial.acceptedContextClasses
        guard let provider = site.providers.first(where: { $0.id == identity?.provider }), provider.kind == .oidc, !classes.isEmpty else {
            return refusedByRule(denial, of: identity, for: head, requestID: requestID)
        }
        let values = classes.joined(separator: " ")
        let login = login(
            returningTo: returnPath(of: head), on: head, provider: provider.id,
            parameters: [(AuthorizationRequest.contextClassParameter, values)])
        return stepUp(
            denial.code, at: login, challenge: insufficient("acr_values=\"\(values)\"", maxAge(denial)), for: head, requestID: requestID)
    }

    /// Redirects a browser to `link`. A program gets the challenge, and the link in JSON.
    private func stepUp(
        _ code: Denial.Code, at link: LoginLink, challenge: String, for head: RequestHead, requestID: RequestID
    ) -> Answer {
        if wantsPage(head) {
            return .redirect(status: head.method == .get || head.method == .head ? 302 : 303, to: link.location, hsts: site.hsts)
        }
        let text = ErrorText.of(code: code.rawValue, status: 401)
        var answer = Answer.json(
            status: 401, ErrorBody.json(code: text.code, message: text.message, requestID: requestID.text, loginURL: link.url),
            hsts: site.hsts)
        answer.add("WWW-Authenticate", challenge)
        answer.nextStep = .init(address: link.url, leadsBrowsers: false)
        answer.code = text.code
        return answer
    }

    private func refusedByRule(
        _ denial: Denial, of identity: ProviderIdentity?, for head: RequestHead, requestID: RequestID
    ) -> Answer {
        var text = ErrorText.deniedByRule
        if site.configuration.pages.explainDenials { text.details = denial.trace.map(\.userDescription) }
        return error(
            status: 403, text: text, isPage: wantsPage(head), requestID: requestID,
            retry: identity.flatMap { otherAccount(than: $0, for: head) },
            provider: identity.flatMap { providerName($0.provider) },
            account: identity.flatMap { $0.email ?? $0.username ?? $0.name })
    }

    /// `{pathPrefix}/second-factor?rd=…`.
    func secondFactorPath(returningTo path: String) -> String {
        site.pathPrefix + "/second-factor" + (path == "/" ? "" : "?rd=" + FormCoding.queryComponent(path))
    }

    /// The sign-in at which the user can choose another account, and come back to the request. Nil where the only provider has no such
    /// choice: it would sign the same account in again, so the page offers to sign out.
    private func otherAccount(than identity: ProviderIdentity, for head: RequestHead) -> LinkTarget? {
        let canChoose = site.providers.count > 1 || site.providers.contains { $0.accountPrompt() != nil }
        return canChoose ? LinkTarget(login(for: head, selectsAccount: true).location) : nil
    }

    /// A sign-in that failed. The page offers to begin again, with the way back kept.
    func signInFailure(_ failure: SignInError, isPage: Bool, requestID: RequestID) -> Answer {
        var text = ErrorText.of(code: failure.code.rawValue, status: failure.status)
        text.clock = failure.timeClaim.flatMap(ClockNotice.init)
        let retry = LinkTarget(loginPath(returningTo: failure.returnPath ?? "/"))
        var answer = error(
            status: failure.status, text: text, isPage: isPage, requestID: requestID, retry: retry, provider: providerName(failure.provider)
        )
        if failure.code == .storeUnavailable { answer.add("Retry-After", "5") }
        return answer
    }

    // MARK: Ways

    /// `{pathPrefix}/login?rd=…`, or `/login/{provider}?rd=…`. `notice`: a message for the sign-in page, if there is one. `parameters`: of
    /// the query besides.
    func loginPath(
        returningTo path: String, notice: SignInPage.Notice? = nil, selectsAccount: Bool = false, provider: String? = nil,
        parameters: [(name: String, value: String)] = []
    ) -> String {
        var fields = path == "/" ? [] : ["rd=" + FormCoding.queryComponent(path)]
        // With one provider there is no page to say it on.
        if let notice, site.hasSignInPage || notice.needsPage { fields.append("notice=" + notice.rawValue) }
        if selectsAccount { fields.append("\(SignInPage.accountField.name)=\(SignInPage.accountField.value)") }
        fields += parameters.map { $0.name + "=" + FormCoding.queryComponent($0.value) }
        let segment = provider.map { "/" + ProviderID.urlForm(of: $0) } ?? ""
        return site.pathPrefix + "/login" + segment + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }

    /// The sign-in that returns to a request.
    func login(for head: RequestHead, notice: SignInPage.Notice? = nil, selectsAccount: Bool = false) -> LoginLink {
        login(returningTo: returnPath(of: head), on: head, notice: notice, selectsAccount: selectsAccount)
    }

    private func returnPath(of head: RequestHead) -> String {
        site.returnPaths.validate(head.pathText + head.text(head.queryRange)).text
    }

    /// The sign-in that returns to a path on the request's host. Sign-ins happen at the public URL, which sets their cookie.
    func login(
        returningTo path: String, on head: RequestHead, notice: SignInPage.Notice? = nil, selectsAccount: Bool = false,
        provider: String? = nil, parameters: [(name: String, value: String)] = []
    ) -> LoginLink {
        func loginPath(_ target: String) -> String {
            self.loginPath(
                returningTo: target, notice: notice, selectsAccount: selectsAccount, provider: provider, parameters: parameters)
        }
        let publicURL = site.publicURL?.text ?? ""
        guard let sibling = site.hosts.sibling(of: head.authorityText) else {
            let login = loginPath(path)
            return LoginLink(location: login, url: publicURL + login)
        }
        // Back to a host that no route names, the path is all that is sure.
        let target = sibling.isNamed && path.hasPrefix("/") ? sibling.origin.text + path : path
        let login = publicURL + loginPath(target)
        return LoginLink(location: login, url: login)
    }
}

extension ClockNotice {
    /// Nil where no clock is the cause: a claim without a usable time, and a sign-in at the provider that is older than `max_age`.
    fileprivate init?(_ claim: TimeClaim) {
        guard let age = claim.age, claim.name != .authTime || age < 0 else { return nil }
        self.init(age < 0 ? .future : claim.name == .exp ? .expired : .old, seconds: abs(age))
    }
}

/// The address at which a sign-in starts.
struct LoginLink: Sendable {
    /// For `Location` and links: a path on the public URL's own host, else absolute.
    let location: String
    /// Absolute, for programs.
    let url: String
}
