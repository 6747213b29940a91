import Synchronization

/// A PostgreSQL database behind libpq, version 13 or newer. docs/decisions/0039-postgresql-through-libpq.md has the reasons.
///
/// The library is loaded and connections are opened when the first transaction runs.
package final class PostgresDatabase: SQLDatabase {
    private let pool: PostgresPool

    package var dialect: SQLDialect { .postgres }

    /// - Parameter url: `postgres://user:password@host:5432/db?sslmode=verify-full`, or another form that libpq reads.
    package convenience init(url: String, settings: PostgresSettings = PostgresSettings()) {
        self.init(url: url, settings: settings, library: "libpq.so.5")
    }

    init(url: String, settings: PostgresSettings, library: String) {
        let loader = PostgresLoader(url: url, settings: settings, library: library)
        pool = PostgresPool(settings) { () throws(PostgresFailure) in
            let (libpq, parameters) = try loader.load()
            return try PostgresSession.open(libpq, parameters, settings)
        }
    }

    package func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T {
        try await run(.write, body)
    }

    package func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T {
        try await run(.read, body)
    }

    /// Runs `body` in one transaction while no other process migrates: under an advisory lock, and with a longer time limit.
    package func migrate<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T {
        try await run(.migration, body)
    }

    private func run<T: Sendable>(
        _ kind: PostgresTransactionKind, _ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T
    ) async throws(SQLError) -> T {
        try await withCheckedContinuation { continuation in
            pool.submit(PostgresBodyJob(kind, continuation, body))
        }.get()
    }

    package func close() async { await pool.close() }

    /// The reason why transactions fail at the moment, or nil. Does not call the server.
    package var problem: SQLError? { pool.problem }

    var openConnections: Int { pool.openConnections }
}

/// Loads libpq and reads the URL with it, once.
private final class PostgresLoader: Sendable {
    private let url: String
    private let settings: PostgresSettings
    private let library: String
    private let loaded = Mutex<(LibPQ, PostgresParameters)?>(nil)

    init(url: String, settings: PostgresSettings, library: String) {
        self.url = url
        self.settings = settings
        self.library = library
    }

    func load() throws(PostgresFailure) -> (LibPQ, PostgresParameters) {
        do throws(SQLError) {
            return try loaded.withLock { loaded throws(SQLError) in
                if let loaded { return loaded }
                let libpq = try LibPQ(library: library)
                let result = (libpq, try PostgresParameters(url: url, libpq: libpq, settings: settings))
                loaded = result
                return result
            }
        } catch {
            throw PostgresFailure(error, .lost)
        }
    }
}
