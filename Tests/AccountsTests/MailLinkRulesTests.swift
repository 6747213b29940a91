import Testing

@testable import Accounts

@Suite("The links of mails")
struct MailLinkRulesTests {
    private let rules = Example.rules()
    private static let evil = Example.identity("oidc.evil", email: "eve@evil.example")

    private func facts(_ account: Account, _ token: MailTokenRecord, holders: [Account] = []) -> AccountFacts {
        AccountFacts(account: account, holders: holders + [account], token: token)
    }

    private func password(_ account: Account, _ hash: PasswordHash = Example.hash, renewed: PasswordHash? = nil) async -> VerifiedPassword {
        await PasswordCandidate(account: account, hash: hash).verified { _ in PasswordMatch(renewed: renewed) }!
    }

    private static let anonymous = Example.account("anon", email: nil, verification: nil, isAnonymous: true)

    private static func upgrade(_ hash: PasswordHash? = Example.hash) -> MailTokenRecord {
        MailTokenRecord(
            digest: [1], purpose: .upgrade, uid: "anon", email: EmailAddress("ada@example.com")!, expiresAt: Example.now + 1,
            passwordHash: hash)
    }

    // MARK: Confirming

    @Test func `a confirmation in the account's session proves the address, and everything stays`() throws {
        let account = Example.account(verification: nil, identities: [Self.evil], hasPassword: true)
        let token = Example.token(.verify)
        let plan = try rules.confirm(.session(uid: "holder", .recent), facts(account, token))
        #expect(plan.account.verification == .mail && plan.account.provenAt == Example.now)
        #expect(plan.account.identities == account.identities && plan.account.hasPassword)
        #expect(plan.changes.accounts == [.save(plan.account, before: account, .keep)] && plan.changes.usedToken == token.digest)
        #expect(plan.changes.endings.isEmpty && plan.changes.cancelledTokens.isEmpty)
    }

    @Test func `the session or the password of another account confirms nothing`() async {
        let account = Example.account(verification: nil, hasPassword: true)
        let given = facts(account, Example.token(.verify))
        #expect(throws: AccountError(.userMismatch)) { try rules.confirm(.session(uid: "other", .recent), given) }
        let other = await password(Example.account("other"))
        #expect(throws: AccountError(.invalidCredential)) { try rules.confirm(.password(other), given) }
    }

    @Test func `a password confirms, and is hashed anew where asked`() async throws {
        let account = Example.account(verification: nil, hasPassword: true)
        let renewed = PasswordHash(phc: "$x$2")
        for (proof, change) in [
            (await password(account), AccountChanges.Password.keep), (await password(account, renewed: renewed), .set(renewed)),
        ] {
            let plan = try rules.confirm(.password(proof), facts(account, Example.token(.verify)))
            #expect(plan.changes.accounts == [.save(plan.account, before: account, change)])
        }
    }

    @Test func `no address is confirmed that another account has`() {
        let account = Example.account(verification: nil)
        let given = facts(account, Example.token(.verify), holders: [Example.account("other")])
        #expect(throws: AccountError(.emailAlreadyInUse)) { try rules.confirm(.session(uid: "holder", .recent), given) }
    }

    @Test func `a change of the address proves the new one, ends the other sessions and cancels other mails`() throws {
        var account = Example.account(hasPassword: true)
        account.provenAt = 5
        let token = Example.token(.change, email: "new@example.com")
        let plan = try rules.confirm(.session(uid: "holder", .recent), AccountFacts(account: account, token: token))
        #expect(plan.account.email == EmailAddress("new@example.com") && plan.account.verification == .mail)
        #expect(plan.account.provenAt == Example.now, "the time is that of the new address")
        #expect(plan.changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
        #expect(plan.changes.cancelledTokens == [.all(uid: "holder")] && plan.changes.usedToken == token.digest)
        let taken = AccountFacts(account: account, holders: [Example.account("other")], token: token)
        #expect(throws: AccountError(.emailAlreadyInUse)) { try rules.confirm(.session(uid: "holder", .recent), taken) }
    }

    @Test func `an anonymous account gets the address and the password of its registration`() async throws {
        let token = Self.upgrade()
        for confirmation in [MailConfirmation.session(uid: "anon", .recent), .password(await password(Self.anonymous))] {
            let plan = try rules.confirm(confirmation, AccountFacts(account: Self.anonymous, token: token))
            #expect(plan.account.uid == "anon" && !plan.account.isAnonymous && plan.account.hasPassword)
            #expect(plan.account.email == token.email && plan.account.verification == .mail && plan.account.provenAt == Example.now)
            #expect(plan.changes.accounts == [.save(plan.account, before: Self.anonymous, .set(Example.hash))])
            #expect(plan.changes.cancelledTokens == [.all(uid: "anon")] && plan.changes.endings.isEmpty)
        }
        let other = await password(Self.anonymous, PasswordHash(phc: "$x$other"))
        #expect(throws: AccountError(.invalidCredential), "the password of another registration") {
            try rules.confirm(.password(other), AccountFacts(account: Self.anonymous, token: token))
        }
        #expect(throws: AccountError(.emailAlreadyInUse), "the address was taken meanwhile") {
            try rules.confirm(
                .session(uid: "anon", .recent), AccountFacts(account: Self.anonymous, holders: [Example.account()], token: token))
        }
    }

    @Test func `a registration ends when its account stops being anonymous in another way`() {
        var linked = Self.anonymous
        linked.isAnonymous = false
        #expect(throws: AccountError(.invalidToken)) {
            try rules.confirm(.session(uid: "anon", .recent), AccountFacts(account: linked, token: Self.upgrade()))
        }
        #expect(!rules.isUsable(Self.upgrade(nil), Self.anonymous))
    }

    @Test(arguments: MailTokenPurpose.allCases)
    func `a link that is old, of another account or of a disabled one confirms nothing`(purpose: MailTokenPurpose) {
        let account = Example.account(verification: nil)
        for token in [Example.token(purpose, at: Example.now - 3_600_000), Example.token(purpose, uid: "other")] {
            #expect(throws: AccountError(.invalidToken)) { try rules.confirm(.session(uid: "holder", .recent), facts(account, token)) }
        }
        let disabled = facts(Example.account(verification: nil, isDisabled: true), Example.token(purpose))
        #expect(throws: AccountError.self) { try rules.confirm(.session(uid: "holder", .recent), disabled) }
    }

    // MARK: It was not me

    @Test func `"it was not me" takes over only an account of which nobody proved an address, and only in the mail about that address`() {
        let unproven = Example.account(verification: nil)
        #expect(rules.refusal(Example.token(.verify), unproven) == .takesOver)
        #expect(rules.refusal(Example.token(.change), unproven) == .cancels)
        #expect(rules.refusal(Example.token(.reset), unproven) == .cancels)
        #expect(rules.refusal(Self.upgrade(), Self.anonymous) == .cancels)
        #expect(rules.refusal(Example.token(.verify), Example.account(verification: nil, isDisabled: true)) == .cancels)
        for verification in [EmailVerification.mail, .operation, .provider("github.com", runsMailbox: false)] {
            #expect(rules.refusal(Example.token(.verify), Example.account(verification: verification)) == .cancels)
        }
        let weak = Example.account(verification: .provider("oidc.lax", runsMailbox: false))
        #expect(Example.rules(.trustedDomains).refusal(Example.token(.verify), weak) == .takesOver)
    }

    @Test func `the owner of the address gets the account without anything that opened it`() throws {
        let account = Example.account(verification: nil, identities: [Self.evil, Example.identity()], hasPassword: true)
        let next = Example.token(.reset)
        let plan = try rules.takeOver(next, facts(account, Example.token(.verify)))
        #expect(plan.account.uid == "holder" && plan.account.verification == .mail && plan.account.provenAt == Example.now)
        #expect(plan.account.identities.map(\.provider) == ["github.com"], "an identity that vouches for the address stays")
        #expect(!plan.account.hasPassword && plan.account.name == "Ada")
        #expect(plan.changes.accounts == [.save(plan.account, before: account, .remove)])
        #expect(
            plan.changes.factors == [.removeAll(uid: "holder")]
                && plan.changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
        #expect(plan.changes.cancelledTokens == [.all(uid: "holder")] && plan.changes.issuedToken == next)
        #expect(plan.changes.usedToken == Example.token(.verify).digest)
    }

    @Test func `with trusted-domains, only the mailbox's provider keeps its identity at a take-over`() throws {
        let lax = Example.identity("oidc.lax", email: "ada@gmail.com")
        let google = Example.identity("google.com", email: "ada@gmail.com")
        let account = Example.account(email: "ada@gmail.com", verification: nil, identities: [lax, google])
        let token = Example.token(.verify, email: "ada@gmail.com")
        let plan = try Example.rules(.trustedDomains).takeOver(Example.token(.reset), facts(account, token))
        #expect(plan.account.identities.map(\.provider) == ["google.com"])
    }

    @Test func `an account whose address was proven, or is another account's, is not taken over`() {
        #expect(throws: AccountError(.invalidToken)) {
            try rules.takeOver(Example.token(.reset), facts(Example.account(), Example.token(.verify)))
        }
        let given = facts(Example.account(verification: nil), Example.token(.verify), holders: [Example.account("other")])
        #expect(throws: AccountError(.emailAlreadyInUse)) { try rules.takeOver(Example.token(.reset), given) }
    }

    // MARK: The time of the first proof

    @Test func `an identity that vouches for the address proves it, and a later proof does not move the time`() throws {
        let account = Example.account(verification: nil)
        let plan = try rules.link(Example.identity(), AccountFacts(account: account, holders: [account]))
        #expect(plan.account.provenAt == Example.now && plan.account.verification == .provider("github.com", runsMailbox: false))
        var proven = plan.account
        proven.provenAt = 5
        rules.proveByMail(&proven)
        #expect(proven.verification == .mail && proven.provenAt == 5)
        var unknown = Example.account()
        rules.proveByMail(&unknown)
        #expect(unknown.provenAt == Example.now, "nobody knows the earlier time: this one is certain")
    }

    @Test func `with trusted-domains, the word of a provider without the mailbox is no first proof`() {
        var account = Example.account(verification: .provider("oidc.lax", runsMailbox: false))
        account.provenAt = 5
        Example.rules(.trustedDomains).prove(&account, by: .provider("google.com", runsMailbox: true))
        #expect(account.provenAt == Example.now)
    }

    @Test func `the text of a password hash says its function`() {
        for (phc, function) in [
            ("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA", "argon2id$v=19$m=19456,t=2,p=1"),
            ("$scrypt$ln=17,r=8,p=1$c2FsdA$aGFzaA", "scrypt$ln=17,r=8,p=1"),
            ("$firebase-scrypt$ln=14,r=8,p=1$c2FsdA$aGFzaA$a2V5", "firebase-scrypt$ln=14,r=8,p=1"), ("pw", nil), ("$x$1", nil),
        ] {
            #expect(PasswordHash(phc: phc).function == function)
        }
    }
}
