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

    package init(providers: [String], isAnonymous: Bool = false, claims: [String: JSONValue] = [:]) {
        self.providers = providers
        self.isAnonymous = isAnonymous
        self.claims = claims
    }

    /// The provider's claims with the hooks' over them.
    func merged(over provided: JSONValue) -> JSONValue {
        claims.isEmpty ? provided : .object((provided.object ?? [:]).merging(claims) { _, added in added })
    }
}

extension Session {
    /// The same session with other facts about its account, such as one more provider.
    package func with(account changed: SessionAccount) -> Session {
        var session = self
        session.account = changed
        return session
    }
}
