package import Accounts
import TokenCrypto

/// Second factors.
extension SQLAccountStore {
    package func factors(_ uid: String) async throws(AccountStoreError) -> AccountFactors? {
        try await reading { connection throws(SQLError) in try Self.factors(uid, connection) }
    }

    package func factors(withCredential id: [UInt8]) async throws(AccountStoreError) -> AccountFactors? {
        try await reading { connection throws(SQLError) in
            let row = try connection.run("SELECT uid FROM factors WHERE credential_id = ?1", [.bytes(id)]).first
            return try row?.first?.text.flatMap { uid throws(SQLError) in try Self.factors(uid, connection) }
        }
    }

    private static func factors(_ uid: String, _ connection: any SQLConnection) throws(SQLError) -> AccountFactors? {
        guard let account = try AccountRow.account(uid, connection) else { return nil }
        let left = try connection.run(
            "SELECT COUNT(*) FROM recovery_codes JOIN factors ON factors.id = recovery_codes.factor WHERE factors.uid = ?1", [.text(uid)])
        return AccountFactors(
            account: account, factors: try FactorRow.factors(of: uid, connection),
            recoveryCodes: Int(clamping: left.first?.first?.integer ?? 0))
    }

    package func recoveryCodes(_ uid: String) async throws(AccountStoreError) -> [[UInt8]] {
        try await reading { connection throws(SQLError) in
            try connection.run(
                "SELECT digest FROM recovery_codes JOIN factors ON factors.id = recovery_codes.factor WHERE factors.uid = ?1",
                [.text(uid)]
            ).compactMap { $0.first?.bytes }
        }
    }

    package func use(_ use: FactorUse, now: Int64) async throws(AccountStoreError) -> FactorUseAnswer {
        try await write { connection throws(SQLError) in
            let row = try connection.run("SELECT revision FROM accounts WHERE uid = ?1 AND is_disabled = 0", [.text(use.uid)])
            guard let revision = row.first?.first?.integer else { return .gone }
            if let factor = use.factor {
                let found = try connection.run("SELECT 1 FROM factors WHERE id = ?1 AND uid = ?2", [.text(factor), .text(use.uid)])
                guard !found.isEmpty else { return .gone }
            }
            guard use.revision == nil || use.revision == revision else { return .changed }
            if let once = use.once {
                // Looked up and not only inserted: a refused code must leave the mark unset, and an answer is no error that rolls back.
                let used = try connection.run("SELECT 1 FROM used_ids WHERE digest = ?1", [.bytes(once.digest)])
                guard used.isEmpty else { return .completed }
            }
            let answer = try Self.consume(use, now: now, connection)
            if answer == .used, let once = use.once { try ChangeWriter(connection: connection, claimsAddresses: false).use(once) }
            return answer
        }
    }

    private static func consume(_ use: FactorUse, now: Int64, _ connection: any SQLConnection) throws(SQLError) -> FactorUseAnswer {
        let key: [SQLValue] = [SQLValue(use.factor), .text(use.uid)]
        switch use.kind {
        case .totp(let step):
            let row = try connection.run(
                """
                UPDATE factors SET last_step = ?3 WHERE id = ?1 AND uid = ?2 AND type = 'totp' AND (last_step IS NULL OR last_step < ?3)
                RETURNING id
                """, key + [.integer(step)])
            return row.isEmpty ? .refused : .used
        case .webauthn(let counter):
            let row = try connection.run(
                """
                UPDATE factors SET counter = ?3
                WHERE id = ?1 AND uid = ?2 AND type = 'webauthn' AND (counter < ?3 OR (counter = 0 AND ?3 = 0)) RETURNING id
                """, key + [.integer(Int64(counter))])
            return row.isEmpty ? .refused : .used
        case .recovery(let digest):
            let row = try connection.run(
                """
                DELETE FROM recovery_codes WHERE digest = ?3
                    AND factor IN (SELECT id FROM factors WHERE id = ?1 AND uid = ?2 AND type = 'recovery')
                RETURNING factor
                """, key + [.bytes(digest)])
            return row.isEmpty ? .refused : .used
        case .message(let challenge, let code):
            let arguments: [SQLValue] = [.bytes(challenge), .text(use.uid)]
            let row = try connection.run("SELECT code, expires_at FROM message_codes WHERE challenge = ?1 AND uid = ?2", arguments).first
            guard let row, row.count == 2, let stored = row[0].bytes, let expiresAt = row[1].integer, now < expiresAt else {
                return .expired
            }
            guard constantTimeEqual(stored, code) else { return .refused }
            _ = try connection.run("DELETE FROM message_codes WHERE challenge = ?1 AND uid = ?2", arguments)
            return .used
        }
    }

    package func issue(_ code: MessageCodeRecord) async throws(AccountStoreError) {
        try await write { connection throws(SQLError) in
            _ = try connection.run(
                """
                INSERT INTO message_codes (challenge, uid, code, expires_at) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (challenge) DO UPDATE SET uid = excluded.uid, code = excluded.code, expires_at = excluded.expires_at
                """, [.bytes(code.challenge), .text(code.uid), .bytes(code.code), .integer(code.expiresAt)])
        }
    }

    package func reseal(_ factor: Factor, uid: String, as sealed: [UInt8]) async throws(AccountStoreError) -> Bool {
        guard let old = factor.sealedSecret else { return false }
        return try await write { connection throws(SQLError) in
            try !connection.run(
                "UPDATE factors SET secret = ?4 WHERE id = ?1 AND uid = ?2 AND secret = ?3 RETURNING id",
                [.text(factor.id), .text(uid), .bytes(old), .bytes(sealed)]
            ).isEmpty
        }
    }
}
