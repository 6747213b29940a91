import Primitives
import TokenCrypto

/// Everything that happens to accounts: reads facts, decides with `AccountRules`, writes the changes. The only caller of the store.
///
/// Many may work on one account at once. The store refuses a change whose facts have changed, and the service decides anew, so the loser
/// of a race gets the answer of a caller that came later. `now`: Unix milliseconds.
package struct AccountService: Sendable {
    let store: any AccountStore
    package let policy: AccountPolicy
    /// Returns this many random bytes.
    let random: @Sendable (Int) -> [UInt8]

    /// More collisions than parallel requests for one account can cause.
    static let attempts = 50

    package init(
        store: any AccountStore, policy: AccountPolicy, random: @escaping @Sendable (Int) -> [UInt8] = SecureRandom.bytes
    ) {
        self.store = store
        self.policy = policy
        self.random = random
    }

    func rules(_ now: Int64) -> AccountRules { AccountRules(policy: policy, now: now) }

    /// Closes the store, after the transactions that are under way.
    package func close() async { await store.close() }

    // MARK: Race control

    /// The end of one attempt to write.
    enum Written {
        case done
        case uidTaken
        /// The facts have changed: decide anew.
        case again
    }

    func write(_ changes: AccountChanges) async throws(AccountError) -> Written {
        do throws(AccountStoreError) {
            try await store.apply(changes)
            return .done
        } catch {
            switch error {
            case .unavailable: throw AccountError(error)
            case .taken(.uid): return .uidTaken
            case .taken, .stale: return .again
            }
        }
    }

    func read(_ lookup: AccountLookup) async throws(AccountError) -> AccountFacts {
        do throws(AccountStoreError) { return try await store.read(lookup) } catch { throw AccountError(error) }
    }

    /// Reads, decides and writes, until no other change comes between. `decide` returns nil changes to write nothing.
    func deciding<Value>(
        _ lookup: AccountLookup, _ decide: (AccountFacts) throws(AccountError) -> (Value, AccountChanges?)
    ) async throws(AccountError) -> Value {
        for _ in 0..<Self.attempts {
            let (value, changes) = try decide(try await read(lookup))
            guard let changes else { return value }
            if case .done = try await write(changes) { return value }
        }
        throw Self.contention
    }

    static let contention = AccountError(.storeUnavailable, reason: "too many changes of one account at once")

    /// A uid in the form of derived ones.
    package func randomUID() -> String { String(Base32.lowercased(random(32)).prefix(26)) }

    func fresh(uid: String? = nil) -> AccountRules.Fresh {
        AccountRules.Fresh(uid: uid ?? randomUID(), pendingSecret: random(32))
    }
}

extension AccountError {
    package init(_ error: AccountStoreError) {
        let reason =
            switch error {
            case .unavailable(let reason): reason
            case .taken: "a constraint of the store"
            case .stale: "a concurrent change"
            }
        self.init(.storeUnavailable, reason: reason)
    }
}
