import Testing

@testable import Accounts

@Suite("Linking, unlinking, re-authentication, deletion")
struct LinkingRulesTests {
    private let rules = Example.rules()
    private let identity = Example.identity()

    // MARK: Link

    @Test func `an identity joins the account: same uid, the profile stays`() throws {
        let account = Example.account(identities: [Example.identity("google.com")])
        let plan = try rules.link(identity, AccountFacts(account: account, holders: [account]))
        #expect(plan.account.uid == "holder" && plan.account.identities.map(\.provider) == ["google.com", "github.com"])
        #expect(plan.account.name == "Holder" && plan.account.verification == .mail)
        #expect(plan.changes.endings.isEmpty)
    }

    @Test func `linking keeps an anonymous account's uid, clears anonymous, and fills in the address`() throws {
        let account = Example.account(email: nil, verification: nil, isAnonymous: true)
        let plan = try rules.link(identity, AccountFacts(account: account))
        #expect(plan.account.uid == "holder" && !plan.account.isAnonymous && plan.account.email == EmailAddress("ada@example.com"))
        #expect(plan.account.emailVerified)
    }

    @Test func `an identity that vouches for the account's address verifies it`() throws {
        let account = Example.account(verification: nil)
        #expect(try rules.link(identity, AccountFacts(account: account, holders: [account])).account.emailVerified)
        let other = Example.identity(email: "other@example.com")
        #expect(try !rules.link(other, AccountFacts(account: account)).account.emailVerified)
        let unverified = Example.identity(verified: false)
        #expect(try !rules.link(unverified, AccountFacts(account: account, holders: [account])).account.emailVerified)
    }

    @Test func `the account has an identity of the provider: provider-already-linked, before the redirect and after it`() {
        let account = Example.account(identities: [Example.identity("github.com", "2")])
        #expect(throws: AccountError(.providerAlreadyLinked)) { try rules.mayLink("github.com", to: account, by: .recent) }
        #expect(throws: AccountError(.providerAlreadyLinked)) { try rules.link(identity, AccountFacts(account: account)) }
        #expect(throws: AccountError(.providerAlreadyLinked)) {
            try rules.link(Example.identity("github.com", "2"), AccountFacts(account: account, owner: account))
        }
    }

    @Test func `another account has the identity: credential-already-in-use`() {
        let facts = AccountFacts(account: Example.account(), owner: Example.account("other", identities: [identity]))
        #expect(throws: AccountError(.credentialAlreadyInUse)) { try rules.link(identity, facts) }
    }

    @Test func `another account has the address: email-already-in-use, unless accounts share addresses`() throws {
        let facts = AccountFacts(account: Example.account(email: nil), holders: [Example.account("other")])
        #expect(throws: AccountError(.emailAlreadyInUse)) { try rules.link(identity, facts) }
        #expect(throws: AccountError(.emailAlreadyInUse)) { try rules.link(Example.identity(verified: false), facts) }
        #expect(try Example.rules(onePerEmail: false).link(identity, facts).account.identities.count == 1)
        #expect(AccountErrorCode.emailAlreadyInUse.status == 409)
    }

    @Test func `a disabled account and a deleted one link nothing`() {
        let disabled = AccountFacts(account: Example.account(isDisabled: true))
        #expect(throws: AccountError(.userDisabled)) { try rules.link(identity, disabled) }
        #expect { try rules.link(identity, AccountFacts()) } throws: { ($0 as? AccountError)?.code == .invalidCredential }
    }

    // MARK: Unlink

    private let two = Example.account(identities: [Example.identity("google.com"), Example.identity("github.com")])

    @Test func `unlinking removes the identity and ends the sessions made with it`() throws {
        let plan = try rules.unlink("google.com", two, by: .recent)
        #expect(plan.account.identities.map(\.provider) == ["github.com"])
        #expect(plan.changes.endings == [SessionEnding(uid: "holder", provider: "google.com", before: Example.now)])
    }

    @Test func `unlinking needs a recent sign-in`() throws {
        #expect(throws: AccountError(.requiresRecentLogin)) { try rules.unlink("google.com", two, by: .old) }
        #expect(throws: Never.self) { try rules.unlink("google.com", two, by: .oldest) }
        #expect(AccountErrorCode.requiresRecentLogin.status == 401)
    }

    @Test func `a provider that is not linked: no-such-provider`() {
        for provider in ["facebook.com", "password", "anonymous", ""] {
            #expect(throws: AccountError(.noSuchProvider)) { try rules.unlink(provider, two, by: .recent) }
        }
        #expect(AccountErrorCode.noSuchProvider.status == 404)
    }

    @Test func `the last way to sign in stays: last-provider`() throws {
        let one = Example.account(identities: [identity])
        #expect(throws: AccountError(.lastProvider)) { try rules.unlink("github.com", one, by: .recent) }
        let password = Example.account(identities: [identity], hasPassword: true)
        #expect(try rules.unlink("github.com", password, by: .recent).account.providers == ["password"])
        #expect(try rules.unlink("password", password, by: .recent).account.providers == ["github.com"])
        #expect(throws: AccountError(.lastProvider)) {
            try rules.unlink("password", Example.account(hasPassword: true), by: .recent)
        }
    }

    @Test func `an identity of a provider that is not enabled is no way to sign in`() {
        let policy = AccountPolicy(usableProviders: ["github.com"])
        #expect(throws: AccountError(.lastProvider)) {
            try AccountRules(policy: policy, now: Example.now).unlink("github.com", two, by: .recent)
        }
    }

    @Test func `unlinking the password removes it and cancels mails`() throws {
        let account = Example.account(identities: [identity], hasPassword: true)
        let plan = try rules.unlink("password", account, by: .recent)
        #expect(!plan.account.hasPassword && plan.changes.cancelledTokens == [.all(uid: "holder")])
    }

    // MARK: Re-authentication

    private func reauthentication(_ facts: AccountFacts) -> SignInDecision {
        rules.signIn(identity, facts, Example.fresh).only(for: "holder", .identity(identity))
    }

    @Test func `the same account: its sign-in is renewed`() throws {
        let account = Example.account(identities: [identity])
        let decision = reauthentication(AccountFacts(owner: account))
        #expect(decision.planned?.account.lastSignInAt == Example.now)
    }

    @Test func `another account, or an identity that nobody has: user-mismatch`() {
        let other = AccountFacts(owner: Example.account("other", identities: [identity]))
        #expect(reauthentication(other).error == AccountError(.userMismatch))
        #expect(reauthentication(AccountFacts()).error == AccountError(.userMismatch))
        #expect(AccountErrorCode.userMismatch.status == 403)
    }

    @Test func `a disabled account does not re-authenticate`() {
        let facts = AccountFacts(owner: Example.account(identities: [identity], isDisabled: true))
        #expect(reauthentication(facts).error == AccountError(.userDisabled))
    }

    // MARK: Pending credentials

    private func pending(age: Int64 = 0) -> PendingCredential {
        PendingCredential(
            ConflictingIdentity(Example.linked(identity), runsMailbox: false), of: Example.account(), now: Example.now - age)
    }

    private func redeem(
        _ pending: PendingCredential, _ facts: AccountFacts, signedIn uid: String = "holder",
        by proof: SessionProof = SessionProof(authTime: 0)
    ) throws -> AccountRules.Plan? {
        try rules.redeem(pending, signedIn: uid, by: proof, facts)
    }

    @Test func `who signs in to the account that was in the way finds the pending identity linked`() throws {
        let account = Example.account(verification: nil)
        let pending = pending()
        let plan = try #require(try redeem(pending, AccountFacts(account: account, holders: [account])))
        #expect(plan.account.identities.map(\.provider) == ["github.com"] && plan.account.identities[0].linkedAt == Example.now)
        #expect(plan.account.emailVerified, "the identity vouches for the address")
        #expect(plan.changes.once == pending.mark)
    }

    @Test func `it is not linked to another account, nor late, nor if it no longer applies`() throws {
        let account = Example.account()
        #expect(try redeem(pending(), AccountFacts(account: Example.account("other")), signedIn: "other") == nil)
        #expect(try redeem(pending(age: 600_000), AccountFacts(account: account)) == nil)
        #expect(try redeem(pending(), AccountFacts(account: account, owner: Example.account("other"))) == nil)
        #expect(try redeem(pending(), AccountFacts(account: Example.account(identities: [Example.identity("github.com", "2")]))) == nil)
        #expect(try redeem(pending(), AccountFacts(account: Example.account(isDisabled: true))) == nil)
        #expect(try redeem(pending(), AccountFacts()) == nil)
        #expect(try redeem(pending(), AccountFacts(account: account, holders: [Example.account("other")])) == nil)
    }

    @Test func `an account with second factors needs a session that has shown one, and a recent sign-in`() throws {
        var account = Example.account()
        account.hasFactors = true
        let facts = AccountFacts(account: account)
        let (recent, old) = (Example.now - 300_000, Example.now - 300_001)
        #expect(throws: AccountError(.requiresRecentLogin)) {
            try redeem(pending(), facts, by: SessionProof(authTime: old, hasShownFactor: true))
        }
        #expect { try redeem(pending(), facts, by: SessionProof(authTime: recent)) } throws: {
            ($0 as? AccountError)?.code == .multiFactorAuthRequired
        }
        #expect(try redeem(pending(), facts, by: SessionProof(authTime: recent, hasShownFactor: true)) != nil)
        let off = AccountRules(policy: AccountPolicy(countsFactors: false), now: Example.now)
        #expect(try off.redeem(pending(), signedIn: "holder", by: SessionProof(authTime: old), facts) != nil)
    }

    // MARK: Accounts with second factors

    @Test func `whatever changes an account with second factors needs a session with one, and a recent sign-in`() throws {
        var account = Example.account(identities: [identity, Example.identity("google.com", "2")], hasPassword: true)
        account.hasFactors = true
        let facts = AccountFacts(account: account)
        let email = try #require(EmailAddress("new@example.com"))
        let changes: [(String, (AccountRules, SessionProof) throws -> Void)] = [
            ("may link", { try $0.mayLink("apple.com", to: account, by: $1) }),
            ("link", { _ = try $0.link(Example.identity("apple.com"), facts, by: $1, begun: Example.now) }),
            ("unlink", { _ = try $0.unlink("google.com", account, by: $1) }),
            ("password", { _ = try $0.setPassword(Example.hash, facts, by: $1, keep: nil) }),
            ("address", { _ = try $0.mayChange(to: email, facts, by: $1) }), ("delete", { _ = try $0.delete(account, by: $1) }),
        ]
        for (name, change) in changes {
            func code(_ proof: SessionProof, countsFactors: Bool = true) -> AccountErrorCode? {
                do {
                    try change(AccountRules(policy: AccountPolicy(countsFactors: countsFactors), now: Example.now), proof)
                    return nil
                } catch {
                    return (error as? AccountError)?.code
                }
            }
            #expect(code(.recent) == nil && code(.oldest) == nil, "\(name)")
            #expect(code(SessionProof(authTime: Example.now)) == .multiFactorAuthRequired, "\(name)")
            #expect(code(.old) == .requiresRecentLogin, "\(name)")
            #expect(code(SessionProof(authTime: 0)) == .requiresRecentLogin, "\(name): the new sign-in shows a factor, too")
            #expect(code(SessionProof(authTime: Example.now), countsFactors: false) == nil, "\(name)")
        }
    }

    @Test func `a link had to be recent when it began, and needs that only with second factors`() throws {
        var account = Example.account()
        let facts = { AccountFacts(account: account) }
        #expect(throws: Never.self) { try rules.link(identity, facts(), by: SessionProof(authTime: 0), begun: Example.now) }
        account.hasFactors = true
        #expect(throws: Never.self) { try rules.link(identity, facts(), by: .old, begun: Example.now - 200_000) }
        #expect(throws: AccountError(.requiresRecentLogin)) { try rules.link(identity, facts(), by: .old, begun: Example.now) }
    }

    // MARK: Delete, disable, revoke

    @Test func `deletion removes the account and ends its sessions, after a recent sign-in`() throws {
        let plan = try rules.delete(two, by: .recent)
        #expect(plan.changes.accounts == [.delete(two)])
        #expect(plan.changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
        #expect(throws: AccountError(.requiresRecentLogin)) { try rules.delete(two, by: .old) }
    }

    @Test func `the deletion of an anonymous account leaves no ending, except an operator's`() throws {
        let anonymous = Example.account(email: nil, verification: nil, isAnonymous: true)
        let own = try rules.delete(anonymous, by: .old).changes
        #expect(own.accounts == [.delete(anonymous)] && own.endings.isEmpty)
        // An operator does not have the session.
        #expect(try rules.delete(anonymous, by: nil).changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
    }

    @Test func `disabling ends sessions and mails; enabling does not bring them back`() throws {
        let plan = try rules.setDisabled(true, two)
        #expect(plan.account.isDisabled && plan.changes.endings.count == 1 && plan.changes.cancelledTokens == [.all(uid: "holder")])
        let enabled = try rules.setDisabled(false, plan.account)
        #expect(!enabled.account.isDisabled && enabled.changes.endings.isEmpty)
        #expect(try rules.revoke(two).changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
    }
}
