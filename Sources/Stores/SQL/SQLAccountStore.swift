package import Accounts
import Synchronization

/// Accounts in an SQL database.
package final class SQLAccountStore: AccountStore {
    /// More rows of `attempts` are deleted by `prune`, those first that expire first.
    static let mostAttempts: Int64 = 1_000_000

    let database: any SQLDatabase
    /// Whether the schema was found to be this program's, and nothing has failed since: another file may be in its place.
    private let isPrepared = Mutex(false)

    package init(_ database: any SQLDatabase) { self.database = database }

    /// Brings the schema to this program's version. For the start, where `.schema` is an error of the configuration. Without a call, the
    /// first operation does it.
    package func prepare() async throws(SQLError) {
        guard !isPrepared.withLock({ $0 }) else { return }
        try await SQLSchema.migrate(database)
        isPrepared.withLock { $0 = true }
    }

    package func close() async { await database.close() }

    // MARK: Transactions

    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T
    ) async throws(AccountStoreError) -> T {
        do throws(SQLError) {
            try await prepare()
            return try await database.write(body)
        } catch {
            throw translated(error)
        }
    }

    func reading<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T
    ) async throws(AccountStoreError) -> T {
        do throws(SQLError) {
            try await prepare()
            return try await database.read(body)
        } catch {
            throw translated(error)
        }
    }

    /// Thrown in a transaction to roll it back.
    static let stale = SQLError.constraint("gateway: stale")

    private func translated(_ error: SQLError) -> AccountStoreError {
        switch error {
        case .constraint(let name):
            // SQLite names columns (`accounts.owned_address`), PostgreSQL the constraint (`accounts_owned_address`).
            if name.contains("owned_address") || name.contains("password_address") { return .taken(.address) }
            if name.contains("accounts.uid") || name.contains("accounts_uid") { return .taken(.uid) }
            if name.contains("identities.") || name.contains("identities_identity") || name.contains("identities_account_provider") {
                return .taken(.identity)
            }
            if ["factors.credential_id", "factors_credential", "factors.id", "factors_id"].contains(where: name.contains) {
                return .taken(.factor)
            }
            return .stale
        case .unavailable(let reason), .schema(let reason):
            isPrepared.withLock { $0 = false }
            return .unavailable(reason)
        }
    }

    // MARK: Reading

    package func read(_ lookup: AccountLookup) async throws(AccountStoreError) -> AccountFacts {
        try await reading { connection throws(SQLError) in
            var facts = AccountFacts()
            if let digest = lookup.token {
                facts.token = try connection.run(TokenRow.select, [.bytes(digest)]).first.flatMap(TokenRow.record)
            }
            if let uid = facts.token?.uid ?? lookup.uid { facts.account = try AccountRow.account(uid, connection) }
            if let key = lookup.identity {
                let row = try connection.run(
                    "SELECT uid FROM identities WHERE provider = ?1 AND issuer = ?2 AND subject = ?3",
                    [.text(key.provider), .text(key.issuer), .text(key.subject)]
                ).first
                if case .text(let uid)? = row?.first { facts.owner = try AccountRow.account(uid, connection) }
            }
            if let address = lookup.address {
                facts.holders = try AccountRow.records(
                    "WHERE address = ?1 AND is_shadowed = 0 ORDER BY \(AccountRow.rank) LIMIT 20", [.text(address.normalized)], connection
                ).map(\.account)
            }
            return facts
        }
    }

    package func passwordRecord(_ address: EmailAddress) async throws(AccountStoreError) -> AccountRecord? {
        try await reading { connection throws(SQLError) in
            try AccountRow.records("WHERE password_address = ?1", [.text(address.normalized)], connection).first
        }
    }

    package func passwordFunctions(limit: Int) async throws(AccountStoreError) -> [String] {
        try await reading { connection throws(SQLError) in
            // One step in the index for each: a store has thousands of hashes with the same function.
            var functions: [String] = []
            while functions.count < limit {
                let row = try connection.run(
                    "SELECT password_function FROM accounts WHERE password_function > ?1 ORDER BY password_function LIMIT 1",
                    [.text(functions.last ?? "")]
                ).first
                guard let next = row?.first?.text else { break }
                functions.append(next)
            }
            return functions
        }
    }

    package func record(_ uid: String) async throws(AccountStoreError) -> AccountRecord? {
        try await reading { connection throws(SQLError) in
            try AccountRow.records("WHERE uid = ?1", [.text(uid)], connection).first
        }
    }

    package func records(after uid: String?, limit: Int) async throws(AccountStoreError) -> [AccountRecord] {
        try await reading { connection throws(SQLError) in
            try AccountRow.records(
                "WHERE uid > ?1 ORDER BY uid LIMIT ?2", [.text(uid ?? ""), .integer(Int64(max(0, min(limit, 1_000))))], connection)
        }
    }

    // MARK: Writing

    package func apply(_ changes: AccountChanges) async throws(AccountStoreError) {
        try await write { connection throws(SQLError) in
            let writer = ChangeWriter(
                connection: connection, claimsAddresses: changes.claimsAddresses, endsSessions: !changes.endings.isEmpty)
            if let once = changes.once { try writer.use(once) }
            if let digest = changes.usedToken { try writer.useToken(digest) }
            for change in changes.accounts { try writer.apply(change) }
            for change in changes.factors { try writer.apply(change) }
            for cancelled in changes.cancelledTokens { try writer.cancel(cancelled) }
            if let token = changes.issuedToken { try writer.issue(token) }
            for ending in changes.endings { try writer.append(ending) }
            for entry in changes.outbox { try writer.append(entry) }
        }
    }
}
