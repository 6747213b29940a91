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
import SecondFactors
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// A fresh sign-in, and what needs one.
extension AccountSignIn {
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
        guard id == ReservedProvider.password, let password = answers.passwordSignIn(email: account.email?.text ?? "", isEmailFixed: true)
        else {
            return refused(AccountError(.noSuchProvider), event: "account-refused", returnPath: returnPath)
        }
        let others = ways.filter { $0 != ReservedProvider.password && context.clients[$0] != nil }
        return Answer(
            ReauthenticatePage(
                site: site.pageSite, signedInAs: account.name ?? account.email?.text,
                providers: others.map { .init(id: $0, displayName: answers.providerName($0) ?? $0) }, password: password,
                passwordAction: LinkTarget(site.pathPrefix + "/reauthenticate"), offersPasskey: await offersPasskey(session.uid),
                returnTo: returnPath), hsts: site.hsts)
    }

    /// The callback of a re-authentication.
    func reauthenticated(_ login: CompletedLogin, uid: String) async -> Answer {
        guard let previous, previous.uid == uid, await goesOn(previous) else { return strayCallback(login) }
        let now = wallClock()
        do throws(AccountError) {
            let decision = try await accounts.service.decide(reauthentication: login.verified, of: uid, now: now)
            return await answer(
                decision, provider: login.identity.provider, proof: Proof(login), returnPath: login.returnPath, moment: .reauthentication,
                now: now)
        } catch {
            return refused(error, provider: login.identity.provider, returnPath: login.returnPath)
        }
    }

    // MARK: Changes

    /// Asks before the account is deleted, where the session may delete it.
    func askToDelete(_ session: Session) async -> Answer {
        let path = accountPath + "/delete"
        do throws(AccountError) {
            let account = try await live(session)
            if !account.isAnonymous { try accounts.service.require(session.proof, for: account, now: wallClock()) }
            let name = session.identity.name ?? session.identity.email
            return Answer(DeleteAccountPage(site: site.pageSite, signedInAs: name), hsts: site.hsts)
        } catch {
            return refused(error, event: "account-refused", returnPath: path)
        }
    }

    func delete(_ session: Session, _ form: AccountForm) async -> Answer {
        do throws(AccountError) {
            if try await live(session).isAnonymous { try await end(session) }
            try await accounts.service.delete(uid: session.uid, by: session.proof, now: wallClock())
            await accounts.followEndings()
            context.log.write(
                .notice, "account-deleted", "a user deleted the account",
                [("uid", .text(session.uid)), ("request_id", .text(requestID.text))])
            return done(
                form, at: answers.loginPath(returningTo: "/", notice: .accountDeleted),
                site.cookies.signOutLines(existingNames: cookies.map(\.name)))
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath + "/delete")
        }
    }

    /// Ends the only session of an anonymous account, before the account is deleted.
    private func end(_ session: Session) async throws(AccountError) {
        do throws(SessionStoreError) {
            _ = try await context.sessions.revoke(session, now: wallClock())
        } catch {
            throw AccountError(.storeUnavailable, reason: "the session was not ended: \(error.words)")
        }
    }

    func changePassword(_ session: Session, _ form: AccountForm, share: String) async -> Answer {
        do throws(AccountError) {
            guard let passwords = accounts.passwords, site.passwordProvider != nil else { throw AccountError(.noSuchProvider) }
            let account = try await live(session)
            // Before the hash, which costs more.
            try accounts.service.require(session.proof, for: account, now: wallClock())
            let password: Password
            do throws(WeakPassword) {
                password = try PasswordPolicy(minimumLength: minimumLength).check(form["new_password"] ?? "")
            } catch {
                return weak(error, form) { page(account, session, nil, [:], passwordProblem: $0) }
            }
            let hash = try await passwords.hash(password, for: share)
            // The hash may have waited for seconds.
            guard await goesOn(session) else { throw AccountError(.sessionExpired) }
            let now = wallClock()
            let changed = try await accounts.service.setPassword(hash, uid: session.uid, by: session.proof, keep: nil, now: now)
            await accounts.followEndings()
            reportChange("password-changed", "a user changed the password", changed)
            await notify(.passwordChanged, changed.email, of: changed.uid)
            return done(form, at: accountNotice(.passwordChanged), try await renewed(changed, now: now) ?? [])
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath)
        }
    }

    func requestEmailChange(_ session: Session, _ form: AccountForm) async -> Answer {
        do throws(AccountError) {
            guard site.sendsMail else { throw AccountError(.noSuchProvider, reason: "no mail is configured") }
            let account = try await live(session)
            guard !account.isAnonymous else {
                throw AccountError(.operationNotAllowed, reason: "an anonymous account gets an address by /sign-up")
            }
            guard let email = form["email"].flatMap(EmailAddress.init) else {
                guard form.wantsPage else {
                    return answers.refusal(status: 400, code: "auth/invalid-request", isPage: false, requestID: requestID)
                }
                return Answer(
                    page(account, session, nil, [:], email: .init(value: form["email"] ?? "", problem: .invalidEmail)), hsts: site.hsts)
            }
            let now = wallClock()
            try accounts.service.require(session.proof, for: account, now: now)
            // Whether another account has the address or not: the answer must not tell.
            guard let mail = try await count("confirmNewAddress", to: email, of: account.uid, now: now) else {
                return done(form, at: accountPath + "/email?sent=1")
            }
            // After the answer: a token is written for a free address only.
            Task { await mailConfirmation(mail, of: email, account, session, now: now) }
            return done(form, at: accountPath + "/email?sent=1")
        } catch {
            return refused(error, event: "account-refused", returnPath: accountPath)
        }
    }

    /// Mails the link that gives the account the address, unless another account has it. Either way, as much is written: the next request
    /// waits for the store as long.
    private func mailConfirmation(
        _ mail: CountedMail, of email: EmailAddress, _ account: Account, _ session: Session, now: Int64
    ) async {
        do throws(AccountError) {
            let isOwn = account.email == email && !account.emailVerified
            let token =
                isOwn
                ? try await accounts.service.verificationToken(uid: account.uid, now: now)
                : try await accounts.service.changeToken(uid: account.uid, to: email, by: session.proof, now: now)
            guard let token else { return try await accounts.service.writeNothing(now: now) }
            send(isOwn ? .verifyAddress(token: token.text) : .confirmNewAddress(token: token.text), mail, to: token.email)
        } catch {
            context.logAccountFailure(error, event: "account-operation-failed", provider: nil, requestID)
        }
    }
}
