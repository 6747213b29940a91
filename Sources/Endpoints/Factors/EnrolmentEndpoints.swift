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

/// The second factors of an account: which there are, adding and removing.
extension Endpoints {
    private func withOwner(
        _ request: EndpointRequest, _ form: AccountForm?,
        _ work: @escaping @Sendable (AccountSignIn, SecondFactorContext, FactorOwner, _ returnPath: String) async -> Answer
    ) {
        let target = returnPath(request, form)
        let ownPath = accountPath + "/second-factors"
        withFactors(request, form) { signIn, factors in
            let pending = signIn.pendingCookies.open(WaitingSignIn.self, in: .factor, now: wallClock())
            if let session = signIn.previous, pending?.session.isEmpty != false {
                return await work(signIn, factors, .session(session), target)
            }
            guard let pending, pending.task == .enrol else { return signIn.nobody(signIn.isPage ? ownPath : "/") }
            return await work(signIn, factors, .waiting(pending), target)
        }
    }

    /// `GET /account/second-factors`.
    func showSecondFactors(_ request: EndpointRequest) {
        let notice = request.query?.first { $0.name == "notice" }.flatMap { SecondFactorsPage.Notice(rawValue: $0.value) }
        withOwner(request, nil) { await $0.showSecondFactors($1, $2, notice: notice, returnPath: $3) }
    }

    /// `POST /account/second-factors/start`: `type`, `display_name`, `phone`.
    func startEnrolment(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            withOwner(request, form) { await $0.startEnrolment($1, $2, form, returnPath: $3) }
        }
    }

    /// `POST /account/second-factors/verify`: `enrollment`, and `code` or `credential`.
    func verifyEnrolment(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            withOwner(request, form) { await $0.verifyEnrolment($1, $2, form, returnPath: $3) }
        }
    }

    /// `POST /account/second-factors/remove`: `factor`.
    func removeSecondFactor(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            withOwner(request, form) { await $0.removeSecondFactor($1, $2, form, returnPath: $3) }
        }
    }
}

/// Who enrols: the user of a session, or one whose sign-in waits for the enrolment.
enum FactorOwner: Sendable {
    case session(Session)
    case waiting(PendingSecondFactor)

    var uid: String {
        switch self {
        case .session(let session): session.uid
        case .waiting(let pending): pending.uid
        }
    }

    var owner: EnrolmentOwner {
        switch self {
        case .session(let session): .session(uid: session.uid, session.proof, reference: session.reference)
        case .waiting(let pending): .pending(pending)
        }
    }

    var session: Session? { if case .session(let session) = self { session } else { nil } }
}

extension AccountSignIn {
    private static let event = "second-factor-refused"
    private var factorsPath: String { site.pathPrefix + "/account/second-factors" }

    func showSecondFactors(
        _ factors: SecondFactorContext, _ owner: FactorOwner, notice: SecondFactorsPage.Notice?, returnPath: String
    ) async -> Answer {
        do throws(AccountError) {
            let facts = try await facts(of: owner, factors)
            guard isPage else {
                let hints = factors.service.hints(facts.factors, uid: owner.uid)
                let body = JSONValue.object(["second_factors": .array(hints.map(\.json))])
                return .json(status: 200, Array((body.serialized() + "\n").utf8), hsts: site.hsts)
            }
            let isWaiting = owner.session == nil
            return Answer(
                page(factors, owner, facts, notice: notice ?? (isWaiting ? .required : nil), returnPath: returnPath), hsts: site.hsts)
        } catch {
            return refusedPending(error, returnPath: factorsPath)
        }
    }

    /// The account of the owner. A pending sign-in that is void shows nothing of it.
    private func facts(of owner: FactorOwner, _ factors: SecondFactorContext) async throws(AccountError) -> AccountFactors {
        if case .waiting(let pending) = owner { return try await factors.service.account(of: pending, now: wallClock()) }
        guard let facts = try await accounts.service.factors(owner.uid) else { throw AccountError(.requiresRecentLogin) }
        return facts
    }

    private func page(
        _ factors: SecondFactorContext, _ owner: FactorOwner, _ facts: AccountFactors, notice: SecondFactorsPage.Notice? = nil,
        returnPath: String, form: AccountForm? = nil, problem: FormProblem? = nil
    ) -> SecondFactorsPage {
        let isOld = owner.session.map { (try? accounts.service.require($0.proof, for: facts.account, now: wallClock())) == nil } ?? false
        let obstacle: SecondFactorsPage.Obstacle? =
            if facts.account.isAnonymous {
                .anonymous
            } else if isOld {
                .oldSignIn
            } else {
                facts.account.emailVerified ? nil : .unverifiedEmail
            }
        return SecondFactorsPage(
            site: site.pageSite,
            factors: factors.service.hints(facts.factors, uid: owner.uid).map { $0.page(remainingCodes: facts.recoveryCodes) },
            offered: factors.policy.types.map(PageFactor.Kind.init), obstacle: obstacle, returnTo: returnPath == "/" ? nil : returnPath,
            notice: notice,
            phone: .init(number: problem == .invalidPhoneNumber ? form?["phone"] ?? "" : "", displayName: form?["display_name"] ?? ""),
            problem: problem)
    }

    // MARK: Adding

    func startEnrolment(
        _ factors: SecondFactorContext, _ owner: FactorOwner, _ form: AccountForm, returnPath: String
    ) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            guard let type = form["type"].flatMap(FactorType.init) else {
                return answers.refusal(status: 400, code: "auth/invalid-request", isPage: form.wantsPage, requestID: requestID)
            }
            do throws(AccountError) {
                // "Send another message" names the enrolment, so that the page need not have the number.
                let begun = form["enrollment"].flatMap { factors.service.enrolment($0, of: owner.owner, now: now) }
                let number: String? = if case .phone(let number)? = begun?.subject { number.text } else { nil }
                let start = try await countingMessages(of: owner.uid) { () throws(AccountError) in
                    try await factors.service.startEnrolment(
                        type, displayName: form["display_name"] ?? begun?.displayName, phone: form["phone"] ?? number, for: owner.owner,
                        from: share, now: now)
                }
                return try await started(start, factors, owner, form, returnPath: returnPath)
            } catch {
                guard form.wantsPage, let problem = Self.problem(error, isMessage: true) else { throw error }
                let facts = try await facts(of: owner, factors)
                context.logAccountFailure(error, event: Self.event, provider: nil, requestID)
                return Answer(
                    page(factors, owner, facts, returnPath: returnPath, form: form, problem: problem), hsts: site.hsts)
            }
        } catch {
            return refusedPending(error, returnPath: factorsPath)
        }
    }

    private func started(
        _ start: EnrolmentStart, _ factors: SecondFactorContext, _ owner: FactorOwner, _ form: AccountForm, returnPath: String
    ) async throws(AccountError) -> Answer {
        let back = returnPath == "/" ? nil : returnPath
        let page: any LocalizedPage
        var members: [String: JSONValue] = [:]
        switch start {
        case .totp(let enrolment, let secret, let uri):
            members = ["enrollment": .string(enrolment), "secret": .string(secret.text), "uri": .string(uri)]
            page = EnrolTOTPPage(
                site: site.pageSite, enrollment: enrolment, secret: secret.text, uri: uri,
                qrCode: form.wantsPage ? QRCode(uri)?.svg(label: "") : nil, returnTo: back)
        case .webauthn(let enrolment, let options):
            members = ["enrollment": .string(enrolment), "publicKey": options.json]
            page = EnrolPasskeyPage(
                site: site.pageSite, enrollment: enrolment, options: Self.options(options.json), returnTo: back)
        case .phone(let enrolment, let message, let code):
            try await send(code, message, of: owner.uid, factors)
            members = ["enrollment": .string(enrolment)]
            page = EnrolPhonePage(
                site: site.pageSite, enrollment: enrolment, phone: message.number.masked, returnTo: back)
        case .recovery(let codes, let factor):
            reportFactor("second-factor-added", "recovery codes were made", owner.uid, factor)
            await mailFactor(added: factor, uid: owner.uid)
            members = ["codes": .array(codes.map { .string($0.text) })]
            page = RecoveryCodesPage(site: site.pageSite, codes: codes.map(\.text), returnTo: back)
        }
        return form.wantsPage
            ? Answer(page, hsts: site.hsts)
            : .json(status: 200, Array((JSONValue.object(members).serialized() + "\n").utf8), hsts: site.hsts)
    }

    func verifyEnrolment(
        _ factors: SecondFactorContext, _ owner: FactorOwner, _ form: AccountForm, returnPath: String
    ) async -> Answer {
        let now = wallClock()
        do throws(AccountError) {
            if case .waiting(let pending) = owner,
                await !context.sessions.goesOn(PendingSession(resuming: pending.session), startedAt: pending.startedAt, now: now)
            {
                throw AccountError(.codeExpired, reason: "the sign-in that waits has ended meanwhile")
            }
            let given: SecondFactorAnswer = form.credential.map { .credential($0) } ?? .code(form["code"] ?? "")
            let enrolled: SecondFactorService.Enrolled
            do throws(SecondFactorRefusal) {
                enrolled = try await factors.service.finishEnrolment(form["enrollment"] ?? "", given, for: owner.owner, now: now)
            } catch {
                return try await refused(error, factors, owner, form, returnPath: returnPath)
            }
            reportFactor("second-factor-added", "a second factor was added", owner.uid, enrolled.factor)
            await mailFactor(added: enrolled.factor, uid: owner.uid)
            let strengthened: (issued: IssuedSession, next: NextStep)
            // The first factor has ended the account's sessions: the one that goes on begins after them.
            if enrolled.hasEndedSessions { await accounts.followEndings() }
            switch owner {
            // Enrolling counts as having used the factor.
            case .session(let session):
                let issued = try await self.strengthened(
                    session, by: enrolled.verified, enrolledIn: enrolled.account, now: now)
                strengthened = (issued, NextStep(target: returnPath))
            case .waiting(let pending):
                strengthened = try await self.strengthened(
                    pending, by: enrolled.verified, enrolledIn: enrolled.account, returnPath: returnPath, now: now)
            }
            let isDone = owner.session == nil || returnPath != "/"
            let target =
                isDone
                ? site.returnPaths.validate(strengthened.next.target).text
                : answers.enrolmentPath(returningTo: "/", notice: .added)
            var answer = done(form, at: target, strengthened.issued.setCookies + strengthened.next.cookies)
            answer.setCookies(pendingCookies.deletions(of: .factor))
            return answer
        } catch {
            return refusedPending(error, returnPath: factorsPath)
        }
    }

    private func refused(
        _ refusal: SecondFactorRefusal, _ factors: SecondFactorContext, _ owner: FactorOwner, _ form: AccountForm, returnPath: String
    ) async throws(AccountError) -> Answer {
        let error = refusal.error
        context.logAccountFailure(error, event: Self.event, provider: nil, requestID)
        guard form.wantsPage, let problem = Self.problem(error, isMessage: false) else {
            return answers.accountError(error, isPage: form.wantsPage, returnPath: factorsPath, requestID: requestID)
        }
        let facts = try await facts(of: owner, factors)
        let back = returnPath == "/" ? nil : returnPath
        let enrolment = form["enrollment"] ?? ""
        if !refusal.endsPending, let open = factors.service.enrolment(enrolment, of: owner.owner, now: wallClock()) {
            switch open.subject {
            case .totp(let secret):
                let uri = TOTP.uri(
                    secret, issuer: factors.settings.relyingParty.name, account: facts.account.email?.text ?? facts.account.uid)
                return Answer(
                    EnrolTOTPPage(
                        site: site.pageSite, enrollment: enrolment, secret: secret.text, uri: uri, qrCode: QRCode(uri)?.svg(label: ""),
                        returnTo: back, problem: problem), hsts: site.hsts)
            case .phone(let number):
                return Answer(
                    EnrolPhonePage(site: site.pageSite, enrollment: enrolment, phone: number.masked, returnTo: back, problem: problem),
                    hsts: site.hsts)
            case .webauthn: break
            }
        }
        return Answer(
            page(factors, owner, facts, returnPath: returnPath, problem: problem == .wrongCode ? .refusedPasskey : problem),
            hsts: site.hsts)
    }

    // MARK: Removing

    func removeSecondFactor(
        _ factors: SecondFactorContext, _ owner: FactorOwner, _ form: AccountForm, returnPath: String
    ) async -> Answer {
        do throws(AccountError) {
            // A sign-in that waits removes nothing.
            guard let session = owner.session else { throw AccountError(.multiFactorAuthRequired) }
            let removed = try await accounts.service.removeFactor(
                form["factor"] ?? "", uid: session.uid, by: session.proof, now: wallClock())
            reportFactor("second-factor-removed", "a second factor was removed", session.uid, removed)
            await mailFactor(removed: removed, uid: session.uid)
            return done(form, at: answers.enrolmentPath(returningTo: returnPath, notice: .removed))
        } catch {
            return refused(error, event: Self.event, returnPath: factorsPath)
        }
    }

    private func reportFactor(_ event: String, _ message: String, _ uid: String, _ factor: Factor) {
        context.log.write(
            .notice, event, message,
            [("uid", .text(uid)), ("factor", .text(factor.type.rawValue)), ("request_id", .text(requestID.text))])
    }

    private func mailFactor(added factor: Factor, uid: String) async {
        await notify(.secondFactorAdded(name: name(of: factor)), try? await accounts.service.account(uid)?.email, of: uid)
    }

    private func mailFactor(removed factor: Factor, uid: String) async {
        await notify(.secondFactorRemoved(name: name(of: factor)), try? await accounts.service.account(uid)?.email, of: uid)
    }

    private func name(of factor: Factor) -> String {
        PageFactor(id: factor.id, kind: PageFactor.Kind(factor.type), displayName: factor.displayName, enrolledAt: 0).name(in: language)
    }
}
