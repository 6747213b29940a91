/// Imports, many accounts at once.
extension AccountService {
    /// Makes of an imported second factor what the store keeps. Only `SecondFactors` can.
    package typealias FactorSealing = @Sendable (FactorDocument, _ uid: String) throws(AccountError) -> Factor

    /// Stores exported accounts under their own uids, in one transaction where that is possible. Returns one result for each, in order.
    package func `import`(
        _ records: [AccountRecord], sealing: FactorSealing = { _, _ throws(AccountError) in throw AccountError(.operationNotAllowed) }
    ) async throws(AccountError) -> [Result<CreationResult, AccountError>] {
        var all = AccountChanges(claimsAddresses: policy.onePerEmail)
        var prepared: [Account] = []
        for record in records {
            guard let (record, factors) = try? self.prepared(record, sealing) else { break }
            all.accounts.append(.insert(record.account, record.passwordHash))
            all.factors += factors
            prepared.append(record.account)
        }
        if prepared.count == records.count {
            if case .done = try await write(all) { return prepared.map { .success(.created($0)) } }
        }
        // One of them is refused: which one, and why, shows only by itself.
        var results: [Result<CreationResult, AccountError>] = []
        for record in records {
            do throws(AccountError) {
                results.append(.success(try await self.import(record, sealing)))
            } catch {
                guard error.code != .storeUnavailable else { throw error }
                results.append(.failure(error))
            }
        }
        return results
    }

    private func `import`(_ record: AccountRecord, _ sealing: FactorSealing) async throws(AccountError) -> CreationResult {
        let (record, factors) = try prepared(record, sealing)
        guard try await account(record.account.uid) == nil else { return .taken(.uid) }
        return try await insert(record, factors)
    }

    /// The record as the store can keep it.
    private func prepared(
        _ record: AccountRecord, _ sealing: FactorSealing
    ) throws(AccountError) -> (AccountRecord, [FactorChange]) {
        let record = try prepared(record)
        let uid = record.account.uid
        var factors: [FactorChange] = []
        for document in record.factors {
            factors.append(.insert(try sealing(document, uid), uid: uid, recoveryCodes: document.recoveryCodes))
        }
        return (record, factors)
    }
}
