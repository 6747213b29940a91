import GRDB

/// SQLite's errors in the words of `SQLError`. Messages of SQLite may quote values, so only those of constraints, which name columns, are kept.
enum SQLiteProblem {
    static func translating<T>(_ body: () throws -> T) throws(SQLError) -> T {
        do { return try body() } catch { throw self.error(error) }
    }

    static func error(_ error: any Error) -> SQLError {
        if let error = error as? SQLError { return error }
        guard let error = error as? DatabaseError else { return .unavailable("the file cannot be used") }
        switch error.resultCode {
        case .SQLITE_CONSTRAINT: return .constraint(error.message ?? "a constraint")
        case .SQLITE_FULL: return .unavailable("the disk is full")
        case .SQLITE_READONLY: return .unavailable("the file is read-only")
        case .SQLITE_BUSY, .SQLITE_LOCKED: return .unavailable("another process keeps the file locked")
        case .SQLITE_CORRUPT: return .unavailable("the file is damaged: restore a backup")
        case .SQLITE_NOTADB: return .unavailable("the file is no SQLite database")
        case .SQLITE_CANTOPEN: return .unavailable("the file cannot be opened")
        case .SQLITE_PERM, .SQLITE_AUTH: return .unavailable("the file may not be used")
        case .SQLITE_IOERR: return .unavailable("the disk reports an error (\(error.extendedResultCode.rawValue))")
        default: return .unavailable("SQLite reports error \(error.extendedResultCode.rawValue)")
        }
    }
}
