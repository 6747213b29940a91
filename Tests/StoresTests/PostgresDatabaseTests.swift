import Synchronization
import Testing

@testable import Stores

@Suite("A PostgreSQL database")
struct PostgresDatabaseTests {
    private let server: PostgresServer
    private let database: PostgresDatabase

    init() async throws {
        server = try await PostgresServer.shared.value
        database = PostgresDatabase(url: server.url(), settings: .withoutTimeLimits)
    }

    /// A table of its own for a test.
    private func table(_ name: String, _ columns: String) async throws -> String {
        _ = try await database.write { c throws(SQLError) in
            _ = try c.run("DROP TABLE IF EXISTS \(name)", [])
            return try c.run("CREATE TABLE \(name) (\(columns))", [])
        }
        return name
    }

    // MARK: - Values

    @Test("returns the values that were written, byte for byte")
    func values() async throws {
        let name = try await table("round_trips", "id BIGINT, t TEXT, b BYTEA")
        let texts = ["", "a", "it's ?1 \\ \"quoted\"", "é中\u{1F600}\u{FEFF}\n\r\t", String(repeating: "x", count: 1 << 20)]
        let bytes: [[UInt8]] = [[], [0], Array(0...255), [0x5c, 0x78, 0x30], [UInt8](repeating: 0xff, count: 1 << 20)]
        let rows: [[SQLValue]] = zip([.min, .max, 0, -1, 1 << 32], zip(texts, bytes)).map { [.integer($0), .text($1.0), .bytes($1.1)] }
        let read = try await database.write { c throws(SQLError) in
            for row in rows { _ = try c.run("INSERT INTO \(name) VALUES (?1, ?2, ?3)", row) }
            _ = try c.run("INSERT INTO \(name) VALUES (?1, ?2, ?3)", [.null, .null, .null])
            return try c.run("SELECT id, t, b FROM \(name) ORDER BY id", [])
        }
        #expect(read == rows.sorted { a, b in order(a) < order(b) } + [[.null, .null, .null]])
        let direct = try await database.read { c throws(SQLError) in
            try rows.map { row throws(SQLError) in try c.run("SELECT ?1, ?2, ?3, ?1 = ?1, '?1'", row)[0] }
        }
        #expect(direct == rows.map { $0 + [.integer(1), .text("?1")] })
        for value in [.text(""), .bytes([])] as [SQLValue] {
            #expect(try await database.read { c throws(SQLError) in try c.run("SELECT ?1", [value]) } == [[value]])
        }
    }

    private func order(_ row: [SQLValue]) -> Int64 {
        guard case .integer(let number) = row[0] else { return .max }
        return number
    }

    @Test("refuses a text with a NUL and writes nothing")
    func nul() async throws {
        let name = try await table("nul_texts", "t TEXT")
        await #expect(throws: SQLError.self) {
            try await database.write { c throws(SQLError) in
                _ = try c.run("INSERT INTO \(name) VALUES (?1)", [.text("a")])
                return try c.run("INSERT INTO \(name) VALUES (?1)", [.text("a\0b")])
            }
        }
        #expect(try await count(name) == 0)
    }

    private func count(_ name: String) async throws -> Int64 {
        let rows = try await database.read { c throws(SQLError) in try c.run("SELECT count(*) FROM \(name)", []) }
        guard case .integer(let count)? = rows.first?.first else { return -1 }
        return count
    }

    @Test("refuses results of types that the program does not use")
    func types() async throws {
        for expression in ["1.5", "now()", "ARRAY[1]"] {
            await #expect(throws: SQLError.self) { try await database.read { c throws(SQLError) in try c.run("SELECT \(expression)", []) } }
        }
    }

    // MARK: - Transactions

    @Test("20 parallel increments add up to 20")
    func increments() async throws {
        let name = try await table("counters", "id BIGINT PRIMARY KEY, n BIGINT")
        _ = try await database.write { c throws(SQLError) in try c.run("INSERT INTO \(name) VALUES (1, 0)", []) }
        let runs = Counter()
        // So many run at a time, and all of them have read before one writes.
        let allHaveRead = Barrier(4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { [database] in
                    try await database.write { c throws(SQLError) in
                        runs.increment()
                        guard case .integer(let n) = try c.run("SELECT n FROM \(name) WHERE id = ?1", [.integer(1)])[0][0] else { return }
                        allHaveRead.wait()
                        _ = try c.run("UPDATE \(name) SET n = ?1 WHERE id = 1", [.integer(n + 1)])
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await database.read { c throws(SQLError) in try c.run("SELECT n FROM \(name)", []) }
        #expect(rows == [[.integer(20)]])
        #expect(runs.value > 20, "without a conflict the test shows nothing")
    }

    @Test("two transactions that each read what the other writes do not both see the old state")
    func writeSkew() async throws {
        let name = try await table("on_call", "id BIGINT PRIMARY KEY, active BIGINT")
        _ = try await database.write { c throws(SQLError) in try c.run("INSERT INTO \(name) VALUES (1, 1), (2, 1)", []) }
        let bothHaveRead = Barrier(2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 1...2 {
                group.addTask { [database] in
                    let isFirst = Mutex(true)
                    try await database.write { c throws(SQLError) in
                        let active = try c.run("SELECT count(*) FROM \(name) WHERE active = 1", [])
                        if isFirst.withLock({ first in
                            defer { first = false }; return first
                        }) {
                            bothHaveRead.wait()
                        }
                        if active == [[.integer(2)]] { _ = try c.run("UPDATE \(name) SET active = 0 WHERE id = ?1", [.integer(Int64(id))]) }
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await database.read { c throws(SQLError) in try c.run("SELECT count(*) FROM \(name) WHERE active = 1", []) }
        #expect(rows == [[.integer(1)]])
    }

    @Test("a deadlock ends, and both transactions succeed")
    func deadlock() async throws {
        let name = try await table("deadlocks", "id BIGINT PRIMARY KEY, n BIGINT")
        _ = try await database.write { c throws(SQLError) in try c.run("INSERT INTO \(name) VALUES (1, 0), (2, 0)", []) }
        let bothHaveLocked = Barrier(2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in [1, 2] as [Int64] {
                group.addTask { [database] in
                    let isFirst = Mutex(true)
                    try await database.write { c throws(SQLError) in
                        _ = try c.run("UPDATE \(name) SET n = n + 1 WHERE id = ?1", [.integer(first)])
                        if isFirst.withLock({ first in
                            defer { first = false }; return first
                        }) {
                            bothHaveLocked.wait()
                        }
                        _ = try c.run("UPDATE \(name) SET n = n + 1 WHERE id = ?1", [.integer(3 - first)])
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await database.read { c throws(SQLError) in try c.run("SELECT n FROM \(name)", []) }
        #expect(rows == [[.integer(2)], [.integer(2)]])
    }

    @Test("an error that the body throws rolls back and reaches the caller")
    func rollback() async throws {
        let name = try await table("rolled_back", "id BIGINT")
        await #expect(throws: SQLError.schema("mine")) {
            try await database.write { c throws(SQLError) in
                _ = try c.run("INSERT INTO \(name) VALUES (1)", [])
                throw .schema("mine")
            }
        }
        #expect(try await count(name) == 0)
    }

    @Test("a body that ignores a failed statement fails")
    func ignoredFailure() async throws {
        let name = try await table("ignored", "id BIGINT CONSTRAINT ignored_id UNIQUE")
        await #expect(throws: SQLError.constraint("ignored_id")) {
            try await database.write { c throws(SQLError) in
                _ = try c.run("INSERT INTO \(name) VALUES (1)", [])
                _ = try? c.run("INSERT INTO \(name) VALUES (1)", [])
                _ = try? c.run("INSERT INTO \(name) VALUES (2)", [])
            }
        }
        #expect(try await count(name) == 0)
    }

    @Test("a violated constraint is reported by its name, without the values")
    func constraints() async throws {
        _ = try await database.write { c throws(SQLError) in try c.run("DROP TABLE IF EXISTS children", []) }
        let parents = try await table("parents", "id BIGINT PRIMARY KEY, email TEXT NOT NULL CONSTRAINT parents_email UNIQUE")
        let children = try await table(
            "children",
            "id BIGINT CONSTRAINT positive CHECK (id > 0), parent BIGINT CONSTRAINT of_parent REFERENCES \(parents) DEFERRABLE INITIALLY DEFERRED"
        )
        let expected: [(String, String)] = [
            ("INSERT INTO \(parents) VALUES (1, 'a'), (2, 'a')", "parents_email"),
            ("INSERT INTO \(parents) VALUES (1, 'a'), (1, 'b')", "parents_pkey"),
            ("INSERT INTO \(parents) VALUES (1, NULL)", "parents.email"),
            ("INSERT INTO \(children) VALUES (0, NULL)", "positive"),
            // Checked at COMMIT.
            ("INSERT INTO \(children) VALUES (1, 77)", "of_parent"),
        ]
        for (statement, name) in expected {
            await #expect(throws: SQLError.constraint(name)) {
                try await database.write { c throws(SQLError) in try c.run(statement, []) }
            }
        }
    }

    @Test("a reading transaction cannot write")
    func readOnly() async throws {
        let name = try await table("read_only", "id BIGINT")
        await #expect(throws: SQLError.unavailable("the PostgreSQL server is read-only (SQLSTATE 25006)")) {
            try await database.read { c throws(SQLError) in try c.run("INSERT INTO \(name) VALUES (1)", []) }
        }
        // An operator makes a database read-only for maintenance.
        let maintained = PostgresDatabase(url: server.url("options=-c%20default_transaction_read_only%3Don"), settings: .withoutTimeLimits)
        await #expect(throws: SQLError.unavailable("the PostgreSQL server is read-only (SQLSTATE 25006)")) {
            try await maintained.write { c throws(SQLError) in try c.run("INSERT INTO \(name) VALUES (1)", []) }
        }
        #expect(try await count(name) == 0)
    }

    @Test("a missing table is a problem of the schema")
    func missingTable() async throws {
        await #expect(
            throws: SQLError.schema("the tables of the PostgreSQL database differ from what the program expects (SQLSTATE 42P01)")
        ) { try await database.read { c throws(SQLError) in try c.run("SELECT 1 FROM no_such_table", []) } }
    }

    // MARK: - Prepared statements

    @Test("keeps a bounded number of prepared statements, those used last")
    func statementCache() async throws {
        var settings = PostgresSettings.withoutTimeLimits
        settings.connections = 1
        settings.statements = 3
        let database = PostgresDatabase(url: server.url(), settings: settings)
        let names = try await database.read { c throws(SQLError) in
            for number in 1...8 { #expect(try c.run("SELECT \(number)", []) == [[.integer(Int64(number))]]) }
            _ = try c.run("SELECT 7", [])
            _ = try c.run("SELECT 9", [])
            return try c.run("SELECT statement FROM pg_prepared_statements ORDER BY prepare_time", [])
        }
        #expect(
            names.map(\.self) == [
                [.text("SELECT 7")], [.text("SELECT 9")], [.text("SELECT statement FROM pg_prepared_statements ORDER BY prepare_time")],
            ])
    }

    @Test("a statement prepared before a migration runs after it")
    func outdatedStatement() async throws {
        var settings = PostgresSettings.withoutTimeLimits
        settings.connections = 1
        let old = PostgresDatabase(url: server.url(), settings: settings)
        let name = try await table("migrated", "id BIGINT")
        let select: @Sendable (any SQLConnection) throws(SQLError) -> [[SQLValue]] = { c throws(SQLError) in
            try c.run("SELECT * FROM \(name)", [])
        }
        #expect(try await old.read(select) == [])
        _ = try await database.write { c throws(SQLError) in
            _ = try c.run("ALTER TABLE \(name) ADD COLUMN more TEXT", [])
            return try c.run("INSERT INTO \(name) VALUES (1, 'a')", [])
        }
        #expect(try await old.read(select) == [[.integer(1), .text("a")]])
    }

    // MARK: - Session

    @Test("a commit is on disk, whatever the database's default; a stronger default stays")
    func synchronousCommit() async throws {
        for (configured, used) in [("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"), ("remote_apply", "remote_apply")] {
            let database = PostgresDatabase(
                url: server.url("options=-c%20synchronous_commit%3D\(configured)"), settings: .withoutTimeLimits)
            let rows = try await database.read { c throws(SQLError) in
                try c.run("SELECT current_setting('synchronous_commit'), current_setting('application_name')", [])
            }
            #expect(rows == [[.text(used), .text("gateway")]])
        }
        let named = PostgresDatabase(url: server.url("application_name=mine"), settings: .withoutTimeLimits)
        let rows = try await named.read { c throws(SQLError) in try c.run("SELECT current_setting('application_name')", []) }
        #expect(rows == [[.text("mine")]])
    }

    @Test("processes that start at the same time migrate once")
    func migrations() async throws {
        _ = try await database.write { c throws(SQLError) in try c.run("DROP TABLE IF EXISTS schema_version", []) }
        let migrated = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { [server] in
                    let database = PostgresDatabase(url: server.url(), settings: .withoutTimeLimits)
                    let isMine = try await database.migrate { c throws(SQLError) in
                        let tables = try c.run("SELECT 1 FROM pg_tables WHERE tablename = 'schema_version'", [])
                        guard tables.isEmpty else { return false }
                        _ = try c.run("CREATE TABLE schema_version (version BIGINT)", [])
                        _ = try c.run("INSERT INTO schema_version VALUES (1)", [])
                        return true
                    }
                    if isMine { migrated.increment() }
                    await database.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(migrated.value == 1)
        #expect(try await count("schema_version") == 1)
    }
}
