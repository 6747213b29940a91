import Accounts

/// Rows of `factors` as values.
enum FactorRow {
    private static let columns =
        "id, type, display_name, enrolled_at, secret, last_step, credential_id, public_key, counter, transports"

    static func factors(of uid: String, _ connection: any SQLConnection) throws(SQLError) -> [Factor] {
        let rows = try connection.run("SELECT \(columns) FROM factors WHERE uid = ?1 ORDER BY position, id", [.text(uid)])
        var factors: [Factor] = []
        for row in rows {
            guard let factor = factor(row) else { throw .unavailable("a row of factors is damaged") }
            factors.append(factor)
        }
        return factors
    }

    private static func factor(_ row: [SQLValue]) -> Factor? {
        guard row.count == 10, let id = row[0].text, let type = row[1].text.flatMap(FactorType.init), let enrolledAt = row[3].integer else {
            return nil
        }
        var credential: FactorCredential?
        if let credentialID = row[6].bytes {
            guard let publicKey = row[7].bytes, let counter = row[8].integer.flatMap(UInt32.init(exactly:)) else { return nil }
            let transports = (row[9].text ?? "").split(separator: " ").map(String.init)
            credential = FactorCredential(id: credentialID, publicKey: publicKey, counter: counter, transports: transports)
        }
        return Factor(
            id: id, type: type, displayName: row[2].text, enrolledAt: enrolledAt, sealedSecret: row[4].bytes, credential: credential,
            lastStep: row[5].integer)
    }

    static func insert(_ factor: Factor, uid: String, _ connection: any SQLConnection) throws(SQLError) {
        let last = try connection.run("SELECT COALESCE(MAX(position), 0) FROM factors WHERE uid = ?1", [.text(uid)])
        let credential = factor.credential
        _ = try connection.run(
            """
            INSERT INTO factors (\(columns), uid, position) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """,
            [
                .text(factor.id), .text(factor.type.rawValue), SQLValue(factor.displayName), .integer(factor.enrolledAt),
                SQLValue(factor.sealedSecret), SQLValue(factor.lastStep), SQLValue(credential?.id), SQLValue(credential?.publicKey),
                SQLValue(credential.map { Int64($0.counter) }), SQLValue(credential?.transports.joined(separator: " ")), .text(uid),
                .integer((last.first?.first?.integer ?? 0) + 1),
            ])
    }
}

extension SQLValue {
    init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
}

extension ChangeWriter {
    func apply(_ change: FactorChange) throws(SQLError) {
        switch change {
        case .insert(let factor, let uid, let recoveryCodes):
            try FactorRow.insert(factor, uid: uid, connection)
            for digest in recoveryCodes {
                _ = try connection.run(
                    "INSERT INTO recovery_codes (digest, factor) VALUES (?1, ?2)", [.bytes(digest), .text(factor.id)])
            }
        case .remove(let id, let uid):
            try requireRow("DELETE FROM factors WHERE id = ?1 AND uid = ?2 RETURNING id", [.text(id), .text(uid)])
        case .removeAll(let uid):
            _ = try connection.run("DELETE FROM factors WHERE uid = ?1", [.text(uid)])
            _ = try connection.run("DELETE FROM message_codes WHERE uid = ?1", [.text(uid)])
        }
    }
}
