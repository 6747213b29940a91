import Synchronization

/// What a transaction is for.
enum PostgresTransactionKind: Sendable {
    case read
    case write
    /// Alone among all processes that migrate.
    case migration

    /// The key of the advisory lock that migrations take: "gateway" in ASCII.
    static let migrationLock: Int64 = 0x67_61_74_65_77_61_79

    func begin(_ settings: PostgresSettings) -> String {
        switch self {
        case .read: "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"
        case .write: "BEGIN ISOLATION LEVEL SERIALIZABLE"
        // A serializable transaction would still see the tables as they were before it waited for the lock. In this level each statement
        // sees what was committed before it, and the lock excludes every other migration.
        case .migration:
            """
            BEGIN ISOLATION LEVEL READ COMMITTED;
            SET LOCAL statement_timeout = \(settings.migrationTimeout.wholeMilliseconds);
            SET LOCAL lock_timeout = \(settings.migrationTimeout.wholeMilliseconds);
            SELECT pg_advisory_xact_lock(\(Self.migrationLock))
            """
        }
    }

    func timeout(_ settings: PostgresSettings) -> Duration {
        self == .migration ? settings.migrationTimeout : settings.transactionTimeout
    }
}

/// The connection that the body of a transaction uses.
///
/// PostgreSQL ends a transaction at its first failed statement. A body that catches the error cannot go on: every later statement throws the
/// same error again, and so does the transaction.
final class PostgresTransaction: SQLConnection {
    private let session: PostgresSession
    private let deadline: ContinuousClock.Instant
    private(set) var failure: PostgresFailure?

    init(_ session: PostgresSession, until deadline: ContinuousClock.Instant) {
        self.session = session
        self.deadline = deadline
    }

    func run(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) -> [[SQLValue]] {
        if let failure { throw failure.error }
        do throws(PostgresFailure) {
            return try session.run(sql, arguments, until: deadline)
        } catch {
            failure = error
            throw error.error
        }
    }
}

/// A transaction that waits for a connection or runs, whatever its result's type.
protocol PostgresJob: Sendable {
    var kind: PostgresTransactionKind { get }
    /// Runs the body, once for each attempt.
    func attempt(_ connection: PostgresTransaction) throws(SQLError)
    /// Resumes the caller: with the error, or with the value of the last attempt. Called once.
    func finish(_ error: SQLError?)
}

final class PostgresBodyJob<Value: Sendable>: PostgresJob {
    let kind: PostgresTransactionKind
    private let body: @Sendable (any SQLConnection) throws(SQLError) -> Value
    private let value = Mutex<Value?>(nil)
    private let continuation: CheckedContinuation<Result<Value, SQLError>, Never>

    init(
        _ kind: PostgresTransactionKind, _ continuation: CheckedContinuation<Result<Value, SQLError>, Never>,
        _ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> Value
    ) {
        self.kind = kind
        self.body = body
        self.continuation = continuation
    }

    func attempt(_ connection: PostgresTransaction) throws(SQLError) {
        let result = try body(connection)
        value.withLock { $0 = result }
    }

    func finish(_ error: SQLError?) {
        if let error {
            continuation.resume(returning: .failure(error))
        } else if let value = value.withLock({ $0 }) {
            continuation.resume(returning: .success(value))
        } else {
            preconditionFailure("a transaction that was committed has a value")
        }
    }
}

extension PostgresSession {
    /// Where a transaction failed.
    enum Phase { case begin, body, commit }

    struct TransactionFailure: Error {
        let failure: PostgresFailure
        let phase: Phase
    }

    /// Runs the job once, from BEGIN to COMMIT.
    func attempt(_ job: any PostgresJob, _ settings: PostgresSettings, until deadline: Instant) throws(TransactionFailure) {
        var phase = Phase.begin
        do throws(PostgresFailure) {
            try execute(job.kind.begin(settings), until: deadline)
            phase = .body
            try runBody(of: job, until: deadline)
            phase = .commit
            try commit(until: deadline)
        } catch {
            throw TransactionFailure(failure: rolledBack(after: error, phase, until: deadline), phase: phase)
        }
    }

    private func runBody(of job: any PostgresJob, until deadline: Instant) throws(PostgresFailure) {
        let transaction = PostgresTransaction(self, until: deadline)
        do throws(SQLError) {
            try job.attempt(transaction)
        } catch {
            throw transaction.failure ?? PostgresFailure(error, .refused)
        }
        if let failure = transaction.failure { throw failure }
    }

    /// Ends the failed transaction. A connection on which that fails is lost; the reason stays the first one.
    private func rolledBack(after failure: PostgresFailure, _ phase: Phase, until deadline: Instant) -> PostgresFailure {
        guard failure.consequence != .lost else { return failure }
        do throws(PostgresFailure) {
            if !isIdle { try execute("ROLLBACK", until: deadline) }
            return failure
        } catch {
            // What conflicted may run again all the same, on another connection.
            return PostgresFailure(failure.error, failure.consequence == .conflict ? .outdated : .lost)
        }
    }
}
