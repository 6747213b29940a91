import Config
import Glibc
import Lint
import Stores
import Synchronization

/// Reads the schema's version of an account store for `gateway validate --online`, without a migration and without making a file.
struct AccountStoreCheck: AccountStoreProbe {
    private let limit: Duration

    init(limit: Duration = .seconds(5)) { self.limit = limit }

    func state(of store: AccountStoreLocation) async -> OnlineAnswers.AccountStore {
        switch store {
        case .sqlite(let path):
            if let state = Self.stateWithoutFile(path) { return state }
            var options = SQLiteDatabase.Options()
            options.isReadOnly = true
            options.busyTimeout = Int(limit.components.seconds * 1_000)
            return await version(of: SQLiteDatabase(path: path, options: options))
        case .postgres(let url):
            var settings = PostgresSettings()
            settings.connections = 1
            settings.queueTimeout = limit
            settings.transactionTimeout = limit
            settings.statementTimeout = limit
            return await version(of: PostgresDatabase(url: url.exposed, settings: settings))
        }
    }

    /// Nil if there is a file to open.
    private static func stateWithoutFile(_ path: String) -> OnlineAnswers.AccountStore? {
        switch SystemFile.databaseFacts(path) {
        case .usable(permissions: nil): .schema(version: nil, supported: SQLSchema.version)
        case .usable: nil
        case .noFolder: .unreachable(reason: "its folder does not exist")
        case .readOnlyFolder where access(path, F_OK) != 0:
            .unreachable(reason: "its folder is not writable, so the file cannot be created")
        case .readOnlyFolder: .unreachable(reason: "its folder is not writable, so SQLite cannot create its journal")
        case .noFile: .unreachable(reason: "it is not a file")
        case .readOnlyFile: .unreachable(reason: "the file is not readable and writable for this user")
        }
    }

    /// The first of two: the version, or the end of the time limit. A driver that hangs is left behind.
    private func version(of database: any SQLDatabase) async -> OnlineAnswers.AccountStore {
        let first = FirstAnswer()
        return await withCheckedContinuation { continuation in
            first.wait(continuation)
            Task {
                let state: OnlineAnswers.AccountStore
                do throws(SQLError) {
                    state = .schema(version: try await SQLSchema.version(of: database), supported: SQLSchema.version)
                } catch {
                    state = .unreachable(reason: error.reason)
                }
                first.give(state)
                await database.close()
            }
            Task {
                try? await Task.sleep(for: limit)
                first.give(.unreachable(reason: "no answer within \(limit.components.seconds) s"))
            }
        }
    }
}

/// Resumes a continuation once, with the first of several answers.
private final class FirstAnswer: Sendable {
    private let waiting = Mutex<CheckedContinuation<OnlineAnswers.AccountStore, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<OnlineAnswers.AccountStore, Never>) { waiting.withLock { $0 = continuation } }

    func give(_ state: OnlineAnswers.AccountStore) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: state)
    }
}
