import Accounts
import Decisions
import HTTPWire
import Logging
import Pages
import Providers
import SecondFactors
import Sessions
import SignIn
import Telemetry
import TokenCrypto

/// The sign-in with a passkey instead of the password (docs/decisions/0044-passkeys.md).
extension Endpoints {
    /// `POST /login/passkey/start`.
    func startPasskey(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form)
            withFactors(request, form) { await $0.startPasskey($1, for: nil, returnPath: target) }
        }
    }

    /// `POST /login/passkey`: `credential`.
    func signInWithPasskey(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form)
            let share = ClientShare(request.client).key
            withFactors(request, form) { await $0.withPasskey($1, form, for: nil, share: share, returnPath: target) }
        }
    }

    /// `POST /reauthenticate/passkey/start`.
    func startReauthenticationWithPasskey(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form, fallback: accountPath)
            withFactors(request, form) { signIn, factors in
                guard let uid = signIn.previous?.uid else { return signIn.nobody(target) }
                return await signIn.startPasskey(factors, for: uid, returnPath: target)
            }
        }
    }

    /// `POST /reauthenticate/passkey`: `credential`.
    func reauthenticateWithPasskey(_ request: EndpointRequest) {
        collectAccountForm(request) { [self] request, form in
            let target = returnPath(request, form, fallback: accountPath)
            let share = ClientShare(request.client).key
            withFactors(request, form) { signIn, factors in
                guard let uid = signIn.previous?.uid else { return signIn.nobody(target) }
                return await signIn.withPasskey(factors, form, for: uid, share: share, returnPath: target)
            }
        }
    }
}

extension AccountSignIn {
    private static let provider = ReservedProvider.password

    /// Whether the account of a session can sign in again with a passkey.
    func offersPasskey(_ uid: String) async -> Bool {
        guard site.offersPasskeys, let facts = try? await accounts.service.factors(uid) else { return false }
        return facts.account.hasPassword && facts.factors.contains { $0.credential != nil }
    }

    /// `uid`: the account that signs in again; nil for a sign-in.
    func startPasskey(_ factors: SecondFactorContext, for uid: String?, returnPath: String) async -> Answer {
        do throws(AccountError) {
            return try await started(factors, for: uid, returnPath: returnPath, problem: nil)
        } catch {
            return refused(error, provider: Self.provider, returnPath: returnPath)
        }
    }

    /// The page that opens the browser's dialog, or the options as JSON; and the cookie that the answer needs.
    private func started(
        _ factors: SecondFactorContext, for uid: String?, returnPath: String, problem: FormProblem?
    ) async throws(AccountError) -> Answer {
        let (challenge, options) = try await factors.service.startPasskey(for: uid, now: wallClock())
        let text = Self.options(options.json)
        var answer =
            isPage
            ? Answer(
                PasskeySignInPage(
                    site: site.pageSite, purpose: uid == nil ? .signIn : .reauthentication, options: text,
                    returnTo: returnPath == "/" ? nil : returnPath, problem: problem), hsts: site.hsts)
            : .json(status: 200, Array((text + "\n").utf8), hsts: site.hsts)
        answer.setCookies(pendingCookies.lines(challenge, in: .passkey) ?? [])
        return answer
    }

    func withPasskey(
        _ factors: SecondFactorContext, _ form: AccountForm, for uid: String?, share: String, returnPath: String
    ) async -> Answer {
        let now = wallClock()
        var answer: Answer
        do throws(AccountError) {
            let passkey = try await verified(factors, form, for: uid, share: share, now: now)
            let proof = Proof(factor: passkey.secondFactor)
            let decision =
                if let uid {
                    try await accounts.service.decide(reauthentication: passkey, of: uid, now: now)
                } else {
                    try await accounts.service.decide(passkeySignIn: passkey, now: now)
                }
            if case .refuse(let error) = decision { throw error }
            answer = await self.answer(
                decision, provider: Self.provider, proof: proof, returnPath: returnPath, moment: uid == nil ? .signIn : .reauthentication,
                now: now)
            if answer.code == nil {
                context.log.write(
                    .info, "passkey-used", "a passkey was used instead of the password",
                    [
                        ("uid", .text(passkey.uid)), ("factor", .text(passkey.secondFactor.type.rawValue)),
                        ("request_id", .text(requestID.text)),
                    ])
                // What waited for the second factor of an earlier attempt.
                answer.setCookies(pendingCookies.deletions(of: .factor))
            }
        } catch {
            context.logAccountFailure(error, event: "login-failed", provider: Self.provider, credential: "passkey", requestID)
            if let again = await again(after: error, factors, for: uid, returnPath: returnPath) { return again }
            answer = answers.accountError(error, isPage: isPage, returnPath: returnPath, requestID: requestID)
        }
        answer.setCookies(pendingCookies.deletions(of: .passkey))
        return answer
    }

    /// Counts the attempt before the assertion is checked, so that parallel ones count, too.
    private func verified(
        _ factors: SecondFactorContext, _ form: AccountForm, for uid: String?, share: String, now: Int64
    ) async throws(AccountError) -> VerifiedPasskey {
        guard let challenge = pendingCookies.open(PasskeyChallenge.self, in: .passkey, now: now), challenge.uid == uid ?? "" else {
            throw AccountError(.codeExpired, reason: "this browser has no challenge for a passkey, or it has expired")
        }
        let fromClient = try await attempt(.refusedPasskeys, from: share, now: now)
        guard let credential = form.credential else { throw AccountError(.invalidCredential, reason: "there is no credential") }
        do throws(AccountError) {
            let passkey = try await factors.service.verifyPasskey(credential, challenge, now: now)
            try await accounts.service.withdraw(fromClient, now: now)
            return passkey
        } catch {
            // The passkey was right.
            if error.code == .userDisabled { try? await accounts.service.withdraw(fromClient, now: now) }
            throw error
        }
    }

    /// The page with a new challenge, where another attempt may help.
    private func again(
        after error: AccountError, _ factors: SecondFactorContext, for uid: String?, returnPath: String
    ) async -> Answer? {
        let problem: FormProblem
        switch error.code {
        case .invalidCredential: problem = .refusedPasskeySignIn
        case .codeExpired: problem = .expiredPasskeySignIn
        case .tooManyRequests:
            problem = .tooManyAttempts(retryAfterSeconds: Int(clamping: max(1, ((error.retryAfter ?? 1_000) - 1) / 1_000 + 1)))
        default: return nil
        }
        guard isPage, var answer = try? await started(factors, for: uid, returnPath: returnPath, problem: problem) else { return nil }
        answer.code = error.code.rawValue
        if let milliseconds = error.retryAfter { answer.add("Retry-After", String(max(1, (milliseconds - 1) / 1_000 + 1))) }
        return answer
    }
}
