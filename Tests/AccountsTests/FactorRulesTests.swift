import Testing

@testable import Accounts

@Suite("Who may have second factors")
struct FactorRulesTests {
    private func factors(_ types: [FactorType] = [], _ change: (inout Account) -> Void = { _ in }) -> AccountFactors {
        var account = Example.account()
        change(&account)
        let factors = types.enumerated().map { Factor(id: "\($0)", type: $1, enrolledAt: 0) }
        return AccountFactors(account: account, factors: factors)
    }

    private func code(_ type: FactorType, _ facts: AccountFactors?, _ authority: EnrolmentAuthority) -> AccountErrorCode? {
        do throws(AccountError) {
            _ = try Example.rules().mayEnrol(type, facts, by: authority)
            return nil
        } catch {
            return error.code
        }
    }

    private let recent = EnrolmentAuthority.session(.oldest)
    private let old = EnrolmentAuthority.session(.old)
    private let bare = EnrolmentAuthority.session(SessionProof(authTime: Example.now))

    @Test func `an enrolment needs a recent sign-in at its start`() {
        #expect(code(.totp, factors(), recent) == nil)
        #expect(code(.totp, factors(), old) == .requiresRecentLogin)
        #expect(code(.totp, factors(), .begun) == nil)
        #expect(code(.totp, factors(), .operator) == nil)
    }

    @Test func `while there are factors, a session adds and removes none without having shown one`() throws {
        #expect(code(.totp, factors(), bare) == nil)
        for type in [FactorType.totp, .recovery, .webauthn, .phone] {
            #expect(code(type, factors([.totp]), bare) == .multiFactorAuthRequired)
            #expect(code(type, factors([.totp]), old) == .requiresRecentLogin)
            #expect(code(type, factors([.totp]), recent) == nil)
        }
        #expect {
            try Example.rules().removeFactor("0", factors([.totp]), by: SessionProof(authTime: Example.now))
        } throws: {
            ($0 as? AccountError)?.code == .multiFactorAuthRequired
        }
        let off = AccountRules(policy: AccountPolicy(countsFactors: false), now: Example.now)
        #expect(throws: Never.self) { try off.removeFactor("0", factors([.totp]), by: SessionProof(authTime: Example.now)) }
    }

    @Test func `the first factor ends the sessions and the mails, and another one does not`() throws {
        func changes(_ types: [FactorType]) throws -> AccountChanges {
            try Example.rules().enrol(
                Factor(id: "new", type: .webauthn, enrolledAt: 1), recoveryCodes: [], factors(types), by: .begun, once: nil
            ).changes
        }
        #expect(try changes([]).endings == [SessionEnding(uid: "holder", before: Example.now)])
        #expect(try changes([]).cancelledTokens == [.all(uid: "holder")])
        #expect(try changes([.totp]).endings == [] && changes([.totp]).cancelledTokens == [])
    }

    @Test func `an enrolment needs a verified address, unless an operator makes it`() {
        for facts in [factors { $0.verification = nil }, factors { ($0.email, $0.verification) = (nil, nil) }] {
            #expect(code(.totp, facts, recent) == .unverifiedEmail)
            #expect(code(.totp, facts, .begun) == .unverifiedEmail)
            #expect(code(.totp, facts, .operator) == nil)
        }
    }

    @Test func `anonymous, disabled and missing accounts enrol nothing`() {
        for authority in [recent, .begun, .operator] {
            #expect(code(.totp, factors { $0.isAnonymous = true }, authority) == .unsupportedFirstFactor)
            #expect(code(.totp, nil, authority) == .invalidCredential)
        }
        #expect(code(.totp, factors { $0.isDisabled = true }, recent) == .userDisabled)
        #expect(code(.totp, factors { $0.isDisabled = true }, .begun) == .userDisabled)
    }

    @Test func `five factors are the most, and recovery codes are not counted`() {
        let five: [FactorType] = [.totp, .webauthn, .phone, .webauthn, .totp]
        #expect(code(.webauthn, factors(Array(five.dropLast())), recent) == nil)
        #expect(code(.webauthn, factors(five.dropLast() + [.recovery]), recent) == nil)
        #expect(code(.webauthn, factors(five), recent) == .maximumSecondFactorCountExceeded)
        #expect(code(.webauthn, factors(five), .operator) == .maximumSecondFactorCountExceeded)
        #expect(code(.recovery, factors(five), recent) == nil)
    }

    @Test func `recovery codes need another factor, and replace the old ones`() throws {
        #expect(code(.recovery, factors(), recent) == .multiFactorInfoNotFound)
        #expect(code(.recovery, factors([.recovery]), recent) == .multiFactorInfoNotFound)
        let new = Factor(id: "new", type: .recovery, enrolledAt: 1)
        let plan = try Example.rules().enrol(new, recoveryCodes: [[1]], factors([.totp, .recovery]), by: recent, once: nil)
        #expect(plan.changes.factors == [.remove(id: "1", uid: "holder"), .insert(new, uid: "holder", recoveryCodes: [[1]])])
        #expect(plan.account.revision == 8)
    }

    @Test func `the last other factor takes the recovery codes with it`() throws {
        let two = factors([.totp, .webauthn, .recovery])
        #expect(try Example.rules().removeFactor("0", two, by: .recent).changes.factors == [.remove(id: "0", uid: "holder")])
        let one = factors([.totp, .recovery])
        #expect(try Example.rules().removeFactor("0", one, by: .recent).changes.factors == [.removeAll(uid: "holder")])
        #expect(try Example.rules().removeFactor("1", one, by: .recent).changes.factors == [.remove(id: "1", uid: "holder")])
    }

    @Test func `a removal needs a recent sign-in, and the factor`() {
        let facts = factors([.totp])
        #expect(throws: AccountError(.requiresRecentLogin)) {
            try Example.rules().removeFactor("0", facts, by: .old)
        }
        #expect(throws: AccountError(.multiFactorInfoNotFound)) { try Example.rules().removeFactor("x", facts, by: .recent) }
        #expect(throws: Never.self) { try Example.rules().removeFactor("0", facts, by: nil) }
    }

    @Test func `a reset removes everything and ends the sessions`() throws {
        let plan = try Example.rules().resetFactors(factors([.totp]))
        #expect(plan.changes.factors == [.removeAll(uid: "holder")])
        #expect(plan.changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
    }

    @Test(
        "an account with second factors is neither taken over nor linked by a provider's word",
        arguments: [AccountPolicy.Linking.verifiedEmail, .trustedDomains],
        [nil, EmailVerification.mail, .provider("x", runsMailbox: false)])
    func word(linking: AccountPolicy.Linking, verification: EmailVerification?) {
        let identity = Example.identity("google.com", email: "ada@gmail.com")
        var holder = Example.account(email: "ada@gmail.com", verification: verification, hasPassword: true)
        func decide(countsFactors: Bool = true) -> SignInDecision {
            let policy = AccountPolicy(linking: linking, countsFactors: countsFactors)
            return AccountRules(policy: policy, now: Example.now).signIn(identity, AccountFacts(holders: [holder]), Example.fresh)
        }
        #expect(decide().planned != nil)
        holder.hasFactors = true
        #expect(decide().conflict?.pending.uid == "holder" && decide().conflict?.providers == ["password"])
        #expect(decide(countsFactors: false).planned != nil, "factors that are off protect nothing")
    }

    @Test func `a take-over removes factors that are off, and a reset of the password removes none`() throws {
        let holder = Example.account(verification: nil, hasPassword: true)
        let plan = Example.rules(.verifiedEmail).signIn(Example.identity(), AccountFacts(holders: [holder]), Example.fresh).planned
        #expect(plan?.kind == .takeOver && plan?.changes.factors == [.removeAll(uid: "holder")])
        let link = Example.rules(.verifiedEmail).signIn(Example.identity(), AccountFacts(holders: [Example.account()]), Example.fresh)
            .planned
        #expect(link?.kind == .link && link?.changes.factors == [])
        for verification in [nil, EmailVerification.mail] {
            let account = Example.account(verification: verification, hasPassword: true)
            let facts = AccountFacts(account: account, token: Example.token(.reset))
            #expect(try Example.rules().resetPassword(Example.hash, facts).changes.factors == [])
        }
    }

    @Test(
        "the statuses of the contract",
        arguments: [
            (AccountErrorCode.multiFactorAuthRequired, "auth/multi-factor-auth-required", 401),
            (.invalidVerificationCode, "auth/invalid-verification-code", 400), (.codeExpired, "auth/code-expired", 400),
            (.tooManyRequests, "auth/too-many-requests", 429), (.secondFactorAlreadyInUse, "auth/second-factor-already-in-use", 409),
            (.maximumSecondFactorCountExceeded, "auth/maximum-second-factor-count-exceeded", 409),
            (.multiFactorInfoNotFound, "auth/multi-factor-info-not-found", 404), (.unverifiedEmail, "auth/unverified-email", 403),
            (.unsupportedFirstFactor, "auth/unsupported-first-factor", 403), (.invalidPhoneNumber, "auth/invalid-phone-number", 400),
            (.operationNotAllowed, "auth/operation-not-allowed", 403),
        ])
    func statuses(code: AccountErrorCode, text: String, status: Int) { #expect(code.rawValue == text && code.status == status) }
}
