package import Accounts
import Primitives
import TokenCrypto

/// The start of an enrolment.
package enum EnrolmentStart: Sendable {
    /// Show the secret as text and the URI as a QR code.
    case totp(enrolment: String, TOTPSecret, uri: String)
    case webauthn(enrolment: String, CredentialCreationOptions)
    /// Send the code to the number.
    case phone(enrolment: String, PhoneNumber, MessageCode)
    /// Enrolled already; show the codes once.
    case recovery([RecoveryCode], Factor)
}

/// Who enrols.
package enum EnrolmentOwner: Sendable {
    /// The user of a session, who last signed in at `authTime`: recently, at the start.
    case session(uid: String, authTime: Int64)
    /// A user without a session, who must enrol first: a pending sign-in with the task `enrol`. It is completed by the enrolment.
    case pending(PendingSecondFactor)

    package var uid: String {
        switch self {
        case .session(let uid, _): uid
        case .pending(let pending): pending.uid
        }
    }

    /// A sign-in that waits for a factor which exists must not enrol another one instead.
    fileprivate func check(now: Int64) throws(AccountError) {
        guard case .pending(let pending) = self else { return }
        guard pending.task == .enrol else { throw AccountError(.multiFactorAuthRequired) }
        guard now < pending.expiresAt else { throw AccountError(.codeExpired, reason: "the pending sign-in has expired") }
    }

    fileprivate var authority: EnrolmentAuthority {
        switch self {
        case .session(_, let authTime): .signIn(at: authTime)
        case .pending: .begun
        }
    }

    /// A pending sign-in is for the account as it was: the enrolment that completes it changes the account.
    fileprivate var revision: Int64? {
        switch self {
        case .session: nil
        case .pending(let pending): pending.revision
        }
    }
}

extension SecondFactorService {
    /// Begins an enrolment. `phone`: of `FactorType.phone` only.
    package func startEnrolment(
        _ type: FactorType, displayName: String?, phone: String?, for owner: EnrolmentOwner, now: Int64
    ) async throws(AccountError) -> EnrolmentStart {
        try requireEnabled(type)
        try owner.check(now: now)
        let uid = owner.uid
        let facts = try await accounts.mayEnrol(type, uid: uid, by: owner.authority, now: now)
        let name = FactorName.kept(displayName)
        let userName = facts.account.email?.text ?? facts.account.name ?? uid
        switch type {
        case .totp:
            let secret = TOTP.secret(random)
            let enrolment = PendingEnrolment(uid: uid, subject: .totp(secret), displayName: name, random: random, now: now)
            let uri = TOTP.uri(secret, issuer: relyingParty.name, account: userName)
            return .totp(enrolment: enrolment.sealed(with: ring), secret, uri: uri)
        case .webauthn:
            let enrolment = PendingEnrolment(uid: uid, subject: .webauthn, displayName: name, random: random, now: now)
            let options = CredentialCreationOptions(
                relyingParty, uid: uid, userName: userName, displayName: facts.account.name ?? userName,
                challenge: enrolment.secret.webAuthnChallenge(""), verification: policy.verification == .required ? .required : .preferred,
                existing: facts.factors.compactMap(\.credential))
            return .webauthn(enrolment: enrolment.sealed(with: ring), options)
        case .phone:
            guard let number = phone.flatMap(PhoneNumber.init) else { throw AccountError(.invalidPhoneNumber) }
            guard !facts.factors.contains(where: { self.phone(of: $0, uid: uid) == number }) else {
                throw AccountError(.secondFactorAlreadyInUse)
            }
            let enrolment = PendingEnrolment(uid: uid, subject: .phone(number), displayName: name, random: random, now: now)
            let code = try await issue(enrolment.secret, subject: number.text, uid: uid, now: now)
            return .phone(enrolment: enrolment.sealed(with: ring), number, code)
        case .recovery:
            let codes = RecoveryCode.set(random)
            let factor = Factor(id: newID(), type: .recovery, displayName: name, enrolledAt: now)
            _ = try await accounts.enrol(
                factor, recoveryCodes: codes.map { $0.digest(uid: uid) }, uid: uid, by: owner.authority, once: nil, now: now)
            return .recovery(codes, factor)
        }
    }

    /// Completes an enrolment with the first code or the registration. Counts as having used the factor.
    ///
    /// `sealed`: as `startEnrolment` gave it. The account as it is then is in `Enrolled`, for the session or the mail.
    package func finishEnrolment(
        _ sealed: String, _ answer: SecondFactorAnswer, for owner: EnrolmentOwner, now: Int64
    ) async throws(SecondFactorRefusal) -> Enrolled {
        let uid = owner.uid
        guard let enrolment = PendingEnrolment.open(sealed, uid: uid, with: ring, now: now) else {
            throw SecondFactorRefusal(
                AccountError(.codeExpired, reason: "the enrolment has expired or is another user's"), endsPending: true)
        }
        do throws(AccountError) {
            try requireEnabled(enrolment.type)
            try owner.check(now: now)
        } catch {
            throw SecondFactorRefusal(error)
        }
        // Who knows the secret of an enrolment guesses nothing: only codes that were sent count against the account.
        let attempt = FactorAttempt(
            uid: uid, pending: enrolment.secret.subject, isCode: enrolment.type == .phone, key: attemptKey)
        return try await counted(attempt, lifetime: PendingEnrolment.lifetime, now: now) { () throws(AccountError) in
            let factor = try await proven(enrolment, answer, now: now)
            let number = phone(of: factor, uid: uid)
            let account = try await accounts.enrol(
                factor, uid: uid, by: .begun, once: enrolment.mark, revision: owner.revision, now: now,
                isKnown: { number != nil && phone(of: $0, uid: uid) == number })
            return Enrolled(account: account, factor: factor)
        }
    }

    /// An enrolled factor, and that its user has it.
    package struct Enrolled: Sendable {
        package let account: Account
        package let factor: Factor

        package var verified: VerifiedSecondFactor { VerifiedSecondFactor(uid: account.uid, factor: factor.id, type: factor.type) }
    }

    /// The factor, if the answer proves that the user has it.
    private func proven(_ enrolment: PendingEnrolment, _ answer: SecondFactorAnswer, now: Int64) async throws(AccountError) -> Factor {
        let id = newID()
        let uid = enrolment.uid
        switch (enrolment.subject, answer) {
        case (.totp(let secret), .code(let code)):
            guard let step = TOTP.acceptedStep(code, secret, after: nil, now: now) else { throw AccountError(.invalidVerificationCode) }
            return Factor(
                id: id, type: .totp, displayName: enrolment.displayName, enrolledAt: now,
                sealedSecret: seal(secret.bytes, factor: id, uid: uid), lastStep: step)
        case (.phone(let number), .code(let code)):
            let secret = enrolment.secret.bytes
            guard let digest = MessageCode.digest(code, secret: secret, subject: number.text) else {
                throw AccountError(.invalidVerificationCode)
            }
            let challenge = MessageCode.challenge(secret: secret, subject: number.text)
            try await accounts.use(FactorUse(uid: uid, factor: nil, kind: .message(challenge: challenge, code: digest)), now: now)
            return Factor(
                id: id, type: .phone, displayName: enrolment.displayName, enrolledAt: now,
                sealedSecret: seal(Array(number.text.utf8), factor: id, uid: uid))
        case (.webauthn, .credential(let json)):
            let existing = try await accounts.factors(uid)?.factors.compactMap(\.credential) ?? []
            do throws(WebAuthnError) {
                let credential = try WebAuthnRegistration.verify(
                    RegistrationResponse(json), challenge: enrolment.secret.webAuthnChallenge(""), relyingParty, policy.verification,
                    existing: existing)
                return Factor(id: id, type: .webauthn, displayName: enrolment.displayName, enrolledAt: now, credential: credential)
            } catch {
                guard error != .registered else { throw AccountError(.secondFactorAlreadyInUse) }
                throw AccountError(.invalidVerificationCode, reason: error.reason)
            }
        default: throw AccountError(.invalidVerificationCode, reason: "the answer is not of the enrolment's type")
        }
    }

    private func requireEnabled(_ type: FactorType) throws(AccountError) {
        guard policy.mode != .off, policy.types.contains(type) else { throw AccountError(.operationNotAllowed) }
    }

    /// 128 random bits.
    private func newID() -> String { Base64URL.encode(random(16)) }
}
