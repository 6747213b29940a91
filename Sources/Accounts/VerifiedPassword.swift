/// The account that a password may open, and its hash. The caller compares the hash.
package struct PasswordCandidate: Sendable {
    package let account: Account
    let hash: PasswordHash

    init(account: Account, hash: PasswordHash) {
        self.account = account
        self.hash = hash
    }

    /// The proof that the password is right; nil if `verify` says no.
    ///
    /// `verify` returns nil for a wrong password, else whether to hash it anew, with the new hash.
    package func verified(_ verify: (PasswordHash) async -> PasswordMatch?) async -> VerifiedPassword? {
        guard let match = await verify(hash) else { return nil }
        return VerifiedPassword(uid: account.uid, hash: hash, renewed: match.renewed)
    }
}

/// A password that matches its hash.
package struct PasswordMatch: Sendable {
    /// The hash with today's parameters; nil: the stored one has them.
    package let renewed: PasswordHash?

    package init(renewed: PasswordHash? = nil) { self.renewed = renewed }
}

/// A password that was compared with an account's hash. Only `PasswordCandidate` makes it.
package struct VerifiedPassword: Sendable {
    package let uid: String
    let hash: PasswordHash
    let renewed: PasswordHash?

    fileprivate init(uid: String, hash: PasswordHash, renewed: PasswordHash?) {
        self.uid = uid
        self.hash = hash
        self.renewed = renewed
    }
}
