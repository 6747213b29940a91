import Accounts
import Testing

@Suite struct UserIDTests {
    @Test(
        "the uid is 26 characters of base32 of SHA-256 over length-prefixed issuer and subject (vectors from Python's hashlib)",
        arguments: [
            ("https://github.com", "583231", "lwthwgu6karekktoh2pdlnrj2f"),
            ("https://auth.example.com", "alice", "haqc7wfy7yjjkkwjqf5jnxy7zx"),
            ("https://auth.example.co", "malice", "4nseeuk5cuknh64pg7g5vpvcro"),
            ("", "", "g5dqr77xogo5lf46zb25k3gsfb"),
            ("https://idp.example/", "Zo\u{EB}\u{B7}日本", "pjcaec5dzd7hdejjtt4t4go6o2"),
            ("e\u{301}", "x", "ce3jnoahit22msmuyzdhlg5qaa"),
            ("\u{E9}", "x", "njp5g3otqht5ifuljxzt55scys"),
        ])
    func vectors(issuer: String, subject: String, uid: String) {
        #expect(UserID.derived(issuer: issuer, subject: subject) == uid)
    }

    @Test func `CVE-2023-35941: characters moved between issuer and subject make another user`() {
        let whole = "https://idp.examplealice"
        let uids = whole.indices.map { UserID.derived(issuer: String(whole[..<$0]), subject: String(whole[$0...])) }
        #expect(Set(uids).count == whole.count)
    }

    @Test func `subjects that differ in case or in trailing bytes are different users`() {
        let uids = ["alice", "Alice", "alice ", "alice\0", " alice"].map { UserID.derived(issuer: "https://idp.example", subject: $0) }
        #expect(Set(uids).count == uids.count)
    }

    @Test func `without a store an identity is its own account, and nothing but issuer and subject decides which`() {
        let identity = ProviderIdentity(
            provider: "oidc.acme", issuer: "https://auth.example.com", subject: "alice", email: "alice@example.com", username: "al",
            groups: ["staff"])
        var renamed = identity
        renamed.email = "bob@example.com"
        renamed.username = "bob"
        renamed.provider = "oidc.renamed"
        #expect(AccountOutcome(supposing: identity).uid == "haqc7wfy7yjjkkwjqf5jnxy7zx")
        #expect(AccountOutcome(supposing: renamed).uid == "haqc7wfy7yjjkkwjqf5jnxy7zx")
        #expect(AccountOutcome(supposing: identity).identity == identity)
    }
}
