import Testing

@testable import Accounts

/// The table of contract section 8, one test for each row.
@Suite("Sign-in with an identity")
struct SignInRulesTests {
    private func decide(
        _ rules: AccountRules, _ identity: ProviderIdentity = Example.identity(), owner: Account? = nil, holders: [Account] = []
    ) -> SignInDecision {
        rules.signIn(identity, AccountFacts(owner: owner, holders: holders), Example.fresh)
    }

    // MARK: An account has the identity

    @Test(arguments: AccountPolicy.Linking.allCases)
    func `an account has the identity: it signs in, whatever the policy and the address`(linking: AccountPolicy.Linking) throws {
        let identity = Example.identity()
        let owner = Example.account("owner", email: "other@example.com", identities: [identity])
        let planned = try #require(
            decide(Example.rules(linking, signUp: .closed), identity, owner: owner, holders: [Example.account()]).planned)
        #expect(planned.kind == .signIn && planned.account.uid == "owner" && planned.account.lastSignInAt == Example.now)
        #expect(planned.changes.accounts == [.touch(uid: "owner", revision: 7, at: Example.now)])
    }

    @Test func `the provider's record of an identity is renewed, the account's own profile stays`() throws {
        let owner = Example.account(email: nil, verification: nil, identities: [Example.identity(name: "Old")])
        let planned = try #require(decide(Example.rules(), Example.identity(email: "new@example.com", name: "New"), owner: owner).planned)
        #expect(planned.account.identities[0].name == "New" && planned.account.identities[0].email == EmailAddress("new@example.com"))
        #expect(planned.account.identities[0].linkedAt == owner.identities[0].linkedAt)
        #expect(planned.account.name == "Holder" && planned.account.email == nil && planned.account.revision == 8)
    }

    @Test func `an identity that vouches for the account's address verifies it`() throws {
        let owner = Example.account(verification: nil, identities: [Example.identity(verified: false)])
        let planned = try #require(decide(Example.rules(), owner: owner, holders: [owner]).planned)
        #expect(planned.account.verification == .provider("github.com", runsMailbox: false))
        let shared = decide(Example.rules(), owner: owner, holders: [Example.account("other"), owner])
        #expect(shared.planned?.account.verification == nil, "never while another account has the address")
    }

    @Test func `a disabled account is refused`() {
        let owner = Example.account(identities: [Example.identity()], isDisabled: true)
        #expect(decide(Example.rules(), owner: owner).error == AccountError(.userDisabled))
        #expect(AccountErrorCode.userDisabled.status == 403)
    }

    // MARK: Nobody has the identity, nor the address

    @Test func `a new identity makes an account, with the address and the profile`() throws {
        let planned = try #require(decide(Example.rules(.never)).planned)
        #expect(planned.kind == .create && planned.account.uid == "fresh" && planned.account.email == EmailAddress("ada@example.com"))
        #expect(planned.account.verification == .provider("github.com", runsMailbox: false) && planned.account.name == "Ada")
        #expect(planned.account.identities.map(\.provider) == ["github.com"] && planned.account.createdAt == Example.now)
        #expect(planned.changes.claimsAddresses)
    }

    @Test func `an address that the provider does not vouch for is kept, and not verified`() throws {
        for verified in [false, nil] {
            let planned = try #require(decide(Example.rules(), Example.identity(verified: verified)).planned)
            #expect(planned.account.email != nil && !planned.account.emailVerified)
        }
    }

    @Test func `an invalid address makes an account without one`() throws {
        let planned = try #require(decide(Example.rules(), Example.identity(email: "no address")).planned)
        #expect(planned.account.email == nil && !planned.account.emailVerified)
    }

    @Test func `sign-up is closed and there is no account: refused`() {
        #expect(decide(Example.rules(signUp: .closed)).error == AccountError(.adminRestrictedOperation))
        #expect(AccountErrorCode.adminRestrictedOperation.status == 403)
    }

    @Test func `onePerEmail false: a new account, always`() throws {
        for linking in AccountPolicy.Linking.allCases {
            let planned = try #require(decide(Example.rules(linking, onePerEmail: false), holders: [Example.account()]).planned)
            #expect(planned.kind == .create && !planned.changes.claimsAddresses)
        }
    }

    @Test func `a subject that no database can hold is refused`() {
        for subject in ["alice\0x", String(repeating: "x", count: 2_001)] {
            #expect(decide(Example.rules(), Example.identity("oidc.a", subject)).error?.code == .invalidCredential)
        }
    }

    // MARK: An account has the address

    @Test func `never: refused with 403`() {
        let error = decide(Example.rules(.never), holders: [Example.account()]).error
        #expect(error?.code == .emailAlreadyInUse && error?.status == 403)
    }

    @Test func `confirm: a conflict that names the providers, because the provider vouches for the address`() throws {
        let holder = Example.account(identities: [Example.identity("google.com")], hasPassword: true)
        let conflict = try #require(decide(Example.rules(), holders: [holder]).conflict)
        #expect(conflict.providers == ["google.com", "password"] && conflict.email == EmailAddress("ada@example.com"))
        #expect(conflict.pending.uid == "holder" && conflict.pending.identity.provider == "github.com")
        #expect(conflict.pending.expiresAt == Example.now + 600_000)
        #expect(conflict.error.status == 409 && conflict.error.code.rawValue == "auth/account-exists-with-different-credential")
    }

    @Test(arguments: [false, nil])
    func `a conflict names no providers if the provider does not vouch for the address`(verified: Bool?) throws {
        for linking in [AccountPolicy.Linking.confirm, .verifiedEmail, .trustedDomains] {
            let conflict = try #require(
                decide(Example.rules(linking), Example.identity(verified: verified), holders: [Example.account()]).conflict)
            #expect(conflict.providers == nil)
        }
    }

    @Test func `a conflict comes before a closed sign-up`() {
        #expect(decide(Example.rules(signUp: .closed), holders: [Example.account()]).conflict != nil)
    }

    @Test func `an account's unverified address counts, too`() {
        #expect(decide(Example.rules(), holders: [Example.account(verification: nil)]).conflict != nil)
    }

    @Test func `verified-email, both sides verified: linked and signed in`() throws {
        let holder = Example.account(identities: [Example.identity("google.com")], hasPassword: true)
        let planned = try #require(decide(Example.rules(.verifiedEmail), holders: [holder]).planned)
        #expect(planned.kind == .link && planned.account.uid == "holder")
        #expect(planned.account.identities.map(\.provider) == ["google.com", "github.com"] && planned.account.hasPassword)
        #expect(planned.account.verification == .mail && planned.account.name == "Holder")
        #expect(planned.changes.endings.isEmpty && planned.changes.cancelledTokens.isEmpty)
    }

    @Test func `verified-email, only the provider verified: everything else that opens the account is removed`() throws {
        let holder = Example.account(verification: nil, identities: [Example.identity("google.com")], hasPassword: true)
        let planned = try #require(decide(Example.rules(.verifiedEmail), holders: [holder]).planned)
        #expect(planned.kind == .takeOver && planned.account.uid == "holder" && planned.account.name == "Ada")
        #expect(planned.account.identities.map(\.provider) == ["github.com"] && !planned.account.hasPassword)
        #expect(planned.account.verification == .provider("github.com", runsMailbox: false))
        #expect(planned.changes.endings == [SessionEnding(uid: "holder", before: Example.now)])
        #expect(planned.changes.cancelledTokens == [.all(uid: "holder")])
        guard case .save(_, _, .remove)? = planned.changes.accounts.first else {
            Issue.record("the password stays")
            return
        }
    }

    @Test func `verified-email, the account has another identity of the provider: a conflict (recycled address)`() {
        let holder = Example.account(verification: nil, identities: [Example.identity("github.com", "2")])
        #expect(decide(Example.rules(.verifiedEmail), holders: [holder]).conflict?.providers == ["github.com"])
        #expect(
            decide(
                Example.rules(.trustedDomains), Example.identity("apple.com"),
                holders: [
                    Example.account(identities: [Example.identity("apple.com", "2")])
                ]
            ).conflict != nil)
    }

    @Test func `the account with the address is disabled: refused where it would be linked`() {
        let holder = Example.account(isDisabled: true)
        #expect(decide(Example.rules(.verifiedEmail), holders: [holder]).error == AccountError(.userDisabled))
        #expect(decide(Example.rules(.confirm), holders: [holder]).conflict != nil)
    }

    @Test func `trusted-domains: linked if the provider runs the mailbox`() throws {
        let holder = Example.account(email: "ada@gmail.com")
        let planned = decide(Example.rules(.trustedDomains), Example.identity("google.com", email: "ada@gmail.com"), holders: [holder])
            .planned
        #expect(planned?.kind == .link)
    }

    @Test func `trusted-domains: as confirm if the provider vouches for another domain`() {
        let decision = decide(Example.rules(.trustedDomains), Example.identity("google.com"), holders: [Example.account()])
        #expect(decision.conflict?.providers == [])
    }

    @Test func `trusted-domains: an unverified account is taken over`() {
        let holder = Example.account(email: "ada@gmail.com", verification: nil, hasPassword: true)
        let planned = decide(Example.rules(.trustedDomains), Example.identity("google.com", email: "ada@gmail.com"), holders: [holder])
            .planned
        #expect(planned?.kind == .takeOver)
    }

    @Test func `trusted-domains: the word of a provider without the mailbox does not protect an account from its user`() {
        // A provider that lets its users set any address made this account.
        let lax = Example.identity("oidc.lax", email: "ada@gmail.com")
        let holder = Example.account(email: "ada@gmail.com", verification: .provider("oidc.lax", runsMailbox: false), identities: [lax])
        let google = Example.identity("google.com", email: "ada@gmail.com")
        let planned = decide(Example.rules(.trustedDomains), google, holders: [holder]).planned
        #expect(planned?.kind == .takeOver && planned?.account.identities.map(\.provider) == ["google.com"])
        #expect(decide(Example.rules(.verifiedEmail), google, holders: [holder]).planned?.kind == .link)
    }

    @Test func `trusted-domains: mail and operators prove an address to every policy`() {
        for verification in [EmailVerification.mail, .operation, .provider("google.com", runsMailbox: true)] {
            let holder = Example.account(email: "ada@gmail.com", verification: verification)
            let google = Example.identity("google.com", email: "ada@gmail.com")
            #expect(decide(Example.rules(.trustedDomains), google, holders: [holder]).planned?.kind == .link)
        }
    }

    @Test func `sessions of a replica whose clock is ahead end with a take-over`() throws {
        var holder = Example.account(verification: nil)
        holder.lastSignInAt = Example.now + 5_000
        let planned = try #require(decide(Example.rules(.verifiedEmail), holders: [holder]).planned)
        #expect(planned.changes.endings.map(\.before) == [Example.now + 5_000])
        #expect(planned.startsAt == Example.now + 5_001, "the session of the take-over must not end with them")
        #expect(planned.account.lastSignInAt == Example.now + 5_001)
    }

    @Test func `an imported sign-in far in the future moves neither endings nor sessions there`() throws {
        var holder = Example.account(verification: nil)
        holder.lastSignInAt = 253_402_300_799_999
        let planned = try #require(decide(Example.rules(.verifiedEmail), holders: [holder]).planned)
        #expect(planned.changes.endings.map(\.before) == [Example.now])
        #expect(planned.account.lastSignInAt == Example.now + 1)
        holder.lastSignInAt = .max
        #expect(holder.latestSignIn(now: Example.now) == Example.now)
    }

    // MARK: Anonymous

    @Test func `an anonymous sign-in makes an account without credentials, unless sign-up is closed`() {
        let planned = Example.rules().anonymous(Example.fresh).planned
        #expect(planned?.kind == .create && planned?.account.isAnonymous == true && planned?.account.providers == [])
        #expect(planned?.identity.provider == "anonymous")
        #expect(Example.rules(signUp: .closed).anonymous(Example.fresh).error == AccountError(.adminRestrictedOperation))
    }
}
