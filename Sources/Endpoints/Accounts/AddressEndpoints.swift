import Config
import Accounts
import Decisions
import HTTPWire
import Logging
import Pages
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// Registration, and what a mail proves: addresses and new passwords.
///
/// Whether an address has an account must show neither in words nor in status nor in time: both cases take the same steps, and what only one
/// of them needs happens after the answer.
extension Endpoints {
    // MARK: Pages

    /// `GET /sign-up`; with `sent`, the page after the form.
    func showSignUp(_ request: EndpointRequest) {
        guard let password = site.passwordProvider else { return refuseWithoutAccounts(request) }
        guard password.signUp, site.configuration.accounts?.signUp == .open else {
            return request.send(
                answers.accountError(
                    AccountError(.adminRestrictedOperation), isPage: answers.wantsPage(request.head), requestID: request.id))
        }
        let rd = returnPath(request.query)
        let target = rd == "/" ? nil : rd
        guard !wasSent(request) else { return showCheckMail(request, .signUp, target) }
        request.send(
            Answer(SignUpPage(site: site.pageSite, minimumLength: password.minimumLength, returnTo: target), hsts: site.hsts))
    }

    /// `GET /password/reset`; with `sent`, the page after the form.
    func showPasswordReset(_ request: EndpointRequest) {
        let rd = returnPath(request.query)
        let target = rd == "/" ? nil : rd
        guard !wasSent(request) else { return showCheckMail(request, .passwordReset, target) }
        request.send(Answer(PasswordResetPage(site: site.pageSite, returnTo: target), hsts: site.hsts))
    }

    /// `GET /account/email`: the page after the form.
    func showEmailChange(_ request: EndpointRequest) {
        guard wasSent(request) else { return request.send(.redirect(status: 302, to: accountPath, hsts: site.hsts)) }
        showCheckMail(request, .emailChange, nil)
    }

    private func wasSent(_ request: EndpointRequest) -> Bool { request.query?.contains { $0.name == "sent" } ?? false }

    private func showCheckMail(_ request: EndpointRequest, _ reason: CheckMailPage.Reason, _ target: String?) {
        request.send(Answer(CheckMailPage(site: site.pageSite, reason: reason, returnTo: target), hsts: site.hsts))
    }

    /// `GET /verify-email` and `GET /password/new`: a page with a button. Opening a link changes nothing: programs that scan mails do it.
    func showMailLink(_ request: EndpointRequest, for purposes: [MailTokenPurpose]) {
        guard let accounts = context.accounts else { return refuseWithoutAccounts(request) }
        let tokens = (request.query ?? []).filter { $0.name == "token" }.map(\.value)
        let token = tokens.count == 1 ? tokens[0] : ""
        after(request) { () -> Result<Bool, AccountError> in
            do throws(AccountError) {
                for purpose in purposes where try await accounts.service.isValid(token, for: purpose, now: wallClock()) {
                    return .success(true)
                }
                return .success(false)
            } catch {
                return .failure(error)
            }
        } _: { endpoints, request, result in
            let answers = endpoints.answers
            let isPage = answers.wantsPage(request.head)
            switch result {
            case .failure(let error): request.send(answers.accountError(error, isPage: isPage, requestID: request.id))
            case .success(false):
                request.send(answers.accountError(AccountError(.invalidToken), isPage: isPage, requestID: request.id))
            case .success(true):
                let site = endpoints.site.pageSite
                let page: any LocalizedPage =
                    purposes == [.reset]
                    ? NewPasswordPage(site: site, token: token, minimumLength: endpoints.site.passwordProvider?.minimumLength ?? 12)
                    : VerifyEmailPage(site: site, token: token)
                request.send(Answer(page, hsts: endpoints.site.hsts))
            }
        }
    }

    // MARK: Forms

    /// `POST /sign-up`: `email`, `password`. Signs nobody in.
    func signUp(_ request: EndpointRequest) { withAddressForm(request) { await $0.signUp($1, share: $2, returnPath: $3) } }

    /// `POST /password/reset`: `email`.
    func resetPassword(_ request: EndpointRequest) { withAddressForm(request) { await $0.resetPassword($1, share: $2, returnPath: $3) } }

    /// `POST /password/new`: `token`, `new_password`.
    func setNewPassword(_ request: EndpointRequest) {
        withAddressForm(request) { signIn, form, share, _ in await signIn.setNewPassword(form, share: share) }
    }

    /// `POST /verify-email`: `token`.
    func verifyEmail(_ request: EndpointRequest) { withAddressForm(request) { signIn, form, _, _ in await signIn.verifyEmail(form) } }

    private func withAddressForm(
        _ request: EndpointRequest,
        _ work: @escaping @Sendable (AccountSignIn, AccountForm, _ share: String, _ returnPath: String) async -> Answer
    ) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form)
            let share = ClientShare(request.client).key
            withSignIn(request, form) { request, signIn in
                let pending = request.pending
                Task { pending.send(await work(signIn, form, share, target)) }
            }
        }
    }
}

extension AccountSignIn {
    var minimumLength: Int { site.passwordProvider?.minimumLength ?? 12 }

    /// 303 for a form, 204 for JSON.
    func done(_ form: AccountForm, at location: String, _ cookies: [String] = []) -> Answer {
        var answer: Answer =
            form.isJSON ? .noContent(hsts: site.hsts) : .redirect(status: 303, to: location, hsts: site.hsts)
        answer.setCookies(cookies)
        return answer
    }

    /// The refusal of a password that may not be set; with a page, the form again.
    func weak(_ weakness: WeakPassword, _ form: AccountForm, page: (FormProblem) -> any LocalizedPage) -> Answer {
        guard form.wantsPage else { return refused(AccountError(.weakPassword, reason: weakness.reason), event: "account-refused") }
        context.logAccountFailure(
            AccountError(.weakPassword, reason: weakness.reason), event: "account-refused", provider: nil, requestID)
        var answer = Answer(page(weakness.problem), hsts: site.hsts)
        answer.code = WeakPassword.code
        return answer
    }

    func refused(_ error: AccountError, event: String, returnPath: String = "/") -> Answer {
        context.logAccountFailure(error, event: event, provider: nil, requestID)
        return answers.accountError(error, isPage: isPage, returnPath: returnPath, requestID: requestID)
    }

    /// The refusal of a text that is no e-mail address.
    private func noAddress(_ form: AccountForm, page: (FormProblem) -> any LocalizedPage) -> Answer {
        guard form.wantsPage else {
            return answers.refusal(status: 400, code: "auth/invalid-request", isPage: false, requestID: requestID)
        }
        return Answer(page(.invalidEmail), hsts: site.hsts)
    }

    // MARK: Registration

    func signUp(_ form: AccountForm, share: String, returnPath: String) async -> Answer {
        let target = returnPath == "/" ? nil : returnPath
        func page(_ problem: FormProblem) -> any LocalizedPage {
            SignUpPage(
                site: site.pageSite, email: form["email"] ?? "", minimumLength: minimumLength, returnTo: target, problem: problem)
        }
        guard site.configuration.accounts?.signUp == .open, site.passwordProvider?.signUp == true else {
            return refused(AccountError(.adminRestrictedOperation), event: "account-refused")
        }
        guard let email = form["email"].flatMap(EmailAddress.init) else { return noAddress(form, page: page) }
        let password: Password
        do throws(WeakPassword) {
            password = try PasswordPolicy(minimumLength: minimumLength).check(form["password"] ?? "")
        } catch {
            return weak(error, form, page: page)
        }
        do throws(AccountError) {
            let cookies = try await register(email, password, share: share)
            return done(
                form, at: site.pathPrefix + "/sign-up?sent=1" + (target.map { "&rd=" + FormCoding.queryComponent($0) } ?? ""), cookies)
        } catch {
            return refused(error, event: "account-refused", returnPath: returnPath)
        }
    }

    private func register(_ email: EmailAddress, _ password: Password, share: String) async throws(AccountError) -> [String] {
        guard let passwords = accounts.passwords else { throw AccountError(.adminRestrictedOperation) }
        let now = wallClock()
        _ = try await accounts.service.attempt(
            key("sign-up-client", share), limit: AttemptLimit.requestsFromClient, window: AttemptLimit.window, now: now)
        let hash = try await passwords.hash(password, for: share)
        let anonymous = previous.flatMap { $0.account?.isAnonymous == true ? $0 : nil }
        let result = try await accounts.service.signUp(
            email, name: nil, passwordHash: hash, upgrading: anonymous?.uid, now: now
        ) { account throws(AccountError) in try await approveCreation(HookUser(account)) }
        switch result {
        case .created(let account, let token):
            context.log.write(
                .info, "account-created", "account created with a password",
                [("uid", .text(account.uid)), ("provider", .text(ReservedProvider.password)), ("request_id", .text(requestID.text))])
            context.mail(.verifyAddress(token: token.text), to: token.email, in: language)
            guard let anonymous else { return [] }
            return try await upgraded(anonymous, account, now: now)
        case .addressInUse:
            // The hook and a write take as long as for a new account. The hook hears the same.
            try await approveCreation(
                HookUser(uid: accounts.service.randomUID(), email: email.text, providers: [ReservedProvider.password]))
            await mailHint(email, now: now)
            return []
        }
    }

    private func approveCreation(_ user: HookUser) async throws(AccountError) {
        _ = try await accounts.hooks.approve(
            HookSignIn(user: user, provider: ReservedProvider.password, client: client), creates: true, signsIn: false)
    }

    /// Tells the owner of an address that somebody tried to register with it; no more often than a stranger may cause mail.
    private func mailHint(_ email: EmailAddress, now: Int64) async {
        guard await mayMail(email, now: now), let owner = try? await accounts.service.accounts(withAddress: email).first?.email else {
            return
        }
        context.mail(.signUpAttempt, to: owner, in: language)
    }

    private func mayMail(_ email: EmailAddress, now: Int64) async -> Bool {
        do throws(AccountError) {
            _ = try await accounts.service.attempt(
                key("mail-address", email.normalized), limit: AttemptLimit.mailsToAddress, window: AttemptLimit.window, now: now)
            return true
        } catch {
            return false
        }
    }

    /// The anonymous session goes on as that of an account with credentials.
    private func upgraded(_ session: Session, _ account: Account, now: Int64) async throws(AccountError) -> [String] {
        let facts = SessionAccount(account, continuing: session.account)
        return try await reissued(session, facts, nil, now: now)
    }

    func reissued(
        _ session: Session, _ facts: SessionAccount, _ adopted: AdoptedProfile?, now: Int64
    ) async throws(AccountError) -> [String] {
        do throws(SessionIssueError) {
            return try await context.sessions.reissue(
                session, account: facts, adopting: adopted, to: browser, now: now
            ).setCookies
        } catch {
            throw AccountError(.storeUnavailable, reason: "the session could not be issued anew")
        }
    }

    // MARK: Mailed tokens

    func resetPassword(_ form: AccountForm, share: String, returnPath: String) async -> Answer {
        let target = returnPath == "/" ? nil : returnPath
        guard let email = form["email"].flatMap(EmailAddress.init) else {
            return noAddress(form) {
                PasswordResetPage(site: site.pageSite, email: form["email"] ?? "", returnTo: target, problem: $0)
            }
        }
        let now = wallClock()
        do throws(AccountError) {
            _ = try await accounts.service.attempt(
                key("reset-client", share), limit: AttemptLimit.requestsFromClient, window: AttemptLimit.window, now: now)
        } catch {
            return refused(error, event: "account-refused")
        }
        // After the answer: a token is written for a known address only.
        Task { await mailReset(email, now: now) }
        return done(
            form, at: site.pathPrefix + "/password/reset?sent=1" + (target.map { "&rd=" + FormCoding.queryComponent($0) } ?? ""))
    }

    private func mailReset(_ email: EmailAddress, now: Int64) async {
        guard await mayMail(email, now: now) else { return }
        do throws(AccountError) {
            guard let token = try await accounts.service.resetToken(email, now: now) else { return }
            context.mail(.resetPassword(token: token.text), to: token.email, in: language)
        } catch {
            context.logAccountFailure(error, event: "account-operation-failed", provider: nil, requestID)
        }
    }

    func setNewPassword(_ form: AccountForm, share: String) async -> Answer {
        let token = form["token"] ?? ""
        let password: Password
        do throws(WeakPassword) {
            password = try PasswordPolicy(minimumLength: minimumLength).check(form["new_password"] ?? "")
        } catch {
            return weak(error, form) { NewPasswordPage(site: site.pageSite, token: token, minimumLength: minimumLength, problem: $0) }
        }
        do throws(AccountError) {
            guard let passwords = accounts.passwords else { throw AccountError(.invalidToken) }
            // Before the hash: a guess at a token costs no more than a look-up.
            guard try await accounts.service.isValid(token, for: .reset, now: wallClock()) else { throw AccountError(.invalidToken) }
            let hash = try await passwords.hash(password, for: share)
            let account = try await accounts.service.resetPassword(token, to: hash, now: wallClock())
            await accounts.followEndings()
            reportChange("password-changed", "a password was reset by mail", account)
            if let address = account.email { context.mail(.passwordChanged, to: address, in: language) }
            return done(
                form, at: answers.loginPath(returningTo: "/", notice: .passwordChanged),
                site.cookies.deletionLines(existingNames: cookies.map(\.name)))
        } catch {
            return refused(error, event: "account-refused")
        }
    }

    func verifyEmail(_ form: AccountForm) async -> Answer {
        let token = form["token"] ?? ""
        let now = wallClock()
        do throws(AccountError) {
            if try await accounts.service.isValid(token, for: .change, now: now) { return try await changeEmail(form, token, now: now) }
            let account = try await accounts.service.verifyEmail(token, now: now)
            reportChange("email-verified", "an address was verified by mail", account)
            let lines = try await renewed(account, now: now)
            return done(
                form, at: lines == nil ? answers.loginPath(returningTo: "/", notice: .emailVerified) : accountNotice(.emailVerified),
                lines ?? [])
        } catch {
            return refused(error, event: "account-refused")
        }
    }

    private func changeEmail(_ form: AccountForm, _ token: String, now: Int64) async throws(AccountError) -> Answer {
        let before = try await accounts.service.account(ofToken: token)
        let account = try await accounts.service.changeEmail(token, keep: nil, now: now)
        await accounts.followEndings()
        reportChange("email-changed", "the address of an account was changed", account)
        if let old = before?.email, let new = account.email, old != new {
            context.mail(.addressChanged(newAddress: new.text), to: old, in: language)
        }
        let lines = try await renewed(account, now: now)
        return done(
            form, at: lines == nil ? answers.loginPath(returningTo: "/", notice: .emailVerified) : accountNotice(.emailChanged), lines ?? []
        )
    }

    /// This browser's session of the account, issued after the change; nil without one.
    func renewed(_ account: Account, now: Int64) async throws(AccountError) -> [String]? {
        guard let previous, previous.uid == account.uid else { return nil }
        let ownIdentity = previous.identity.provider == ReservedProvider.password
        let adopted =
            ownIdentity
            ? AdoptedProfile(identity: account.ownIdentity(ReservedProvider.password), tokens: Session.Tokens()) : nil
        let start = account.latestSignIn(now: now) + 1
        return try await reissued(previous, SessionAccount(account, continuing: previous.account), adopted, now: start)
    }

    func accountNotice(_ notice: AccountPage.Notice) -> String { site.pathPrefix + "/account?notice=" + notice.rawValue }

    func reportChange(_ event: String, _ message: String, _ account: Account) {
        context.log.write(.notice, event, message, [("uid", .text(account.uid)), ("request_id", .text(requestID.text))])
    }
}

extension WeakPassword {
    var problem: FormProblem {
        switch self {
        case .tooShort(let minimum): .shortPassword(minimumLength: minimum)
        case .tooLong, .controlCharacter: .longPassword
        case .common: .commonPassword
        }
    }

    var reason: String {
        switch self {
        case .tooShort: "the password is too short"
        case .tooLong: "the password is too long"
        case .controlCharacter: "the password contains a control character"
        case .common: "the password is one of the most common ones"
        }
    }
}
