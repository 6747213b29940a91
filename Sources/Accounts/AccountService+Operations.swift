import TokenCrypto

/// The end of an operator's creation of one account.
package enum CreationResult: Sendable, Equatable {
    case created(Account)
    /// Another account has this; nothing was changed.
    case taken(AccountStoreError.Taken)
}

/// How long sessions matter to the account store, in milliseconds.
package struct SessionAges: Sendable, Equatable {
    /// The longest life of a session.
    package let session: Int64
    /// How long an ending means a session or a token.
    package let ending: Int64

    package init(session: Int64, ending: Int64) {
        self.session = session
        self.ending = ending
    }
}

/// The operator's commands, and what runs beside requests.
extension AccountService {
    // MARK: gateway users

    /// Accounts in a stable order. `after`: the last uid of the page before.
    package func records(after uid: String?, limit: Int) async throws(AccountError) -> [AccountRecord] {
        do throws(AccountStoreError) { return try await store.records(after: uid, limit: limit) } catch { throw AccountError(error) }
    }

    package func accounts(withAddress email: EmailAddress) async throws(AccountError) -> [Account] {
        try await read(AccountLookup(address: email)).holders
    }

    package func account(withIdentity key: IdentityKey) async throws(AccountError) -> Account? {
        try await read(AccountLookup(identity: key.isStorable ? key : nil)).owner
    }

    /// Makes an account for an address, whatever `signUp` says.
    package func create(
        email: EmailAddress?, name: String?, isVerified: Bool, now: Int64
    ) async throws(AccountError) -> CreationResult {
        let account = Account(
            uid: randomUID(), email: email, verification: isVerified && email != nil ? .operation : nil,
            provenAt: isVerified && email != nil ? now : nil, name: ProfileText.kept(name), createdAt: now)
        return try await insert(AccountRecord(account: account, passwordHash: nil))
    }

    /// The record as the store can keep it.
    func prepared(_ record: AccountRecord) throws(AccountError) -> AccountRecord {
        var record = record
        guard record.account.identities.allSatisfy(\.key.isStorable) else { throw AccountRules.notStorable }
        record.account.name = ProfileText.kept(record.account.name)
        record.account.picture = ProfileText.keptURL(record.account.picture)
        record.account.hasPassword = record.passwordHash != nil
        if record.account.email == nil {
            record.account.verification = nil
            record.account.provenAt = nil
            guard record.passwordHash == nil else { throw AccountError(.unverifiedEmail, reason: "a password needs an address") }
        }
        return record
    }

    func insert(_ record: AccountRecord, _ factors: [FactorChange] = []) async throws(AccountError) -> CreationResult {
        var changes = AccountChanges(claimsAddresses: policy.onePerEmail)
        changes.accounts = [.insert(record.account, record.passwordHash)]
        changes.factors = factors
        do throws(AccountStoreError) {
            try await store.apply(changes)
            return .created(record.account)
        } catch {
            guard case .taken(let what) = error else { throw AccountError(error) }
            return .taken(what)
        }
    }

    /// Links an identity that an operator names. Nobody proved it, so it vouches for no address.
    package func link(_ key: IdentityKey, uid: String, now: Int64) async throws(AccountError) -> Account {
        let identity = ProviderIdentity(provider: key.provider, issuer: key.issuer, subject: key.subject)
        return try await deciding(lookup(identity, uid: uid)) { facts throws(AccountError) in
            let plan = try rules(now).link(identity, facts, by: nil, begun: now)
            return (plan.account, plan.changes)
        }
    }

    // MARK: Endings

    /// Whether all sessions of the account were ended at this time or later, or after the ending with this number: by a new password or
    /// address, a reset, an operator. The number does not depend on clocks; the time still counts where the store was restored or replaced,
    /// and its numbers with it.
    package func hasEnding(of uid: String, since time: Int64, after cursor: Int64 = .max) async throws(AccountError) -> Bool {
        do throws(AccountStoreError) {
            return try await store.hasEnding(of: uid, since: time, after: cursor)
        } catch {
            throw AccountError(error)
        }
    }

    /// The endings after a cursor, in order. Every replica asks at least every few seconds, and ends the sessions that match.
    package func endings(after cursor: Int64, limit: Int) async throws(AccountError) -> [NumberedEnding] {
        do throws(AccountStoreError) { return try await store.endings(after: cursor, limit: limit) } catch { throw AccountError(error) }
    }

    /// The cursor for a replica that has read no ending yet and needs those that were made at this time or later.
    package func endingCursor(since time: Int64) async throws(AccountError) -> Int64 {
        do throws(AccountStoreError) { return try await store.endingCursor(since: time) } catch { throw AccountError(error) }
    }

    package func lastEnding() async throws(AccountError) -> Int64 {
        do throws(AccountStoreError) { return try await store.lastEnding() } catch { throw AccountError(error) }
    }

    // MARK: Limits

    /// Counts an attempt before it is made, so that parallel guesses count, too. Throws `too-many-requests` beyond the limit.
    package func attempt(_ key: AttemptKey, limit: Int, window: Int64, now: Int64) async throws(AccountError) -> CountedAttempt {
        let answer: AttemptAnswer
        do throws(AccountStoreError) {
            answer = try await store.attempt(key, limit: limit, window: window, now: now)
        } catch {
            throw AccountError(error)
        }
        switch answer {
        case .counted(let counted, _): return counted
        case .refused(let retryAfter): throw AccountError(.tooManyRequests, retryAfter: retryAfter)
        }
    }

    /// Takes back an attempt that was right: only wrong ones count.
    package func withdraw(_ attempt: CountedAttempt, now: Int64) async throws(AccountError) {
        do throws(AccountStoreError) { try await store.withdraw(attempt, now: now) } catch { throw AccountError(error) }
    }

    // MARK: Outbox

    /// Stores a message for delivery at least once. False: what `once` completes was completed before, and nothing is stored.
    @discardableResult package func enqueue(_ entry: OutboxEntry, once: OnceMark? = nil) async throws(AccountError) -> Bool {
        var changes = AccountChanges(claimsAddresses: policy.onePerEmail)
        changes.outbox = [entry]
        changes.once = once
        if case .done = try await write(changes) { return true }
        return false
    }

    /// Leases due messages for `lease` milliseconds.
    package func claimOutbox(limit: Int, lease: Int64, now: Int64) async throws(AccountError) -> [ClaimedEntry] {
        do throws(AccountStoreError) {
            return try await store.claimOutbox(limit: limit, lease: lease, now: now)
        } catch {
            throw AccountError(error)
        }
    }

    /// `retryAt` nil: delivered, or given up. Else due again at that time.
    package func settle(_ entry: ClaimedEntry, retryAt: Int64?) async throws(AccountError) {
        do throws(AccountStoreError) { try await store.settle(entry, retryAt: retryAt) } catch { throw AccountError(error) }
    }

    // MARK: Upkeep

    /// The functions of the password hashes that the store has, of which there are few: imports, and parameters of earlier versions.
    package func passwordFunctions() async throws(AccountError) -> [String] {
        do throws(AccountStoreError) { return try await store.passwordFunctions(limit: 8) } catch { throw AccountError(error) }
    }

    /// Browsers keep no cookie for longer (RFC 6265bis section 5.5), so no browser is remembered for longer.
    static let longestCookieLife: Int64 = 400 * 86_400_000

    /// Deletes what has expired: about once a minute. Returns whether more is to be deleted.
    ///
    /// An anonymous account goes without an ending when the session that can open it must be over. The time of the other replicas may be
    /// behind.
    @discardableResult package func prune(now: Int64, _ ages: SessionAges) async throws(AccountError) -> Bool {
        let latest = now - Account.clockSkew
        let upkeep = StoreUpkeep(
            now: now, endingsBefore: latest - ages.ending, browserEndingsBefore: latest - max(ages.ending, Self.longestCookieLife),
            anonymousBefore: latest - ages.session)
        do throws(AccountStoreError) { return try await store.prune(upkeep) } catch { throw AccountError(error) }
    }

    /// Makes the store's constraints follow `onePerEmail`, at the start and after each reload.
    package func adoptPolicy() async throws(AccountError) -> AddressAdoption {
        do throws(AccountStoreError) { return try await store.adopt(onePerEmail: policy.onePerEmail) } catch { throw AccountError(error) }
    }
}
