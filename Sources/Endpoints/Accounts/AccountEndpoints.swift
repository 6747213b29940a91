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
            guard let accounts = endpoints.context.accounts else { return }
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
            let answers = endpoints.answers
            let isRecent = wallClock() - session.authTime <= signIn.accounts.service.policy.recentLogin
            guard isRecent else {
                return request.send(
                    answers.accountError(
                        AccountError(.requiresRecentLogin), isPage: answers.wantsPage(request.head),
                        returnPath: endpoints.accountPath + "/delete", requestID: request.id))
            }
            let name = session.identity.name ?? session.identity.email
            request.send(Answer(DeleteAccountPage(site: endpoints.site.pageSite, signedInAs: name), hsts: endpoints.site.hsts))
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

extension AccountSignIn {
    private var accountPath: String { site.pathPrefix + "/account" }

    // MARK: Page

    func account(_ session: Session, notice: AccountPage.Notice?, origins: [String: String]) async -> Answer {
        do throws(AccountError) {
            let account = try await live(session)
            return isPage
                ? Answer(page(account, session, notice, origins), hsts: site.hsts)
                : .json(status: 200, AccountBody.json(account), hsts: site.hsts)
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath)
        }
    }

    /// The account of a session. A session from before accounts has none: its user signs in again.
    private func live(_ session: Session) async throws(AccountError) -> Account {
        guard let account = try await accounts.service.account(session.uid) else {
            throw AccountError(.requiresRecentLogin, reason: "the session has no account in the store")
        }
        guard !account.isDisabled else { throw AccountError(.userDisabled) }
        return account
    }

    func page(
        _ account: Account, _ session: Session, _ notice: AccountPage.Notice?, _ origins: [String: String],
        passwordProblem: FormProblem? = nil, email: AccountPage.EmailChange? = nil
    ) -> AccountPage {
        let linked = account.identities.map {
            AccountPage.LinkedProvider(
                id: $0.provider, displayName: answers.providerName($0.provider) ?? $0.provider,
                account: $0.email?.text ?? $0.username ?? $0.name, linkedAt: $0.linkedAt / 1_000)
        }
        let password = account.hasPassword
            ? [AccountPage.LinkedProvider(
                id: ReservedProvider.password, displayName: ReservedProvider.password, account: account.email?.text,
                linkedAt: account.createdAt / 1_000)] : []
        let form = site.passwordProvider.flatMap { provider in
            account.email.map { _ in
                AccountPage.Password(isSet: account.hasPassword, minimumLength: provider.minimumLength, problem: passwordProblem)
            }
        }
        return AccountPage(
            site: site.pageSite,
            profile: .init(
                uid: account.uid, name: account.name, email: account.email?.text, isEmailVerified: account.emailVerified,
                isAnonymous: account.isAnonymous),
            linked: linked + password,
            linkable: site.providers.filter { account.identity(of: $0.id) == nil }.map {
                .init(id: $0.id, displayName: $0.displayName, authorizationOrigin: origins[$0.id])
            },
            password: form, email: site.sendsMail && !account.isAnonymous ? email ?? .init() : nil,
            isRecent: wallClock() - session.authTime <= accounts.service.policy.recentLogin, notice: notice)
    }

    // MARK: Linking

    func beginLink(_ client: ProviderClient, _ session: Session, returnPath: String, cookieNames: [String]) async -> Answer {
        do throws(AccountError) {
            try await accounts.service.mayLink(client.settings.id, uid: session.uid)
        } catch {
            return refused(error.code == .invalidCredential ? AccountError(.requiresRecentLogin) : error, event: "link-refused", returnPath: returnPath)
        }
        return await begin(client, .link(uid: session.uid), returnPath: returnPath, cookieNames: cookieNames)
    }

    private func begin(
        _ client: ProviderClient, _ purpose: LoginPurpose, returnPath: String, cookieNames: [String], status: Int = 303
    ) async -> Answer {
        do throws(SignInError) {
            let start = try await client.logins.begin(returnPath: returnPath, existingCookieNames: cookieNames, purpose: purpose)
            context.log.write(
                .info, "login-started", purpose.isReauthentication ? "re-authentication started" : "linking started",
                [("provider", .text(client.settings.id)), ("request_id", .text(requestID.text))])
            var answer = Answer.redirect(status: status, to: start.url, hsts: site.hsts)
            answer.setCookies(start.setCookies)
            return answer
        } catch {
            let failure = error.returning(to: returnPath)
            context.logFailure(failure, requestID)
            return answers.signInFailure(failure, isPage: isPage, requestID: requestID)
        }
    }

    /// The callback of a link: the identity joins the account of the session that began it.
    func link(_ login: CompletedLogin, uid: String) async -> Answer {
        let provider = login.identity.provider
        guard let previous, previous.uid == uid else { return strayCallback(login) }
        let now = wallClock()
        do throws(AccountError) {
            let outcome = try await accounts.service.link(login.verified, uid: uid, now: now)
            guard let account = outcome.account else { throw AccountError(.storeUnavailable) }
            reportLink(provider, account, uid)
            let wasAnonymous = previous.account?.isAnonymous == true
            // A session that was made with a provider stays that provider's: rules, groups and refreshes are about it.
            let adopted = wasAnonymous ? AdoptedProfile(identity: login.identity, tokens: login.tokens) : nil
            let lines = try await reissued(
                previous, SessionAccount(account, claims: previous.account?.claims ?? [:]), adopted, now: now)
            var answer = Answer.redirect(status: 303, to: site.returnPaths.validate(login.returnPath).text, hsts: site.hsts)
            answer.setCookies(lines)
            return answer
        } catch {
            guard error.code == .credentialAlreadyInUse else {
                return refused(error, provider: provider, returnPath: login.returnPath, link: true)
            }
            return await credentialInUse(login, uid: uid, error, now: now)
        }
    }

    /// Another account has the identity. The page offers to sign in to it; the merge hook is told when that has happened.
    private func credentialInUse(_ login: CompletedLogin, uid: String, _ error: AccountError, now: Int64) async -> Answer {
        let identity = login.identity
        context.logAccountFailure(error, event: "link-refused", provider: identity.provider, requestID)
        var answer: Answer
        if isPage {
            answer = Answer(
                CredentialInUsePage(
                    site: site.pageSite,
                    provider: .init(id: identity.provider, displayName: answers.providerName(identity.provider) ?? identity.provider),
                    email: identity.email), hsts: site.hsts)
            answer.code = CredentialInUsePage.code
        } else {
            answer = answers.accountError(error, isPage: false, requestID: requestID)
        }
        let key = IdentityKey(provider: identity.provider, issuer: identity.issuer, subject: identity.subject)
        if let owner = try? await accounts.service.account(withIdentity: key), owner.uid != uid {
            answer.setCookies([
                PendingWork.merge(previous: uid, current: owner.uid).cookie(site.cookies, accounts.ring, now: now)
            ])
        }
        return answer
    }

    /// A link or a re-authentication whose session is gone, or another user's.
    private func strayCallback(_ login: CompletedLogin) -> Answer {
        let failure = SignInError(
            .invalidState, provider: login.identity.provider, "the session that began it is no longer this browser's"
        ).returning(to: login.returnPath)
        context.logFailure(failure, requestID)
        return answers.signInFailure(failure, isPage: isPage, requestID: requestID)
    }

    func unlink(_ provider: String, _ session: Session, _ form: AccountForm) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            let account = try await accounts.service.unlink(provider, uid: session.uid, authTime: session.authTime, now: now)
            await accounts.followEndings()
            context.log.write(
                .notice, "provider-unlinked", "a provider was removed from an account",
                [("uid", .text(session.uid)), ("provider", .text(provider)), ("request_id", .text(requestID.text))])
            guard session.identity.provider != provider else {
                // The session was made with it, and has ended.
                return done(
                    form, at: answers.loginPath(returningTo: accountPath, notice: .sessionEnded),
                    site.cookies.deletionLines(existingNames: cookies.map(\.name)))
            }
            let facts = SessionAccount(account, claims: session.account?.claims ?? [:])
            return done(form, at: accountNotice(.unlinked), try await reissued(session, facts, nil, now: max(now, account.lastSignInAt ?? 0) + 1))
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath)
        }
    }

    // MARK: Re-authentication

    func reauthenticate(_ session: Session, wanted: String?, returnPath: String, cookieNames: [String]) async -> Answer {
        let account: Account
        do throws(AccountError) {
            account = try await live(session)
        } catch {
            // Nothing to confirm: the sign-in makes the account.
            guard error.code == .requiresRecentLogin else { return refused(error, event: "account-refused", returnPath: returnPath) }
            return .redirect(status: 302, to: answers.loginPath(returningTo: returnPath, notice: .requiresRecentLogin), hsts: site.hsts)
        }
        let ways = accounts.service.policy.usable(account.providers)
        let id = wanted ?? (ways.contains(session.identity.provider) ? session.identity.provider : ways.first)
        guard let id, ways.contains(id) else {
            return refused(AccountError(.noSuchProvider), event: "account-refused", returnPath: returnPath)
        }
        if let client = context.clients[id] {
            return await begin(client, .reauthenticate(uid: session.uid), returnPath: returnPath, cookieNames: cookieNames, status: 302)
        }
        guard id == ReservedProvider.password, let password = answers.passwordSignIn(email: account.email?.text ?? "", isEmailFixed: true) else {
            return refused(AccountError(.noSuchProvider), event: "account-refused", returnPath: returnPath)
        }
        let others = ways.filter { $0 != ReservedProvider.password && context.clients[$0] != nil }
        return Answer(
            ReauthenticatePage(
                site: site.pageSite, signedInAs: account.name ?? account.email?.text,
                providers: others.map { .init(id: $0, displayName: answers.providerName($0) ?? $0) }, password: password,
                passwordAction: LinkTarget(site.pathPrefix + "/reauthenticate"), returnTo: returnPath), hsts: site.hsts)
    }

    /// The callback of a re-authentication.
    func reauthenticated(_ login: CompletedLogin, uid: String) async -> Answer {
        guard let previous, previous.uid == uid else { return strayCallback(login) }
        do throws(AccountError) {
            let outcome = try await accounts.service.reauthenticate(login.verified, uid: uid, now: wallClock())
            return await reauthenticated(outcome, proof: Proof(login), returnPath: login.returnPath)
        } catch {
            return refused(error, provider: login.identity.provider, returnPath: login.returnPath)
        }
    }

    // MARK: Changes

    func delete(_ session: Session, _ form: AccountForm) async -> Answer {
        do throws(AccountError) {
            try await accounts.service.delete(uid: session.uid, authTime: session.authTime, now: wallClock())
            await accounts.followEndings()
            context.log.write(
                .notice, "account-deleted", "a user deleted the account",
                [("uid", .text(session.uid)), ("request_id", .text(requestID.text))])
            return done(
                form, at: answers.loginPath(returningTo: "/", notice: .accountDeleted),
                site.cookies.deletionLines(existingNames: cookies.map(\.name)))
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath + "/delete")
        }
    }

    func changePassword(_ session: Session, _ form: AccountForm, share: String) async -> Answer {
        do throws(AccountError) {
            guard let passwords = accounts.passwords, site.passwordProvider != nil else { throw AccountError(.noSuchProvider) }
            let account = try await live(session)
            // Before the hash, which costs more.
            guard wallClock() - session.authTime <= accounts.service.policy.recentLogin else { throw AccountError(.requiresRecentLogin) }
            let password: Password
            do throws(WeakPassword) {
                password = try PasswordPolicy(minimumLength: minimumLength).check(form["new_password"] ?? "")
            } catch {
                return weak(error, form) { page(account, session, nil, [:], passwordProblem: $0) }
            }
            let hash = try await passwords.hash(password, for: share)
            let now = wallClock()
            let changed = try await accounts.service.setPassword(hash, uid: session.uid, authTime: session.authTime, keep: nil, now: now)
            await accounts.followEndings()
            reportChange("password-changed", "a user changed the password", changed)
            if let address = changed.email { context.mail(.passwordChanged, to: address, in: language) }
            return done(form, at: accountNotice(.passwordChanged), try await renewed(changed, now: now) ?? [])
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath)
        }
    }

    func requestEmailChange(_ session: Session, _ form: AccountForm) async -> Answer {
        do throws(AccountError) {
            guard site.sendsMail else { throw AccountError(.noSuchProvider, reason: "no mail is configured") }
            let account = try await live(session)
            guard let email = form["email"].flatMap(EmailAddress.init) else {
                guard form.wantsPage else {
                    return answers.refusal(status: 400, code: "auth/invalid-request", isPage: false, requestID: requestID)
                }
                return Answer(
                    page(account, session, nil, [:], email: .init(value: form["email"] ?? "", problem: .invalidEmail)), hsts: site.hsts)
            }
            let now = wallClock()
            if account.email == email, !account.emailVerified {
                guard now - session.authTime <= accounts.service.policy.recentLogin else { throw AccountError(.requiresRecentLogin) }
                if let token = try await accounts.service.verificationToken(uid: account.uid, now: now) {
                    context.mail(.verifyAddress(token: token.text), to: token.email, in: language)
                }
            } else if let token = try await accounts.service.changeToken(
                uid: account.uid, to: email, authTime: session.authTime, now: now)
            {
                context.mail(.confirmNewAddress(token: token.text), to: token.email, in: language)
            }
            return done(form, at: accountPath + "/email?sent=1")
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath)
        }
    }
}

/// The account as JSON for its own browser (contract section 8).
enum AccountBody {
    static func json(_ account: Account) -> [UInt8] {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        func provider(_ id: String, _ email: EmailAddress?, _ at: Int64) -> JSONValue {
            .object(["id": .string(id), "email": text(email?.text), "linked_at": .string(Timestamp.rfc3339(milliseconds: at))])
        }
        var providers = account.identities.map { provider($0.provider, $0.email, $0.linkedAt) }
        if account.hasPassword { providers.append(provider(ReservedProvider.password, account.email, account.createdAt)) }
        let body = JSONValue.object([
            "uid": .string(account.uid), "email": text(account.email?.text), "email_verified": .bool(account.emailVerified),
            "name": text(account.name), "anonymous": .bool(account.isAnonymous), "providers": .array(providers),
            "second_factors": .array([]), "sessions": .null,
        ])
        return Array((body.serialized() + "\n").utf8)
    }
}
