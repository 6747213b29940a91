import SecondFactors
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

/// The account page and what it links.
extension AccountSignIn {
    var accountPath: String { site.pathPrefix + "/account" }

    // MARK: Page

    func account(_ session: Session, notice: AccountPage.Notice?, origins: [String: String]) async -> Answer {
        do throws(AccountError) {
            let account = try await live(session)
            let factors = try await hints(account.uid)
            let sessions = await records(session)
            return isPage
                ? Answer(page(account, session, notice, origins, factors: factors, sessions: sessions), hsts: site.hsts)
                : .json(
                    status: 200,
                    AccountBody.json(
                        account, factors: factors ?? [], sessions: sessions.map { SessionList.json($0, current: session.reference) }),
                    hsts: site.hsts)
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath)
        }
    }

    /// The sessions of the user; nil where the store does not keep them, or does not answer: the page works without them.
    private func records(_ session: Session) async -> [SessionRecord]? {
        guard context.sessions.store.keepsSessions else { return nil }
        return try? await context.sessions.records(ofUser: session.uid, now: wallClock())
    }

    /// The second factors of the account; nil where there are none.
    private func hints(_ uid: String) async throws(AccountError) -> [FactorHint]? {
        guard let factors = accounts.factors, let facts = try await accounts.service.factors(uid) else { return nil }
        return factors.service.hints(facts.factors, uid: uid)
    }

    /// The account of a session. A session from before accounts has none: its user signs in again.
    func live(_ session: Session) async throws(AccountError) -> Account {
        guard let account = try await accounts.service.account(session.uid) else {
            throw AccountError(.requiresRecentLogin, reason: "the session has no account in the store")
        }
        guard !account.isDisabled else { throw AccountError(.userDisabled) }
        return account
    }

    func page(
        _ account: Account, _ session: Session, _ notice: AccountPage.Notice?, _ origins: [String: String],
        factors: [FactorHint]? = nil, sessions: [SessionRecord]? = nil, passwordProblem: FormProblem? = nil,
        email: AccountPage.EmailChange? = nil
    ) -> AccountPage {
        let linked = account.identities.map {
            AccountPage.LinkedProvider(
                id: $0.provider, displayName: answers.providerName($0.provider) ?? $0.provider,
                account: $0.email?.text ?? $0.username ?? $0.name, linkedAt: $0.linkedAt / 1_000)
        }
        let password =
            account.hasPassword
            ? [
                AccountPage.LinkedProvider(
                    id: ReservedProvider.password, displayName: ReservedProvider.password, account: account.email?.text,
                    linkedAt: account.createdAt / 1_000)
            ] : []
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
            secondFactors: factors?.map { .init($0.page()) },
            sessions: sessions?.map {
                .init(
                    id: $0.id, isCurrent: $0.id == session.reference, browser: $0.client.userAgent.flatMap(BrowserName.of),
                    address: $0.client.address, lastSeenAt: $0.lastSeenAt / 1_000)
            },
            isRecent: (try? accounts.service.require(session.proof, for: account, now: wallClock())) != nil, notice: notice)
    }

    // MARK: Linking

    func beginLink(_ client: ProviderClient, _ session: Session, returnPath: String, cookieNames: [String]) async -> Answer {
        do throws(AccountError) {
            try await accounts.service.mayLink(client.settings.id, uid: session.uid, by: session.proof, now: wallClock())
        } catch {
            return refused(
                error.code == .invalidCredential ? AccountError(.requiresRecentLogin) : error, event: "link-refused", returnPath: returnPath
            )
        }
        return await begin(client, .link(uid: session.uid), returnPath: returnPath, cookieNames: cookieNames)
    }

    func begin(
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
        // The provider may have taken seconds to answer.
        guard let previous, previous.uid == uid, await goesOn(previous) else { return strayCallback(login) }
        let now = wallClock()
        do throws(AccountError) {
            // The session of an anonymous user becomes the provider's: that is a sign-in, and the hooks are asked before it is written.
            let claims = previous.account?.isAnonymous == true ? try await approve(login, previous, now: now) : nil
            let outcome = try await accounts.service.link(
                login.verified, uid: uid, by: previous.proof, begun: login.startedAt, now: now)
            guard let account = outcome.account else { throw AccountError(.storeUnavailable) }
            await reportLink(provider, account, uid)
            if let claims {
                let facts = SessionAccount(account, claims: claims)
                // The session becomes that provider's, which ends and refreshes it from now on.
                return await issue(
                    VerifiedSignIn(
                        account: outcome, authTime: login.authTime, providerSessionID: login.providerSessionID, tokens: login.tokens,
                        facts: facts),
                    factor: nil, returnPath: login.returnPath, message: "an anonymous user linked a provider", moment: .signIn,
                    now: outcome.startsAt ?? now)
            }
            // A session that was made with a provider stays that provider's: rules, groups and refreshes are about it.
            let lines = try await reissued(previous, account, now: now)
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

    /// Asks the hooks about the sign-in of an anonymous user with a provider, and about the account as it will be with it.
    private func approve(
        _ login: CompletedLogin, _ session: Session, now: Int64
    ) async throws(AccountError) -> [String: JSONValue] {
        let account = try await accounts.service.linked(
            login.verified, uid: session.uid, by: session.proof, begun: login.startedAt, now: now)
        let identity = login.identity
        return try await accounts.hooks.approve(
            HookSignIn(user: HookUser(account), provider: identity.provider, profile: identity.claims, client: client), creates: false)
    }

    /// The 409 for an identity of another account. The page offers a sign-in to that account. After it, the gateway notifies the merge hook.
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
            let merge = PendingMerge(BegunMerge(previous: uid), of: owner, now: now)
            answer.setCookies(pendingCookies.lines(merge, in: .work) ?? [])
        }
        return answer
    }

    /// Whether a session that was opened for this request has not ended since. What the account ended, the change itself refuses.
    func goesOn(_ session: Session) async -> Bool {
        if case .session = await context.sessions.check(session, now: wallClock()) { true } else { false }
    }

    /// A link or a re-authentication whose session is gone, or another user's.
    func strayCallback(_ login: CompletedLogin) -> Answer {
        let failure = SignInError(
            .invalidState, provider: login.identity.provider, "the session that began it is no longer this browser's"
        ).returning(to: login.returnPath)
        context.logFailure(failure, requestID)
        return answers.signInFailure(failure, isPage: isPage, requestID: requestID)
    }

    func unlink(_ provider: String, _ session: Session, _ form: AccountForm) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            let account = try await accounts.service.unlink(provider, uid: session.uid, by: session.proof, now: now)
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
            return done(form, at: accountNotice(.unlinked), try await reissued(session, account, now: now))
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath)
        }
    }
}

/// The account as JSON for its own browser (contract section 8).
enum AccountBody {
    static func json(_ account: Account, factors: [FactorHint], sessions: JSONValue?) -> [UInt8] {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        func provider(_ id: String, _ email: EmailAddress?, _ at: Int64) -> JSONValue {
            .object(["id": .string(id), "email": text(email?.text), "linked_at": .string(Timestamp.rfc3339(milliseconds: at))])
        }
        var providers = account.identities.map { provider($0.provider, $0.email, $0.linkedAt) }
        if account.hasPassword { providers.append(provider(ReservedProvider.password, account.email, account.createdAt)) }
        let body = JSONValue.object([
            "uid": .string(account.uid), "email": text(account.email?.text), "email_verified": .bool(account.emailVerified),
            "name": text(account.name), "anonymous": .bool(account.isAnonymous), "providers": .array(providers),
            "second_factors": .array(factors.map(\.json)), "sessions": sessions ?? .null,
        ])
        return Array((body.serialized() + "\n").utf8)
    }
}
