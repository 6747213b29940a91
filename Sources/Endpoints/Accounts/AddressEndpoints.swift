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

    // MARK: Forms

    /// `POST /sign-up`: `email`, `password`. Signs nobody in.
    func signUp(_ request: EndpointRequest) { withAddressForm(request) { await $0.signUp($1, share: $2, returnPath: $3) } }

    /// `POST /password/reset`: `email`.
    func resetPassword(_ request: EndpointRequest) { withAddressForm(request) { await $0.resetPassword($1, share: $2, returnPath: $3) } }

    func withAddressForm(
        _ request: EndpointRequest, flags: Set<String> = [],
        _ work: @escaping @Sendable (AccountSignIn, AccountForm, _ share: String, _ returnPath: String) async -> Answer
    ) {
        collectAccountForm(request, flags: flags) { [self] request, form in
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
            try await register(email, password, share: share)
            return done(form, at: site.pathPrefix + "/sign-up?sent=1" + (target.map { "&rd=" + FormCoding.queryComponent($0) } ?? ""))
        } catch {
            return refused(error, event: "account-refused", returnPath: returnPath)
        }
    }

    /// Whether the address was free shows only in what happens after the answer: one mail or another. Up to the answer, both cases take
    /// the same steps and write as much.
    private func register(_ email: EmailAddress, _ password: Password, share: String) async throws(AccountError) {
        guard let passwords = accounts.passwords else { throw AccountError(.adminRestrictedOperation) }
        let now = wallClock()
        _ = try await attempt(.signUps, from: share, now: now)
        let anonymous = previous.flatMap { $0.account?.isAnonymous == true ? $0 : nil }
        // Before it is known whether an account has the address.
        let mail = try await count("verifyAddress", to: email, of: nil, now: now)
        let hash = try await passwords.hash(password, for: share)
        let result = try await accounts.service.signUp(
            email, name: nil, passwordHash: hash, upgrading: anonymous?.uid, now: now
        ) { account throws(AccountError) in try await approveCreation(HookUser(account)) }
        Task { await registered(result, email, mail, now: now) }
    }

    private func registered(_ result: SignUpResult, _ email: EmailAddress, _ mail: CountedMail?, now: Int64) async {
        if case .created(let account, _) = result {
            context.log.write(
                .info, "account-created", "account created with a password",
                [("uid", .text(account.uid)), ("provider", .text(ReservedProvider.password)), ("request_id", .text(requestID.text))])
        }
        // Each case counts the mail of an account, and writes as much by it.
        switch result {
        case .created(let account, let token):
            send(.verifyAddress(token: token.text), await count("verifyAddress", mail, of: account.uid, now: now), to: token.email)
        case .waiting(let token):
            send(.verifyAddress(token: token.text), await count("verifyAddress", mail, of: previous?.uid ?? "", now: now), to: token.email)
        case .addressInUse:
            // Tells the owner of the address that somebody tried to register with it.
            guard let owner = try? await accounts.service.accounts(withAddress: email).first, let address = owner.email else { return }
            send(.signUpAttempt, await count("signUpAttempt", mail, of: owner.uid, now: now), to: address)
        }
    }

    private func approveCreation(_ user: HookUser) async throws(AccountError) {
        _ = try await accounts.hooks.approve(
            HookSignIn(user: user, provider: ReservedProvider.password, client: client), creates: true, signsIn: false)
    }

    /// The session after a change of its account. `adopting`: the identity that it is about from now on. `claims`: of the hooks; nil keeps them.
    func reissued(
        _ session: Session, _ account: Account, claims: [String: JSONValue]? = nil, adopting identity: ProviderIdentity? = nil, now: Int64
    ) async throws(AccountError) -> [String] {
        var facts = SessionAccount(account, continuing: session.account)
        if let claims { facts.claims = claims }
        do throws(SessionIssueError) {
            return try await context.sessions.reissue(
                session, account: facts,
                issuedAt: account.beginning(after: session, now: now),
                adopting: identity, to: browser, now: now
            ).setCookies
        } catch .ended {
            throw AccountError(.sessionExpired)
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
            _ = try await attempt(.passwordResets, from: share, now: now)
        } catch {
            return refused(error, event: "account-refused")
        }
        // After the answer: a token is written for a known address only.
        Task { await mailReset(email, now: now) }
        return done(
            form, at: site.pathPrefix + "/password/reset?sent=1" + (target.map { "&rd=" + FormCoding.queryComponent($0) } ?? ""))
    }

    private func mailReset(_ email: EmailAddress, now: Int64) async {
        do throws(AccountError) {
            let owner = try await accounts.service.accounts(withAddress: email).first?.uid
            guard let mail = try await count("resetPassword", as: .reset, to: email, of: owner, now: now) else { return }
            guard let token = try await accounts.service.resetToken(email, now: now) else {
                // The next request waits for the store as long as after a reset of a known address.
                return try await accounts.service.writeNothing(now: now)
            }
            send(.resetPassword(token: token.text), mail, to: token.email)
        } catch {
            context.logAccountFailure(error, event: "account-operation-failed", provider: nil, requestID)
        }
    }

    func accountNotice(_ notice: AccountPage.Notice) -> String { site.pathPrefix + "/account?notice=" + notice.rawValue }

    func reportChange(_ event: String, _ message: String, _ account: Account) {
        context.log.write(.notice, event, message, [("uid", .text(account.uid)), ("request_id", .text(requestID.text))])
    }
}

extension Account {
    /// The beginning of the session that goes on after a change: after the end of the others, where the change ended them. Nil: as before.
    func beginning(after session: Session, now: Int64) -> Int64? {
        endings.cover(provider: session.identity.provider, issuedAt: session.issuedAt) ? sessionStart(now: now) : nil
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
