import Accounts
package import TokenCrypto

/// The facts that a session keeps about its account in the account store. They are as of the session's issue, or of a later change in the
/// same browser.
package struct SessionAccount: Sendable, Equatable {
    /// The ids of the account's providers, in the order in which they were linked.
    package var providers: [String]
    /// The account has no way to sign in again.
    package var isAnonymous: Bool
    /// The claims that a hook added, over those of the provider; at most 1,000 bytes as JSON.
    package var claims: [String: JSONValue]
    /// The second factor that the user has shown in this session: `totp`, `webauthn`, `phone`, `recovery`, or what a trusted provider
    /// says; nil: none.
    package var secondFactor: String?
    /// How the user signed in (RFC 8176), as far as it is known.
    package var methods: [String]

    package init(
        providers: [String], isAnonymous: Bool = false, claims: [String: JSONValue] = [:], secondFactor: String? = nil,
        methods: [String] = []
    ) {
        self.providers = providers
        self.isAnonymous = isAnonymous
        self.claims = claims
        self.secondFactor = secondFactor
        self.methods = methods
    }

    /// The provider's claims with the hooks' over them.
    func merged(over provided: JSONValue) -> JSONValue {
        claims.isEmpty ? provided : .object((provided.object ?? [:]).merging(claims) { _, added in added })
    }
}

extension Session {
    /// The only session of an account that nobody can sign in to again.
    package var isAnonymous: Bool { account?.isAnonymous == true }

    /// The same session with other facts about its account, such as one more provider.
    package func with(account changed: SessionAccount) -> Session {
        var session = self
        session.account = changed
        return session
    }
}
