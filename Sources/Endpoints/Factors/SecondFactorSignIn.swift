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
        case wait(AccountFactors, PendingSecondFactor.Task)
    }

    /// Whether a second factor is asked for.
    func question(
        _ factors: SecondFactorContext, _ uid: String, _ identity: ProviderIdentity, _ moment: SecondFactorSituation.Moment, now: Int64
    ) async throws(AccountError) -> Question {
        guard factors.policy.mode != .off else { return .pass(isProven: false) }
        guard let facts = try await accounts.service.factors(uid) else {
            throw AccountError(.storeUnavailable, reason: "the account is gone")
        }
        let remembered = cookies.filter { $0.name == site.cookies.browserCookieName }.map(\.value)
        let situation = SecondFactorSituation(
            moment: moment, account: facts, isProvenByProvider: factors.isProven(by: identity),
            isBrowserRemembered: factors.settings.rememberBrowser != nil && remembered.count == 1
                && RememberedBrowser.isValid(remembered[0], facts, with: factors.ring, now: now))
        switch factors.policy.decide(situation) {
        case .pass(let isProven): return .pass(isProven: isProven)
        case .ask: return .wait(facts, .verify)
        case .enrol: return .wait(facts, .enrol)
        case .refuse(let code): throw AccountError(code)
        }
    }

    /// The answer to a first factor: the second one is asked for, or enrolled. There is no session.
    func wait(
        _ factors: SecondFactorContext, for facts: AccountFactors, _ task: PendingSecondFactor.Task, _ signIn: VerifiedSignIn,
        returnPath: String, now: Int64
    ) -> Answer {
        let names = cookies.map(\.name)
        for session in context.sessions.pending(for: signIn, now: now) {
            let pending = PendingSecondFactor(
                facts.account, task: task, form: form == .json ? .json : .page, payload: session.bytes, now: now)
            guard let cookieLines = FactorCookies.lines(pending, site.cookies, factors.ring, existing: names) else { continue }
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

    private func waitingPath(_ task: PendingSecondFactor.Task, _ returnPath: String) -> String {
        task == .verify ? answers.secondFactorPath(returningTo: returnPath) : answers.enrolmentPath(returningTo: returnPath)
    }

    /// 401 with the factors that may be used (contract section 9).
    func hints(_ factors: SecondFactorContext, _ facts: AccountFactors, _ task: PendingSecondFactor.Task) -> Answer {
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
        /// The session has a second factor.
        case done
        case nobody
    }

    /// What this browser waits for: the pending sign-in of its cookie, else the session that lacks a second factor.
    func waiting(_ factors: SecondFactorContext, now: Int64) async throws(AccountError) -> WaitingState {
        if let pending = FactorCookies.open(cookies, site.cookies, factors.ring, now: now) {
            guard let facts = try await accounts.service.factors(pending.uid) else { throw AccountError(.multiFactorInfoNotFound) }
            // A step-up without a sign-in is for the session that began it.
            let session = pending.payload.isEmpty ? previous.flatMap { $0.uid == pending.uid ? $0 : nil } : nil
            if !pending.payload.isEmpty || session != nil {
                return .waiting(Waiting(pending: pending, facts: facts, isNew: false, session: session))
            }
        }
        guard let previous else { return .nobody }
        guard previous.account?.secondFactor == nil else { return .done }
        guard let facts = try await accounts.service.factors(previous.uid) else { throw AccountError(.requiresRecentLogin) }
        let situation = SecondFactorSituation(
            moment: .route, account: facts, isProvenByProvider: factors.isProven(by: previous.identity))
        let task: PendingSecondFactor.Task
        switch factors.policy.decide(situation) {
        case .pass: return .done
        case .ask: task = .verify
        case .enrol: task = .enrol
        case .refuse(let code): throw AccountError(code)
        }
        let pending = PendingSecondFactor(facts.account, task: task, form: form == .json ? .json : .page, payload: [], now: now)
        return .waiting(Waiting(pending: pending, facts: facts, isNew: true, session: previous))
    }

    /// The cookies of a step-up that was begun now.
    func lines(_ waiting: Waiting, _ factors: SecondFactorContext) -> [String] {
        waiting.isNew
            ? FactorCookies.lines(waiting.pending, site.cookies, factors.ring, existing: cookies.map(\.name)) ?? [] : []
    }

    /// The session after the second factor: the one that waited, or the one that lacked it, with a new id.
    func strengthened(
        _ waiting: PendingSecondFactor, _ session: Session?, by factor: VerifiedSecondFactor, now: Int64
    ) async throws(AccountError) -> (issued: IssuedSession, finished: FinishedWork) {
        do throws(SessionIssueError) {
            if let session {
                let issued = try await context.sessions.reissue(
                    session,
                    account: (session.account ?? SessionAccount(providers: [session.identity.provider]))
                        .shown(factor.type.rawValue, factor.amr), to: browser, now: now)
                return (issued, FinishedWork())
            }
            let finished = await finishPending(waiting.uid, now: now)
            guard
                let issued = try await context.sessions.complete(
                    PendingSession(resuming: waiting.payload), secondFactor: factor.type.rawValue, methods: factor.amr,
                    providers: finished.account?.providers, startedAt: waiting.startedAt, replacing: previous, to: browser,
                    now: now)
            else { throw SessionIssueError.tooLarge }
            context.log.reportIssue(issued, replacing: previous, message: "user signed in with a second factor", requestID)
            return (issued, finished)
        } catch {
            context.log.reportIssueFailure(error, provider: ReservedProvider.password, requestID)
            throw AccountError(.storeUnavailable, reason: "the session could not be issued")
        }
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
