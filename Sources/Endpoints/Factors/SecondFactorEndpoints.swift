import Primitives
import Accounts
import Backchannel
import Decisions
import HTTPWire
import Logging
import Pages
import SecondFactors
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// The question for a second factor.
extension Endpoints {
    /// `GET /second-factor`: a page, or 401 with the factors.
    func showSecondFactor(_ request: EndpointRequest) {
        let target = returnPath(request, nil)
        let chosen = request.query?.first { $0.name == "factor" }?.value
        let wasSent = request.query?.contains { $0.name == "sent" } ?? false
        withFactors(request, nil) { signIn, factors in
            await signIn.showSecondFactor(factors, chosen: chosen, wasSent: wasSent, returnPath: target)
        }
    }

    /// `POST /second-factor/start`: `factor`.
    func startSecondFactor(_ request: EndpointRequest) {
        collectAccountForm(request, flags: ["remember"]) { [self] request, form in
            let target = returnPath(request, form)
            withFactors(request, form) { await $0.startSecondFactor($1, form, returnPath: target) }
        }
    }

    /// `POST /second-factor/verify`: `factor`, and `code` or `credential`.
    func verifySecondFactor(_ request: EndpointRequest) {
        collectAccountForm(request, flags: ["remember"]) { [self] request, form in
            let target = returnPath(request, form)
            withFactors(request, form) { await $0.verifySecondFactor($1, form, returnPath: target) }
        }
    }

    func withFactors(
        _ request: EndpointRequest, _ form: AccountForm?,
        _ work: @escaping @Sendable (AccountSignIn, SecondFactorContext) async -> Answer
    ) {
        let wantsPage = answers.wantsPage(request.head)
        withSignIn(request, form) { request, signIn in
            guard let factors = signIn.accounts.factors else { return }
            var signIn = signIn
            if form == nil { signIn.form = wantsPage ? .page : .json }
            let pending = request.pending
            Task { [signIn] in pending.send(await work(signIn, factors)) }
        }
    }
}

extension AccountSignIn {
    private static let event = "second-factor-refused"

    func showSecondFactor(_ factors: SecondFactorContext, chosen: String?, wasSent: Bool, returnPath: String) async -> Answer {
        do throws(AccountError) {
            let now = wallClock()
            switch try await waiting(factors, now: now) {
            case .nobody: return nobody(returnPath)
            case .proven(let session):
                return succeeded(
                    try await strengthenedByProvider(session, now: now), returnPath: returnPath,
                    cookies: pendingCookies.deletions(of: .factor))
            case .done: return .redirect(status: 303, to: returnPath, hsts: site.hsts)
            case .waiting(let waiting):
                var answer: Answer
                if isPage {
                    guard waiting.pending.task == .verify else {
                        answer = .redirect(status: 303, to: answers.enrolmentPath(returningTo: returnPath), hsts: site.hsts)
                        answer.setCookies(lines(waiting))
                        return answer
                    }
                    answer = Answer(
                        page(factors, waiting, chosen: chosen, progress: wasSent ? .messageSent : .notStarted, returnPath: returnPath),
                        hsts: site.hsts)
                } else {
                    answer = hints(factors, waiting.facts, waiting.pending.task)
                }
                answer.setCookies(lines(waiting))
                return answer
            }
        } catch {
            guard error.code == .codeExpired else { return refused(error, event: Self.event, returnPath: returnPath) }
            // The pending sign-in is void: the user begins again.
            var answer = nobody(returnPath)
            answer.setCookies(pendingCookies.deletions(of: .factor))
            return answer
        }
    }

    /// The refusal of an operation of a pending sign-in. A void one ends.
    func refusedPending(_ error: AccountError, returnPath: String) -> Answer {
        var answer = refused(error, event: Self.event, returnPath: returnPath)
        if error.code == .codeExpired { answer.setCookies(pendingCookies.deletions(of: .factor)) }
        return answer
    }

    /// Nobody waits for a second factor here: the sign-in comes first.
    func nobody(_ returnPath: String) -> Answer {
        let login = LoginLink(
            location: answers.loginPath(returningTo: returnPath),
            url: (site.publicURL?.text ?? "") + answers.loginPath(returningTo: returnPath))
        return isPage
            ? .redirect(status: 303, to: login.location, hsts: site.hsts)
            : answers.unauthenticated(isPage: false, login: login, requestID: requestID)
    }

    private func page(
        _ factors: SecondFactorContext, _ waiting: Waiting, chosen: String?, progress: SecondFactorPage.Progress = .notStarted,
        returnPath: String, problem: FormProblem? = nil, isRemembering: Bool = false
    ) -> SecondFactorPage {
        SecondFactorPage(
            site: site.pageSite,
            factors: factors.service.hints(factors.policy.usable(waiting.facts), uid: waiting.pending.uid).map {
                $0.page(remainingCodes: waiting.facts.recoveryCodes)
            }, chosen: chosen, progress: progress, returnTo: returnPath == "/" ? nil : returnPath,
            rememberDays: factors.settings.rememberBrowser.map { Int(clamping: max(1, $0 / 86_400_000)) }, isRemembering: isRemembering,
            isSignedIn: waiting.session != nil, problem: problem)
    }

    // MARK: Start

    func startSecondFactor(_ factors: SecondFactorContext, _ form: AccountForm, returnPath: String) async -> Answer {
        let now = wallClock()
        let id = form["factor"] ?? ""
        do throws(AccountError) {
            guard case .waiting(let waiting) = try await waiting(factors, now: now) else { return nobody(returnPath) }
            var answer: Answer
            do throws(AccountError) {
                let uid = waiting.pending.uid
                let start = try await countingMessages(of: uid) { () throws(AccountError) in
                    try await factors.service.start(id, waiting.pending, from: share, now: now)
                }
                switch start {
                case .code: answer = done(form, at: secondFactorPath(id, returnPath))
                case .message(let message, let code):
                    try await send(code, message, of: uid, factors)
                    answer = done(form, at: secondFactorPath(id, returnPath) + "&sent=1")
                case .assertion(let options):
                    answer =
                        form.wantsPage
                        ? Answer(
                            page(
                                factors, waiting, chosen: id, progress: .passkey(options: Self.options(options.json)),
                                returnPath: returnPath, isRemembering: form.isTicked("remember")), hsts: site.hsts)
                        : .json(status: 200, Array((Self.options(options.json) + "\n").utf8), hsts: site.hsts)
                }
            } catch {
                guard form.wantsPage, let problem = Self.problem(error, isMessage: true) else { throw error }
                context.logAccountFailure(error, event: Self.event, provider: nil, requestID)
                answer = Answer(page(factors, waiting, chosen: id, returnPath: returnPath, problem: problem), hsts: site.hsts)
            }
            answer.setCookies(lines(waiting))
            return answer
        } catch {
            return refusedPending(error, returnPath: returnPath)
        }
    }

    private func secondFactorPath(_ factor: String, _ returnPath: String) -> String {
        let path = answers.secondFactorPath(returningTo: returnPath)
        return path + (path.contains("?") ? "&" : "?") + "factor=" + FormCoding.queryComponent(factor)
    }

    /// `{"publicKey": …}`.
    static func options(_ json: JSONValue) -> String { JSONValue.object(["publicKey": json]).serialized() }

    // MARK: Verify

    func verifySecondFactor(_ factors: SecondFactorContext, _ form: AccountForm, returnPath: String) async -> Answer {
        let now = wallClock()
        let id = form["factor"] ?? ""
        do throws(AccountError) {
            guard case .waiting(let waiting) = try await waiting(factors, now: now) else { return nobody(returnPath) }
            // Before the factor is used, which is refused if the account has changed since the sign-in began: what ends later has a greater number.
            let ending = form.isTicked("remember") ? try await accounts.service.lastEnding() : 0
            let given: SecondFactorAnswer = form.credential.map { .credential($0) } ?? .code(form["code"] ?? "")
            let verified: VerifiedSecondFactor
            do throws(SecondFactorRefusal) {
                verified = try await factors.service.verify(given, factor: id, waiting.pending, now: now)
            } catch {
                return refused(error, factors, waiting, form, id, returnPath: returnPath)
            }
            let (issued, next) =
                if let session = waiting.session {
                    (try await strengthened(session, by: verified, now: now), NextStep(target: returnPath))
                } else {
                    try await strengthened(waiting.pending, by: verified, returnPath: returnPath, now: now)
                }
            context.log.write(
                .info, "second-factor-used", "a second factor was used",
                [("uid", .text(verified.uid)), ("factor", .text(verified.type.rawValue)), ("request_id", .text(requestID.text))])
            var lines = pendingCookies.deletions(of: .factor)
            if form.isTicked("remember"), let lifetime = factors.settings.rememberBrowser {
                let name = site.cookies.host.browser
                let value = RememberedBrowser.sealed(
                    uid: verified.uid, factor: verified.factor, .init(time: waiting.pending.startedAt, ending: ending),
                    lifetime: lifetime, now: now, with: seal, for: .cookie(name))
                lines.append(site.cookies.host.cookie(named: name, value: value, maxAge: lifetime / 1_000).headerValue())
            }
            return succeeded(issued, returnPath: next.target, cookies: lines + next.cookies)
        } catch {
            return refusedPending(error, returnPath: returnPath)
        }
    }

    private func refused(
        _ refusal: SecondFactorRefusal, _ factors: SecondFactorContext, _ waiting: Waiting, _ form: AccountForm, _ id: String,
        returnPath: String
    ) -> Answer {
        let error = refusal.error
        context.logAccountFailure(error, event: Self.event, provider: nil, requestID)
        var answer: Answer
        if form.wantsPage, !refusal.endsPending, var problem = Self.problem(error, isMessage: false) {
            if problem == .wrongCode, form.credential != nil { problem = .refusedPasskey }
            answer = Answer(
                page(
                    factors, waiting, chosen: id, returnPath: returnPath, problem: problem, isRemembering: form.isTicked("remember")),
                hsts: site.hsts)
            answer.code = error.code.rawValue
            if let retry = error.retryAfter { answer.add("Retry-After", String(max(1, (retry - 1) / 1_000 + 1))) }
        } else {
            answer = answers.accountError(error, isPage: form.wantsPage, returnPath: returnPath, requestID: requestID)
        }
        answer.setCookies(refusal.endsPending ? pendingCookies.deletions(of: .factor) : lines(waiting))
        return answer
    }

    /// What the form says about a refusal; nil where the form cannot help.
    static func problem(_ error: AccountError, isMessage: Bool) -> FormProblem? {
        let seconds = Int(clamping: max(1, ((error.retryAfter ?? 1_000) - 1) / 1_000 + 1))
        return switch error.code {
        case .invalidVerificationCode: .wrongCode
        case .codeExpired: .expiredCode
        case .tooManyRequests: isMessage ? .tooManyMessages(retryAfterSeconds: seconds) : .tooManyAttempts(retryAfterSeconds: seconds)
        case .invalidPhoneNumber: .invalidPhoneNumber
        case .secondFactorAlreadyInUse: .secondFactorInUse
        case .maximumSecondFactorCountExceeded: .tooManySecondFactors
        default: nil
        }
    }
}
