/// The schema of the account store, as numbered migrations. A published migration never changes.
package enum SQLSchema {
    /// Version n is the schema after the first n migrations.
    static let migrations = [accounts, endings, outbox, factors, proofs, lives]

    /// "gatewayS" in ASCII: the same in every version.
    private static let advisoryLock: Int64 = 0x6761_7465_7761_7953

    package static var version: Int { migrations.count }

    /// Brings the database to this program's version, in one transaction. Throws `.schema` if it is newer than the program.
    package static func migrate(_ database: any SQLDatabase) async throws(SQLError) { try await migrate(database, to: version) }

    /// `target`: an earlier version, for tests.
    package static func migrate(_ database: any SQLDatabase, to target: Int) async throws(SQLError) {
        // A database that is up to date is only read, so a read-only one can be used for reading.
        if let current = try? await database.read(storedVersion) {
            try check(current)
            if current == target { return }
        }
        let dialect = database.dialect
        try await database.write { connection throws(SQLError) in
            // Two replicas that create the same table at once would fail in PostgreSQL, in spite of IF NOT EXISTS.
            if dialect == .postgres { _ = try connection.run("SELECT pg_advisory_xact_lock(\(advisoryLock))", []) }
            _ = try connection.run("CREATE TABLE IF NOT EXISTS gateway_schema (version BIGINT NOT NULL)", [])
        }
        try await database.write { connection throws(SQLError) in
            // Unlike a SELECT, LOCK takes no snapshot: a replica that waited for another one's migration sees its result.
            if dialect == .postgres { _ = try connection.run("LOCK TABLE gateway_schema IN ACCESS EXCLUSIVE MODE", []) }
            var current = 0
            if case .integer(let number)? = try connection.run("SELECT version FROM gateway_schema", []).first?.first {
                current = Int(clamping: number)
            } else {
                _ = try connection.run("INSERT INTO gateway_schema (version) VALUES (0)", [])
            }
            try check(current)
            guard current < target else { return }
            for statement in migrations[current..<target].joined() { _ = try connection.run(spelled(statement, dialect), []) }
            _ = try connection.run("UPDATE gateway_schema SET version = ?1", [.integer(Int64(target))])
        }
    }

    /// The version of the database's schema; nil for a database without one. Changes nothing.
    package static func version(of database: any SQLDatabase) async throws(SQLError) -> Int? {
        // A statement that names a missing table fails for other reasons, too; the catalogue has an answer.
        let catalogue =
            switch database.dialect {
            case .sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'gateway_schema'"
            case .postgres: "SELECT 'found' WHERE to_regclass('gateway_schema') IS NOT NULL"
            }
        return try await database.read { connection throws(SQLError) -> Int? in
            guard try !connection.run(catalogue, []).isEmpty else { return nil }
            let version = try storedVersion(connection)
            return version > 0 ? version : nil
        }
    }

    private static func storedVersion(_ connection: any SQLConnection) throws(SQLError) -> Int {
        guard case .integer(let number)? = try connection.run("SELECT version FROM gateway_schema", []).first?.first else { return 0 }
        return Int(clamping: number)
    }

    private static func check(_ current: Int) throws(SQLError) {
        guard current <= version else {
            throw .schema(
                "the account store has schema version \(current), and this program knows \(version): a newer gateway wrote it. "
                    + "Run that version or a later one, or restore a backup")
        }
    }

    /// `{key}`: text that is compared byte by byte. `{bytes}`: a byte string. `{position}`: the function that finds a text in another one.
    /// `{bytewise}`: compares what stands before it byte by byte.
    private static func spelled(_ statement: String, _ dialect: SQLDialect) -> String {
        let words =
            switch dialect {
            case .sqlite: ["{key}": "TEXT", "{bytes}": "BLOB", "{position}": "instr", "{bytewise}": ""]
            case .postgres: ["{key}": "TEXT COLLATE \"C\"", "{bytes}": "BYTEA", "{position}": "strpos", "{bytewise}": "COLLATE \"C\""]
            }
        var result = ""
        var rest = statement[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            result += words[String(rest[open...close])] ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
