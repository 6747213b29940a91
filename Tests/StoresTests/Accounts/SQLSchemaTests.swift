import Glibc
import Testing
import TokenCrypto

@testable import Accounts
@testable import Stores

@Suite("Migrations")
struct SQLSchemaTests {
    @Test(arguments: AccountDatabase.all, Array(0...SQLSchema.version))
    func `every earlier version becomes this one, and keeps its accounts`(database: AccountDatabase, version: Int) async throws {
        let replicas = try await database.make()
        try await SQLSchema.migrate(replicas.first, to: version)
        if version > 0 {
            _ = try await replicas.first.write { connection throws(SQLError) in
                try connection.run(
                    """
                    INSERT INTO accounts (uid, email, address, owned_address, is_shadowed, is_anonymous, is_disabled, created_at, revision)
                    VALUES ('old', 'Ada@example.com', 'ada@example.com', 'ada@example.com', 0, 0, 0, 5, 1)
                    """, [])
            }
        }
        let service = replicas.service()
        if version > 0 { #expect(try await service.account("old")?.email?.text == "Ada@example.com") }
        let hasConflict = try await service.signIn(proof: Proof(), now: start).conflict != nil
        #expect(hasConflict == (version > 0))
        try await service.enqueue(OutboxEntry(id: "1", kind: "merge", payload: "{}", createdAt: start))
        #expect(try await service.lastEnding() == 0)
    }

    @Test(arguments: AccountDatabase.all)
    func `accounts of version 4 say since when their address counts as proven, and with which functions passwords are compared`(
        database: AccountDatabase
    ) async throws {
        let replicas = try await database.make()
        try await SQLSchema.migrate(replicas.first, to: 4)
        let rows: [(uid: String, verifiedBy: String?, hash: String?)] = [
            ("unverified", nil, "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA"),
            ("mail", "mail", "$scrypt$ln=17,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaA"), ("operation", "operation", nil),
            ("provider", "provider:google.com", "$firebase-scrypt$ln=14,r=8,p=1$c2FsdHNhbHQ$aGFzaA$a2V5"),
            ("mailbox", "mailbox:google.com", "$scrypt$ln=17,r=8,p=1$b3RoZXJvdGhlcm90aGVyb3Q$aGFzaA"), ("unlinked", "provider:other", nil),
        ]
        try await replicas.first.write { connection throws(SQLError) in
            for (index, row) in rows.enumerated() {
                _ = try connection.run(
                    """
                    INSERT INTO accounts (uid, email, address, owned_address, password_address, is_shadowed, verified_by, is_anonymous,
                        is_disabled, created_at, password_hash, revision)
                    VALUES (?1, ?2, ?2, ?2, ?2, 0, ?3, 0, 0, 100, ?4, 1)
                    """,
                    [.text(row.uid), .text("user\(index)@example.com"), SQLValue(row.verifiedBy), SQLValue(row.hash)])
                for (position, identity) in [("github.com", 0), ("google.com", 1)].enumerated() {
                    _ = try connection.run(
                        """
                        INSERT INTO identities (provider, issuer, subject, uid, position, email_verified, linked_at)
                        VALUES (?1, 'https://issuer', ?2, ?2, ?3, ?4, ?5)
                        """,
                        [
                            .text(identity.0), .text(row.uid), .integer(Int64(position)), .integer(Int64(identity.1)),
                            .integer(Int64(200 + position)),
                        ])
                }
            }
        }
        let service = replicas.service()
        var proven: [String: Int64] = [:]
        for row in rows { proven[row.uid] = try await service.account(row.uid)?.provenAt }
        // Nobody knows when a mail proved an address, or a provider whose identity is gone.
        #expect(proven == ["operation": 100, "provider": 201, "mailbox": 201])
        #expect(
            try await service.passwordFunctions() == [
                "argon2id$v=19$m=19456,t=2,p=1", "firebase-scrypt$ln=14,r=8,p=1", "scrypt$ln=17,r=8,p=1",
            ])
        _ = try await service.setPassword(
            PasswordHash(phc: "$scrypt$ln=18,r=8,p=1$c2FsdA$aGFzaA"), uid: "provider", by: nil, keep: nil, now: start)
        _ = try await service.unlink("password", uid: "unverified", by: nil, now: start)
        #expect(try await service.passwordFunctions() == ["scrypt$ln=17,r=8,p=1", "scrypt$ln=18,r=8,p=1"])
    }

    @Test(arguments: AccountDatabase.all)
    func `replicas that start at once migrate once`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        _ = try await inParallel(replicas.services(), count: 10) { service, _ in try await service.lastEnding() }
        let rows = try await replicas.first.read { connection throws(SQLError) in
            try connection.run("SELECT version FROM gateway_schema", [])
        }
        #expect(rows == [[.integer(Int64(SQLSchema.version))]])
    }

    @Test(arguments: AccountDatabase.all)
    func `a schema that is newer than the program is refused, and the message says so`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        try await SQLSchema.migrate(replicas.first)
        _ = try await replicas.first.write { connection throws(SQLError) in
            try connection.run("UPDATE gateway_schema SET version = 99", [])
        }
        let store = SQLAccountStore(replicas.second)
        await #expect {
            try await store.prepare()
        } throws: { error in
            guard case .schema(let text)? = error as? SQLError else { return false }
            return text.contains("version 99") && text.contains("knows \(SQLSchema.version)") && text.contains("newer gateway")
        }
        await #expect(throws: AccountStoreError.self) { try await store.lastEnding() }
    }

    @Test(arguments: AccountDatabase.all)
    func `the version of a schema is read without a migration`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        #expect(try await SQLSchema.version(of: replicas.first) == nil)
        #expect(try await SQLSchema.version(of: replicas.first) == nil, "reading creates nothing")
        try await SQLSchema.migrate(replicas.first, to: 2)
        #expect(try await SQLSchema.version(of: replicas.second) == 2)
        try await SQLSchema.migrate(replicas.first)
        #expect(try await SQLSchema.version(of: replicas.second) == SQLSchema.version)
        _ = try await replicas.first.write { connection throws(SQLError) in
            try connection.run("UPDATE gateway_schema SET version = 99", [])
        }
        #expect(try await SQLSchema.version(of: replicas.second) == 99)
    }

    @Test func `a file that is only read is not created, and not changed`() async throws {
        let folder = try Folder()
        var options = SQLiteDatabase.Options()
        options.isReadOnly = true
        await #expect(throws: SQLError.self) { try await SQLSchema.version(of: SQLiteDatabase(path: folder.database, options: options)) }
        await #expect(throws: SQLError.self) { try await SQLSchema.migrate(SQLiteDatabase(path: folder.database, options: options)) }
        #expect(access(folder.database, F_OK) != 0)

        let writable = SQLiteDatabase(path: folder.database)
        try await SQLSchema.migrate(writable, to: 1)
        await writable.close()
        #expect(chmod(folder.database, 0o640) == 0)
        let reader = SQLiteDatabase(path: folder.database, options: options)
        #expect(try await SQLSchema.version(of: reader) == 1)
        await #expect(throws: SQLError.unavailable("the file was opened to be read only")) { try await SQLSchema.migrate(reader) }
        var status = stat()
        #expect(stat(folder.database, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test(arguments: AccountDatabase.all)
    func `a migration that fails changes nothing`(database: AccountDatabase) async throws {
        let replicas = try await database.make()
        try await SQLSchema.migrate(replicas.first, to: 1)
        _ = try await replicas.first.write { connection throws(SQLError) in
            try connection.run("CREATE TABLE used_ids (something BIGINT)", [])
        }
        await #expect(throws: SQLError.self) { try await SQLSchema.migrate(replicas.first) }
        let version = try await replicas.first.read { connection throws(SQLError) in
            try connection.run("SELECT version FROM gateway_schema", [])
        }
        #expect(version == [[.integer(1)]])
        await #expect(throws: SQLError.self) {
            try await replicas.first.read { connection throws(SQLError) in try connection.run("SELECT * FROM endings", []) }
        }
    }

    @Test("a published migration never changes", arguments: zip(SQLSchema.migrations, SQLSchemaTests.published))
    func frozen(statements: [String], digest: String) {
        #expect(SHA2.sha256(Array(statements.joined(separator: ";\n").utf8)).prefix(8).map { String($0, radix: 16) }.joined() == digest)
    }

    @Test func `each migration has a digest`() { #expect(Self.published.count == SQLSchema.version) }

    static let published = [
        "c8cdbfeeb82edabd", "28cbdbe32418d2a0", "88f1e97f560512", "977057496b9317c4", "82dbb2b953bb0d0", "779cd1cb4c80978d",
    ]
}
