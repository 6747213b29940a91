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
        /// Never writes: makes no file, and changes neither its journal mode nor its permissions.
        package var isReadOnly = false
        /// The size limit of the file in pages of 4 KiB; nil: the disk. For tests.
        var maximumPages: Int?

        package init() {}
    }

    private struct Connections {
        var writer: SQLiteHandle?
        var reader: SQLiteHandle?
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
        try await writing.run { self.perform("BEGIN IMMEDIATE", self.writer, body) }
    }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws(SQLError) -> T
    ) async throws(SQLError) -> T {
        try await reads.run { self.perform("BEGIN", self.reader, body) }
    }

    /// Waits for the transactions that are under way, within the time limit. The last connection writes the journal into the file: the writer.
    package func close() async {
        connections.withLock { $0.isClosed = true }
        _ = try? await reads.run { Result<Void, SQLError>.success(self.connections.withLock { $0.reader = nil }) }
        _ = try? await writing.run { Result<Void, SQLError>.success(self.connections.withLock { $0.writer = nil }) }
    }

    // MARK: Transactions

    private func perform<T>(
        _ begin: String, _ open: () throws(SQLError) -> SQLiteHandle, _ body: @Sendable (any SQLConnection) throws(SQLError) -> T
    ) -> Result<T, SQLError> {
        do throws(SQLError) {
            return .success(try transaction(try open(), begin, body))
        } catch {
            if case .unavailable = error { drop() }
            return .failure(error)
        }
    }

    private func transaction<T>(
        _ handle: SQLiteHandle, _ begin: String, _ body: (any SQLConnection) throws(SQLError) -> T
    ) throws(SQLError) -> T {
        _ = try handle.run(begin, [])
        do throws(SQLError) {
            let value = try body(handle)
            _ = try handle.run("COMMIT", [])
            return value
        } catch {
            // SQLite has rolled back by itself after some errors. A connection that cannot roll back is of no use any more.
            if handle.isInTransaction, (try? handle.run("ROLLBACK", [])) == nil { drop() }
            throw error
        }
    }

    /// The next call opens the file again.
    private func drop() {
        connections.withLock {
            $0.writer = nil
            $0.reader = nil
        }
    }

    // MARK: Connections

    private func writer() throws(SQLError) -> SQLiteHandle {
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

    private func reader() throws(SQLError) -> SQLiteHandle {
        let current = try connections.withLock { connections throws(SQLError) -> SQLiteHandle? in
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

    private func openWriter() throws(SQLError) -> SQLiteHandle {
        guard !options.isReadOnly else { throw .unavailable("the file was opened to be read only") }
        try makePrivate()
        let handle = try SQLiteHandle(path: path, isReadOnly: false, busyTimeout: options.busyTimeout)
        guard try handle.run("PRAGMA journal_mode = WAL", []) == [[.text("wal")]] else {
            throw .unavailable("SQLite cannot use a journal here: the file system has no shared memory")
        }
        // In WAL mode, a lower level loses what was answered in a power cut.
        _ = try handle.run("PRAGMA synchronous = FULL", [])
        _ = try handle.run("PRAGMA foreign_keys = ON", [])
        if let pages = options.maximumPages { _ = try handle.run("PRAGMA max_page_count = \(pages)", []) }
        return handle
    }

    private func openReader() throws(SQLError) -> SQLiteHandle {
        try SQLiteHandle(path: path, isReadOnly: true, busyTimeout: options.busyTimeout)
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
