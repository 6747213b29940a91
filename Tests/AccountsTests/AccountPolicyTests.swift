import Testing
import TokenCrypto

@testable import Accounts

@Suite("Providers that run the mailbox")
struct AccountPolicyTests {
    private func runs(
        _ provider: String, _ email: String?, verified: Bool? = true, claims: JSONValue = .object([:]),
        policy: AccountPolicy = AccountPolicy()
    ) -> Bool {
        policy.runsMailbox(
            ProviderIdentity(
                provider: provider, issuer: "https://idp.example", subject: "1", email: email, emailVerified: verified, claims: claims))
    }

    @Test(
        "the table of contract section 8",
        arguments: [
            ("google.com", "ada@gmail.com"), ("google.com", "ada@GoogleMail.com"), ("yahoo.com", "ada@yahoo.com"),
            ("yahoo.com", "ada@yahoo.de"),
            ("yahoo.com", "ada@yahoo.co.uk"), ("yahoo.com", "ada@yahoo.com.br"), ("yahoo.com", "ada@ymail.com"),
            ("yahoo.com", "ada@rocketmail.com"), ("yahoo.com", "ada@myyahoo.com"), ("microsoft.com", "ada@outlook.com"),
            ("microsoft.com", "ada@hotmail.com"), ("microsoft.com", "ada@live.com"), ("microsoft.com", "ada@msn.com"),
            ("apple.com", "ada@anything.example"),
        ])
    func trusted(provider: String, email: String) {
        #expect(runs(provider, email))
        #expect(!runs(provider, email, verified: false), "the provider must vouch for the address")
        #expect(!runs(provider, email, verified: nil))
        #expect(!runs("github.com", email))
    }

    @Test(
        "domains that only look like it",
        arguments: [
            ("google.com", "ada@example.com"), ("google.com", "ada@evilgmail.com"), ("google.com", "ada@gmail.com.evil.example"),
            ("google.com", "ada@mail.gmail.com"), ("yahoo.com", "ada@yahoo.evil.com"), ("yahoo.com", "ada@yahoo.com.evil"),
            ("yahoo.com", "ada@notyahoo.com"), ("yahoo.com", "ada@mail.yahoo.com"), ("yahoo.com", "ada@yahoo"),
            ("yahoo.com", "ada@yahoo.co.jp"),
            ("microsoft.com", "ada@contoso.com"), ("facebook.com", "ada@facebook.com"), ("oidc.acme", "ada@acme.example"),
        ])
    func untrusted(provider: String, email: String) { #expect(!runs(provider, email)) }

    @Test func `Google's hd claim names a domain whose mailboxes Google runs`() {
        let claims = JSONValue.object(["hd": .string("Corp.Example")])
        #expect(runs("google.com", "ada@corp.example", claims: claims))
        #expect(!runs("google.com", "ada@other.example", claims: claims))
        #expect(!runs("oidc.acme", "ada@corp.example", claims: claims), "another provider may put anything into the claim")
        #expect(!runs("google.com", "ada@corp.example", claims: .object(["hd": .bool(true)])))
    }

    @Test func `trustedDomains adds domains to a provider, and a second instance of a preset is the preset`() {
        let policy = AccountPolicy(trustedDomains: ["oidc.acme": ["acme.example"]], presets: ["google.com/partners": "google.com"])
        #expect(runs("oidc.acme", "ada@acme.example", policy: policy))
        #expect(!runs("oidc.acme", "ada@sub.acme.example", policy: policy))
        #expect(!runs("oidc.other", "ada@acme.example", policy: policy))
        #expect(runs("google.com/partners", "ada@gmail.com", policy: policy))
        #expect(!runs("google.com/partners", "ada@gmail.com"))
    }
}
