import CSQLite

/// One connection of SQLite's own interface, with its prepared statements.
///
/// Unchecked: one thread uses it at a time. `SQLiteDatabase` opens it under a lock and then uses it on the thread of one lane.
final class SQLiteHandle: SQLConnection, @unchecked Sendable {
    /// More statements are prepared anew each time.
    private static let mostStatements = 64

    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// `busyTimeout`: milliseconds. The file must exist.
    init(path: String, isReadOnly: Bool, busyTimeout: Int) throws(SQLError) {
        var opened: OpaquePointer?
        let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            // SQLite gives a handle to close even where it could not open the file.
            sqlite3_close_v2(opened)
            throw SQLiteProblem.error(code, message: nil)
        }
        connection = opened
        sqlite3_busy_timeout(opened, Int32(clamping: busyTimeout))
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    func run(_ sql: String, _ arguments: [SQLValue]) throws(SQLError) -> [[SQLValue]] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
            if statements[sql] == nil { sqlite3_finalize(statement) }
        }
        guard Int(sqlite3_bind_parameter_count(statement)) == arguments.count else {
            throw .unavailable("a statement has other parameters")
        }
        for (index, argument) in arguments.enumerated() { try bind(argument, Int32(index + 1), statement) }
        var rows: [[SQLValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
            case SQLITE_DONE: return rows
            default: throw problem()
            }
        }
    }

    private func prepared(_ sql: String) throws(SQLError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw problem() }
        if statements.count < Self.mostStatements { statements[sql] = statement }
        return statement
    }

    private func bind(_ argument: SQLValue, _ index: Int32, _ statement: OpaquePointer) throws(SQLError) {
        let code =
            switch argument {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            // PostgreSQL stores no NUL, so no text may have one here either.
            case .text(let text) where text.utf8.contains(0): throw .constraint("a text holds a NUL")
            case .text(var text):
                text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        gateway_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
                    }
                }
            case .bytes(let bytes): gateway_bind_blob(statement, index, bytes, Int32(clamping: bytes.count))
            }
        guard code == SQLITE_OK else { throw problem() }
    }

    private func value(_ statement: OpaquePointer, _ column: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(statement, column)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement, column)
            return .bytes([UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
        default: return .null
        }
    }

    private func problem() -> SQLError {
        SQLiteProblem.error(sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
    }
}

/// SQLite's errors in the words of `SQLError`. Messages of SQLite may quote values, so only those of constraints, which name columns, are kept.
enum SQLiteProblem {
    static func error(_ code: Int32, message: String?) -> SQLError {
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: .constraint(message ?? "a constraint")
        case SQLITE_FULL: .unavailable("the disk is full")
        case SQLITE_READONLY: .unavailable("the file is read-only")
        case SQLITE_BUSY, SQLITE_LOCKED: .unavailable("another process keeps the file locked")
        case SQLITE_CORRUPT: .unavailable("the file is damaged: restore a backup")
        case SQLITE_NOTADB: .unavailable("the file is no SQLite database")
        case SQLITE_CANTOPEN: .unavailable("the file cannot be opened")
        case SQLITE_PERM, SQLITE_AUTH: .unavailable("the file may not be used")
        case SQLITE_IOERR: .unavailable("the disk reports an error (\(code))")
        default: .unavailable("SQLite reports error \(code)")
        }
    }
}
