import Accounts

/// Writes `AccountChanges` inside one transaction.
struct ChangeWriter {
    /// Older tokens of one account and purpose are deleted.
    private static let mostTokens = 5

    let connection: any SQLConnection
    let claimsAddresses: Bool
    /// Whether the changes end sessions: then a sign-in since the account was read makes them stale.
    var endsSessions = false

    func apply(_ change: AccountChanges.Change) throws(SQLError) {
        switch change {
        case .insert(let account, let hash): try insert(account, hash)
        case .save(let account, let before, let password): try save(account, before, password)
        case .touch(let uid, let revision, let at):
            try requireRow(
                """
                UPDATE accounts SET last_sign_in_at =
                    CASE WHEN last_sign_in_at IS NULL OR last_sign_in_at < ?3 THEN ?3 ELSE last_sign_in_at END
                WHERE uid = ?1 AND revision = ?2 RETURNING uid
                """, [.text(uid), .integer(revision), .integer(at)])
        case .delete(let account):
            try requireRow(
                "DELETE FROM accounts WHERE uid = ?1 AND revision = ?2 \(sameSignIn("?3")) RETURNING uid",
                [.text(account.uid), .integer(account.revision)] + signIn(of: account))
        }
    }

    /// The condition that nobody has signed in since, with the parameter that `signIn(of:)` gives.
    private func sameSignIn(_ parameter: String) -> String { endsSessions ? "AND COALESCE(last_sign_in_at, -1) = \(parameter)" : "" }

    private func signIn(of before: Account) -> [SQLValue] { endsSessions ? [.integer(before.lastSignInAt ?? -1)] : [] }

    func requireRow(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) {
        guard try !connection.run(sql, arguments).isEmpty else { throw SQLAccountStore.stale }
    }

    private func insert(_ account: Account, _ hash: PasswordHash?) throws(SQLError) {
        let address = account.email?.normalized
        _ = try connection.run(
            """
            INSERT INTO accounts (uid, email, address, owned_address, password_address, is_shadowed, verified_by, name, picture,
                is_anonymous, is_disabled, created_at, last_sign_in_at, password_hash, revision, proven_at, password_function)
            VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            """,
            [
                .text(account.uid), SQLValue(account.email?.text), SQLValue(address), SQLValue(claimsAddresses ? address : nil),
                SQLValue(hash == nil ? nil : address), SQLValue(account.verification?.text), SQLValue(account.name),
                SQLValue(account.picture), SQLValue(account.isAnonymous), SQLValue(account.isDisabled), .integer(account.createdAt),
                SQLValue(account.lastSignInAt), SQLValue(hash?.phc), .integer(account.revision), SQLValue(account.provenAt),
                SQLValue(hash?.function),
            ])
        for identity in account.identities { try insert(identity, uid: account.uid) }
    }

    private func save(_ account: Account, _ before: Account, _ password: AccountChanges.Password) throws(SQLError) {
        try requireRow(
            """
            UPDATE accounts SET name = ?3, picture = ?4, is_anonymous = ?5, is_disabled = ?6, revision = ?7, last_sign_in_at =
                CASE WHEN last_sign_in_at IS NULL OR last_sign_in_at < ?8 THEN ?8 ELSE last_sign_in_at END
            WHERE uid = ?1 AND revision = ?2 \(sameSignIn("?9")) RETURNING uid
            """,
            [
                .text(account.uid), .integer(before.revision), SQLValue(account.name), SQLValue(account.picture),
                SQLValue(account.isAnonymous), SQLValue(account.isDisabled), .integer(before.revision + 1), SQLValue(account.lastSignInAt),
            ] + signIn(of: before))
        if account.email?.text != before.email?.text || account.verification != before.verification || account.provenAt != before.provenAt {
            try saveAddress(account, before)
        }
        switch password {
        case .keep: break
        case .set(let hash):
            _ = try connection.run(
                "UPDATE accounts SET password_hash = ?2, password_function = ?3 WHERE uid = ?1",
                [.text(account.uid), .text(hash.phc), SQLValue(hash.function)])
        case .remove:
            _ = try connection.run(
                "UPDATE accounts SET password_hash = NULL, password_function = NULL WHERE uid = ?1", [.text(account.uid)])
        }
        if account.hasPassword != before.hasPassword || account.email != before.email {
            _ = try connection.run(
                "UPDATE accounts SET password_address = ?2 WHERE uid = ?1",
                [.text(account.uid), SQLValue(account.hasPassword ? account.email?.normalized : nil)])
        }
        try saveIdentities(account, before)
    }

    /// An address that the account gets, or that it proves, becomes its own while `onePerEmail` holds.
    private func saveAddress(_ account: Account, _ before: Account) throws(SQLError) {
        let address = account.email?.normalized
        let claims = claimsAddresses && (account.email != before.email || before.verification == nil)
        _ = try connection.run(
            "UPDATE accounts SET email = ?2, address = ?3, verified_by = ?4, proven_at = ?5, is_shadowed = 0 WHERE uid = ?1",
            [
                .text(account.uid), SQLValue(account.email?.text), SQLValue(address), SQLValue(account.verification?.text),
                SQLValue(account.provenAt),
            ])
        if claims {
            _ = try connection.run("UPDATE accounts SET owned_address = ?2 WHERE uid = ?1", [.text(account.uid), SQLValue(address)])
        } else if account.email != before.email {
            _ = try connection.run("UPDATE accounts SET owned_address = NULL WHERE uid = ?1", [.text(account.uid)])
        }
    }

    private func saveIdentities(_ account: Account, _ before: Account) throws(SQLError) {
        for old in before.identities where !account.identities.contains(where: { $0.key == old.key }) {
            _ = try connection.run("DELETE FROM identities WHERE uid = ?1 AND provider = ?2", [.text(account.uid), .text(old.provider)])
        }
        for identity in account.identities {
            guard let old = before.identities.first(where: { $0.key == identity.key }) else {
                try insert(identity, uid: account.uid)
                continue
            }
            guard old != identity else { continue }
            _ = try connection.run(
                "UPDATE identities SET email = ?3, email_verified = ?4, username = ?5, name = ?6 WHERE uid = ?1 AND provider = ?2",
                [
                    .text(account.uid), .text(identity.provider), SQLValue(identity.email?.text), SQLValue(identity.emailVerified),
                    SQLValue(identity.username), SQLValue(identity.name),
                ])
        }
    }

    private func insert(_ identity: LinkedIdentity, uid: String) throws(SQLError) {
        let last = try connection.run("SELECT COALESCE(MAX(position), 0) FROM identities WHERE uid = ?1", [.text(uid)])
        _ = try connection.run(
            """
            INSERT INTO identities (provider, issuer, subject, uid, position, email, email_verified, username, name, linked_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """,
            [
                .text(identity.provider), .text(identity.issuer), .text(identity.subject), .text(uid),
                .integer((last.first?.first?.integer ?? 0) + 1), SQLValue(identity.email?.text), SQLValue(identity.emailVerified),
                SQLValue(identity.username), SQLValue(identity.name), .integer(identity.linkedAt),
            ])
    }

    // MARK: Beside accounts

    func use(_ once: OnceMark) throws(SQLError) {
        try requireRow(
            "INSERT INTO used_ids (digest, expires_at) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING RETURNING expires_at",
            [.bytes(once.digest), .integer(once.expiresAt)])
    }

    func useToken(_ digest: [UInt8]) throws(SQLError) {
        try requireRow("DELETE FROM mail_tokens WHERE digest = ?1 RETURNING uid", [.bytes(digest)])
    }

    func issue(_ token: MailTokenRecord) throws(SQLError) {
        _ = try connection.run(
            "INSERT INTO mail_tokens (digest, uid, purpose, email, expires_at, password_hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            [
                .bytes(token.digest), .text(token.uid), .text(token.purpose.rawValue), .text(token.email.text), .integer(token.expiresAt),
                SQLValue(token.passwordHash?.phc),
            ])
        // A newer change of the address replaces an older one.
        let kept = token.purpose == .change ? 1 : Self.mostTokens
        _ = try connection.run(
            """
            DELETE FROM mail_tokens WHERE digest IN (
                SELECT digest FROM mail_tokens WHERE uid = ?1 AND purpose = ?2 AND digest <> ?3 ORDER BY expires_at DESC, digest
                LIMIT 1000 OFFSET ?4)
            """, [.text(token.uid), .text(token.purpose.rawValue), .bytes(token.digest), .integer(Int64(kept - 1))])
    }

    func cancel(_ tokens: CancelledTokens) throws(SQLError) {
        switch tokens {
        case .all(let uid): _ = try connection.run("DELETE FROM mail_tokens WHERE uid = ?1", [.text(uid)])
        case .allButOwners(let uid):
            _ = try connection.run(
                "DELETE FROM mail_tokens WHERE uid = ?1 AND purpose NOT IN (?2, ?3)",
                [.text(uid), .text(MailTokenPurpose.verify.rawValue), .text(MailTokenPurpose.reset.rawValue)])
        }
    }

    func append(_ ending: SessionEnding) throws(SQLError) {
        let row = try connection.run("UPDATE counters SET value = value + 1 WHERE name = 'endings' RETURNING value", []).first
        guard let number = row?.first?.integer else { throw .unavailable("the counter of endings is missing") }
        if ending.keep == nil { try removeEndings(meantBy: ending) }
        _ = try connection.run(
            "INSERT INTO endings (number, uid, provider, before_time, keep) VALUES (?1, ?2, ?3, ?4, ?5)",
            [.integer(number), .text(ending.uid), SQLValue(ending.provider), .integer(ending.before), SQLValue(ending.keep)])
    }

    /// Keeps few endings of each account: one for all of its sessions, and later ones of single providers.
    private func removeEndings(meantBy ending: SessionEnding) throws(SQLError) {
        let ofAccount = "DELETE FROM endings WHERE uid = ?1 AND before_time <= ?2"
        let arguments: [SQLValue] = [.text(ending.uid), .integer(ending.before)]
        if let provider = ending.provider {
            _ = try connection.run(ofAccount + " AND provider = ?3", arguments + [.text(provider)])
        } else {
            _ = try connection.run(ofAccount, arguments)
        }
    }

    func append(_ entry: OutboxEntry) throws(SQLError) {
        _ = try connection.run(
            "INSERT INTO outbox (id, kind, payload, created_at, due_at, attempts) VALUES (?1, ?2, ?3, ?4, ?4, 0) ON CONFLICT (id) DO NOTHING",
            [.text(entry.id), .text(entry.kind), .text(entry.payload), .integer(entry.createdAt)])
    }
}
