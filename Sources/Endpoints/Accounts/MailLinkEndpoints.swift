import Accounts
import Decisions
import HTTPWire
import Logging
import Pages
import Primitives
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// The links of mails. A link shows a page and does nothing by itself: programs that scan mails open it.
///
/// The mail shows who reads the mailbox, not who has the account. So an address is confirmed in a session of the account, or with its
/// password; a reader of the mail without either says "it was not me".
extension Endpoints {
    /// `GET /verify-email` and `GET /password/new`.
    func showMailLink(_ request: EndpointRequest, for purposes: Set<MailTokenPurpose>) {
        let tokens = (request.query ?? []).filter { $0.name == "token" }.map(\.value)
        let token = tokens.count == 1 ? tokens[0] : ""
        let isTakeOver = request.query?.contains { $0.name == MailLinkQuery.takenOver } ?? false
        withSignIn(request, nil) { request, signIn in
            let pending = request.pending
            Task { pending.send(await signIn.showMailLink(token, for: purposes, isTakeOver: isTakeOver)) }
        }
    }

    /// `POST /verify-email`: `token`, and outside of the account's session `password`, or `refuse`.
    func verifyEmail(_ request: EndpointRequest) {
        withAddressForm(request, flags: ["refuse"]) { signIn, form, share, _ in await signIn.verifyEmail(form, share: share) }
    }

    /// `POST /password/new`: `token`, and `new_password` or `refuse`.
    func setNewPassword(_ request: EndpointRequest) {
        withAddressForm(request, flags: ["refuse"]) { signIn, form, share, _ in await signIn.setNewPassword(form, share: share) }
    }
}

enum MailLinkQuery {
    /// The user has just taken the account over, so the page of the new password has no button against it.
    static let takenOver = "taken"
}

extension AccountSignIn {
    // MARK: Pages

    func showMailLink(_ token: String, for purposes: Set<MailTokenPurpose>, isTakeOver: Bool) async -> Answer {
        do throws(AccountError) {
            guard let link = try await accounts.service.mailLink(token, now: wallClock()), purposes.contains(link.purpose) else {
                throw AccountError(.invalidToken)
            }
            let page: any LocalizedPage =
                link.purpose == .reset
                ? NewPasswordPage(
                    site: site.pageSite, token: token, email: link.email.text, minimumLength: minimumLength, offersRefusal: !isTakeOver)
                : confirmationPage(link, token)
            return Answer(page, hsts: site.hsts)
        } catch {
            return answers.accountError(error, isPage: isPage, requestID: requestID)
        }
    }

    private func confirmationPage(_ link: MailLink, _ token: String, problem: FormProblem? = nil) -> VerifyEmailPage {
        var page = VerifyEmailPage(site: site.pageSite, token: token, email: link.email.text, refusal: .init(link.refusal))
        page.problem = problem
        if previous?.uid == link.account.uid {
            page.account = name(of: link.account)
        } else {
            page.signIn = .init(
                withPassword: link.password != nil && accounts.passwords != nil && site.passwordProvider != nil,
                // An account that is still anonymous has no other way than its own session.
                otherwise: link.purpose != .upgrade, isSignedInElsewhere: previous != nil)
        }
        return page
    }

    /// What tells the account of this session from another one. With `session.cookie.domain`, a sibling host can set a session that is not the
    /// reader's. Outside of a session, the page must not tell it: the mail may have gone to a stranger.
    private func name(of account: Account) -> VerifyEmailPage.AccountName {
        if account.isAnonymous { return .anonymous }
        return .named(account.email?.text ?? account.name ?? account.uid)
    }

    // MARK: Confirming an address

    func verifyEmail(_ form: AccountForm, share: String) async -> Answer {
        let token = form["token"] ?? ""
        let now = wallClock()
        do throws(AccountError) {
            guard let link = try await accounts.service.mailLink(token, now: now), link.purpose != .reset else {
                throw AccountError(.invalidToken)
            }
            if form["refuse"] == "true" { return try await refuse(link, token, form, now: now) }
            if let previous, previous.uid == link.account.uid {
                return try await confirm(link, token, by: .session(uid: previous.uid, previous.proof), form, now: now)
            }
            guard let text = form["password"] else { return withoutProof(token, form) }
            return try await confirm(link, token, withPassword: text, form, share: share, now: now)
        } catch {
            return refused(error, event: "account-refused")
        }
    }

    /// The password counts as at a sign-in, but signs nobody in.
    private func confirm(
        _ link: MailLink, _ token: String, withPassword text: String, _ form: AccountForm, share: String, now: Int64
    ) async throws(AccountError) -> Answer {
        let password: VerifiedPassword
        do throws(AccountError) {
            password = try await verified(text, against: link.signInAddress.normalized, share: share, now: now) { _ in link.password }
        } catch {
            guard form.wantsPage, let problem = FormProblem(error) else { throw error }
            context.logAccountFailure(error, event: "account-refused", provider: nil, requestID)
            var answer = Answer(confirmationPage(link, token, problem: problem), hsts: site.hsts)
            answer.code = problem.code
            answer.addRetry(error)
            return answer
        }
        return try await confirm(link, token, by: .password(password), form, now: now)
    }

    private func confirm(
        _ link: MailLink, _ token: String, by confirmation: MailConfirmation, _ form: AccountForm, now: Int64
    ) async throws(AccountError) -> Answer {
        var claims: [String: JSONValue]?
        if link.purpose == .upgrade, previous?.uid == link.account.uid {
            // The anonymous session becomes one of the password: that is a sign-in, and the hooks are asked before it is written.
            let account = try await accounts.service.confirmed(token, by: confirmation, now: now)
            claims = try await accounts.hooks.approve(
                HookSignIn(user: HookUser(account), provider: ReservedProvider.password, client: client), creates: false)
        }
        let account = try await accounts.service.confirm(token, by: confirmation, now: now)
        if link.purpose == .change {
            await accounts.followEndings()
            reportChange("email-changed", "the address of an account was changed", account)
            if let old = link.account.email, let new = account.email, old != new {
                await notify(.addressChanged(newAddress: new.text), old, of: account.uid)
            }
        } else {
            reportChange("email-verified", "an address was verified by mail", account)
        }
        guard let lines = try await renewed(account, claims: claims, now: now) else {
            return done(form, at: answers.loginPath(returningTo: "/", notice: .emailVerified))
        }
        return done(form, at: accountNotice(link.purpose == .change ? .emailChanged : .emailVerified), lines)
    }

    /// The button of a page whose session has ended since, or a program that shows nothing but the token.
    private func withoutProof(_ token: String, _ form: AccountForm) -> Answer {
        let path = site.pathPrefix + "/verify-email?token=" + FormCoding.queryComponent(token)
        if form.wantsPage { return .redirect(status: 303, to: path, hsts: site.hsts) }
        guard previous == nil else { return refused(AccountError(.userMismatch), event: "account-refused") }
        let login = answers.loginPath(returningTo: path)
        return answers.unauthenticated(
            isPage: false, login: LoginLink(location: login, url: (site.publicURL?.text ?? "") + login), requestID: requestID)
    }

    /// This browser's session of the account, issued after the change; nil without one.
    func renewed(_ account: Account, claims: [String: JSONValue]? = nil, now: Int64) async throws(AccountError) -> [String]? {
        guard let previous, previous.uid == account.uid else { return nil }
        // Only these have the account's own profile; a session of a provider keeps that provider's.
        let isOwn = previous.identity.provider == ReservedProvider.password || previous.account?.isAnonymous == true
        let provider = account.hasPassword ? ReservedProvider.password : previous.identity.provider
        return try await reissued(
            previous, account, claims: claims, adopting: isOwn ? account.ownIdentity(provider) : nil, now: now)
    }

    // MARK: It was not me

    private func refuse(_ link: MailLink, _ token: String, _ form: AccountForm, now: Int64) async throws(AccountError) -> Answer {
        switch try await accounts.service.refuse(token, now: now) {
        case .cancelled:
            reportChange("mail-refused", "a user cancelled the link of a mail", link.account)
            return done(form, at: answers.loginPath(returningTo: "/", notice: .mailCancelled))
        case .takenOver(let account, let next):
            await accounts.followEndings()
            context.log.write(
                .warning, "account-taken-over",
                "the owner of an unverified address did not create the account; removed everything that opened it",
                fields(account.uid, ReservedProvider.password))
            let lines = previous?.uid == account.uid ? site.cookies.deletionLines(existingNames: cookies.map(\.name)) : []
            guard accounts.passwords != nil, site.passwordProvider != nil else {
                return done(form, at: answers.loginPath(returningTo: "/", notice: .emailVerified), lines)
            }
            guard form.isJSON else {
                return done(form, at: "\(site.pathPrefix)/password/new?token=\(next.text)&\(MailLinkQuery.takenOver)=1", lines)
            }
            var answer = Answer.json(status: 200, Array("{\"token\":\"\(next.text)\"}\n".utf8), hsts: site.hsts)
            answer.setCookies(lines)
            return answer
        }
    }

    // MARK: A new password

    func setNewPassword(_ form: AccountForm, share: String) async -> Answer {
        let token = form["token"] ?? ""
        if form["refuse"] == "true" { return await refuseReset(token, form) }
        let password: Password
        do throws(WeakPassword) {
            password = try PasswordPolicy(minimumLength: minimumLength).check(form["new_password"] ?? "")
        } catch {
            return weak(error, form) {
                NewPasswordPage(
                    site: site.pageSite, token: token, email: form["email"], minimumLength: minimumLength, problem: $0)
            }
        }
        do throws(AccountError) {
            guard let passwords = accounts.passwords else { throw AccountError(.invalidToken) }
            // Before the hash: a guess at a token costs no more than a look-up.
            guard try await accounts.service.mailLink(token, now: wallClock())?.purpose == .reset else { throw AccountError(.invalidToken) }
            let hash = try await passwords.hash(password, for: share)
            let account = try await accounts.service.resetPassword(token, to: hash, now: wallClock())
            await accounts.followEndings()
            reportChange("password-changed", "a password was reset by mail", account)
            await notify(.passwordChanged, account.email, of: account.uid)
            return done(
                form, at: answers.loginPath(returningTo: "/", notice: .passwordChanged),
                site.cookies.deletionLines(existingNames: cookies.map(\.name)))
        } catch {
            return refused(error, event: "account-refused")
        }
    }

    private func refuseReset(_ token: String, _ form: AccountForm) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            guard let link = try await accounts.service.mailLink(token, now: now), link.purpose == .reset else {
                throw AccountError(.invalidToken)
            }
            return try await refuse(link, token, form, now: now)
        } catch {
            return refused(error, event: "account-refused")
        }
    }
}

extension VerifyEmailPage.Refusal {
    init(_ refusal: MailRefusal) {
        self =
            switch refusal {
            case .takesOver: .takesOver
            case .cancels: .cancels
            }
    }
}
