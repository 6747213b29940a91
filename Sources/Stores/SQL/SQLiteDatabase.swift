import struct Foundation.Data
import GRDB
import Glibc
import Synchronization

/// An SQLite file in WAL mode: one connection that writes and one that reads, each on a thread of its own.
///
/// A transaction that returned is on disk (`synchronous=FULL`). After an error of the file, both connections are closed, and the next call
/// opens it again: a disk that has room again and a file that appears need no restart.
package final class SQLiteDatabase: SQLDatabase {
    package struct Options: Sendable {
        /// Callers that may wait for one connection.
        package var longestQueue = 512
        /// Milliseconds that a caller waits in all.
        package var timeLimit = 10_000
        /// Milliseconds that a statement waits for the lock of another process.
        package var busyTimeout = 5_000
        /// The size limit of the file in pages of 4 KiB; nil: the disk. For tests.
        var maximumPages: Int?

        package init() {}
    }

    private struct Connections {
        var writer: DatabaseQueue?
        var reader: DatabaseQueue?
        var identity: FileID?
        var isClosed = false
    }

    private struct FileID: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    package let dialect = SQLDialect.sqlite
    package let path: String
    private let options: Options
    private let writing: DatabaseLane
    private let reads: DatabaseLane
    private let connections = Mutex(Connections())

    /// Opens nothing yet. `path`: absolute, or relative to the working directory.
    package init(path: String, options: Options = Options()) {
        self.path = path
        self.options = options
        writing = DatabaseLane(label: "gateway.accounts.write", longest: options.longestQueue, limit: .milliseconds(options.timeLimit))
        reads = DatabaseLane(label: "gateway.accounts.read", longest: options.longestQueue, limit: .milliseconds(options.timeLimit))
    }

    package func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T
    ) async throws(SQLError) -> T {
        try await writing.run { self.perform(.immediate, self.writer, body) }
    }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T
    ) async throws(SQLError) -> T {
        try await reads.run { self.perform(.deferred, self.reader, body) }
    }

    /// Waits for the transactions that are under way, within the time limit. The last connection writes the journal into the file: the writer.
    package func close() async {
        let open = connections.withLock { connections in
            defer { connections = Connections(isClosed: true) }
            return connections
        }
        _ = try? await reads.run { Result<Void?, SQLError>.success(try? open.reader?.close()) }
        _ = try? await writing.run { Result<Void?, SQLError>.success(try? open.writer?.close()) }
    }

    // MARK: Transactions

    private func perform<T>(
        _ kind: Database.TransactionKind, _ open: () throws(SQLError) -> DatabaseQueue,
        _ body: @Sendable (any SQLConnection) throws(SQLError) -> T
    ) -> Result<T, SQLError> {
        do throws(SQLError) {
            return try transaction(try open(), kind, body)
        } catch {
            return .failure(error)
        }
    }

    private func transaction<T>(
        _ queue: DatabaseQueue, _ kind: Database.TransactionKind, _ body: (any SQLConnection) throws(SQLError) -> T
    ) throws(SQLError) -> Result<T, SQLError> {
        var result: Result<T, SQLError>?
        do {
            try queue.writeWithoutTransaction { database in
                try database.beginTransaction(kind)
                do throws(SQLError) {
                    let value = try body(SQLiteConnection(database: database))
                    try SQLiteProblem.translating { try database.commit() }
                    result = .success(value)
                } catch {
                    result = .failure(error)
                    // SQLite has rolled back by itself after some errors.
                    if database.isInsideTransaction { try database.rollback() }
                }
            }
        } catch {
            drop()
            throw SQLiteProblem.error(error)
        }
        if case .failure(.unavailable)? = result { drop() }
        return result ?? .failure(.unavailable("the transaction did not end"))
    }

    /// The next call opens the file again.
    private func drop() {
        connections.withLock {
            $0.writer = nil
            $0.reader = nil
        }
    }

    // MARK: Connections

    private func writer() throws(SQLError) -> DatabaseQueue {
        try connections.withLock { connections throws(SQLError) in
            guard !connections.isClosed else { throw .unavailable("the account store is closed") }
            try checkIdentity(&connections)
            if let writer = connections.writer { return writer }
            let writer = try openWriter()
            connections.writer = writer
            connections.identity = fileID()
            return writer
        }
    }

    private func reader() throws(SQLError) -> DatabaseQueue {
        let current = try connections.withLock { connections throws(SQLError) -> DatabaseQueue? in
            guard !connections.isClosed else { throw .unavailable("the account store is closed") }
            try checkIdentity(&connections)
            return connections.reader
        }
        if let current { return current }
        // The writer makes the file and its journal. A file that cannot be written can be read all the same.
        _ = try? writer()
        return try connections.withLock { connections throws(SQLError) in
            guard !connections.isClosed else { throw .unavailable("the account store is closed") }
            let reader = try openReader()
            connections.reader = reader
            connections.identity = fileID()
            return reader
        }
    }

    /// Writes to a file that lost its name would be lost with it. The caller fails once, so that the schema of the new file is looked at.
    private func checkIdentity(_ connections: inout Connections) throws(SQLError) {
        guard connections.writer != nil || connections.reader != nil, connections.identity != fileID() else { return }
        connections.writer = nil
        connections.reader = nil
        throw .unavailable("the file of the account store was replaced or removed")
    }

    private func fileID() -> FileID? {
        var status = stat()
        return stat(path, &status) == 0 ? FileID(device: status.st_dev, inode: status.st_ino) : nil
    }

    private func openWriter() throws(SQLError) -> DatabaseQueue {
        try makePrivate()
        return try SQLiteProblem.translating {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { database in
                // GRDB's own switch to WAL would lower `synchronous` to NORMAL, where a power cut loses what was answered.
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
                guard mode == "wal" else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "no WAL here") }
                try database.execute(sql: "PRAGMA synchronous = FULL")
                if let pages = options.maximumPages { _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages)") }
            }
            return queue
        }
    }

    private func openReader() throws(SQLError) -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        return try SQLiteProblem.translating { try DatabaseQueue(path: path, configuration: configuration) }
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(Double(options.busyTimeout) / 1_000)
        // A transaction that cannot even be rolled back must not end the process; its connection is dropped.
        configuration.allowsUnsafeTransactions = true
        configuration.label = "gateway.accounts"
        return configuration
    }

    /// Makes the file for its owner only; SQLite gives the same mode to `-wal` and `-shm`.
    ///
    /// A file that exists is never opened here: closing any descriptor of a file drops the locks that SQLite holds on it in this process.
    private func makePrivate() throws(SQLError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            _ = Glibc.close(descriptor)
            return
        }
        guard errno == EEXIST else { throw .unavailable("the file cannot be made: \(String(cString: strerror(errno)).lowercased())") }
        for name in [path, path + "-wal", path + "-shm"] {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
            guard chmod(name, status.st_mode & 0o700) == 0 else {
                throw .unavailable("the file is readable by others, and its mode cannot be changed")
            }
        }
    }
}

/// One SQLite connection inside a transaction.
private struct SQLiteConnection: SQLConnection {
    let database: Database

    func run(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) -> [[SQLValue]] {
        let values: [DatabaseValue] = try arguments.map { argument throws(SQLError) in
            switch argument {
            case .null: return .null
            case .integer(let number): return number.databaseValue
            case .text(let text):
                // SQLite's interface for texts ends at a NUL: two texts would become one.
                guard !text.utf8.contains(0) else { throw .constraint("a text holds a NUL") }
                return text.databaseValue
            case .bytes(let bytes): return Data(bytes).databaseValue
            }
        }
        return try SQLiteProblem.translating {
            let statement = try database.cachedStatement(sql: sql)
            guard statement.columnCount > 0 else {
                try statement.execute(arguments: StatementArguments(values))
                return []
            }
            return try Row.fetchAll(statement, arguments: StatementArguments(values)).map { row in
                (0..<row.count).map { index in
                    switch (row[index] as DatabaseValue).storage {
                    case .null: .null
                    case .int64(let number): .integer(number)
                    case .double(let number): Int64(exactly: number).map { .integer($0) } ?? .null
                    case .string(let text): .text(text)
                    case .blob(let data): .bytes([UInt8](data))
                    }
                }
            }
        }
    }
}
