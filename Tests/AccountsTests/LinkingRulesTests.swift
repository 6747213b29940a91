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
        #expect(throws: AccountError(.providerAlreadyLinked)) { try rules.mayLink("github.com", to: account) }
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
        let plan = try rules.unlink("google.com", two, authTime: Example.now)
        #expect(plan.account.identities.map(\.provider) == ["github.com"])
        #expect(plan.changes.endings == [SessionEnding(uid: "holder", provider: "google.com", before: Example.now)])
    }

    @Test func `unlinking needs a recent sign-in`() throws {
        #expect(throws: AccountError(.requiresRecentLogin)) { try rules.unlink("google.com", two, authTime: Example.now - 300_001) }
        #expect(throws: Never.self) { try rules.unlink("google.com", two, authTime: Example.now - 300_000) }
        #expect(AccountErrorCode.requiresRecentLogin.status == 401)
    }

    @Test func `a provider that is not linked: no-such-provider`() {
        for provider in ["facebook.com", "password", "anonymous", ""] {
            #expect(throws: AccountError(.noSuchProvider)) { try rules.unlink(provider, two, authTime: Example.now) }
        }
        #expect(AccountErrorCode.noSuchProvider.status == 404)
    }

    @Test func `the last way to sign in stays: last-provider`() throws {
        let one = Example.account(identities: [identity])
        #expect(throws: AccountError(.lastProvider)) { try rules.unlink("github.com", one, authTime: Example.now) }
        let password = Example.account(identities: [identity], hasPassword: true)
        #expect(try rules.unlink("github.com", password, authTime: Example.now).account.providers == ["password"])
        #expect(try rules.unlink("password", password, authTime: Example.now).account.providers == ["github.com"])
        #expect(throws: AccountError(.lastProvider)) {
            try rules.unlink("password", Example.account(hasPassword: true), authTime: Example.now)
        }
    }

    @Test func `an identity of a provider that is not enabled is no way to sign in`() {
        let policy = AccountPolicy(usableProviders: ["github.com"])
        #expect(throws: AccountError(.lastProvider)) {
            try AccountRules(policy: policy, now: Example.now).unlink("github.com", two, authTime: Example.now)
        }
    }

    @Test func `unlinking the password removes it and cancels mails`() throws {
        let account = Example.account(identities: [identity], hasPassword: true)
        let plan = try rules.unlink("password", account, authTime: Example.now)
        #expect(!plan.account.hasPassword && plan.changes.cancelledTokens == ["holder"])
    }

    // MARK: Re-authentication

    @Test func `the same account: its sign-in is renewed`() throws {
        let account = Example.account(identities: [identity])
        let plan = try rules.reauthenticate(identity, uid: "holder", AccountFacts(owner: account))
        #expect(plan.account.lastSignInAt == Example.now)
    }

    @Test func `another account, or an identity that nobody has: user-mismatch`() {
        let other = AccountFacts(owner: Example.account("other", identities: [identity]))
        #expect(throws: AccountError(.userMismatch)) { try rules.reauthenticate(identity, uid: "holder", other) }
        #expect(throws: AccountError(.userMismatch)) { try rules.reauthenticate(identity, uid: "holder", AccountFacts()) }
        #expect(AccountErrorCode.userMismatch.status == 403)
    }

    @Test func `a disabled account does not re-authenticate`() {
        let facts = AccountFacts(owner: Example.account(identities: [identity], isDisabled: true))
        #expect(throws: AccountError(.userDisabled)) { try rules.reauthenticate(identity, uid: "holder", facts) }
    }

    // MARK: Pending credentials

    private func pending(uid: String = "holder", expiresAt: Int64 = Example.now + 1) -> PendingCredential {
        PendingCredential(id: "p", uid: uid, identity: Example.linked(identity), runsMailbox: false, expiresAt: expiresAt)
    }

    private func redeem(_ pending: PendingCredential, _ facts: AccountFacts, signedIn uid: String = "holder") -> AccountRules.Plan? {
        rules.redeem(pending, signedIn: uid, mark: OnceMark(digest: [1], expiresAt: pending.expiresAt), facts)
    }

    @Test func `who signs in to the account that was in the way finds the pending identity linked`() throws {
        let account = Example.account(verification: nil)
        let plan = try #require(redeem(pending(), AccountFacts(account: account, holders: [account])))
        #expect(plan.account.identities.map(\.provider) == ["github.com"] && plan.account.identities[0].linkedAt == Example.now)
        #expect(plan.account.emailVerified, "the identity vouches for the address")
        #expect(plan.changes.once == OnceMark(digest: [1], expiresAt: Example.now + 1))
    }

    @Test func `it is not linked to another account, nor late, nor if it no longer applies`() {
        let account = Example.account()
        #expect(redeem(pending(), AccountFacts(account: Example.account("other")), signedIn: "other") == nil)
        #expect(redeem(pending(expiresAt: Example.now), AccountFacts(account: account)) == nil)
        #expect(redeem(pending(), AccountFacts(account: account, owner: Example.account("other"))) == nil)
        #expect(redeem(pending(), AccountFacts(account: Example.account(identities: [Example.identity("github.com", "2")]))) == nil)
        #expect(redeem(pending(), AccountFacts(account: Example.account(isDisabled: true))) == nil)
        #expect(redeem(pending(), AccountFacts()) == nil)
        #expect(redeem(pending(), AccountFacts(account: account, holders: [Example.account("other")])) == nil)
    }

    // MARK: Delete, disable, revoke

    @Test func `deletion removes the account and ends its sessions, after a recent sign-in`() throws {
        let plan = try rules.delete(two, authTime: Example.now)
        #expect(plan.changes.accounts == [.delete(uid: "holder", revision: 7)])
        #expect(plan.changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
        #expect(throws: AccountError(.requiresRecentLogin)) { try rules.delete(two, authTime: Example.now - 300_001) }
    }

    @Test func `disabling ends sessions and mails; enabling does not bring them back`() throws {
        let plan = try rules.setDisabled(true, two)
        #expect(plan.account.isDisabled && plan.changes.endings.count == 1 && plan.changes.cancelledTokens == ["holder"])
        let enabled = try rules.setDisabled(false, plan.account)
        #expect(!enabled.account.isDisabled && enabled.changes.endings.isEmpty)
        #expect(try rules.revoke(two).changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
    }
}
