import Accounts
import Config
import Decisions
import HTTPWire
import Logging
import Pages
import Primitives
import SecondFactors
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// A sign-in between its first and its second factor.
extension AccountSignIn {
    enum Question: Sendable {
        case pass(isProven: Bool)
        case wait(AccountFactors, WaitingSignIn.Task)
    }

    /// Whether a second factor is asked for.
    func question(
        _ factors: SecondFactorContext, _ uid: String, _ identity: ProviderIdentity, _ moment: SecondFactorSituation.Moment, now: Int64
    ) async throws(AccountError) -> Question {
        guard factors.policy.mode != .off else { return .pass(isProven: false) }
        guard let facts = try await accounts.service.factors(uid) else {
            throw AccountError(.storeUnavailable, reason: "the account is gone")
        }
        let situation = SecondFactorSituation(
            moment: moment, account: facts, isProvenByProvider: factors.isProven(by: identity),
            isBrowserRemembered: try await isRemembered(factors, facts, now: now))
        switch factors.policy.decide(situation) {
        case .pass(let isProven): return .pass(isProven: isProven)
        case .ask: return .wait(facts, .verify)
        case .enrol: return .wait(facts, .enrol)
        case .refuse(let code): throw AccountError(code)
        }
    }

    /// Whether this browser is remembered for the account. What ends all of the account's sessions forgets it: a reset, an operator.
    private func isRemembered(
        _ factors: SecondFactorContext, _ facts: AccountFactors, now: Int64
    ) async throws(AccountError) -> Bool {
        let name = site.cookies.host.browser
        let sent = cookies.filter { $0.name == name }.map(\.value)
        guard factors.settings.rememberBrowser != nil, sent.count == 1,
            let beginning = RememberedBrowser.beginning(sent[0], facts, with: seal, for: .cookie(name), now: now)
        else { return false }
        return try await !accounts.service.hasEnding(of: facts.account.uid, since: beginning.time, after: beginning.ending)
    }

    /// The answer to a first factor: the second one is asked for, or enrolled. There is no session.
    func wait(
        _ factors: SecondFactorContext, for facts: AccountFactors, _ task: WaitingSignIn.Task, _ signIn: VerifiedSignIn,
        returnPath: String, now: Int64
    ) -> Answer {
        for session in context.sessions.pending(for: signIn, now: now) {
            // The account as the sign-in was written: what has changed since, voids what waits.
            let waiting = PendingSecondFactor(signIn.account.account ?? facts.account, task: task, session: session.bytes, now: now)
            guard let cookieLines = pendingCookies.lines(waiting, in: .factor) else { continue }
            context.log.write(
                .info, "second-factor-asked", task == .verify ? "a second factor is asked for" : "a second factor must be added",
                [("uid", .text(facts.account.uid)), ("request_id", .text(requestID.text))])
            var answer =
                form == .json
                ? hints(factors, facts, task)
                : .redirect(status: 303, to: waitingPath(task, returnPath), hsts: site.hsts)
            answer.setCookies(cookieLines)
            return answer
        }
        context.log.reportIssueFailure(.tooLarge, provider: signIn.account.identity.provider, requestID)
        return answers.refusal(status: 502, code: "auth/provider-error", isPage: isPage, requestID: requestID)
    }

    private func waitingPath(_ task: WaitingSignIn.Task, _ returnPath: String) -> String {
        task == .verify ? answers.secondFactorPath(returningTo: returnPath) : answers.enrolmentPath(returningTo: returnPath)
    }

    /// 401 with the factors that may be used (contract section 9).
    func hints(_ factors: SecondFactorContext, _ facts: AccountFactors, _ task: WaitingSignIn.Task) -> Answer {
        let text = ErrorText.of(code: AccountErrorCode.multiFactorAuthRequired.rawValue, status: 401)
        let hints = task == .verify ? factors.service.hints(factors.policy.usable(facts), uid: facts.account.uid) : []
        let body = JSONValue.object([
            "error": .object([
                "code": .string(text.code), "message": .string(text.message), "request_id": .string(requestID.text),
            ]),
            "hints": .array(hints.map(\.json)),
        ])
        var answer = Answer.json(status: 401, Array((body.serialized() + "\n").utf8), hsts: site.hsts)
        answer.add("WWW-Authenticate", "Bearer realm=\"\(site.pageSite.name)\"")
        answer.code = text.code
        return answer
    }

    /// A sign-in that waits for the second factor, or a session that lacks one.
    struct Waiting: Sendable {
        let pending: PendingSecondFactor
        let facts: AccountFactors
        /// Set when it was made for the session of this request.
        let isNew: Bool
        /// The session that lacks the factor; nil for a sign-in.
        let session: Session?
    }

    enum WaitingState: Sendable {
        case waiting(Waiting)
        /// The session lacks the factor that its provider proved: nobody had asked for one at the sign-in, or trusted the provider with it.
        case proven(Session)
        /// The session has a second factor.
        case done
        case nobody
    }

    /// What this browser waits for: the pending sign-in of its cookie, else the session that lacks a second factor.
    func waiting(_ factors: SecondFactorContext, now: Int64) async throws(AccountError) -> WaitingState {
        if let pending = pendingCookies.open(WaitingSignIn.self, in: .factor, now: now) {
            if !pending.session.isEmpty {
                let facts = try await factors.service.account(of: pending, now: now)
                return .waiting(Waiting(pending: pending, facts: facts, isNew: false, session: nil))
            }
            // A step-up without a sign-in is for the session that began it. Void, it begins again.
            if let previous, previous.uid == pending.uid, let facts = try await current(pending, factors, now: now) {
                return .waiting(Waiting(pending: pending, facts: facts, isNew: false, session: previous))
            }
        }
        guard let previous else { return .nobody }
        guard previous.account?.secondFactor == nil else { return .done }
        guard let facts = try await accounts.service.factors(previous.uid) else { throw AccountError(.requiresRecentLogin) }
        let situation = SecondFactorSituation(
            moment: .route, account: facts, isProvenByProvider: factors.isProven(by: previous.identity))
        let task: WaitingSignIn.Task
        switch factors.policy.decide(situation) {
        case .pass(isProven: true): return .proven(previous)
        case .pass(isProven: false): return .done
        case .ask: task = .verify
        case .enrol: task = .enrol
        case .refuse(let code): throw AccountError(code)
        }
        let begun = PendingSecondFactor(facts.account, task: task, session: [], now: now)
        return .waiting(Waiting(pending: begun, facts: facts, isNew: true, session: previous))
    }

    /// The account of a step-up; nil if the step-up is void.
    private func current(
        _ pending: PendingSecondFactor, _ factors: SecondFactorContext, now: Int64
    ) async throws(AccountError) -> AccountFactors? {
        do throws(AccountError) {
            return try await factors.service.account(of: pending, now: now)
        } catch {
            guard error.code == .codeExpired else { throw error }
            return nil
        }
    }

    /// The cookies of a step-up that was begun now.
    func lines(_ waiting: Waiting) -> [String] { waiting.isNew ? pendingCookies.lines(waiting.pending, in: .factor) ?? [] : [] }

    /// The session that waited, after its second factor. `account`: after an enrolment, which may have ended the account's other sessions.
    func strengthened(
        _ waiting: PendingSecondFactor, by factor: VerifiedSecondFactor, enrolledIn account: Account? = nil, returnPath: String, now: Int64
    ) async throws(AccountError) -> (issued: IssuedSession, next: NextStep) {
        do throws(SessionIssueError) {
            let next = await finishPending(waiting.uid, returnPath: returnPath, now: now)
            guard
                let issued = try await context.sessions.complete(
                    PendingSession(resuming: waiting.session), secondFactor: factor.type.rawValue, methods: factor.amr,
                    startedAt: waiting.startedAt, enrolledIn: account, replacing: previous, to: browser, now: now)
            else { throw SessionIssueError.tooLarge }
            context.log.reportIssue(issued, replacing: previous, message: "user signed in with a second factor", requestID)
            return (issued, next)
        } catch {
            throw notIssued(error)
        }
    }

    /// The session that lacked the factor, with a new id. When its user signed in stays.
    func strengthened(
        _ session: Session, by factor: VerifiedSecondFactor, enrolledIn account: Account? = nil, now: Int64
    ) async throws(AccountError) -> IssuedSession {
        try await strengthened(session, by: factor.type.rawValue, factor.amr, enrolledIn: account, now: now)
    }

    /// The same, by the factor that the provider of the session has asked for.
    func strengthenedByProvider(_ session: Session, now: Int64) async throws(AccountError) -> IssuedSession {
        try await strengthened(session, by: SecondFactorContext.provider, SecondFactorContext.providerMethods, now: now)
    }

    private func strengthened(
        _ session: Session, by factor: String, _ methods: [String], enrolledIn changed: Account? = nil, now: Int64
    ) async throws(AccountError) -> IssuedSession {
        let account = session.account ?? SessionAccount(providers: [session.identity.provider])
        do throws(SessionIssueError) {
            return try await context.sessions.reissue(
                session, account: account.shown(factor, methods), issuedAt: changed?.beginning(after: session, now: now), to: browser,
                now: now)
        } catch {
            throw notIssued(error)
        }
    }

    private func notIssued(_ error: SessionIssueError) -> AccountError {
        if error == .ended { return AccountError(.sessionExpired) }
        context.log.reportIssueFailure(error, provider: ReservedProvider.password, requestID)
        return AccountError(.storeUnavailable, reason: "the session could not be issued")
    }
}

extension Answers {
    /// `{pathPrefix}/account/second-factors?rd=…`.
    func enrolmentPath(returningTo path: String, notice: SecondFactorsPage.Notice? = nil) -> String {
        var fields = path == "/" ? [] : ["rd=" + FormCoding.queryComponent(path)]
        if let notice { fields.append("notice=" + notice.rawValue) }
        return site.pathPrefix + "/account/second-factors" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }
}
