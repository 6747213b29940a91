import SecondFactors
import Access
import Primitives
import Accounts
import Config
import Decisions
import HTTPWire
import Logging
import Pages
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// A sign-in that was proven, on its way to an account and a session. Providers, passwords, tokens and anonymous users share it.
struct AccountSignIn: Sendable {
    /// The answer that the client expects.
    enum Form: Sendable {
        /// 303 to the return path; errors as pages.
        case page
        /// 303 to the return path; errors as JSON.
        case program
        /// 200 with the session; errors as JSON.
        case json
    }

    /// What a proof brings besides the identity.
    struct Proof: Sendable {
        var authTime: Int64?
        var providerSessionID: String?
        var tokens = Session.Tokens()
        /// The second factor that the proof includes: no other one is asked for.
        var factor: VerifiedSecondFactor?
        /// When a presented ID token was issued; nil for a sign-in that the gateway took part in.
        var issuedAt: Int64?
        /// A rule asked the provider for an authentication context class: the session keeps its second factor, and its time with it.
        var isStepUp = false

        init(
            authTime: Int64? = nil, providerSessionID: String? = nil, tokens: Session.Tokens = Session.Tokens(),
            factor: VerifiedSecondFactor? = nil
        ) {
            self.authTime = authTime
            self.providerSessionID = providerSessionID
            self.tokens = tokens
            self.factor = factor
        }

        init(_ login: CompletedLogin) {
            self.init(authTime: login.authTime, providerSessionID: login.providerSessionID, tokens: login.tokens)
            isStepUp = login.isStepUp
        }
    }

    let context: EndpointContext
    let accounts: AccountContext
    let answers: Answers
    /// The browser's, duplicates included.
    let cookies: [(name: String, value: String)]
    /// The session that the browser has already.
    let previous: Session?
    var form: Form
    let client: HookClientFacts
    /// The client's network.
    let share: String
    /// Of mails.
    let language: Language
    let requestID: RequestID

    var site: SiteContext { context.site }
    var isPage: Bool { form == .page }
    var browser: SessionBrowser { SessionBrowser(SessionClient(client), cookieNames: cookies.map(\.name)) }

    // MARK: Sign-in

    /// Signs in with a login at a provider.
    func signIn(_ login: CompletedLogin) async -> Answer {
        await signIn(login.verified, proof: Proof(login), returnPath: login.returnPath)
    }

    func signIn(_ verified: VerifiedIdentity, proof: Proof, returnPath: String = "/") async -> Answer {
        let now = wallClock()
        let provider = verified.identity.provider
        do throws(AccountError) {
            let decision = try await accounts.service.decide(signIn: verified, issuedAt: proof.issuedAt, now: now)
            return await answer(decision, provider: provider, proof: proof, returnPath: returnPath, now: now)
        } catch {
            return refused(error, provider: provider, returnPath: returnPath)
        }
    }

    /// Signs in with a decision of any kind.
    func answer(
        _ decision: SignInDecision, provider: String, proof: Proof, returnPath: String,
        moment: SecondFactorSituation.Moment = .signIn, now: Int64
    ) async -> Answer {
        var claims: [String: JSONValue] = [:]
        let completion: SignInCompletion
        do throws(AccountError) {
            completion = try await accounts.service.finish(decision, now: now) { plan throws(AccountError) in
                claims = try await approve(plan)
            }
        } catch {
            return refused(error, provider: provider, returnPath: returnPath)
        }
        switch completion {
        case .signedIn(let outcome):
            return await signedIn(outcome, claims: claims, proof: proof, returnPath: returnPath, moment: moment, now: now)
        case .conflict(let conflict): return met(conflict, provider: provider, returnPath: returnPath)
        case .refused(let error): return refused(error, provider: provider, returnPath: returnPath)
        case .changed: return refused(AccountError(.storeUnavailable), provider: provider, returnPath: returnPath)  // `finish` handles it
        }
    }

    func approve(_ plan: PlannedSignIn) async throws(AccountError) -> [String: JSONValue] {
        try await accounts.hooks.approve(
            HookSignIn(
                user: HookUser(plan.account), provider: plan.identity.provider, profile: plan.identity.claims, client: client),
            creates: plan.kind == .create)
    }

    /// `now`: when the sign-in was decided. The session begins when the store has written the sign-in, and no later: the hooks may take
    /// seconds, and what ends the account's sessions meanwhile is to end this one, too.
    private func signedIn(
        _ given: AccountOutcome, claims: [String: JSONValue], proof: Proof, returnPath: String, moment: SecondFactorSituation.Moment,
        now: Int64
    ) async -> Answer {
        if given.kind == .takeOver {
            context.log.write(
                .warning, "account-taken-over",
                "a provider vouched for an account's unverified address; removed everything else that opened the account",
                fields(given.uid, given.identity.provider))
        }
        if given.hasEndedSessions { await accounts.followEndings() }
        if given.kind == .create {
            context.log.write(.info, "account-created", "account created", fields(given.uid, given.identity.provider))
        } else if given.kind == .link {
            await reportLink(given.identity.provider, given.account, given.uid)
        }
        return await issue(
            VerifiedSignIn(
                account: given, authTime: proof.authTime, providerSessionID: proof.providerSessionID, tokens: proof.tokens,
                facts: given.account.map { SessionAccount($0, claims: claims) }),
            factor: proof.factor, continued: proof.isStepUp && previous?.uid == given.uid ? previous : nil,
            returnPath: returnPath, message: moment == .signIn ? "user signed in" : "user signed in again", moment: moment,
            now: given.startsAt ?? now)
    }

    // MARK: Ends

    /// `continued`: the session whose second factor goes on counting, unless the sign-in has shown one itself. `now`: when the session begins.
    func issue(
        _ signIn: VerifiedSignIn, factor: VerifiedSecondFactor?, continued: Session? = nil, returnPath: String, message: String,
        moment: SecondFactorSituation.Moment, now: Int64
    ) async -> Answer {
        var signIn = signIn
        if let factor {
            signIn = signIn.with(facts: signIn.facts?.shown(factor.type.rawValue, factor.amr))
        } else if accounts.factors?.isProven(by: signIn.account.identity) != true, let continued, await mayCarry(continued, signIn),
            let kept = signIn.keepingFactor(of: continued)
        {
            signIn = kept
        } else if let factors = accounts.factors, let account = signIn.account.account {
            do throws(AccountError) {
                switch try await question(factors, account.uid, signIn.account.identity, moment, now: now) {
                case .pass(isProven: true):
                    signIn = signIn.with(
                        facts: signIn.facts?.shown(SecondFactorContext.provider, SecondFactorContext.providerMethods))
                case .pass(isProven: false): break
                case .wait(let facts, let task):
                    // What waits for this sign-in goes on waiting: with the first factor alone, nothing of the account may change.
                    return wait(factors, for: facts, task, signIn, returnPath: returnPath, now: now)
                }
            } catch {
                return refused(error, provider: signIn.account.identity.provider, returnPath: returnPath)
            }
        }
        let next =
            moment == .signIn
            ? await finishPending(signIn.account.uid, returnPath: returnPath, now: now) : NextStep(target: returnPath)
        let issued: IssuedSession
        do throws(SessionIssueError) {
            issued = try await context.sessions.issue(for: signIn, replacing: previous, to: browser, now: now)
        } catch {
            context.log.reportIssueFailure(error, provider: signIn.account.identity.provider, requestID)
            return answers.issueFailure(error, isPage: isPage, requestID: requestID)
        }
        context.log.reportIssue(issued, replacing: previous, message: message, requestID)
        return succeeded(issued, returnPath: next.target, cookies: next.cookies)
    }

    /// Whether the factor of a session still counts: the session has not ended while the provider and the hooks were asked.
    private func mayCarry(_ session: Session, _ signIn: VerifiedSignIn) async -> Bool {
        guard await goesOn(session) else { return false }
        return signIn.account.account?.endings.cover(provider: session.identity.provider, issuedAt: session.issuedAt) != true
    }

    func succeeded(_ issued: IssuedSession, returnPath: String, cookies lines: [String]) -> Answer {
        var answer: Answer =
            form == .json
            ? .json(status: 200, UserinfoBody.json(issued.session, site), hsts: site.hsts)
            : .redirect(status: 303, to: site.returnPaths.validate(returnPath).text, hsts: site.hsts)
        answer.setCookies(issued.setCookies)
        answer.setCookies(lines)
        return answer
    }

    private func met(_ conflict: AccountConflict, provider: String, returnPath: String) -> Answer {
        context.log.write(
            .notice, "login-failed", "the address of a new identity belongs to another account",
            [("code", .text(ConflictPage.code))] + fields(conflict.pending.uid, provider))
        var answer = answers.conflict(conflict, provider: provider, returnPath: returnPath, isPage: isPage, requestID: requestID)
        answer.setCookies(pendingCookies.lines(conflict.pending.leading(to: returnPath), in: .work) ?? [])
        return answer
    }

    func refused(_ error: AccountError, provider: String, returnPath: String, link: Bool = false) -> Answer {
        context.logAccountFailure(error, event: "login-failed", provider: provider, requestID)
        return answers.accountError(error, isPage: isPage, returnPath: returnPath, link: link, requestID: requestID)
    }

    func reportLink(_ provider: String, _ account: Account?, _ uid: String) async {
        context.log.write(.notice, "provider-linked", "a provider was linked to an account", fields(uid, provider))
        await notify(.providerLinked(provider: answers.providerName(provider) ?? provider), account?.email, of: uid)
    }

    func fields(_ uid: String, _ provider: String) -> [(String, EventLog.Value)] {
        [("uid", .text(uid)), ("provider", .text(provider)), ("request_id", .text(requestID.text))]
    }
}

/// The message of the outbox about a merge.
package enum MergeMessage {
    package static let kind = "merge"

    static func entry(previous: Account, current: Account, now: Int64) -> OutboxEntry {
        let id = Base64URL.encode(SecureRandom.bytes(16))
        let body = HookEvent.merge(id: id, previous: HookUser(previous), current: HookUser(current)).body
        return OutboxEntry(id: id, kind: kind, payload: String(decoding: body, as: UTF8.self), createdAt: now)
    }
}

extension EndpointContext {
    /// One line for a refusal of an operation on accounts.
    ///
    /// `credential`: `passkey` for a sign-in that used one instead of the password.
    func logAccountFailure(_ error: AccountError, event: String, provider: String?, credential: String? = nil, _ requestID: RequestID) {
        log.write(
            error.status >= 500 ? .error : .notice, event, "refused: \(error.reason ?? error.code.rawValue)",
            [
                ("code", .text(error.code.rawValue)), ("provider", .text(provider ?? "")), ("credential", .text(credential ?? "")),
                ("reason", .text(error.reason ?? "")),
                ("request_id", .text(requestID.text)),
            ])
    }
}
