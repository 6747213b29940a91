import Testing

@testable import Accounts

@Suite("Passwords and addresses")
struct PasswordRulesTests {
    private let rules = Example.rules()
    private let shared = Example.rules(onePerEmail: false)
    private let email = EmailAddress("ada@example.com")!

    private func signUp(_ rules: AccountRules, _ facts: AccountFacts = AccountFacts(), upgrades: Bool = false) throws -> AccountRules.Plan?
    {
        try rules.signUp(email, name: nil, Example.hash, upgrades: upgrades, facts, Example.fresh)
    }

    // MARK: Sign-up

    @Test func `a registration makes an account with an unverified address`() throws {
        let plan = try #require(try signUp(rules))
        #expect(plan.account.uid == "fresh" && plan.account.hasPassword && !plan.account.emailVerified && plan.account.lastSignInAt == nil)
        #expect(plan.changes.accounts == [.insert(plan.account, Example.hash)])
    }

    @Test func `an address that an account has: nothing happens`() throws {
        #expect(try signUp(rules, AccountFacts(holders: [Example.account(verification: nil)])) == nil)
        #expect(
            try signUp(shared, AccountFacts(holders: [Example.account(hasPassword: true)])) == nil, "one password for an address, always")
        #expect(try signUp(shared, AccountFacts(holders: [Example.account()])) != nil)
    }

    @Test func `sign-up is closed: refused, whether or not the address is known`() {
        let closed = Example.rules(signUp: .closed)
        #expect(throws: AccountError(.adminRestrictedOperation)) { try signUp(closed) }
        #expect(throws: AccountError(.adminRestrictedOperation)) { try signUp(closed, AccountFacts(holders: [Example.account()])) }
    }

    @Test func `an anonymous account that registers stays as it is, and will keep its uid`() throws {
        let anonymous = Example.account("anon", email: nil, verification: nil, isAnonymous: true)
        let plan = try #require(try signUp(rules, AccountFacts(account: anonymous), upgrades: true))
        #expect(plan.account.uid == "anon" && !plan.account.isAnonymous && plan.account.hasPassword && plan.account.email == email)
        #expect(plan.changes.accounts.isEmpty, "nothing changes before the mail is confirmed")
        #expect(try signUp(rules, AccountFacts(account: anonymous, holders: [Example.account()]), upgrades: true) == nil)
        #expect(throws: AccountError.self) { try signUp(rules, AccountFacts(account: Example.account()), upgrades: true) }
    }

    // MARK: Sign-in with a password

    private func verified(_ account: Account, renewed: PasswordHash? = nil) async -> VerifiedPassword {
        await PasswordCandidate(account: account, hash: Example.hash).verified { _ in PasswordMatch(renewed: renewed) }!
    }

    @Test func `a password that matched signs in, and is hashed anew where asked`() async throws {
        let account = Example.account(hasPassword: true)
        let record = AccountRecord(account: account, passwordHash: Example.hash)
        let planned = rules.signIn(await verified(account), record).planned
        #expect(planned?.changes.accounts == [.touch(uid: "holder", revision: 7, at: Example.now)])
        #expect(
            planned?.identity.provider == "password" && planned?.identity.email == "ada@example.com"
                && planned?.identity.subject == "holder")
        let renewed = PasswordHash(phc: "$x$2")
        guard
            case .save(_, _, .set(renewed))? = rules.signIn(await verified(account, renewed: renewed), record).planned?.changes.accounts
                .first
        else {
            Issue.record("the new hash is not stored")
            return
        }
    }

    @Test func `a password that does not match proves nothing`() async {
        let candidate = PasswordCandidate(account: Example.account(hasPassword: true), hash: Example.hash)
        #expect(await candidate.verified { _ in nil } == nil)
    }

    @Test func `a password that was changed while it was compared does not sign in`() async {
        let account = Example.account(hasPassword: true)
        let password = await verified(account)
        let changed = AccountRecord(account: account, passwordHash: PasswordHash(phc: "$x$other"))
        #expect(rules.signIn(password, changed).error?.code == .invalidCredential)
        #expect(rules.signIn(password, nil).error?.code == .invalidCredential)
        let disabled = AccountRecord(account: Example.account(hasPassword: true, isDisabled: true), passwordHash: Example.hash)
        #expect(rules.signIn(password, disabled).error?.code == .userDisabled)
    }

    @Test func `re-authentication with another account's password: user-mismatch`() async {
        let account = Example.account(hasPassword: true)
        let password = await verified(account)
        let record = AccountRecord(account: account, passwordHash: Example.hash)
        let decision = rules.signIn(password, record)
        #expect(decision.only(for: "other", .password(password)).error == AccountError(.userMismatch))
        #expect(decision.only(for: "holder", .password(password)).planned?.kind == .signIn)
    }

    // MARK: Change of the password

    @Test func `a new password ends the other sessions and cancels mails`() throws {
        let plan = try rules.setPassword(Example.hash, AccountFacts(account: Example.account()), by: .recent, keep: "session")
        #expect(plan.account.hasPassword)
        #expect(plan.changes.endings == [SessionEnding(uid: "holder", before: Example.now, keep: "session")])
        #expect(plan.changes.cancelledTokens == [.all(uid: "holder")])
    }

    @Test(
        "the user of an unproven account cancels no mail to its address, and an operator does",
        arguments: [
            (nil, AccountPolicy.Linking.confirm, false), (.mail, .confirm, true), (.operation, .confirm, true),
            (.provider("github.com", runsMailbox: false), .confirm, true),
            (.provider("github.com", runsMailbox: false), .trustedDomains, false),
            (.provider("google.com", runsMailbox: true), .trustedDomains, true),
        ] as [(EmailVerification?, AccountPolicy.Linking, Bool)])
    func cancellation(verification: EmailVerification?, linking: AccountPolicy.Linking, all: Bool) throws {
        let rules = Example.rules(linking)
        let account = Example.account(verification: verification, identities: [Example.identity()], hasPassword: true)
        let expected: CancelledTokens = all ? .all(uid: "holder") : .allButOwners(uid: "holder")
        func enrolled(_ authority: EnrolmentAuthority) throws -> [CancelledTokens] {
            try rules.enrol(
                Factor(id: "new", type: .webauthn, enrolledAt: 1), recoveryCodes: [], AccountFactors(account: account, factors: []),
                by: authority, once: nil
            ).changes.cancelledTokens
        }
        let facts = AccountFacts(account: account)
        #expect(try rules.setPassword(Example.hash, facts, by: .recent, keep: nil).changes.cancelledTokens == [expected])
        #expect(try rules.unlink("password", account, by: .recent).changes.cancelledTokens == [expected])
        if verification != nil {
            #expect(try enrolled(.begun) == [expected] && enrolled(.session(.recent)) == [expected])
        }
        let everything: [CancelledTokens] = [.all(uid: "holder")]
        #expect(try rules.setPassword(Example.hash, facts, by: nil, keep: nil).changes.cancelledTokens == everything)
        #expect(try rules.unlink("password", account, by: nil).changes.cancelledTokens == everything)
        #expect(try enrolled(.operator) == everything)
        #expect(try rules.setDisabled(true, account).changes.cancelledTokens == everything)
    }

    @Test func `a new password needs a recent sign-in and an address`() {
        let old = Example.now - 300_001
        #expect(throws: AccountError(.requiresRecentLogin)) {
            try rules.setPassword(Example.hash, AccountFacts(account: Example.account()), by: SessionProof(authTime: old), keep: nil)
        }
        let without = AccountFacts(account: Example.account(email: nil))
        #expect { try rules.setPassword(Example.hash, without, by: .recent, keep: nil) } throws: {
            ($0 as? AccountError)?.code == .unverifiedEmail
        }
    }

    @Test func `one password for an address, also where accounts share addresses`() {
        let facts = AccountFacts(account: Example.account(), holders: [Example.account("other", hasPassword: true)])
        #expect(throws: AccountError(.emailAlreadyInUse)) { try shared.setPassword(Example.hash, facts, by: .recent, keep: nil) }
    }

    // MARK: Reset

    private func reset(_ account: Account, _ token: MailTokenRecord? = nil, rules: AccountRules? = nil) throws -> AccountRules.Plan {
        let facts = AccountFacts(account: account, holders: [account], token: token ?? Example.token(.reset))
        return try (rules ?? self.rules).resetPassword(PasswordHash(phc: "$x$new"), facts)
    }

    @Test func `a reset sets the password, verifies the address, and ends every session`() throws {
        let plan = try reset(Example.account(identities: [Example.identity()], hasPassword: true))
        #expect(plan.changes.factors.isEmpty, "second factors stay")
        #expect(plan.account.verification == .mail && plan.account.identities.count == 1)
        #expect(plan.changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
        #expect(plan.changes.usedToken == Example.token(.reset).digest && plan.changes.cancelledTokens == [.all(uid: "holder")])
    }

    @Test func `a reset that first proves the address removes identities that do not vouch for it`() throws {
        let account = Example.account(
            verification: nil,
            identities: [
                Example.identity("oidc.evil", email: "eve@evil.example"), Example.identity("oidc.lax", verified: false), Example.identity(),
            ])
        #expect(try reset(account).account.identities.map(\.provider) == ["github.com"])
    }

    @Test func `a reset removes identities that were linked before the address was proven, unless they vouch for it`() throws {
        let linkedAt = Example.now - 1_000
        let identities = [Example.identity("oidc.evil", email: "eve@evil.example"), Example.identity()]
        for (provenAt, kept) in [(linkedAt, 2), (linkedAt - 1, 2), (linkedAt + 1, 1), (nil, 1)] {
            var account = Example.account(identities: identities, hasPassword: true)
            account.provenAt = provenAt
            let after = try reset(account).account
            #expect(after.identities.count == kept && after.identities.last?.provider == "github.com", "proven at \(provenAt ?? 0)")
            #expect(after.provenAt == provenAt ?? Example.now, "the time of the first proof stays")
        }
    }

    @Test func `a reset of an address that nobody proved keeps no identity that does not vouch, whatever its time`() throws {
        var account = Example.account(verification: nil, identities: [Example.identity("oidc.evil", email: "eve@evil.example")])
        account.provenAt = 0
        #expect(try reset(account).account.identities.isEmpty)
    }

    @Test func `with trusted-domains, only the mailbox's provider keeps its identity`() throws {
        let lax = Example.identity("oidc.lax", email: "ada@gmail.com")
        let google = Example.identity("google.com", email: "ada@gmail.com")
        let account = Example.account(
            email: "ada@gmail.com", verification: .provider("oidc.lax", runsMailbox: false), identities: [lax, google])
        let token = Example.token(.reset, email: "ada@gmail.com")
        #expect(try reset(account, token, rules: Example.rules(.trustedDomains)).account.identities.map(\.provider) == ["google.com"])
    }

    @Test func `the mail of a reset goes to the account with the password, or to a proven owner`() {
        let password = Example.account("p", verification: nil, hasPassword: true)
        #expect(rules.resetTarget([password])?.uid == "p")
        #expect(shared.resetTarget([Example.account("v"), password])?.uid == "p")
        #expect(rules.resetTarget([Example.account("u", verification: nil)])?.uid == "u")
        #expect(shared.resetTarget([Example.account("u", verification: nil)]) == nil)
        #expect(rules.resetTarget([Example.account(isDisabled: true)]) == nil)
        #expect(rules.resetTarget([]) == nil)
    }

    // MARK: Tokens

    @Test func `a token of another purpose, address or account, or an old one, is invalid`() {
        let account = Example.account(verification: nil)
        func redeem(_ token: MailTokenRecord?, _ account: Account? = account) -> Void.Type? { nil }
        for token in [
            Example.token(.verify), Example.token(.change), Example.token(.reset, email: "old@example.com"),
            Example.token(.reset, uid: "other"),
            Example.token(.reset, at: Example.now - 3_600_000),
        ] {
            #expect(throws: AccountError(.invalidToken)) { try reset(account, token) }
        }
        #expect(throws: Never.self) { try reset(account, Example.token(.reset, at: Example.now - 3_599_999)) }
        #expect(AccountErrorCode.invalidToken.status == 400)
    }

    @Test func `a disabled account redeems nothing`() {
        #expect(throws: AccountError(.userDisabled)) { try reset(Example.account(isDisabled: true)) }
    }

    @Test func `a change is mailed only to a free address, after a recent sign-in`() throws {
        let facts = AccountFacts(account: Example.account())
        #expect(try rules.mayChange(to: email, facts, by: .recent))
        #expect(throws: AccountError(.requiresRecentLogin)) { try rules.mayChange(to: email, facts, by: SessionProof(authTime: 0)) }
        #expect(
            try !rules.mayChange(
                to: email, AccountFacts(account: Example.account(), holders: [Example.account("other")]), by: .recent))
    }

    @Test func `tokens are 256 random bits, and print as nothing`() {
        let token = MailToken(.reset, uid: "u", email: email, random: [UInt8](0..<32), now: 0)
        #expect(token.text.count == 43 && "\(token)" == "<redacted>" && MailToken.digest(of: token.text) == token.record.digest)
        for text in ["", "x", token.text + "A", String(token.text.dropLast()), String(repeating: "*", count: 43)] {
            #expect(MailToken.digest(of: text) == nil)
        }
        #expect("\(Example.hash)" == "<redacted>")
    }
}
