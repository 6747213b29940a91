import Accounts
import Primitives
import Stores
import TestTools
import Testing
import TokenCrypto

@testable import SecondFactors

struct Proof: IdentityProof {
    let identity: ProviderIdentity
}

/// Requests of one client.
extension SecondFactorService {
    func start(_ factorID: String, _ pending: PendingSecondFactor, now: Int64) async throws(AccountError) -> Start {
        try await start(factorID, pending, from: "192.0.2.1", now: now)
    }

    func startEnrolment(
        _ type: FactorType, displayName: String?, phone: String?, for owner: EnrolmentOwner, now: Int64
    ) async throws(AccountError) -> EnrolmentStart {
        try await startEnrolment(type, displayName: displayName, phone: phone, for: owner, from: "192.0.2.1", now: now)
    }
}

/// A service over a database file of its own.
final class Bench: Sendable {
    static let now: Int64 = 1_800_000_000_000
    static let ring = SealingKeyRing(keys: [[UInt8](repeating: 7, count: 32)], purpose: "accounts")

    private let folder: TemporaryFolder
    let accounts: AccountService
    let service: SecondFactorService

    init(
        _ policy: SecondFactorPolicy = SecondFactorPolicy(mode: .enrolled, types: FactorType.allCases), messagesPerDay: Int = 1_000
    ) throws {
        folder = try TemporaryFolder()
        var options = SQLiteDatabase.Options()
        options.timeLimit = 600_000
        accounts = AccountService(
            store: SQLAccountStore(SQLiteDatabase(path: folder.path + "/a.db", options: options)), policy: AccountPolicy())
        service = SecondFactorService(
            accounts: accounts, policy: policy, relyingParty: TestAuthenticator.relyingParty, ring: Self.ring, attemptKey: [1],
            messagesPerDay: messagesPerDay)
    }

    func account(_ subject: String = "1", verified: Bool = true) async throws -> Account {
        let identity = ProviderIdentity(
            provider: "github.com", issuer: "https://github.com", subject: subject, email: "ada\(subject)@example.com",
            emailVerified: verified, name: "Ada")
        guard case .signedIn(let outcome) = try await accounts.signIn(proof: Proof(identity: identity), now: Self.now) else {
            throw Failure()
        }
        return try #require(outcome.account)
    }

    struct Failure: Error {}

    func owner(_ account: Account, age: Int64 = 0) -> EnrolmentOwner {
        // A session that no enrolment of the test has ended.
        let proof = SessionProof(provider: "password", issuedAt: Self.now + 60_000, authTime: Self.now - age, hasShownFactor: true)
        return .session(uid: account.uid, proof, reference: account.uid)
    }

    func pending(_ uid: String, _ task: WaitingSignIn.Task = .verify) async throws -> PendingSecondFactor {
        let account = try #require(try await accounts.account(uid))
        return PendingSecondFactor(account, task: task, session: [1], now: Self.now)
    }

    /// Enrols an authenticator app with the code of the step before `now`, so that the one of `now` is unused.
    func enrolTOTP(_ account: Account) async throws -> (Factor, TOTPSecret) {
        let start = try await service.startEnrolment(.totp, displayName: "App", phone: nil, for: owner(account), now: Self.now)
        guard case .totp(let enrolment, let secret, let uri) = start else { throw Failure() }
        #expect(uri.contains(secret.text) && uri.hasPrefix("otpauth://totp/Example:ada"))
        let code = try #require(TOTP.code(secret, counter: Self.now / TOTP.step - 1))
        return (try await service.finishEnrolment(enrolment, .code(code), for: owner(account), now: Self.now).factor, secret)
    }

    func enrolPhone(_ account: Account, _ number: String = "+15551231234") async throws -> Factor {
        let start = try await service.startEnrolment(.phone, displayName: nil, phone: number, for: owner(account), now: Self.now)
        guard case .phone(let enrolment, _, let code) = start else { throw Failure() }
        return try await service.finishEnrolment(enrolment, .code(code.text), for: owner(account), now: Self.now).factor
    }

    func enrolKey(_ account: Account, _ authenticator: TestAuthenticator) async throws -> Factor {
        let start = try await service.startEnrolment(.webauthn, displayName: nil, phone: nil, for: owner(account), now: Self.now)
        guard case .webauthn(let enrolment, let options) = start else { throw Failure() }
        let credential = authenticator.register(options.challenge)
        return try await service.finishEnrolment(enrolment, .credential(credential), for: owner(account), now: Self.now).factor
    }

    func refusal(_ work: () async throws -> Void) async throws -> SecondFactorRefusal? {
        do {
            try await work()
            return nil
        } catch let error as SecondFactorRefusal {
            return error
        } catch let error as AccountError {
            return SecondFactorRefusal(error)
        }
    }

    func code(_ work: () async throws -> Void) async throws -> AccountErrorCode? { try await refusal(work)?.error.code }
}

@Suite("Second factors from enrolment to use")
struct SecondFactorServiceTests {
    private let now = Bench.now

    @Test func `an authenticator app: enrolled with its first code, used with the next one, each once`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let (factor, secret) = try await bench.enrolTOTP(account)
        let pending = try await bench.pending(account.uid)
        guard case .code = try await bench.service.start(factor.id, pending, now: now) else { throw Bench.Failure() }
        let old = try #require(TOTP.code(secret, counter: now / TOTP.step - 1))
        let used = try await bench.refusal { _ = try await bench.service.verify(.code(old), factor: factor.id, pending, now: now) }
        #expect(used == SecondFactorRefusal(AccountError(.invalidVerificationCode)), "the enrolment used it")
        let code = try #require(TOTP.code(secret, counter: now / TOTP.step))
        let verified = try await bench.service.verify(.code(code), factor: factor.id, pending, now: now)
        #expect(verified.type == .totp && verified.uid == account.uid && verified.factor == factor.id && verified.amr == ["mfa", "otp"])
        // The same pending sign-in with another code, and the same code with another pending sign-in.
        let next = try #require(TOTP.code(secret, counter: now / TOTP.step + 1))
        let again = try await bench.refusal { _ = try await bench.service.verify(.code(next), factor: factor.id, pending, now: now) }
        #expect(again?.error.code == .codeExpired && again?.endsPending == true)
        let other = try await bench.pending(account.uid)
        #expect(
            try await bench.code { _ = try await bench.service.verify(.code(code), factor: factor.id, other, now: now) }
                == .invalidVerificationCode)
        #expect(try await bench.code { _ = try await bench.service.verify(.code(next), factor: factor.id, other, now: now) } == nil)
    }

    @Test func `a message: sent for one browser, used once, and hidden in hints`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let factor = try await bench.enrolPhone(account)
        let facts = try #require(try await bench.accounts.factors(account.uid))
        let hint = try #require(bench.service.hints(facts.factors, uid: account.uid).first)
        #expect(hint.phone == "+•••••••1234" && hint.type == .phone && hint.id == factor.id)
        #expect(factor.sealedSecret.map { String(decoding: $0, as: UTF8.self).contains("555") } == false)
        let (one, two) = (try await bench.pending(account.uid), try await bench.pending(account.uid))
        guard case .message(let message, let code) = try await bench.service.start(factor.id, one, now: now) else { throw Bench.Failure() }
        #expect(message.number.text == "+15551231234")
        #expect(
            try await bench.code { _ = try await bench.service.verify(.code(code.text), factor: factor.id, two, now: now) } == .codeExpired,
            "another browser's sign-in has no code")
        let late = now + MessageCode.lifetime
        let expired = try await bench.refusal { _ = try await bench.service.verify(.code(code.text), factor: factor.id, one, now: late) }
        #expect(expired == SecondFactorRefusal(AccountError(.codeExpired)), "another code can be sent")
        #expect(try await bench.service.verify(.code(code.text), factor: factor.id, one, now: late - 1).amr == ["mfa", "sms"])
    }

    @Test func `a security key: registered, used, and its counter kept`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let authenticator = TestAuthenticator()
        let factor = try await bench.enrolKey(account, authenticator)
        #expect(factor.credential?.id == authenticator.id && factor.sealedSecret == nil)
        let pending = try await bench.pending(account.uid)
        guard case .assertion(let options) = try await bench.service.start(factor.id, pending, now: now) else { throw Bench.Failure() }
        #expect(options.allowed.map(\.id) == [authenticator.id])
        let wrong = try await bench.refusal {
            _ = try await bench.service.verify(.credential(authenticator.assert([1])), factor: factor.id, pending, now: now)
        }
        #expect(wrong?.error.code == .invalidVerificationCode && wrong?.error.reason == WebAuthnError.challenge.reason)
        let assertion = authenticator.assert(options.challenge)
        let verified = try await bench.service.verify(.credential(assertion), factor: factor.id, pending, now: now)
        #expect(verified.amr == ["mfa", "pop"])
        #expect(try await bench.accounts.factors(account.uid)?.factor(factor.id)?.credential?.counter == 2)
        // The next pending sign-in has another challenge, and needs a greater counter.
        let next = try await bench.pending(account.uid)
        guard case .assertion(let second) = try await bench.service.start(factor.id, next, now: now) else { throw Bench.Failure() }
        #expect(second.challenge != options.challenge)
        #expect(
            try await bench.code { _ = try await bench.service.verify(.credential(assertion), factor: factor.id, next, now: now) }
                == .invalidVerificationCode)
        let copied = try await bench.refusal {
            _ = try await bench.service.verify(.credential(authenticator.assert(second.challenge)), factor: factor.id, next, now: now)
        }
        #expect(copied?.error.reason == WebAuthnError.counter.reason)
    }

    @Test func `recovery codes: ten, beside another factor, each once`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let owner = bench.owner(account)
        #expect(
            try await bench.code {
                _ = try await bench.service.startEnrolment(.recovery, displayName: nil, phone: nil, for: owner, now: now)
            }
                == .multiFactorInfoNotFound)
        _ = try await bench.enrolTOTP(account)
        let start = try await bench.service.startEnrolment(.recovery, displayName: nil, phone: nil, for: owner, now: now)
        guard case .recovery(let codes, let factor) = start else { throw Bench.Failure() }
        #expect(codes.count == 10)
        let pending = try await bench.pending(account.uid)
        let typed = SecondFactorAnswer.code(codes[3].text.lowercased().replacing("-", with: " "))
        #expect(try await bench.service.verify(typed, factor: factor.id, pending, now: now).amr == ["mfa"])
        let next = try await bench.pending(account.uid)
        #expect(
            try await bench.code { _ = try await bench.service.verify(typed, factor: factor.id, next, now: now) }
                == .invalidVerificationCode)
        #expect(try await bench.accounts.factors(account.uid)?.recoveryCodes == 9)
    }

    @Test func `five wrong codes end the pending sign-in, and the right one does not count then`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let (factor, secret) = try await bench.enrolTOTP(account)
        let pending = try await bench.pending(account.uid)
        for index in 1...5 {
            let refused = try await bench.refusal { _ = try await bench.service.verify(.code("x"), factor: factor.id, pending, now: now) }
            #expect(refused?.error.code == .invalidVerificationCode && refused?.endsPending == (index == 5))
        }
        let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step)))
        let refused = try await bench.refusal { _ = try await bench.service.verify(code, factor: factor.id, pending, now: now) }
        #expect(refused?.error.code == .tooManyRequests && refused?.endsPending == true)
        // Five more in another one, and the account's codes are closed, for the right code and in every browser.
        let other = try await bench.pending(account.uid)
        for _ in 1...5 { _ = try await bench.code { _ = try await bench.service.verify(.code("1"), factor: factor.id, other, now: now) } }
        let third = try await bench.pending(account.uid)
        let closed = try await bench.refusal { _ = try await bench.service.verify(code, factor: factor.id, third, now: now) }
        #expect(closed?.error.code == .tooManyRequests && closed?.endsPending == false && closed?.error.retryAfter == 3_600_000)
    }

    @Test func `refused assertions end the pending sign-in, and leave the account's codes open`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let factor = try await bench.enrolKey(account, TestAuthenticator())
        let (app, secret) = try await bench.enrolTOTP(account)
        for _ in 1...3 {
            let pending = try await bench.pending(account.uid)
            for index in 1...5 {
                let refused = try await bench.refusal {
                    _ = try await bench.service.verify(.credential(.null), factor: factor.id, pending, now: now)
                }
                #expect(refused?.error.code == .invalidVerificationCode && refused?.endsPending == (index == 5))
            }
        }
        let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step)))
        let pending = try await bench.pending(account.uid)
        #expect(try await bench.code { _ = try await bench.service.verify(code, factor: app.id, pending, now: now) } == nil)
    }

    @Test func `a change of the account, its disabling and the time end a pending sign-in`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let (factor, secret) = try await bench.enrolTOTP(account)
        let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step)))
        let pending = try await bench.pending(account.uid)
        let late = try await bench.refusal { _ = try await bench.service.verify(code, factor: factor.id, pending, now: now + 600_000) }
        #expect(late?.error.code == .codeExpired && late?.endsPending == true)
        _ = try await bench.accounts.disable(uid: account.uid, now: now)
        let disabled = try await bench.refusal { _ = try await bench.service.verify(code, factor: factor.id, pending, now: now) }
        #expect(disabled?.error.code == .userDisabled && disabled?.endsPending == true)
        #expect(try await bench.code { _ = try await bench.service.start(factor.id, pending, now: now) } == .userDisabled)
        _ = try await bench.accounts.enable(uid: account.uid, now: now)
        let changed = try await bench.refusal { _ = try await bench.service.verify(code, factor: factor.id, pending, now: now) }
        #expect(changed?.error.code == .codeExpired && changed?.endsPending == true)
        let fresh = try await bench.pending(account.uid)
        #expect(try await bench.code { _ = try await bench.service.verify(code, factor: factor.id, fresh, now: now) } == nil)
    }

    @Test func `another account's factor, an unknown one and a type that is not enabled cannot be used`() async throws {
        let bench = try Bench()
        let (account, eve) = (try await bench.account(), try await bench.account("2"))
        let (factor, secret) = try await bench.enrolTOTP(account)
        _ = try await bench.enrolPhone(eve)
        let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step)))
        let pending = try await bench.pending(eve.uid)
        for id in [factor.id, "x", ""] {
            #expect(
                try await bench.code { _ = try await bench.service.verify(code, factor: id, pending, now: now) } == .multiFactorInfoNotFound
            )
        }
        let strict = SecondFactorService(
            accounts: bench.accounts, policy: SecondFactorPolicy(mode: .enrolled, types: [.webauthn]),
            relyingParty: TestAuthenticator.relyingParty, ring: Bench.ring, attemptKey: [1])
        let own = try await bench.pending(account.uid)
        #expect(try await bench.code { _ = try await strict.verify(code, factor: factor.id, own, now: now) } == .multiFactorInfoNotFound)
        #expect(
            try await bench.code {
                _ = try await strict.startEnrolment(.totp, displayName: nil, phone: nil, for: bench.owner(account), now: now)
            } == .operationNotAllowed)
    }

    @Test func `an answer of another kind is wrong`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let (factor, _) = try await bench.enrolTOTP(account)
        let key = try await bench.enrolKey(account, TestAuthenticator())
        let pending = try await bench.pending(account.uid)
        for (answer, id) in [(SecondFactorAnswer.credential(.null), factor.id), (.code("123456"), key.id)] {
            #expect(
                try await bench.code { _ = try await bench.service.verify(answer, factor: id, pending, now: now) }
                    == .invalidVerificationCode)
        }
    }
}

@Suite("Enrolment of second factors")
struct EnrolmentTests {
    private let now = Bench.now

    @Test func `an enrolment needs a recent sign-in, a verified address, and its own user`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        func start(_ owner: EnrolmentOwner) async throws -> AccountErrorCode? {
            try await bench.code { _ = try await bench.service.startEnrolment(.totp, displayName: nil, phone: nil, for: owner, now: now) }
        }
        #expect(try await start(bench.owner(account, age: 300_001)) == .requiresRecentLogin)
        #expect(try await start(bench.owner(account, age: 300_000)) == nil)
        let unverified = try await bench.account("2", verified: false)
        #expect(try await start(bench.owner(unverified)) == .unverifiedEmail)
        let begun = try await bench.service.startEnrolment(.totp, displayName: nil, phone: nil, for: bench.owner(account), now: now)
        guard case .totp(let enrolment, let secret, _) = begun else { throw Bench.Failure() }
        let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step)))
        let eve = try await bench.account("3")
        #expect(
            try await bench.code { _ = try await bench.service.finishEnrolment(enrolment, code, for: bench.owner(eve), now: now) }
                == .codeExpired)
        // It may take ten minutes, longer than a sign-in is recent.
        let late = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: (now + 599_999) / TOTP.step)))
        let enrolled = try await bench.service.finishEnrolment(enrolment, late, for: bench.owner(account), now: now + 599_999)
        #expect(enrolled.verified.type == .totp && enrolled.account.revision == account.revision + 1)
    }

    @Test func `five wrong codes end an enrolment, and codes of an app do not count against the account`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        for _ in 1...3 {
            let begun = try await bench.service.startEnrolment(.totp, displayName: nil, phone: nil, for: bench.owner(account), now: now)
            guard case .totp(let enrolment, let secret, _) = begun else { throw Bench.Failure() }
            for index in 1...5 {
                let refused = try await bench.refusal {
                    _ = try await bench.service.finishEnrolment(enrolment, .code("x"), for: bench.owner(account), now: now)
                }
                #expect(refused?.error.code == .invalidVerificationCode && refused?.endsPending == (index == 5))
            }
            let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step)))
            #expect(
                try await bench.code { _ = try await bench.service.finishEnrolment(enrolment, code, for: bench.owner(account), now: now) }
                    == .tooManyRequests)
        }
        _ = try await bench.enrolTOTP(account)
    }

    @Test func `an enrolment is completed once`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let begun = try await bench.service.startEnrolment(.totp, displayName: nil, phone: nil, for: bench.owner(account), now: now)
        guard case .totp(let enrolment, let secret, _) = begun else { throw Bench.Failure() }
        for (offset, expected) in [(Int64(0), nil), (1, AccountErrorCode.codeExpired)] {
            let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step + offset)))
            #expect(
                try await bench.code { _ = try await bench.service.finishEnrolment(enrolment, code, for: bench.owner(account), now: now) }
                    == expected)
        }
    }

    @Test func `the same number, and the same key, are in use already`() async throws {
        let bench = try Bench()
        let (account, other) = (try await bench.account(), try await bench.account("2"))
        _ = try await bench.enrolPhone(account)
        #expect(try await bench.code { _ = try await bench.enrolPhone(account) } == .secondFactorAlreadyInUse)
        _ = try await bench.enrolPhone(account, "+15551231235")
        _ = try await bench.enrolPhone(other)
        let authenticator = TestAuthenticator()
        _ = try await bench.enrolKey(account, authenticator)
        for owner in [account, other] {
            #expect(try await bench.code { _ = try await bench.enrolKey(owner, authenticator) } == .secondFactorAlreadyInUse)
        }
        #expect(try await bench.code { _ = try await bench.enrolPhone(other, "15551231234") } == .invalidPhoneNumber)
    }

    @Test func `three messages in 15 minutes, those of enrolments counted`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let factor = try await bench.enrolPhone(account)
        let pending = try await bench.pending(account.uid)
        for _ in 1...2 { _ = try await bench.service.start(factor.id, pending, now: now) }
        #expect(try await bench.code { _ = try await bench.service.start(factor.id, pending, now: now) } == .tooManyRequests)
        #expect(try await bench.code { _ = try await bench.enrolPhone(account, "+15551231235") } == .tooManyRequests)
    }

    @Test func `a pending sign-in from before a change of the factors is void for everything`() async throws {
        let bench = try Bench(SecondFactorPolicy(mode: .required, types: FactorType.allCases))
        let account = try await bench.account()
        let enrolling = try await bench.pending(account.uid, .enrol)
        let begun = try await bench.service.startEnrolment(.totp, displayName: nil, phone: nil, for: .pending(enrolling), now: now)
        guard case .totp(let enrolment, let secret, _) = begun else { throw Bench.Failure() }
        let (factor, _) = try await bench.enrolTOTP(account)
        let waiting = try await bench.pending(account.uid)
        _ = try await bench.enrolPhone(account)
        let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step)))
        for type in FactorType.allCases {
            let refusal = try await bench.refusal {
                _ = try await bench.service.startEnrolment(
                    type, displayName: nil, phone: "+15551231236", for: .pending(enrolling), now: now)
            }
            #expect(refusal?.error.code == .codeExpired, "\(type)")
        }
        let finished = try await bench.refusal {
            _ = try await bench.service.finishEnrolment(enrolment, code, for: .pending(enrolling), now: now)
        }
        #expect(finished?.error.code == .codeExpired && finished?.endsPending == true)
        for pending in [enrolling, waiting] {
            #expect(try await bench.code { _ = try await bench.service.account(of: pending, now: now) } == .codeExpired)
            #expect(try await bench.code { _ = try await bench.service.start(factor.id, pending, now: now) } == .codeExpired)
            let verified = try await bench.refusal { _ = try await bench.service.verify(code, factor: factor.id, pending, now: now) }
            #expect(verified?.error.code == .codeExpired && verified?.endsPending == true)
        }
        #expect(try await bench.accounts.factors(account.uid)?.factors.map(\.type) == [.totp, .phone])
    }

    @Test func `a required factor: a pending sign-in enrols one, is completed by it, and by nothing else`() async throws {
        let bench = try Bench(SecondFactorPolicy(mode: .required, types: FactorType.allCases))
        let account = try await bench.account()
        let pending = try await bench.pending(account.uid, .enrol)
        func start(_ pending: PendingSecondFactor, _ now: Int64) async throws -> (String, TOTPSecret) {
            let begun = try await bench.service.startEnrolment(.totp, displayName: nil, phone: nil, for: .pending(pending), now: now)
            guard case .totp(let enrolment, let secret, _) = begun else { throw Bench.Failure() }
            return (enrolment, secret)
        }
        let (first, second) = (try await start(pending, now), try await start(pending, now))
        #expect(try await bench.code { _ = try await start(pending, now + 600_000) } == .codeExpired)
        let code = { (secret: TOTPSecret) in SecondFactorAnswer.code(TOTP.code(secret, counter: Bench.now / TOTP.step) ?? "") }
        let enrolled = try await bench.service.finishEnrolment(first.0, code(first.1), for: .pending(pending), now: now)
        #expect(enrolled.verified.uid == account.uid)
        let again = try await bench.refusal {
            _ = try await bench.service.finishEnrolment(second.0, code(second.1), for: .pending(pending), now: now)
        }
        #expect(again?.error.code == .codeExpired && again?.endsPending == true, "it was completed")
        // A sign-in that waits for the factor enrols no other, and one that waits for an enrolment verifies none.
        let waiting = try await bench.pending(account.uid)
        #expect(try await bench.code { _ = try await start(waiting, now) } == .multiFactorAuthRequired)
        #expect(
            try await bench.code { _ = try await bench.service.finishEnrolment(second.0, code(second.1), for: .pending(waiting), now: now) }
                == .codeExpired, "it was begun with another sign-in")
        let enrolling = try await bench.pending(account.uid, .enrol)
        #expect(
            try await bench.code { _ = try await bench.service.verify(code(first.1), factor: enrolled.factor.id, enrolling, now: now) }
                == .multiFactorInfoNotFound)
    }

    @Test func `secrets are sealed for their account and factor, and anew after a rotation of the keys`() async throws {
        let bench = try Bench()
        let account = try await bench.account()
        let (factor, secret) = try await bench.enrolTOTP(account)
        let phone = try await bench.enrolPhone(account)
        #expect(bench.service.totpSecret(of: factor, uid: "eve") == nil)
        func service(_ keys: [[UInt8]]) -> SecondFactorService {
            SecondFactorService(
                accounts: bench.accounts, policy: bench.service.policy, relyingParty: TestAuthenticator.relyingParty,
                ring: SealingKeyRing(keys: keys, purpose: "accounts"), attemptKey: [1])
        }
        let (old, new) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
        let lost = service([new])
        #expect(try await lost.reseal(uid: account.uid) == 2)
        let pending = try await bench.pending(account.uid)
        #expect(
            try await bench.code { _ = try await lost.verify(.code("123456"), factor: factor.id, pending, now: now) } == .storeUnavailable)
        #expect(try await service([new, old]).reseal(uid: account.uid) == 0)
        let facts = try #require(try await bench.accounts.factors(account.uid))
        #expect(lost.totpSecret(of: try #require(facts.factor(factor.id)), uid: account.uid) == secret)
        #expect(lost.phone(of: try #require(facts.factor(phone.id)), uid: account.uid)?.text == "+15551231234")
    }

    @Test func `factors are exported in clear and imported under another key`() async throws {
        let (bench, other) = (try Bench(), try Bench())
        let secret = TOTP.secret()
        let documents = [
            FactorDocument(
                factor: Factor(id: "app", type: .totp, displayName: "Old app", enrolledAt: 5, lastStep: 7), secret: secret.bytes),
            FactorDocument(factor: Factor(id: "phone", type: .phone, enrolledAt: 6), secret: Array("+15551231234".utf8)),
            FactorDocument(factor: Factor(id: "codes", type: .recovery, enrolledAt: 8), recoveryCodes: [Array(repeating: 9, count: 32)]),
        ]
        let record = AccountRecord(account: Account(uid: "ada", createdAt: 1), passwordHash: nil, factors: documents)
        for target in [bench, other] {
            let service = target.service
            let results = try await target.accounts.import([record]) { document, uid throws(AccountError) in
                try service.imported(document, uid: uid)
            }
            #expect(results == [.success(.created(record.account))])
            #expect(try await service.exported(uid: "ada") == documents)
            let facts = try #require(try await target.accounts.factors("ada"))
            #expect(facts.factors.allSatisfy { $0.sealedSecret != Array("+15551231234".utf8) && $0.sealedSecret != secret.bytes })
            #expect(facts.recoveryCodes == 1)
        }
        let code = SecondFactorAnswer.code(try #require(TOTP.code(secret, counter: now / TOTP.step)))
        let pending = try await bench.pending("ada")
        #expect(try await bench.code { _ = try await bench.service.verify(code, factor: "app", pending, now: now) } == nil)
        #expect(!"\(documents)".contains("5551231234"), "a document is no text for a log")
    }

    @Test(arguments: [
        FactorDocument(factor: Factor(id: "a", type: .totp, enrolledAt: 1)),
        FactorDocument(factor: Factor(id: "a", type: .totp, enrolledAt: 1), secret: [1]),
        FactorDocument(factor: Factor(id: "a", type: .phone, enrolledAt: 1), secret: Array("5551231234".utf8)),
        FactorDocument(factor: Factor(id: "a", type: .webauthn, enrolledAt: 1)),
        FactorDocument(
            factor: Factor(
                id: "a", type: .webauthn, enrolledAt: 1, credential: FactorCredential(id: [1], publicKey: [0xA0], counter: 0))),
    ])
    func `a factor that could never be used is not imported`(document: FactorDocument) async throws {
        let bench = try Bench()
        let record = AccountRecord(account: Account(uid: "ada", createdAt: 1), passwordHash: nil, factors: [document])
        let service = bench.service
        let results = try await bench.accounts.import([record]) { document, uid throws(AccountError) in
            try service.imported(document, uid: uid)
        }
        #expect(throws: AccountError.self) { try results[0].get() }
        #expect(try await bench.accounts.factors("ada") == nil, "the account would be open with one factor")
    }
}
