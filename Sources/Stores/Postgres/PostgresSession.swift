import CPostgres
import Glibc

/// One connection to the server.
///
/// Unchecked: one thread uses it at a time. The pool passes it between threads under its lock.
final class PostgresSession: @unchecked Sendable {
    typealias Instant = ContinuousClock.Instant

    private let libpq: LibPQ
    private let connection: OpaquePointer
    private var statements: PostgresStatementCache
    /// How many warnings the server sent.
    private let warnings: UnsafeMutablePointer<CInt>

    private init(_ libpq: LibPQ, _ connection: OpaquePointer, _ settings: PostgresSettings) {
        self.libpq = libpq
        self.connection = connection
        statements = PostgresStatementCache(limit: settings.statements)
        warnings = .allocate(capacity: 1)
        warnings.initialize(to: 0)
        withUnsafePointer(to: libpq.functions) { gateway_count_notices($0, connection, warnings) }
    }

    deinit {
        libpq.functions.PQfinish(connection)
        warnings.deallocate()
    }

    // MARK: - Opening

    /// Connects and prepares the session. Blocks for at most the connection's time limit for each host.
    static func open(_ libpq: LibPQ, _ parameters: PostgresParameters, _ settings: PostgresSettings) throws(PostgresFailure)
        -> PostgresSession
    {
        let functions = libpq.functions
        guard let connection = parameters.withCStrings({ functions.PQconnectStartParams($0, $1, 0) }) else {
            throw .lost("there is no memory for a connection to the PostgreSQL server")
        }
        let session = PostgresSession(libpq, connection, settings)
        if functions.PQstatus(connection) != CONNECTION_BAD {
            // libpq tries every address of every host within the time limit, but only in its blocking functions; and it puts the SQLSTATE
            // into its message only if it is asked before. So the attempt begun above is given up at once, and PQreset begins again.
            _ = functions.PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE)
            functions.PQreset(connection)
        }
        guard functions.PQstatus(connection) == CONNECTION_OK else {
            throw .connecting(functions.PQerrorMessage(connection).map { String(cString: $0) } ?? "")
        }
        do throws(PostgresFailure) {
            try session.prepare(settings)
        } catch {
            throw PostgresFailure(error.error, .lost)
        }
        return session
    }

    private func prepare(_ settings: PostgresSettings) throws(PostgresFailure) {
        guard libpq.functions.PQserverVersion(connection) >= 13_00_00 else {
            throw .refused("the PostgreSQL server is older than version 13")
        }
        guard parameter("server_encoding") == "UTF8" else {
            throw .refused("the PostgreSQL database does not use UTF-8; create it with ENCODING 'UTF8'")
        }
        guard libpq.functions.PQsetnonblocking(connection, 1) == 0 else { throw brokenConnection }
        let statement = settings.statementTimeout.wholeMilliseconds
        let idle = settings.transactionTimeout.wholeMilliseconds
        // A transaction's commit is on disk before its answer, whatever the database's or the user's default; a stronger default stays.
        try execute(
            """
            SET statement_timeout = \(statement); SET lock_timeout = \(statement);
            SET idle_in_transaction_session_timeout = \(idle);
            SET client_min_messages = warning; SET standard_conforming_strings = on;
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
            """, until: .now + .seconds(PostgresParameters.connectTimeout))
    }

    private func parameter(_ name: String) -> String? {
        libpq.functions.PQparameterStatus(connection, name).map { String(cString: $0) }
    }

    // MARK: - State

    var isConnected: Bool { libpq.functions.PQstatus(connection) == CONNECTION_OK }
    /// Whether no transaction is open.
    var isIdle: Bool { libpq.functions.PQtransactionStatus(connection) == PQTRANS_IDLE }
    var usesTLS: Bool { libpq.functions.PQsslInUse(connection) == 1 }

    /// Whether the idle connection is still open, as far as the kernel knows. Reads what the server sent unasked, such as its farewell.
    var isAlive: Bool {
        // More messages than these in a row: the server does something else than it should.
        for _ in 0..<16 {
            guard isConnected, isIdle else { return false }
            var watched = pollfd(fd: libpq.functions.PQsocket(connection), events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 0) != 0 else { return true }
            guard libpq.functions.PQconsumeInput(connection) == 1, libpq.functions.PQisBusy(connection) == 0 else { return false }
        }
        return false
    }

    // MARK: - Statements

    /// Runs statements without parameters; returns the last one's result.
    @discardableResult
    func execute(_ sql: String, until deadline: Instant) throws(PostgresFailure) -> PostgresResult {
        guard libpq.functions.PQsendQuery(connection, sql) == 1 else { throw brokenConnection }
        return try result(until: deadline)
    }

    /// Commits. A failure with `.lost` leaves open whether the transaction happened.
    func commit(until deadline: Instant) throws(PostgresFailure) {
        let warningsBefore = warnings.pointee
        do throws(PostgresFailure) {
            let result = try execute("COMMIT", until: deadline)
            // The server turns the COMMIT of a failed transaction into a ROLLBACK.
            guard result.command == "COMMIT" else { throw .refused("the PostgreSQL server rolled the transaction back") }
        } catch  where error.consequence == .lost {
            throw .lost("the connection to the PostgreSQL server broke during COMMIT; whether the transaction happened is unknown")
        }
        // If the wait for a synchronous standby is cancelled, the server commits with a warning.
        guard warnings.pointee == warningsBefore else {
            throw .lost("the PostgreSQL server committed, but no synchronous standby confirmed it")
        }
    }

    /// Runs a statement with the parameters ?1, ?2, …, prepared once.
    func run(_ sql: String, _ values: [SQLValue], until deadline: Instant) throws(PostgresFailure) -> [[SQLValue]] {
        let arguments = try PostgresArguments(values)
        let name = try prepared(PostgresStatementCache.Key(sql: sql, types: arguments.types), until: deadline)
        let isSent = arguments.withPointers { count, values, lengths, formats in
            libpq.functions.PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw brokenConnection }
        return try result(until: deadline).rows()
    }

    private func prepared(_ key: PostgresStatementCache.Key, until deadline: Instant) throws(PostgresFailure) -> String {
        if let name = statements.name(of: key) { return name }
        guard !key.sql.utf8.contains(0) else { throw .refused("a statement contains a NUL character") }
        if let old = statements.removeOldestIfFull() { try execute("DEALLOCATE \(old)", until: deadline) }
        let name = statements.nextName()
        guard libpq.functions.PQsendPrepare(connection, name, PostgresQuery.rewritten(key.sql), CInt(key.types.count), key.types) == 1
        else {
            throw brokenConnection
        }
        _ = try result(until: deadline)
        statements.add(key, name)
        return name
    }

    /// Waits for the results of what was sent; returns the last one, or throws the first failure among them.
    private func result(until deadline: Instant) throws(PostgresFailure) -> PostgresResult {
        try flush(until: deadline)
        var last: PostgresResult?
        var failure: PostgresFailure?
        while let result = try nextResult(until: deadline) {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: last = result
            case PGRES_FATAL_ERROR, PGRES_EMPTY_QUERY, PGRES_BAD_RESPONSE:
                failure = failure ?? result.failure(isConnected: isConnected)
            // COPY, which the program does not use: such a connection cannot go on.
            default: throw .lost("the PostgreSQL server sent an unexpected response")
            }
        }
        if let failure { throw failure }
        guard let last else { throw brokenConnection }
        return last
    }

    private func flush(until deadline: Instant) throws(PostgresFailure) {
        while true {
            switch libpq.functions.PQflush(connection) {
            case 0: return
            case 1: try wait(for: POLLIN | POLLOUT, until: deadline)
            default: throw brokenConnection
            }
            // The server may stop reading until its own output is read.
            guard libpq.functions.PQconsumeInput(connection) == 1 else { throw brokenConnection }
        }
    }

    private func nextResult(until deadline: Instant) throws(PostgresFailure) -> PostgresResult? {
        while libpq.functions.PQisBusy(connection) == 1 {
            try wait(for: POLLIN, until: deadline)
            // The connection is broken; what was received before is still of use, such as the server's reason.
            if libpq.functions.PQconsumeInput(connection) != 1, libpq.functions.PQisBusy(connection) == 1 { throw brokenConnection }
        }
        return libpq.functions.PQgetResult(connection).map { PostgresResult($0, libpq) }
    }

    private func wait(for events: CInt, until deadline: Instant) throws(PostgresFailure) {
        var watched = pollfd(fd: libpq.functions.PQsocket(connection), events: Int16(events), revents: 0)
        guard watched.fd >= 0 else { throw brokenConnection }
        while true {
            let remaining = Instant.now.duration(to: deadline)
            guard remaining > .zero else { throw .lost("the PostgreSQL server did not answer in time") }
            let count = poll(&watched, 1, remaining.wholeMilliseconds)
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw brokenConnection }
        }
    }

    private var brokenConnection: PostgresFailure { .lost("the connection to the PostgreSQL server broke") }
}

/// The names of a connection's prepared statements, the least recently used first to go.
struct PostgresStatementCache {
    struct Key: Hashable {
        let sql: String
        /// A parameter that is NULL has no type, so that the server takes the column's.
        let types: [Oid]
    }

    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    private var names: UInt64 = 0

    init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { entries.count }

    mutating func name(of key: Key) -> String? {
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]?.name
    }

    mutating func removeOldestIfFull() -> String? {
        guard entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
        entries[oldest.key] = nil
        return oldest.value.name
    }

    mutating func nextName() -> String {
        names += 1
        return "gateway_\(names)"
    }

    mutating func add(_ key: Key, _ name: String) {
        uses += 1
        entries[key] = Entry(name: name, lastUse: uses)
    }
}
