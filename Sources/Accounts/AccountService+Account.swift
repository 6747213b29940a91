/// What a signed-in user does with the own account. `proof`: what the session proves; nil: an operator.
extension AccountService {
    package func account(_ uid: String) async throws(AccountError) -> Account? { try await read(AccountLookup(uid: uid)).account }

    private func change(
        _ uid: String, _ plan: (AccountFacts) throws(AccountError) -> AccountRules.Plan
    ) async throws(AccountError) -> Account {
        try await deciding(AccountLookup(uid: uid)) { facts throws(AccountError) in
            let planned = try plan(facts)
            return (planned.account, planned.changes)
        }
    }

    /// Removes the identity of the provider, or with `password` the password. Sessions made with it end.
    package func unlink(_ provider: String, uid: String, by proof: SessionProof?, now: Int64) async throws(AccountError) -> Account {
        try await change(uid) { facts throws(AccountError) in try rules(now).unlink(provider, facts.account, by: proof) }
    }

    /// Removes the account with everything that belongs to it. Its sessions end.
    package func delete(uid: String, by proof: SessionProof?, now: Int64) async throws(AccountError) {
        _ = try await change(uid) { facts throws(AccountError) in try rules(now).delete(facts.account, by: proof) }
    }

    package func disable(uid: String, now: Int64) async throws(AccountError) -> Account {
        try await change(uid) { facts throws(AccountError) in try rules(now).setDisabled(true, facts.account) }
    }

    package func enable(uid: String, now: Int64) async throws(AccountError) -> Account {
        try await change(uid) { facts throws(AccountError) in try rules(now).setDisabled(false, facts.account) }
    }

    /// Ends all sessions of the account.
    package func revoke(uid: String, now: Int64) async throws(AccountError) {
        _ = try await change(uid) { facts throws(AccountError) in try rules(now).revoke(facts.account) }
    }

    /// Sets the first password or another one, and ends the sessions but `keep`. Cancels mails under way.
    package func setPassword(
        _ hash: PasswordHash, uid: String, by proof: SessionProof?, keep: String?, now: Int64
    ) async throws(AccountError) -> Account {
        for _ in 0..<Self.attempts {
            let address = try await account(uid)?.email
            let facts = try await read(AccountLookup(uid: uid, address: address))
            guard facts.account == nil || facts.account?.email == address else { continue }  // changed between the two
            let plan = try rules(now).setPassword(hash, facts, by: proof, keep: keep)
            if case .done = try await write(plan.changes) { return plan.account }
        }
        throw Self.contention
    }
}
