package import Accounts

/// Endings, attempt limits, the outbox and the upkeep.
extension SQLAccountStore {
    package func endings(after cursor: Int64, limit: Int) async throws(AccountStoreError) -> [NumberedEnding] {
        try await reading { connection throws(SQLError) in
            let rows = try connection.run(
                "SELECT number, uid, provider, before_time, keep FROM endings WHERE number > ?1 ORDER BY number LIMIT ?2",
                [.integer(cursor), .integer(Int64(max(0, min(limit, 10_000))))])
            return rows.compactMap { row in
                guard row.count == 5, let number = row[0].integer, let uid = row[1].text, let before = row[3].integer else { return nil }
                let ending = SessionEnding(uid: uid, provider: row[2].text, before: before, keep: row[4].text)
                return NumberedEnding(number: number, ending: ending)
            }
        }
    }

    package func hasEnding(of uid: String, since time: Int64, after cursor: Int64) async throws(AccountStoreError) -> Bool {
        try await reading { connection throws(SQLError) in
            // By the index of the account: a condition with OR can lead a planner to the indexes of all accounts.
            let last = try connection.run(
                "SELECT MAX(before_time), MAX(number) FROM endings WHERE uid = ?1 AND provider IS NULL", [.text(uid)]
            ).first
            guard let last, last.count == 2, let before = last[0].integer, let number = last[1].integer else { return false }
            return before >= time || number > cursor
        }
    }

    package func lastEnding() async throws(AccountStoreError) -> Int64 {
        try await reading { connection throws(SQLError) in
            try connection.run("SELECT value FROM counters WHERE name = 'endings'", []).first?.first?.integer ?? 0
        }
    }

    package func endingCursor(since time: Int64) async throws(AccountStoreError) -> Int64 {
        try await reading { connection throws(SQLError) in
            // One statement, so that no ending is committed between its parts.
            try connection.run(
                """
                SELECT COALESCE(
                    (SELECT MIN(number) - 1 FROM endings WHERE before_time >= ?1),
                    (SELECT value FROM counters WHERE name = 'endings'))
                """, [.integer(time)]
            ).first?.first?.integer ?? 0
        }
    }

    // MARK: Attempt limits

    package func attempt(_ key: AttemptKey, limit: Int, window: Int64, now: Int64) async throws(AccountStoreError) -> AttemptAnswer {
        // A row of a key holds at most this many times of eight bytes.
        let limit = max(0, min(limit, AttemptKey.greatestLimit))
        return try await write { connection throws(SQLError) in
            let stored = try connection.run("SELECT times FROM attempts WHERE digest = ?1", [.bytes(key.digest)]).first?.first?.bytes
            // A time in the future, of a replica whose clock is ahead, counts.
            var times = AttemptTimes.decode(stored ?? []).filter { now - $0 < window }
            guard times.count < limit else {
                // Enough of them leave the window at the time of the one that would be the last within the limit.
                let freeing = limit == 0 ? now : times.sorted()[times.count - limit]
                return .refused(retryAfter: max(1, freeing + window - now))
            }
            times.append(now)
            _ = try connection.run(
                """
                INSERT INTO attempts (digest, times, expires_at) VALUES (?1, ?2, ?3)
                ON CONFLICT (digest) DO UPDATE SET times = excluded.times, expires_at = excluded.expires_at
                """, [.bytes(key.digest), .bytes(AttemptTimes.encode(times)), .integer((times.max() ?? now) + window)])
            return .counted(CountedAttempt(key: key, at: now), remaining: limit - times.count)
        }
    }

    package func withdraw(_ attempt: CountedAttempt, now: Int64) async throws(AccountStoreError) {
        try await write { connection throws(SQLError) in
            let key = SQLValue.bytes(attempt.key.digest)
            guard let stored = try connection.run("SELECT times FROM attempts WHERE digest = ?1", [key]).first?.first?.bytes else { return }
            var times = AttemptTimes.decode(stored)
            guard let index = times.lastIndex(of: attempt.at) else { return }
            times.remove(at: index)
            if times.isEmpty {
                _ = try connection.run("DELETE FROM attempts WHERE digest = ?1", [key])
            } else {
                _ = try connection.run("UPDATE attempts SET times = ?2 WHERE digest = ?1", [key, .bytes(AttemptTimes.encode(times))])
            }
        }
    }

    // MARK: Outbox

    package func claimOutbox(limit: Int, lease: Int64, now: Int64) async throws(AccountStoreError) -> [ClaimedEntry] {
        try await write { connection throws(SQLError) in
            let rows = try connection.run(
                """
                UPDATE outbox SET due_at = ?2, attempts = attempts + 1 WHERE id IN (
                    SELECT id FROM outbox WHERE due_at <= ?1 ORDER BY due_at, id LIMIT ?3)
                RETURNING id, kind, payload, created_at, attempts
                """, [.integer(now), .integer(now + lease), .integer(Int64(max(0, min(limit, 1_000))))])
            let entries: [ClaimedEntry] = rows.compactMap { row in
                guard row.count == 5, let id = row[0].text, let kind = row[1].text, let payload = row[2].text,
                    let createdAt = row[3].integer, let attempt = row[4].integer
                else { return nil }
                let entry = OutboxEntry(id: id, kind: kind, payload: payload, createdAt: createdAt)
                return ClaimedEntry(entry: entry, attempt: Int(clamping: attempt))
            }
            return entries.sorted { ($0.entry.createdAt, $0.entry.id) < ($1.entry.createdAt, $1.entry.id) }
        }
    }

    package func settle(_ entry: ClaimedEntry, retryAt: Int64?) async throws(AccountStoreError) {
        try await write { connection throws(SQLError) in
            guard let retryAt else {
                _ = try connection.run("DELETE FROM outbox WHERE id = ?1", [.text(entry.entry.id)])
                return
            }
            // Another lease has begun if the number of attempts differs.
            _ = try connection.run(
                "UPDATE outbox SET due_at = ?2 WHERE id = ?1 AND attempts = ?3",
                [.text(entry.entry.id), .integer(retryAt), .integer(Int64(entry.attempt))])
        }
    }

    // MARK: Upkeep

    /// Rows of one table that `prune` deletes at a time: a statement keeps others waiting.
    static let pruned: Int64 = 10_000

    package func prune(_ upkeep: StoreUpkeep) async throws(AccountStoreError) -> Bool {
        let most = Self.mostAttempts
        // PostgreSQL compares columns with different collations only by a named one; `endings.uid` has none of its own.
        let bytewise = database.dialect == .postgres ? "COLLATE \"C\"" : ""
        return try await write { connection throws(SQLError) in
            for table in ["mail_tokens", "message_codes", "attempts", "used_ids"] {
                _ = try connection.run("DELETE FROM \(table) WHERE expires_at <= ?1", [.integer(upkeep.now)])
            }
            let endings = try connection.run(
                """
                DELETE FROM endings WHERE number IN (
                    SELECT number FROM endings WHERE before_time < ?1 AND (
                        provider IS NOT NULL OR before_time < ?2
                        OR NOT EXISTS (SELECT 1 FROM factors WHERE factors.uid = endings.uid \(bytewise)))
                    ORDER BY before_time LIMIT ?3)
                RETURNING number
                """, [.integer(upkeep.endingsBefore), .integer(upkeep.browserEndingsBefore), .integer(Self.pruned)]
            ).count
            // A mail that waits to be confirmed still makes an account of it.
            let accounts = try connection.run(
                """
                DELETE FROM accounts WHERE is_anonymous = 1 AND uid IN (
                    SELECT uid FROM accounts
                    WHERE is_anonymous = 1 AND COALESCE(last_sign_in_at, created_at) < ?1 AND password_hash IS NULL
                        AND NOT EXISTS (SELECT 1 FROM identities WHERE identities.uid = accounts.uid)
                        AND NOT EXISTS (SELECT 1 FROM mail_tokens WHERE mail_tokens.uid = accounts.uid)
                    ORDER BY COALESCE(last_sign_in_at, created_at) LIMIT ?2)
                RETURNING uid
                """, [.integer(upkeep.anonymousBefore), .integer(Self.pruned)]
            ).count
            let hasMore = endings == Int(Self.pruned) || accounts == Int(Self.pruned)
            let count = try connection.run("SELECT COUNT(*) FROM attempts", []).first?.first?.integer ?? 0
            guard count > most else { return hasMore }
            _ = try connection.run(
                "DELETE FROM attempts WHERE digest IN (SELECT digest FROM attempts ORDER BY expires_at, digest LIMIT ?1)",
                [.integer(count - most)])
            return hasMore
        }
    }

    package func adopt(onePerEmail: Bool) async throws(AccountStoreError) -> AddressAdoption {
        try await write { connection throws(SQLError) in
            guard onePerEmail else {
                _ = try connection.run("UPDATE accounts SET owned_address = NULL WHERE owned_address IS NOT NULL", [])
                _ = try connection.run(
                    """
                    UPDATE accounts SET password_address = address WHERE is_shadowed = 1 AND password_hash IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM accounts AS other WHERE other.password_address = accounts.address)
                    """, [])
                _ = try connection.run("UPDATE accounts SET is_shadowed = 0, revision = revision + 1 WHERE is_shadowed = 1", [])
                return AddressAdoption(withoutTheirAddress: 0)
            }
            _ = try connection.run(
                """
                UPDATE accounts SET is_shadowed = 1, password_address = NULL, revision = revision + 1
                WHERE address IS NOT NULL AND owned_address IS NULL AND is_shadowed = 0 AND EXISTS (
                    SELECT 1 FROM accounts AS other
                    WHERE other.address = accounts.address AND other.is_shadowed = 0 AND other.uid <> accounts.uid
                        AND (\(Self.rank("other"))) < (\(Self.rank("accounts"))))
                """, [])
            _ = try connection.run(
                "UPDATE accounts SET owned_address = address WHERE address IS NOT NULL AND owned_address IS NULL AND is_shadowed = 0", [])
            let shadowed = try connection.run("SELECT COUNT(*) FROM accounts WHERE is_shadowed = 1", []).first?.first?.integer ?? 0
            return AddressAdoption(withoutTheirAddress: Int(clamping: shadowed))
        }
    }

    /// `AccountRow.rank` with the name of a table, by stored columns that `adopt` does not change on the way.
    private static func rank(_ table: String) -> String {
        """
        CASE WHEN \(table).owned_address IS NULL THEN 1 ELSE 0 END, CASE WHEN \(table).verified_by IS NULL THEN 1 ELSE 0 END, \
        CASE WHEN \(table).password_hash IS NULL THEN 1 ELSE 0 END, \(table).created_at, \(table).uid
        """
    }
}

/// The times of attempts, eight bytes each.
enum AttemptTimes {
    static func encode(_ times: [Int64]) -> [UInt8] {
        times.flatMap { time in (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * Int64($0))) } }
    }

    static func decode(_ bytes: [UInt8]) -> [Int64] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
        }
    }
}
