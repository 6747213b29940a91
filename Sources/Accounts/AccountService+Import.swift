/// Imports, many accounts at once.
extension AccountService {
    /// Stores exported accounts under their own uids, in one transaction where that is possible. Returns one result for each, in order.
    package func `import`(_ records: [AccountRecord]) async throws(AccountError) -> [Result<CreationResult, AccountError>] {
        var prepared: [AccountRecord] = []
        for record in records {
            guard let record = try? self.prepared(record) else { break }
            prepared.append(record)
        }
        if prepared.count == records.count {
            var changes = AccountChanges(claimsAddresses: policy.onePerEmail)
            changes.accounts = prepared.map { .insert($0.account, $0.passwordHash) }
            if case .done = try await write(changes) { return prepared.map { .success(.created($0.account)) } }
        }
        // One of them is refused: which one, and why, shows only by itself.
        var results: [Result<CreationResult, AccountError>] = []
        for record in records {
            do throws(AccountError) {
                results.append(.success(try await self.import(record)))
            } catch {
                guard error.code != .storeUnavailable else { throw error }
                results.append(.failure(error))
            }
        }
        return results
    }
}
