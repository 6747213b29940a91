import Primitives
import Providers
import Access
import Accounts
import Decisions
import HTTPWire
import Logging
import Pages
import SecondFactors
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// The sign-in with e-mail address and password, and the anonymous one.
extension Endpoints {
    /// Goes on with everything that a sign-in needs; refuses without accounts.
    func withSignIn(
        _ request: EndpointRequest, _ form: AccountForm?, then action: @escaping @Sendable (EndpointRequest, AccountSignIn) -> Void
    ) {
        withSession(of: request) { endpoints, request, previous in
            guard let accounts = endpoints.context.accounts else { return endpoints.refuseWithoutAccounts(request) }
            action(request, endpoints.signIn(request, form, accounts, previous))
        }
    }

    func signIn(
        _ request: EndpointRequest, _ form: AccountForm?, _ accounts: AccountContext, _ previous: Session?
    ) -> AccountSignIn {
        let isPage = form?.wantsPage ?? (answers.wantsPage(request.head) || request.head.method == .post)
        return AccountSignIn(
            context: context, accounts: accounts, answers: answers, cookies: request.cookies, previous: previous,
            form: isPage ? .page : form?.isJSON == true ? .json : .program, client: request.hookClient,
            share: ClientShare(request.client).key,
            language: Language(of: request.head), requestID: request.id)
    }

    /// `POST /login/password`: `email`, `password`, `rd`.
    func signInWithPassword(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form)
            let share = ClientShare(request.client).key
            withSignIn(request, form) { request, signIn in
                let pending = request.pending
                Task { pending.send(await signIn.withPassword(form, share: share, returnPath: target)) }
            }
        }
    }

    /// `POST /reauthenticate`: the password of the session's account.
    func reauthenticateWithPassword(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form, fallback: accountPath)
            let share = ClientShare(request.client).key
            withSignIn(request, form) { [answers] request, signIn in
                guard let uid = signIn.previous?.uid else {
                    return request.send(
                        answers.unauthenticated(
                            isPage: form.wantsPage, login: answers.login(returningTo: target, on: request.head), requestID: request.id))
                }
                let pending = request.pending
                Task { pending.send(await signIn.againWithPassword(form, uid: uid, share: share, returnPath: target)) }
            }
        }
    }

    /// `POST /login/anonymous`: a new account without credentials. Who has such a session keeps it.
    func signInAnonymously(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form)
            let share = ClientShare(request.client).key
            withSignIn(request, form) { request, signIn in
                let pending = request.pending
                Task { pending.send(await signIn.anonymously(share: share, returnPath: target)) }
            }
        }
    }
}

extension EndpointRequest {
    var hookClient: HookClientFacts {
        HookClientFacts(address: String(decoding: client, as: UTF8.self), userAgent: head.value(named: "user-agent"))
    }

    /// The browser, as a new session knows it.
    var browser: SessionBrowser { SessionBrowser(SessionClient(hookClient), cookieNames: cookieNames) }
}

extension FormProblem {
    /// What the form of a password can mend; nil for an error like any other.
    init?(_ error: AccountError) {
        switch error.code {
        case .invalidCredential: self = .wrongCredentials
        case .tooManyRequests:
            self = .tooManyAttempts(retryAfterSeconds: Int(clamping: max(1, ((error.retryAfter ?? 1_000) - 1) / 1_000 + 1)))
        default: return nil
        }
    }
}

extension Answer {
    mutating func addRetry(_ error: AccountError) {
        if let milliseconds = error.retryAfter { add("Retry-After", String(max(1, (milliseconds - 1) / 1_000 + 1))) }
    }
}

extension SessionClient {
    /// The peer of a Unix socket has no address.
    init(_ facts: HookClientFacts) {
        self.init(userAgent: facts.userAgent, address: NetworkAddress(facts.address) == nil ? nil : facts.address)
    }
}

extension AccountSignIn {
    private var passwords: (any PasswordWork)? { accounts.passwords }
    private static let provider = ReservedProvider.password

    /// The proof of a password.
    private func verified(_ form: AccountForm, share: String, now: Int64) async throws(AccountError) -> VerifiedPassword {
        let address = form["email"].flatMap(EmailAddress.init)
        // A text that is no address counts for itself, and takes the same time.
        let subject = address?.normalized ?? form["email"] ?? ""
        return try await verified(form["password"] ?? "", against: subject, share: share, now: now) { service throws(AccountError) in
            if let address { try await service.account(forPasswordSignIn: address) } else { nil }
        }
    }

    /// Counts the attempt for `subject` before the hash is compared, so that parallel guesses count, too. With and without a candidate, the
    /// same work is done.
    func verified(
        _ text: String, against subject: String, share: String, now: Int64,
        _ candidate: (AccountService) async throws(AccountError) -> PasswordCandidate?
    ) async throws(AccountError) -> VerifiedPassword {
        guard let passwords else { throw AccountError(.invalidCredential, reason: "passwords are not configured") }
        let service = accounts.service
        let fromClient = try await attempt(.wrongPasswords, from: share, now: now)
        let onAddress = try await service.attempt(
            key("password-address", subject), limit: AttemptLimit.wrongPasswordsForAddress, window: AttemptLimit.window, now: now)
        guard let password = try? Password(text), password.scalarCount > 0 else {
            throw AccountError(.invalidCredential, reason: "the password is empty or too long")
        }
        let candidate = try await candidate(service)
        var failure: AccountError?
        let verified: VerifiedPassword?
        if let candidate {
            verified = await candidate.verified { hash in
                do throws(AccountError) {
                    return try await passwords.match(password, hash, for: share)
                } catch {
                    failure = error
                    return nil
                }
            }
        } else {
            _ = try await passwords.match(password, nil, for: share)
            verified = nil
        }
        if let failure { throw failure }
        guard let verified else { throw AccountError(.invalidCredential, reason: "wrong address or password") }
        try await service.withdraw(onAddress, now: now)
        try await service.withdraw(fromClient, now: now)
        return verified
    }

    func key(_ scope: String, _ subject: String) -> AttemptKey {
        AttemptKey(scope: scope, subject: subject, key: accounts.attemptKey)
    }

    func withPassword(_ form: AccountForm, share: String, returnPath: String) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            let password = try await verified(form, share: share, now: now)
            let decision = try await accounts.service.decide(passwordSignIn: password, now: now)
            return await answer(decision, provider: Self.provider, proof: Proof(), returnPath: returnPath, now: now)
        } catch {
            return passwordRefused(error, form, returnPath: returnPath) { problem in
                SignInPage(
                    site: site.pageSite, providers: site.providers.map { .init(id: $0.id, displayName: $0.displayName) },
                    returnTo: returnPath == "/" ? nil : returnPath,
                    password: answers.passwordSignIn(email: form["email"] ?? "", problem: problem), offersAnonymous: site.offersAnonymous,
                    offersPasskey: site.offersPasskeys)
            }
        }
    }

    func againWithPassword(_ form: AccountForm, uid: String, share: String, returnPath: String) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            let password = try await verified(form, share: share, now: now)
            guard let previous, await goesOn(previous) else { throw AccountError(.sessionExpired) }
            let decision = try await accounts.service.decide(reauthentication: password, of: uid, now: now)
            return await answer(
                decision, provider: Self.provider, proof: Proof(), returnPath: returnPath, moment: .reauthentication, now: now)
        } catch {
            let offersPasskey = await offersPasskey(uid)
            return passwordRefused(error, form, returnPath: returnPath) { problem in
                ReauthenticatePage(
                    site: site.pageSite, providers: [],
                    password: answers.passwordSignIn(email: form["email"] ?? "", isEmailFixed: true, problem: problem),
                    passwordAction: LinkTarget(site.pathPrefix + "/reauthenticate"), offersPasskey: offersPasskey, returnTo: returnPath)
            }
        }
    }

    /// A wrong password shows the form again; what the form cannot mend is an error like any other.
    private func passwordRefused(
        _ error: AccountError, _ form: AccountForm, returnPath: String, page: (FormProblem) -> any LocalizedPage
    ) -> Answer {
        guard form.wantsPage, let problem = FormProblem(error) else {
            return refused(error, provider: Self.provider, returnPath: returnPath)
        }
        context.logAccountFailure(error, event: "login-failed", provider: Self.provider, requestID)
        var answer = Answer(page(problem), hsts: site.hsts)
        answer.code = problem.code
        answer.addRetry(error)
        return answer
    }

    func anonymously(share: String, returnPath: String) async -> Answer {
        let now = wallClock()
        if let previous, previous.account?.isAnonymous == true { return kept(previous, returnPath: returnPath) }
        do throws(AccountError) {
            _ = try await attempt(.anonymousSignIns, from: share, now: now)
        } catch {
            return refused(error, provider: ReservedProvider.anonymous, returnPath: returnPath)
        }
        return await answer(
            accounts.service.decideAnonymous(now: now), provider: ReservedProvider.anonymous, proof: Proof(), returnPath: returnPath,
            now: now)
    }

    /// The session goes on.
    private func kept(_ session: Session, returnPath: String) -> Answer {
        form == .json
            ? .json(status: 200, UserinfoBody.json(session, site), hsts: site.hsts)
            : .redirect(status: 303, to: site.returnPaths.validate(returnPath).text, hsts: site.hsts)
    }
}
