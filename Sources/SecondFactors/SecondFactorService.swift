package import Accounts
package import TokenCrypto

/// A refused answer of a second factor.
package struct SecondFactorRefusal: Error, Sendable, Equatable {
    package let error: AccountError
    /// The pending sign-in has ended: remove its cookie. The user begins again with the first factor.
    package let endsPending: Bool

    package init(_ error: AccountError, endsPending: Bool = false) {
        self.error = error
        self.endsPending = endsPending
    }

    static let pendingEnded = SecondFactorRefusal(
        AccountError(.tooManyRequests, reason: "five answers of the pending sign-in were wrong"), endsPending: true)
}

/// What a user answers to the question for a second factor.
package enum SecondFactorAnswer: Sendable {
    /// A code as it was typed.
    case code(String)
    /// The WebAuthn assertion.
    case credential(JSONValue)
}

/// A factor that a user has used: the proof for a session with a second factor. Only `SecondFactorService` makes it.
package struct VerifiedSecondFactor: Sendable, Equatable {
    package let uid: String
    package let factor: String
    package let type: FactorType

    init(uid: String, factor: String, type: FactorType) {
        self.uid = uid
        self.factor = factor
        self.type = type
    }

    /// Values for the session's `amr` (RFC 8176), besides those of the first factor.
    package var amr: [String] {
        switch type {
        case .totp: ["mfa", "otp"]
        case .phone: ["mfa", "sms"]
        // Whether the key is in hardware is not attested.
        case .webauthn: ["mfa", "pop"]
        case .recovery: ["mfa"]
        }
    }
}

/// Second factors over `AccountService`: seals secrets, checks answers under the limits, and uses factors up.
///
/// Sends nothing: the caller sends the messages. `now`: Unix milliseconds.
package struct SecondFactorService: Sendable {
    package let accounts: AccountService
    package let policy: SecondFactorPolicy
    package let relyingParty: RelyingParty
    /// Of `accounts.keys`.
    let ring: SealingKeyRing
    /// Seals what browsers keep for the relying party.
    package let browserSeal: BrowserSeal
    /// Keys the digests of attempts.
    let attemptKey: [UInt8]
    /// The most text messages in 24 hours, of all users.
    let messagesPerDay: Int
    let random: @Sendable (Int) -> [UInt8]

    package init(
        accounts: AccountService, policy: SecondFactorPolicy, relyingParty: RelyingParty, ring: SealingKeyRing, attemptKey: [UInt8],
        messagesPerDay: Int = 1_000, random: @escaping @Sendable (Int) -> [UInt8] = SecureRandom.bytes
    ) {
        self.accounts = accounts
        self.policy = policy
        self.relyingParty = relyingParty
        self.ring = ring
        browserSeal = BrowserSeal(ring: ring, site: relyingParty.origin)
        self.attemptKey = attemptKey
        self.messagesPerDay = messagesPerDay
        self.random = random
    }

    // MARK: The question

    /// What a client may know about a factor.
    package func hints(_ factors: [Factor], uid: String) -> [FactorHint] {
        factors.map { factor in
            FactorHint(
                id: factor.id, type: factor.type, displayName: factor.displayName, phone: phone(of: factor, uid: uid)?.masked,
                enrolledAt: factor.enrolledAt)
        }
    }

    /// What `POST /second-factor/start` does with a factor.
    package enum Start: Sendable {
        /// The user types a code that needs no start.
        case code
        /// Send the code.
        case message(CountedMessage, MessageCode)
        case assertion(CredentialRequestOptions)
    }

    /// `client`: the client's network, which a text message counts for.
    package func start(
        _ factorID: String, _ pending: PendingSecondFactor, from client: String, now: Int64
    ) async throws(AccountError) -> Start {
        let factor = try await factor(factorID, pending, now: now)
        switch factor.type {
        case .totp, .recovery: return .code
        case .webauthn:
            guard let credential = factor.credential else { throw AccountError(.multiFactorInfoNotFound) }
            return .assertion(
                CredentialRequestOptions(
                    relyingParty, challenge: pending.ceremony.webAuthnChallenge(factor.id), verification: policy.verification,
                    allowed: [credential]))
        case .phone:
            guard let number = phone(of: factor, uid: pending.uid) else { throw Self.unreadable }
            let message = try await count(to: number, of: pending.uid, from: client, for: .use, now: now)
            return .message(message, try await issue(message, pending.ceremony, subject: factor.id, uid: pending.uid, now: now))
        }
    }

    /// A new code for a message; the earlier one of the same ceremony and subject ends.
    func issue(
        _ message: CountedMessage, _ secret: CeremonySecret, subject: String, uid: String, now: Int64
    ) async throws(AccountError) -> MessageCode {
        let code = MessageCode(random)
        guard let digest = MessageCode.digest(code.text, secret: secret.bytes, subject: subject) else { throw Self.unreadable }
        let record = MessageCodeRecord(
            challenge: MessageCode.challenge(secret: secret.bytes, subject: subject), uid: uid, code: digest,
            expiresAt: now + MessageCode.lifetime)
        try await accounts.issueMessageCode(record)
        return code
    }

    // MARK: The answer

    /// Checks the answer, uses the factor up, and completes the pending sign-in: in one transaction, so that it makes one session.
    package func verify(
        _ answer: SecondFactorAnswer, factor factorID: String, _ pending: PendingSecondFactor, now: Int64
    ) async throws(SecondFactorRefusal) -> VerifiedSecondFactor {
        let factor: Factor
        do throws(AccountError) {
            factor = try await self.factor(factorID, pending, now: now)
        } catch {
            throw SecondFactorRefusal(error, endsPending: error.code == .codeExpired || error.code == .userDisabled)
        }
        let attempt = FactorAttempt(
            uid: pending.uid, pending: pending.ceremony.subject, isCode: factor.type != .webauthn, key: attemptKey)
        return try await counted(attempt, lifetime: PendingSecondFactor.lifetime, now: now) { () throws(AccountError) in
            let kind = try use(answer, factor, pending, now: now)
            try await accounts.use(
                FactorUse(uid: pending.uid, factor: factor.id, kind: kind, once: pending.mark, revision: pending.revision), now: now)
            return VerifiedSecondFactor(uid: pending.uid, factor: factor.id, type: factor.type)
        }
    }

    /// Runs a check under the limits: counted before, and withdrawn if it succeeds or nothing was checked.
    func counted<Value>(
        _ attempt: FactorAttempt, lifetime: Int64, now: Int64, _ check: () async throws(AccountError) -> Value
    ) async throws(SecondFactorRefusal) -> Value {
        let counted: CountedFactorAttempt
        do throws(AccountError) {
            switch try await accounts.count(attempt, lifetime: lifetime, now: now) {
            case .pendingEnded: throw SecondFactorRefusal.pendingEnded.error
            case .codesClosed(let retryAfter): throw AccountError(.tooManyRequests, retryAfter: retryAfter)
            case .counted(let value): counted = value
            }
        } catch {
            throw error == SecondFactorRefusal.pendingEnded.error ? .pendingEnded : SecondFactorRefusal(error)
        }
        do throws(AccountError) {
            let value = try await check()
            // The answer is used up: a limit that counts one too many is better than a user who is refused.
            try? await accounts.withdraw(counted, now: now)
            return value
        } catch {
            switch error.code {
            case .invalidVerificationCode: throw SecondFactorRefusal(error, endsPending: counted.remaining == 0)
            // Without a reason, a message code has expired, and another can be sent; with one, the sign-in has.
            case .codeExpired: throw SecondFactorRefusal(error, endsPending: error.reason != nil || counted.remaining == 0)
            default:
                // Nothing was compared.
                try? await accounts.withdraw(counted, now: now)
                throw SecondFactorRefusal(error)
            }
        }
    }

    private func use(
        _ answer: SecondFactorAnswer, _ factor: Factor, _ pending: PendingSecondFactor, now: Int64
    ) throws(AccountError) -> FactorUse.Kind {
        let wrong = AccountError(.invalidVerificationCode)
        switch (factor.type, answer) {
        case (.totp, .code(let code)):
            guard let secret = totpSecret(of: factor, uid: pending.uid) else { throw Self.unreadable }
            guard let step = TOTP.acceptedStep(code, secret, after: factor.lastStep, now: now) else { throw wrong }
            return .totp(step: step)
        case (.recovery, .code(let code)):
            guard let code = RecoveryCode(code) else { throw wrong }
            return .recovery(digest: code.digest(uid: pending.uid))
        case (.phone, .code(let code)):
            guard let digest = MessageCode.digest(code, secret: pending.secret, subject: factor.id) else { throw wrong }
            return .message(challenge: MessageCode.challenge(secret: pending.secret, subject: factor.id), code: digest)
        case (.webauthn, .credential(let json)):
            guard let credential = factor.credential else { throw AccountError(.multiFactorInfoNotFound) }
            do throws(WebAuthnError) {
                let response = try AuthenticationResponse(json)
                let counter = try WebAuthnAssertion.verify(
                    response, credential: credential, uid: pending.uid, challenge: pending.ceremony.webAuthnChallenge(factor.id),
                    relyingParty, policy.verification)
                return .webauthn(counter: counter)
            } catch {
                throw AccountError(.invalidVerificationCode, reason: error.reason)
            }
        default: throw AccountError(.invalidVerificationCode, reason: "the answer is not of the factor's type")
        }
    }

    /// The account that a pending sign-in waits for, as it was when the first factor was proven. Every operation of a pending sign-in begins
    /// with it, whatever it asks for.
    ///
    /// Refused: a pending sign-in that has expired, a disabled account, and an account that has changed since. A sign-in that had to enrol
    /// must not stand in for the factor that the account has now.
    package func account(of pending: PendingSecondFactor, now: Int64) async throws(AccountError) -> AccountFactors {
        guard now < pending.expiresAt else { throw AccountError(.codeExpired, reason: "the pending sign-in has expired") }
        guard let facts = try await accounts.factors(pending.uid) else { throw AccountError(.multiFactorInfoNotFound) }
        guard !facts.account.isDisabled else { throw AccountError(.userDisabled) }
        guard facts.account.revision == pending.revision else {
            throw AccountError(.codeExpired, reason: "the account has changed since the first factor")
        }
        return facts
    }

    private func factor(_ id: String, _ pending: PendingSecondFactor, now: Int64) async throws(AccountError) -> Factor {
        let account = try await account(of: pending, now: now)
        guard pending.task == .verify, let factor = policy.usable(account).first(where: { $0.id == id }) else {
            throw AccountError(.multiFactorInfoNotFound)
        }
        return factor
    }

    // MARK: Sealed secrets

    static let unreadable = AccountError(.storeUnavailable, reason: "a factor's secret cannot be opened with accounts.keys")

    private func binding(_ factor: String, _ uid: String) -> [UInt8] { Array("gateway factor secret v1\0\(uid)\0\(factor)".utf8) }

    func seal(_ secret: [UInt8], factor: String, uid: String) -> [UInt8] {
        ring.seal(secret, associatedData: binding(factor, uid))
    }

    func secret(of factor: Factor, uid: String) -> [UInt8]? {
        factor.sealedSecret.flatMap { ring.open($0, associatedData: binding(factor.id, uid)) }
    }

    func totpSecret(of factor: Factor, uid: String) -> TOTPSecret? {
        factor.type == .totp ? secret(of: factor, uid: uid).map(TOTPSecret.init(bytes:)) : nil
    }

    func phone(of factor: Factor, uid: String) -> PhoneNumber? {
        guard factor.type == .phone, let bytes = secret(of: factor, uid: uid) else { return nil }
        return PhoneNumber(String(decoding: bytes, as: UTF8.self))
    }

    /// Seals the secrets of an account's factors with the first of today's keys. Returns how many could not be opened with any key.
    package func reseal(uid: String) async throws(AccountError) -> Int {
        var unreadable = 0
        for factor in try await accounts.factors(uid)?.factors ?? [] where factor.sealedSecret != nil {
            guard let secret = secret(of: factor, uid: uid) else {
                unreadable += 1
                continue
            }
            _ = try await accounts.reseal(factor, uid: uid, as: seal(secret, factor: factor.id, uid: uid))
        }
        return unreadable
    }
}
