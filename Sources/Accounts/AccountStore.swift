/// The reason why a store did not do what it was asked. Holds no secret and no address.
package enum AccountStoreError: Error, Sendable, Hashable {
    /// What another account has already.
    package enum Taken: Sendable, Hashable {
        case identity
        case address
        case uid
        /// The WebAuthn credential.
        case factor
    }

    /// The store does not answer. Nothing has changed, or nobody knows.
    case unavailable(String)
    /// A constraint of the store refused the changes; nothing has changed.
    case taken(Taken)
    /// Something that the changes were decided about has changed; nothing has changed by them.
    case stale
}

/// What a decision needs to know, read in one transaction.
package struct AccountLookup: Sendable {
    package var uid: String?
    package var identity: IdentityKey?
    package var address: EmailAddress?
    /// The SHA-256 of a mail token. The account of the token is read, too.
    package var token: [UInt8]?

    package init(uid: String? = nil, identity: IdentityKey? = nil, address: EmailAddress? = nil, token: [UInt8]? = nil) {
        self.uid = uid
        self.identity = identity
        self.address = address
        self.token = token
    }
}

package struct AccountFacts: Sendable, Equatable {
    /// The account with the uid of the look-up, or of its mail token.
    package var account: Account?
    /// The account that has the identity.
    package var owner: Account?
    /// The accounts with the address, at most 20: first the one that owns it while `onePerEmail` holds, then one with a password, then
    /// verified ones, then the oldest.
    package var holders: [Account]
    package var token: MailTokenRecord?

    package init(account: Account? = nil, owner: Account? = nil, holders: [Account] = [], token: MailTokenRecord? = nil) {
        self.account = account
        self.owner = owner
        self.holders = holders
        self.token = token
    }
}

/// A password hash, which no log may show.
package struct PasswordHash: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The PHC string.
    package let phc: String

    package init(phc: String) { self.phc = phc }

    /// The function and its cost, such as `scrypt$ln=17,r=8,p=1`: what it takes to compare a password with the hash. Nil for a text that is
    /// no PHC string.
    package var function: String? {
        let parts = phc.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0].isEmpty, let cost = parts.lastIndex(where: { $0.contains("=") }), cost > 1 else { return nil }
        return parts[1...cost].joined(separator: "$")
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// An account with its password hash, as `users export` writes it and `users import` reads it.
package struct AccountRecord: Sendable, Equatable {
    package var account: Account
    package var passwordHash: PasswordHash?
    /// Of an export or an import only: the store's records leave them out.
    package var factors: [FactorDocument]

    package init(account: Account, passwordHash: PasswordHash?, factors: [FactorDocument] = []) {
        self.account = account
        self.passwordHash = passwordHash
        self.factors = factors
    }
}

/// One set of changes, applied completely or not at all.
package struct AccountChanges: Sendable, Equatable {
    package enum Password: Sendable, Equatable {
        case keep
        case set(PasswordHash)
        case remove
    }

    package enum Change: Sendable, Equatable {
        case insert(Account, PasswordHash?)
        /// Applies the difference of two values. Stale unless the account still has the revision of `before`; the store increments it.
        case save(Account, before: Account, Password)
        /// Sets `lastSignInAt` of an account that still has this revision, which stays.
        case touch(uid: String, revision: Int64, at: Int64)
        /// Deletes the account while it has this revision.
        case delete(Account)
    }

    package var accounts: [Change] = []
    package var factors: [FactorChange] = []
    /// Written with the next numbers. With an ending, a change of its account is stale, too, if somebody has signed in since the account was
    /// read: the ending is to cover that session.
    package var endings: [SessionEnding] = []
    /// Deleted; stale if it does not exist any more.
    package var usedToken: [UInt8]?
    package var cancelledTokens: [CancelledTokens] = []
    /// Stored after the deletions. An account keeps one token to change its address, and the newest five of each other purpose.
    package var issuedToken: MailTokenRecord?
    /// An id that must never have been used; stale if it was. Remembered until the time.
    package var once: OnceMark?
    package var outbox: [OutboxEntry] = []
    /// Whether an address that an account gets belongs to it alone (`onePerEmail`).
    package var claimsAddresses: Bool

    package init(claimsAddresses: Bool) { self.claimsAddresses = claimsAddresses }
}

/// The mail tokens of an account that are deleted.
package enum CancelledTokens: Sendable, Equatable {
    case all(uid: String)
    /// All but those of `verify` and `reset`, which were mailed to the account's own address: they belong to its owner.
    case allButOwners(uid: String)
}

package struct OnceMark: Sendable, Equatable {
    package let digest: [UInt8]
    package let expiresAt: Int64

    package init(digest: [UInt8], expiresAt: Int64) {
        self.digest = digest
        self.expiresAt = expiresAt
    }
}

/// What upkeep deletes. All values are Unix milliseconds.
package struct StoreUpkeep: Sendable, Equatable {
    package let now: Int64
    /// Endings made before: all sessions that they mean are over.
    package let endingsBefore: Int64
    /// Endings made before, of accounts with second factors: no browser is remembered for longer.
    package let browserEndingsBefore: Int64
    /// Anonymous accounts whose user signed in before: the only session is over.
    package let anonymousBefore: Int64

    package init(now: Int64, endingsBefore: Int64, browserEndingsBefore: Int64, anonymousBefore: Int64) {
        self.now = now
        self.endingsBefore = endingsBefore
        self.browserEndingsBefore = browserEndingsBefore
        self.anonymousBefore = anonymousBefore
    }
}

/// What a change of `onePerEmail` did to the addresses of an existing database.
package struct AddressAdoption: Sendable, Equatable {
    /// Accounts with an address that another account owns now. They sign in as before; the address does not count as theirs.
    package let withoutTheirAddress: Int

    package init(withoutTheirAddress: Int) { self.withoutTheirAddress = withoutTheirAddress }
}

/// Keeps accounts. Times are Unix milliseconds. A store is safe to call from any thread and never blocks its caller's thread for long.
///
/// What a function returned is durable. Only `AccountService` and the operator's commands call it.
package protocol AccountStore: Sendable {
    /// Reads everything in one transaction.
    func read(_ lookup: AccountLookup) async throws(AccountStoreError) -> AccountFacts

    /// The account whose password opens with this address, whatever `onePerEmail` says: at most one has it.
    func passwordRecord(_ address: EmailAddress) async throws(AccountStoreError) -> AccountRecord?

    /// The functions of the password hashes that the store has, each once, at most `limit` (`PasswordHash.function`).
    func passwordFunctions(limit: Int) async throws(AccountStoreError) -> [String]

    /// The account with its password hash.
    func record(_ uid: String) async throws(AccountStoreError) -> AccountRecord?

    /// Applies the changes in one transaction that checks them against the constraints.
    func apply(_ changes: AccountChanges) async throws(AccountStoreError)

    /// Accounts in the order of their uids, which no change alters. `after`: the last uid of the page before; nil begins.
    func records(after uid: String?, limit: Int) async throws(AccountStoreError) -> [AccountRecord]

    /// Endings with greater numbers, in the order in which they were committed: none appears before the cursor later.
    func endings(after cursor: Int64, limit: Int) async throws(AccountStoreError) -> [NumberedEnding]

    /// Whether there is an ending of all sessions of an account, whatever provider they were made with, up to this time or a later one, or
    /// with a greater number than `cursor`.
    func hasEnding(of uid: String, since time: Int64, after cursor: Int64) async throws(AccountStoreError) -> Bool

    /// The number of the last ending; 0 without one.
    func lastEnding() async throws(AccountStoreError) -> Int64

    /// The cursor before the first ending that was made at this time or later; without one, the number of the last ending.
    func endingCursor(since time: Int64) async throws(AccountStoreError) -> Int64

    /// Counts an attempt, atomically, unless `limit` attempts were made in the last `window` milliseconds.
    func attempt(_ key: AttemptKey, limit: Int, window: Int64, now: Int64) async throws(AccountStoreError) -> AttemptAnswer

    /// Takes back an attempt that turned out right.
    func withdraw(_ attempt: CountedAttempt, now: Int64) async throws(AccountStoreError)

    /// The digests of the account's unused recovery codes.
    func recoveryCodes(_ uid: String) async throws(AccountStoreError) -> [[UInt8]]

    /// The account with its second factors, in the order of their enrolment; nil without such an account.
    func factors(_ uid: String) async throws(AccountStoreError) -> AccountFactors?

    /// The account that has the WebAuthn credential, with its factors; nil without one.
    func factors(withCredential id: [UInt8]) async throws(AccountStoreError) -> AccountFactors?

    /// Uses a factor up, in one transaction that decides between parallel calls.
    func use(_ use: FactorUse, now: Int64) async throws(AccountStoreError) -> FactorUseAnswer

    /// Stores a message code, in place of the earlier one of its challenge.
    func issue(_ code: MessageCodeRecord) async throws(AccountStoreError)

    /// Replaces the sealed secret of a factor that still has the one of `factor`; false if it has another one.
    func reseal(_ factor: Factor, uid: String, as sealed: [UInt8]) async throws(AccountStoreError) -> Bool

    /// Leases entries that are due, the oldest first. A lease that expires makes an entry due again.
    func claimOutbox(limit: Int, lease: Int64, now: Int64) async throws(AccountStoreError) -> [ClaimedEntry]

    /// Deletes an entry that was delivered or is given up, or makes it due again at `retryAt`. A lost lease changes nothing but a deletion.
    func settle(_ entry: ClaimedEntry, retryAt: Int64?) async throws(AccountStoreError)

    /// Deletes expired tokens, message codes, attempts and ids, and of endings and anonymous accounts that are over a limited number; bounds
    /// the table of attempts. Returns whether more is to be deleted.
    func prune(_ upkeep: StoreUpkeep) async throws(AccountStoreError) -> Bool

    /// Makes the constraints follow the policy: with each start and each reload.
    func adopt(onePerEmail: Bool) async throws(AccountStoreError) -> AddressAdoption

    func close() async
}
