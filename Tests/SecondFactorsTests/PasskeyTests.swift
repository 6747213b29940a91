import Accounts
import Primitives
import Testing
import TokenCrypto

@testable import SecondFactors

@Suite("A passkey instead of the password")
struct PasskeyTests {
    private let now = Bench.now
    private let authenticator = TestAuthenticator()

    /// An account with a password and the authenticator's passkey.
    private func account(_ bench: Bench, password: Bool = true) async throws -> Account {
        let account = try await bench.account()
        if password {
            let hash = PasswordHash(phc: "$hash")
            _ = try await bench.accounts.setPassword(hash, uid: account.uid, by: nil, keep: nil, now: now)
        }
        _ = try await bench.enrolKey(account, authenticator)
        return account
    }

    private func assertion(_ options: CredentialRequestOptions, uid: String, counter: UInt32 = 2) -> JSONValue {
        authenticator.assert(options.challenge) {
            $0.counter = counter
            $0.responseMembers["userHandle"] = .string(Base64URL.encode(RelyingParty.userHandle(uid: uid)))
        }
    }

    private func reason(_ bench: Bench, _ work: () async throws -> Void) async throws -> String? {
        try await bench.refusal(work)?.error.reason
    }

    @Test func `the options name no user and require verification`() async throws {
        let bench = try Bench()
        let (one, options) = try await bench.service.startPasskey(for: nil, now: now)
        let (two, other) = try await bench.service.startPasskey(for: nil, now: now)
        #expect(options.allowed.isEmpty && options.verification == .required && options.challenge.count == 32)
        #expect(options.challenge != other.challenge && one.mark != two.mark)
    }

    @Test func `a passkey proves the account, once for each start`() async throws {
        let bench = try Bench()
        let account = try await account(bench)
        let (pending, options) = try await bench.service.startPasskey(for: nil, now: now)
        let passkey = try await bench.service.verifyPasskey(assertion(options, uid: account.uid), pending, now: now)
        #expect(passkey.uid == account.uid && passkey.secondFactor.type == .webauthn && passkey.secondFactor.amr == ["mfa", "pop"])
        guard case .proceed(let plan) = try await bench.accounts.decide(passkeySignIn: passkey, now: now) else { throw Bench.Failure() }
        #expect(plan.kind == .signIn && plan.identity.provider == "password" && plan.account.uid == account.uid)
        guard case .signedIn(let outcome) = try await bench.accounts.complete(plan, now: now) else { throw Bench.Failure() }
        #expect(outcome.uid == account.uid)
        let again = try await bench.code {
            _ = try await bench.service.verifyPasskey(assertion(options, uid: account.uid, counter: 3), pending, now: now)
        }
        #expect(again == .codeExpired)
    }

    @Test func `the counter grows over sign-ins and second factors alike`() async throws {
        let bench = try Bench()
        let account = try await account(bench)
        let factor = try #require(try await bench.accounts.factors(account.uid)?.factors.first)
        let waiting = try await bench.pending(account.uid)
        guard case .assertion(let first) = try await bench.service.start(factor.id, waiting, now: now) else { throw Bench.Failure() }
        let answer = SecondFactorAnswer.credential(assertion(first, uid: account.uid, counter: 5))
        _ = try await bench.service.verify(answer, factor: factor.id, waiting, now: now)
        let (pending, options) = try await bench.service.startPasskey(for: nil, now: now)
        for counter in [UInt32(5), 4, 0] {
            let refused = try await bench.refusal {
                _ = try await bench.service.verifyPasskey(assertion(options, uid: account.uid, counter: counter), pending, now: now)
            }
            #expect(refused?.error.code == .invalidCredential && refused?.error.reason == WebAuthnError.counter.reason)
        }
        _ = try await bench.service.verifyPasskey(assertion(options, uid: account.uid, counter: 6), pending, now: now)
    }

    @Test func `what is refused is refused alike, and the log says why`() async throws {
        let bench = try Bench()
        let account = try await account(bench)
        let (pending, options) = try await bench.service.startPasskey(for: nil, now: now)
        let handle = JSONValue.string(Base64URL.encode(RelyingParty.userHandle(uid: account.uid)))
        let faults: [(JSONValue, WebAuthnError)] = [
            (authenticator.assert(options.challenge), .noUserHandle),
            (assertion(options, uid: "eve"), .userHandle),
            (authenticator.assert(options.challenge) { ($0.flags, $0.responseMembers["userHandle"]) = (0x01, handle) }, .userVerification),
            (authenticator.assert([1]) { $0.responseMembers["userHandle"] = handle }, .challenge),
            (
                authenticator.assert(options.challenge) { ($0.credentialID, $0.responseMembers["userHandle"]) = ([1], handle) },
                .unknownCredential
            ),
            (.object([:]), .malformed("the type is not public-key")),
        ]
        for (credential, error) in faults {
            let refused = try await bench.refusal { _ = try await bench.service.verifyPasskey(credential, pending, now: now) }
            #expect(refused?.error.code == .invalidCredential && refused?.error.reason == error.reason)
        }
        _ = try await bench.service.verifyPasskey(assertion(options, uid: account.uid), pending, now: now)
    }

    @Test func `a user who signs in again is identified, and needs no handle`() async throws {
        let bench = try Bench()
        let account = try await account(bench)
        let (pending, options) = try await bench.service.startPasskey(for: account.uid, now: now)
        #expect(options.allowed.map(\.id) == [authenticator.id])
        let passkey = try await bench.service.verifyPasskey(authenticator.assert(options.challenge), pending, now: now)
        guard case .proceed(let plan) = try await bench.accounts.decide(reauthentication: passkey, of: account.uid, now: now) else {
            Issue.record("the passkey of the account was refused")
            return
        }
        #expect(plan.account.uid == account.uid && plan.identity.provider == "password")
        guard case .refuse(let error) = try await bench.accounts.decide(reauthentication: passkey, of: "eve", now: now) else {
            Issue.record("the passkey of another account signed in")
            return
        }
        #expect(error.code == .userMismatch)
        let other = try await bench.account("2")
        #expect(
            try await bench.code { _ = try await bench.service.startPasskey(for: other.uid, now: now) } == .multiFactorInfoNotFound)
    }

    @Test func `accounts without a password, disabled ones and removed passkeys open nothing`() async throws {
        let bench = try Bench()
        let account = try await account(bench, password: false)
        func passkey(_ counter: UInt32) async throws -> VerifiedPasskey {
            let (pending, options) = try await bench.service.startPasskey(for: nil, now: now)
            return try await bench.service.verifyPasskey(assertion(options, uid: account.uid, counter: counter), pending, now: now)
        }
        func refusal(_ passkey: VerifiedPasskey) async throws -> AccountErrorCode? {
            if case .refuse(let error) = try await bench.accounts.decide(passkeySignIn: passkey, now: now) { error.code } else { nil }
        }
        #expect(try await refusal(passkey(2)) == .invalidCredential, "no password that it could replace")
        _ = try await bench.accounts.setPassword(PasswordHash(phc: "$hash"), uid: account.uid, by: nil, keep: nil, now: now)
        let verified = try await passkey(3)
        #expect(try await refusal(verified) == nil)
        _ = try await bench.accounts.disable(uid: account.uid, now: now)
        #expect(try await bench.code { _ = try await passkey(4) } == .userDisabled)
        #expect(try await refusal(verified) == .userDisabled, "disabled between the assertion and the decision")
        _ = try await bench.accounts.enable(uid: account.uid, now: now)
        _ = try await bench.accounts.resetFactors(uid: account.uid, now: now)
        #expect(try await refusal(verified) == .invalidCredential, "removed between the assertion and the decision")
        #expect(try await bench.code { _ = try await passkey(4) } == .invalidCredential)
    }

    @Test(arguments: [
        SecondFactorPolicy(mode: .off), SecondFactorPolicy(mode: .enrolled, types: [.totp, .recovery]),
    ])
    func `without WebAuthn there is no start`(policy: SecondFactorPolicy) async throws {
        let bench = try Bench(policy)
        #expect(try await bench.code { _ = try await bench.service.startPasskey(for: nil, now: now) } == .operationNotAllowed)
    }

    @Test func `a challenge opens in its browser, for five minutes`() {
        let seal = BrowserSeal(ring: Bench.ring, site: "https://app.example")
        let account = Account(uid: "uid", createdAt: 0)
        let pending = PendingPasskey(PasskeyChallenge(), of: account, now: now)
        let sealed = pending.sealed(with: seal, for: .cookie("passkey"))
        func open(_ text: String, _ name: String = "passkey", at time: Int64) -> PendingPasskey? {
            PendingPasskey(text, with: seal, for: .cookie(name), now: time)
        }
        #expect(open(sealed, at: now) == pending && open(sealed, at: now + 299_999) == pending)
        #expect(open(sealed, at: now + 300_000) == nil && open(sealed, "other", at: now) == nil)
        #expect(open(String(sealed.dropLast(2)), at: now) == nil && open("", at: now) == nil)
        let anybody = PendingPasskey(PasskeyChallenge(), of: nil, now: now)
        #expect(open(anybody.sealed(with: seal, for: .cookie("passkey")), at: now) == anybody && anybody.uid.isEmpty)
    }
}
