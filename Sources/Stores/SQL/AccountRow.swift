import Accounts

/// Rows of `accounts` and `identities` as values.
enum AccountRow {
    static let columns = """
        uid, email, is_shadowed, verified_by, name, picture, is_anonymous, is_disabled, created_at, last_sign_in_at, password_hash, \
        password_address, revision, \
        CASE WHEN EXISTS (SELECT 1 FROM factors WHERE factors.uid = accounts.uid) THEN 1 ELSE 0 END, proven_at
        """

    /// The order of the accounts with one address: the owner, verified ones, those with a password, the oldest.
    static let rank = """
        CASE WHEN owned_address IS NULL THEN 1 ELSE 0 END, \
        CASE WHEN verified_by IS NULL THEN 1 ELSE 0 END, \
        CASE WHEN password_address IS NULL THEN 1 ELSE 0 END, \
        created_at, uid
        """

    static func account(_ uid: String, _ connection: any SQLConnection) throws(SQLError) -> Account? {
        try records("WHERE uid = ?1", [.text(uid)], connection).first?.account
    }

    /// The accounts that the rest of a SELECT finds, with their identities in link order.
    static func records(
        _ condition: String, _ arguments: [SQLValue], _ connection: any SQLConnection
    ) throws(SQLError) -> [AccountRecord] {
        var records: [AccountRecord] = []
        for row in try connection.run("SELECT \(columns) FROM accounts \(condition)", arguments) {
            guard var record = record(row) else { throw .unavailable("a row of accounts is damaged") }
            let identities = try connection.run(
                """
                SELECT provider, issuer, subject, email, email_verified, username, name, linked_at FROM identities
                WHERE uid = ?1 ORDER BY position
                """, [.text(record.account.uid)])
            record.account.identities = identities.compactMap(identity)
            guard record.account.identities.count == identities.count else { throw .unavailable("a row of identities is damaged") }
            record.account.endings = try endings(of: record.account.uid, connection)
            records.append(record)
        }
        return records
    }

    private static func endings(of uid: String, _ connection: any SQLConnection) throws(SQLError) -> SessionEndings {
        var endings = SessionEndings()
        let rows = try connection.run("SELECT provider, MAX(before_time) FROM endings WHERE uid = ?1 GROUP BY provider", [.text(uid)])
        for row in rows {
            guard row.count == 2, let before = row[1].integer else { throw .unavailable("a row of endings is damaged") }
            if let provider = row[0].text { endings.byProvider[provider] = before } else { endings.all = before }
        }
        return endings
    }

    private static func record(_ row: [SQLValue]) -> AccountRecord? {
        guard row.count == 15, let uid = row[0].text, let createdAt = row[8].integer, let revision = row[12].integer,
            // The next revision must not overflow.
            (0..<Int64.max).contains(revision)
        else { return nil }
        // Another account owns the address of a shadowed one, which counts as an account without an address and a password.
        let isShadowed = row[2].integer != 0
        let email = isShadowed ? nil : row[1].text.flatMap(EmailAddress.init)
        let hasPassword = row[10].text != nil && row[11].text != nil
        let account = Account(
            uid: uid, email: email, verification: email == nil ? nil : row[3].text.flatMap(EmailVerification.init),
            provenAt: email == nil ? nil : row[14].integer, name: row[4].text, picture: row[5].text, isAnonymous: row[6].integer == 1,
            isDisabled: row[7].integer != 0, createdAt: createdAt, lastSignInAt: row[9].integer, hasPassword: hasPassword,
            hasFactors: row[13].integer == 1, revision: revision)
        return AccountRecord(account: account, passwordHash: hasPassword ? row[10].text.map(PasswordHash.init(phc:)) : nil)
    }

    private static func identity(_ row: [SQLValue]) -> LinkedIdentity? {
        guard row.count == 8, let provider = row[0].text, let issuer = row[1].text, let subject = row[2].text,
            let linkedAt = row[7].integer
        else { return nil }
        return LinkedIdentity(
            provider: provider, issuer: issuer, subject: subject, email: row[3].text.flatMap(EmailAddress.init),
            emailVerified: row[4].integer == 1, username: row[5].text, name: row[6].text, linkedAt: linkedAt)
    }
}

enum TokenRow {
    static let select = "SELECT digest, purpose, uid, email, expires_at, password_hash FROM mail_tokens WHERE digest = ?1"

    static func record(_ row: [SQLValue]) -> MailTokenRecord? {
        guard row.count == 6, let digest = row[0].bytes, let purpose = row[1].text.flatMap(MailTokenPurpose.init), let uid = row[2].text,
            let email = row[3].text.flatMap(EmailAddress.init), let expiresAt = row[4].integer
        else { return nil }
        return MailTokenRecord(
            digest: digest, purpose: purpose, uid: uid, email: email, expiresAt: expiresAt,
            passwordHash: row[5].text.map(PasswordHash.init(phc:)))
    }
}

extension SQLValue {
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }

    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
