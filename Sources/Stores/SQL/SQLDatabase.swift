/// A value in a statement or in a row.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// The reason why a database did not do what it was asked. Holds no secret, no address and no value of a row.
package enum SQLError: Error, Sendable, Hashable {
    /// A uniqueness or foreign-key constraint refused a write. The text names the constraint or the columns, as the database reports it.
    case constraint(String)
    /// The database cannot be reached, is locked for too long, is full, is read-only, or broke the protocol. The transaction did not happen,
    /// or, after a lost connection during COMMIT, nobody knows.
    case unavailable(String)
    /// The schema is newer than the program, or a migration failed. Not retried.
    case schema(String)
}

/// The SQL that a database speaks, for the few statements and types that differ.
package enum SQLDialect: Sendable, Hashable {
    case sqlite
    case postgres
}

/// One connection inside a transaction. Used on one thread.
package protocol SQLConnection {
    /// Runs one statement with the parameters ?1, ?2, …; returns its rows.
    func run(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) -> [[SQLValue]]
}

/// A database that runs transactions on threads of its own, with a bounded queue and a time limit for the wait.
package protocol SQLDatabase: Sendable {
    var dialect: SQLDialect { get }

    /// Runs `body` in one transaction that is durable when the function returns. Every transaction is serializable (SQLite: BEGIN IMMEDIATE;
    /// PostgreSQL: SERIALIZABLE). `body` may run again after a serialization failure or deadlock, so it must have no effect but through
    /// `SQLConnection`. A thrown error rolls back.
    func write<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T

    /// The same for statements that only read.
    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T) async throws(SQLError) -> T

    /// Closes all connections; later calls throw `.unavailable`.
    func close() async
}
