import Glibc
import Testing

@testable import Accounts
@testable import Stores

@Suite("SQLite files")
struct SQLiteDatabaseTests {
    private func service(_ path: String, _ change: (inout SQLiteDatabase.Options) -> Void = { _ in }) -> AccountService {
        var options = SQLiteDatabase.Options.withoutTimeLimits
        options.busyTimeout = 50
        change(&options)
        return AccountService(store: SQLAccountStore(SQLiteDatabase(path: path, options: options)), policy: AccountPolicy())
    }

    private func signIn(_ service: AccountService, _ subject: String = "1") async throws(AccountError) -> String? {
        try await service.signIn(proof: Proof("github.com", subject, email: nil), now: start).outcome?.uid
    }

    /// The reason of the refusal; nil: it worked.
    private func reason(_ service: AccountService, _ subject: String = "1") async -> String? {
        do {
            _ = try await signIn(service, subject)
            return nil
        } catch {
            #expect(error.code == .storeUnavailable)
            return error.reason
        }
    }

    @Test func `the file, its journal and its index are for the owner only, whatever the umask and the old mode`() async throws {
        let folder = try Folder()
        _ = try await signIn(service(folder.database))
        // The connections are closed by now, so the journal may be gone.
        chmod(folder.database, 0o664)
        let open = service(folder.database)
        _ = try await signIn(open)
        #expect(folder.mode("") == 0o600 && folder.mode("-wal") == 0o600 && folder.mode("-shm") == 0o600)
        _ = open
    }

    @Test func `every commit is synchronised, in WAL mode, with foreign keys`() async throws {
        let folder = try Folder()
        let database = SQLiteDatabase(path: folder.database, options: .withoutTimeLimits)
        let pragmas = try await database.write { connection throws(SQLError) in
            var values: [String: SQLValue?] = [:]
            for name in ["synchronous", "journal_mode", "foreign_keys"] {
                values[name] = try connection.run("PRAGMA \(name)", []).first?.first
            }
            return values
        }
        #expect(pragmas == ["synchronous": .integer(2), "journal_mode": .text("wal"), "foreign_keys": .integer(1)])
    }

    @Test func `a folder that appears later is used without a restart`() async throws {
        let folder = try Folder()
        let inner = folder.path + "/accounts.db.new"
        let service = service(inner + "/db")
        #expect(await reason(service) == "the file cannot be made: no such file or directory")
        mkdir(inner, 0o700)
        #expect(await reason(service) == nil)
        for name in ["db", "db-wal", "db-shm"] { unlink(inner + "/" + name) }
        rmdir(inner)
    }

    @Test func `a full disk refuses, and room lets writes through again`() async throws {
        let folder = try Folder()
        let full = service(folder.database) { $0.maximumPages = 60 }
        var subject = 0
        while await reason(full, "\(subject)") == nil, subject < 2_000 { subject += 1 }
        #expect(subject > 0 && subject < 2_000)
        #expect(await reason(full, "\(subject)") == "the disk is full")
        #expect(try await full.records(after: nil, limit: 1_000).count == subject, "what was answered is there, and nothing else")
        #expect(await reason(service(folder.database), "\(subject)") == nil)
    }

    @Test func `a damaged file and a file that is none are refused, and replacing them is enough`() async throws {
        let folder = try Folder()
        let good = service(folder.database)
        let uid = try await signIn(good)
        await good.close()
        rename(folder.database, folder.database + ".old")
        let file = open(folder.database, O_WRONLY | O_CREAT, 0o600)
        _ = write(file, Array(repeating: UInt8(ascii: "x"), count: 8_192), 8_192)
        close(file)
        let service = service(folder.database)
        let refused = await reason(service)
        #expect(refused == "the file is no SQLite database")
        rename(folder.database + ".old", folder.database)
        #expect(try await signIn(service) == uid)
    }

    @Test func `a file that is replaced while it is open is not written to any longer`() async throws {
        let folder = try Folder()
        let service = service(folder.database)
        let first = try await signIn(service)
        for suffix in ["", "-wal", "-shm"] { rename(folder.database + suffix, folder.database + ".old" + suffix) }
        #expect(await reason(service, "2") == "the file of the account store was replaced or removed")
        #expect(await reason(service, "2") == nil)
        #expect(try await service.account(first ?? "") == nil)
    }

    @Test func `a lock of another process is waited for, and then refused`() async throws {
        let folder = try Folder()
        let service = service(folder.database)
        _ = try await signIn(service)
        let other = SQLiteDatabase(path: folder.database, options: .withoutTimeLimits)
        let (held, holding) = AsyncStream<Void>.makeStream()
        let release = AsyncStream<Void>.makeStream()
        async let lock: Void = other.write { connection throws(SQLError) in
            _ = try connection.run("UPDATE accounts SET name = 'x'", [])
            holding.finish()
            let waiting = Waiting()
            Task {
                for await _ in release.stream {}
                waiting.end()
            }
            waiting.wait()
        }
        for await _ in held {}
        #expect(await reason(service, "2") == "another process keeps the file locked")
        #expect(try await service.records(after: nil, limit: 9).count == 1, "readers go on")
        release.continuation.finish()
        try await lock
        #expect(await reason(service, "2") == nil)
    }

    @Test func `a caller does not wait beyond the limit, and the queue is bounded`() async throws {
        let lane = DatabaseLane(label: "test", longest: 2, limit: .milliseconds(300))
        let gate = Waiting()
        let (started, starting) = AsyncStream<Void>.makeStream()
        let first = Task {
            await Self.end {
                try await lane.run {
                    starting.finish()
                    gate.wait()
                    return Result<Int, SQLError>.success(1)
                }
            }
        }
        for await _ in started {}
        let second = Task { await Self.end { try await lane.run { Result<Int, SQLError>.success(2) } } }
        let results = [await first.value, await second.value]
        #expect(results == Array(repeating: .unavailable("the account store did not answer in time"), count: 2))
        await #expect(throws: SQLError.unavailable("too many requests wait for the account store")) {
            _ = try await lane.run { Result<Int, SQLError>.success(3) }
        }
        gate.end()
    }

    private static func end(_ work: () async throws -> Int) async -> SQLError? {
        do {
            _ = try await work()
            return nil
        } catch {
            return error as? SQLError
        }
    }

    @Test func `a closed store refuses`() async throws {
        let folder = try Folder()
        let service = service(folder.database)
        _ = try await signIn(service)
        await service.close()
        #expect(await reason(service) == "the account store is closed")
    }

    @Test func `a read-only file is refused for writing and can be read`() async throws {
        let folder = try Folder()
        let before = service(folder.database)
        let uid = try #require(try await signIn(before))
        await before.close()
        // A write version that SQLite does not know makes a file read-only, for the superuser as well.
        let file = open(folder.database, O_WRONLY)
        _ = pwrite(file, [UInt8(3)], 1, 18)
        close(file)
        let service = service(folder.database)
        let refused = await reason(service, "2")
        #expect(refused == "the file is read-only")
        #expect(try await service.account(uid)?.uid == uid)
    }

    @Test func `a text with a NUL is refused, never cut`() async throws {
        let folder = try Folder()
        let database = SQLiteDatabase(path: folder.database, options: .withoutTimeLimits)
        await #expect(throws: SQLError.constraint("a text holds a NUL")) {
            try await database.read { connection throws(SQLError) in try connection.run("SELECT ?1", [.text("a\0b")]) }
        }
        let values = try await database.read { connection throws(SQLError) in
            try connection.run("SELECT ?1, ?2, ?3, ?4", [.text("日本'\""), .bytes([0, 255]), .integer(.min), .null])
        }
        #expect(values == [[.text("日本'\""), .bytes([0, 255]), .integer(.min), .null]])
    }
}

/// Blocks a thread of a database until another one ends it.
final class Waiting: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }
    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func wait() { while sem_wait(semaphore) != 0 {} }
    func end() { sem_post(semaphore) }
}
