package import Accounts
import Primitives
import TokenCrypto

/// The start of an enrolment.
package enum EnrolmentStart: Sendable {
    /// Show the secret as text and the URI as a QR code.
    case totp(enrolment: String, TOTPSecret, uri: String)
    case webauthn(enrolment: String, CredentialCreationOptions)
    /// Send the code.
    case phone(enrolment: String, CountedMessage, MessageCode)
    /// Enrolled already; show the codes once.
    case recovery([RecoveryCode], Factor)
}

/// Who enrols.
package enum EnrolmentOwner: Sendable {
    /// The user of the session with this reference. At the start, its sign-in must be recent, and have shown a factor if there is one.
    case session(uid: String, SessionProof, reference: String)
    /// A user without a session, who must enrol first: a pending sign-in with the task `enrol`. It is completed by the enrolment.
    case pending(PendingSecondFactor)

    package var uid: String {
        switch self {
        case .session(let uid, _, _): uid
        case .pending(let pending): pending.uid
        }
    }

    fileprivate var authority: EnrolmentAuthority {
        switch self {
        case .session(_, let proof, _): .session(proof)
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

    /// An enrolment goes on in the browser that began it.
    package var binding: BrowserBinding {
        switch self {
        case .session(_, _, let reference): .session(reference)
        case .pending(let pending): pending.binding
        }
    }
}

extension SecondFactorService {
    /// Begins an enrolment. `phone`: of `FactorType.phone` only. `client`: the client's network, which a text message counts for.
    package func startEnrolment(
        _ type: FactorType, displayName: String?, phone: String?, for owner: EnrolmentOwner, from client: String, now: Int64
    ) async throws(AccountError) -> EnrolmentStart {
        try requireEnabled(type)
        try await check(owner, now: now)
        let uid = owner.uid
        let facts = try await accounts.mayEnrol(type, uid: uid, by: owner.authority, now: now)
        let name = FactorName.kept(displayName)
        let userName = facts.account.email?.text ?? facts.account.name ?? uid
        func begin(_ kind: EnrolmentSubject.Kind) -> PendingEnrolment {
            PendingEnrolment(EnrolmentSubject(kind, displayName: name), of: facts.account, now: now, random: random)
        }
        switch type {
        case .totp:
            let secret = TOTP.secret(random)
            let enrolment = begin(.totp(secret))
            let uri = TOTP.uri(secret, issuer: relyingParty.name, account: userName)
            return .totp(enrolment: enrolment.sealed(with: browserSeal, for: owner.binding), secret, uri: uri)
        case .webauthn:
            let enrolment = begin(.webauthn)
            let options = CredentialCreationOptions(
                relyingParty, uid: uid, userName: userName, displayName: facts.account.name ?? userName,
                challenge: enrolment.ceremony.webAuthnChallenge(""),
                verification: policy.verification == .required ? .required : .preferred,
                existing: facts.factors.compactMap(\.credential))
            return .webauthn(enrolment: enrolment.sealed(with: browserSeal, for: owner.binding), options)
        case .phone:
            guard let number = phone.flatMap(PhoneNumber.init) else { throw AccountError(.invalidPhoneNumber) }
            guard !facts.factors.contains(where: { self.phone(of: $0, uid: uid) == number }) else {
                throw AccountError(.secondFactorAlreadyInUse)
            }
            let enrolment = begin(.phone(number))
            let message = try await count(to: number, of: uid, from: client, for: .enrolment, now: now)
            let code = try await issue(message, enrolment.ceremony, subject: number.text, uid: uid, now: now)
            return .phone(enrolment: enrolment.sealed(with: browserSeal, for: owner.binding), message, code)
        case .recovery:
            let codes = RecoveryCode.set(random)
            let factor = Factor(id: newID(), type: .recovery, displayName: name, enrolledAt: now)
            _ = try await accounts.enrol(
                factor, recoveryCodes: codes.map { $0.digest(uid: uid) }, uid: uid, by: owner.authority, once: nil,
                revision: owner.revision, now: now)
            return .recovery(codes, factor)
        }
    }

    /// The enrolment that the owner has begun in this browser; nil for every other text.
    package func enrolment(_ sealed: String, of owner: EnrolmentOwner, now: Int64) -> PendingEnrolment? {
        PendingEnrolment(sealed, with: browserSeal, for: owner.binding, now: now).flatMap { $0.uid == owner.uid ? $0 : nil }
    }

    /// Completes an enrolment with the first code or the registration. Counts as having used the factor.
    ///
    /// `sealed`: as `startEnrolment` gave it. The account as it is then is in `Enrolled`, for the session or the mail.
    package func finishEnrolment(
        _ sealed: String, _ answer: SecondFactorAnswer, for owner: EnrolmentOwner, now: Int64
    ) async throws(SecondFactorRefusal) -> Enrolled {
        let uid = owner.uid
        guard let enrolment = enrolment(sealed, of: owner, now: now) else {
            throw SecondFactorRefusal(
                AccountError(.codeExpired, reason: "the enrolment has expired, or was begun in another browser"), endsPending: true)
        }
        do throws(AccountError) {
            try requireEnabled(enrolment.type)
            try await check(owner, now: now)
        } catch {
            throw SecondFactorRefusal(error, endsPending: error.code == .codeExpired)
        }
        // Who knows the secret of an enrolment guesses nothing: only codes that were sent count against the account.
        let attempt = FactorAttempt(
            uid: uid, pending: enrolment.ceremony.subject, isCode: enrolment.type == .phone, key: attemptKey)
        return try await counted(attempt, lifetime: PendingEnrolment.lifetime, now: now) { () throws(AccountError) in
            let factor = try await proven(enrolment, answer, now: now)
            let number = phone(of: factor, uid: uid)
            let enrolled = try await accounts.enrol(
                factor, uid: uid, by: .begun, once: enrolment.mark, revision: enrolment.revision, now: now,
                isKnown: { number != nil && phone(of: $0, uid: uid) == number })
            return Enrolled(account: enrolled.account, factor: factor, hasEndedSessions: enrolled.hasEndedSessions)
        }
    }

    /// An enrolled factor, and that its user has it.
    package struct Enrolled: Sendable {
        package let account: Account
        package let factor: Factor
        /// As in `EnrolledAccount`.
        package let hasEndedSessions: Bool

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
            let secret = enrolment.secret
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
                    RegistrationResponse(json), challenge: enrolment.ceremony.webAuthnChallenge(""), relyingParty, policy.verification,
                    existing: existing)
                return Factor(id: id, type: .webauthn, displayName: enrolment.displayName, enrolledAt: now, credential: credential)
            } catch {
                guard error != .registered else { throw AccountError(.secondFactorAlreadyInUse) }
                throw AccountError(.invalidVerificationCode, reason: error.reason)
            }
        default: throw AccountError(.invalidVerificationCode, reason: "the answer is not of the enrolment's type")
        }
    }

    /// A sign-in that waits for a factor which exists must not enrol another one instead, nor one that began before the factor existed.
    private func check(_ owner: EnrolmentOwner, now: Int64) async throws(AccountError) {
        guard case .pending(let pending) = owner else { return }
        guard pending.task == .enrol else { throw AccountError(.multiFactorAuthRequired) }
        _ = try await account(of: pending, now: now)
    }

    private func requireEnabled(_ type: FactorType) throws(AccountError) {
        guard policy.mode != .off, policy.types.contains(type) else { throw AccountError(.operationNotAllowed) }
    }

    /// 128 random bits.
    private func newID() -> String { Base64URL.encode(random(16)) }
}
