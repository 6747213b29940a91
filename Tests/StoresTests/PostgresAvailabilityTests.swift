import Synchronization
import Testing

@testable import Stores

@Suite("A PostgreSQL server that does not answer as it should")
struct PostgresAvailabilityTests {
    private let shared: PostgresServer

    init() async throws { shared = try await PostgresServer.shared.value }

    private static func settings(_ change: (inout PostgresSettings) -> Void) -> PostgresSettings {
        var settings = PostgresSettings()
        settings.firstPause = .milliseconds(20)
        settings.longestPause = .milliseconds(50)
        change(&settings)
        return settings
    }

    private func one(_ database: PostgresDatabase) async throws(SQLError) -> [[SQLValue]] {
        try await database.read { c throws(SQLError) in try c.run("SELECT 1", []) }
    }

    /// The error of a transaction, and how long it took.
    private func failure(_ database: PostgresDatabase) async -> (SQLError?, Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        do {
            _ = try await one(database)
            return (nil, clock.now - start)
        } catch {
            return (error, clock.now - start)
        }
    }

    // MARK: - Connecting

    @Test("says why it cannot sign in, without the user, the password or the address")
    func refusedSignIn() async throws {
        let cases = [
            (
                shared.url(password: "wrong"),
                "the PostgreSQL server refused the sign-in; check the user, the password and pg_hba.conf (SQLSTATE 28P01)"
            ),
            (
                shared.url(user: "nobody"),
                "the PostgreSQL server refused the sign-in; check the user, the password and pg_hba.conf (SQLSTATE 28P01)"
            ),
            (shared.url(password: ""), "the PostgreSQL server cannot be reached: it asks for a password, and the URL has none"),
            (shared.url(database: "absent"), "the PostgreSQL server has no database of the URL's name (SQLSTATE 3D000)"),
            ("postgres://u:p@/db?host=/tmp/no-such-folder", "the PostgreSQL server cannot be reached: its socket does not exist"),
            ("postgres://u:p@127.0.0.1:1/db", "the PostgreSQL server cannot be reached: the connection was refused"),
            ("postgres://u:p@name.invalid/db", "the PostgreSQL server cannot be reached: its host name cannot be resolved"),
            (
                shared.url(host: "127.0.0.1", "sslmode=verify"),
                "the PostgreSQL server cannot be reached: a parameter of the URL has an invalid value"
            ),
            (
                shared.url(host: "127.0.0.1", "connect_timeout=5s"),
                "the PostgreSQL server cannot be reached: a parameter of the URL has an invalid value"
            ),
            ("mysql://u:p@127.0.0.1/db", "the database URL does not begin with postgres:// or postgresql://"),
            (
                "postgres://u:p@127.0.0.1/db?secret=1",
                "libpq rejects the database URL; check its percent-escapes, its ports and the names of its parameters"
            ),
            ("postgres://u:p@127.0.0.1/db\0?sslmode=disable", "the database URL contains a NUL character"),
        ]
        for (url, text) in cases {
            let database = PostgresDatabase(url: url)
            #expect(await failure(database).0 == .unavailable(text))
            #expect(database.problem == .unavailable(text))
        }
    }

    @Test("says which package is missing where libpq is not installed")
    func missingLibrary() async {
        let database = PostgresDatabase(url: shared.url(), settings: PostgresSettings(), library: "libpq-absent.so.5")
        let text = "PostgreSQL's client library libpq-absent.so.5 cannot be loaded; install it (Debian and Ubuntu: apt install libpq5)"
        #expect(await failure(database).0 == .unavailable(text))
        let other = PostgresDatabase(url: shared.url(), settings: PostgresSettings(), library: "libc.so.6")
        #expect(await failure(other).0 == .unavailable("PostgreSQL's client library libc.so.6 is too old; install libpq 13 or newer"))
    }

    @Test("waits once for a server that never answers; the next calls fail at once")
    func silentServer() async throws {
        let listener = try LoopbackListener()
        // Two seconds are the shortest time that libpq knows.
        let settings = Self.settings {
            $0.firstPause = .seconds(60); $0.longestPause = .seconds(60)
        }
        let database = PostgresDatabase(
            url: "postgres://u:p@127.0.0.1:\(listener.port)/db?connect_timeout=1&sslmode=disable", settings: settings)
        let (first, wait) = await failure(database)
        #expect(first == .unavailable("the PostgreSQL server cannot be reached: it does not answer in time"))
        #expect(wait > .seconds(1))
        var waits: [Duration] = []
        for _ in 0..<100 {
            let (next, wait) = await failure(database)
            #expect(next == first)
            waits.append(wait)
        }
        // Half of them: other tests keep the machine busy. A call that tried to connect would take two seconds.
        #expect(waits.sorted()[50] < .seconds(1))
    }

    @Test("while one call tries to connect again, the others fail at once")
    func oneAttempt() async throws {
        let listener = try LoopbackListener()
        let settings = Self.settings { $0.firstPause = .zero }
        let database = PostgresDatabase(
            url: "postgres://u:p@127.0.0.1:\(listener.port)/db?connect_timeout=5&sslmode=disable", settings: settings)
        let (first, _) = await failure(database)
        let results = await withTaskGroup(of: (SQLError?, Duration).self) { group in
            for _ in 0..<20 { group.addTask { await failure(database) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0.0 == first })
        #expect(results.count { $0.1 > .seconds(4) } == 1)
    }

    @Test("of two hosts, one that does not answer, the other is used")
    func hostList() async throws {
        let listener = try LoopbackListener()
        let url = shared.url(host: "127.0.0.1:\(listener.port),127.0.0.1", "connect_timeout=1")
        #expect(try await one(PostgresDatabase(url: url)) == [[.integer(1)]])
    }

    // MARK: - TLS

    @Test("checks the server's certificate and its name, as sslmode says")
    func certificates() async throws {
        let ca = "sslrootcert=\(shared.folder)/ca.crt"
        let encrypted: @Sendable (any SQLConnection) throws(SQLError) -> [[SQLValue]] = { c throws(SQLError) in
            try c.run("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", [])
        }
        for (url, isEncrypted) in [
            (shared.url(host: "localhost", "sslmode=verify-full", ca), 1), (shared.url(host: "127.0.0.1", "sslmode=verify-ca", ca), 1),
            (shared.url(host: "localhost", "sslmode=disable"), 0),
        ] as [(String, Int64)] {
            #expect(try await PostgresDatabase(url: url).read(encrypted) == [[.integer(isEncrypted)]])
        }
        for (url, reason) in [
            (
                shared.url(host: "localhost", "sslmode=verify-full", "sslrootcert=\(shared.folder)/other.crt"),
                "its certificate is not signed by an authority of sslrootcert, or has expired"
            ),
            (shared.url(host: "127.0.0.1", "sslmode=verify-full", ca), "its certificate is for another host name"),
            (
                shared.url(host: "localhost", "sslmode=verify-full", "sslrootcert=/no/such/file"),
                "the file of root certificates does not exist or cannot be read; set sslrootcert in the URL"
            ),
        ] {
            #expect(await failure(PostgresDatabase(url: url)).0 == .unavailable("the PostgreSQL server cannot be reached: \(reason)"))
        }
    }

    // MARK: - Lost connections

    @Test("works again after the server was stopped and started")
    func restart() async throws {
        let server = try await PostgresServer()
        let database = PostgresDatabase(url: server.url(), settings: Self.settings { _ in })
        #expect(try await one(database) == [[.integer(1)]])
        // The idle connection has ended, and the call opens another one.
        try await server.stop()
        try await server.start()
        #expect(try await one(database) == [[.integer(1)]])
        try await server.stop()
        for _ in 0..<50 {
            #expect(await failure(database).0 == .unavailable("the PostgreSQL server cannot be reached: its socket does not exist"))
        }
        #expect(database.openConnections == 0)
        try await server.start()
        let clock = ContinuousClock()
        let start = clock.now
        while await failure(database).0 != nil, clock.now - start < .seconds(20) { await Task.yield() }
        #expect(try await one(database) == [[.integer(1)]])
        #expect(database.problem == nil)
    }

    @Test("a transaction whose connection ends before COMMIT fails and does not run again")
    func terminated() async throws {
        let database = PostgresDatabase(url: shared.url())
        let runs = Counter()
        await #expect(throws: SQLError.unavailable("the PostgreSQL server closed the connection (SQLSTATE 57P01)")) {
            try await database.write { c throws(SQLError) in
                runs.increment()
                _ = try c.run("SELECT pg_terminate_backend(pg_backend_pid())", [])
            }
        }
        #expect(runs.value == 1)
        #expect(try await one(database) == [[.integer(1)]])
    }

    @Test("a connection that ends during COMMIT leaves the outcome open, and the body does not run again")
    func lostCommit() async throws {
        let database = PostgresDatabase(url: shared.url())
        _ = try await database.write { c throws(SQLError) in
            for statement in [
                "DROP TABLE IF EXISTS doomed", "CREATE TABLE doomed (id BIGINT)",
                """
                CREATE OR REPLACE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'
                """,
                """
                CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON doomed DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION end_connection()
                """,
            ] { _ = try c.run(statement, []) }
        }
        let runs = Counter()
        let text = "the connection to the PostgreSQL server broke during COMMIT; whether the transaction happened is unknown"
        await #expect(throws: SQLError.unavailable(text)) {
            try await database.write { c throws(SQLError) in
                runs.increment()
                _ = try c.run("INSERT INTO doomed VALUES (1)", [])
            }
        }
        #expect(runs.value == 1)
    }

    @Test("a commit that no synchronous standby confirms is no success")
    func unconfirmedCommit() async throws {
        let server = try await PostgresServer()
        let database = PostgresDatabase(url: server.url(), settings: Self.settings { _ in })
        _ = try await database.write { c throws(SQLError) in try c.run("CREATE TABLE t (id BIGINT)", []) }
        try await server.stop()
        try await server.start(["synchronous_standby_names=absent"])
        let written = Task { () throws(SQLError) in
            try await database.write { c throws(SQLError) in try c.run("INSERT INTO t VALUES (1)", []) }
        }
        let cancel: @Sendable (any SQLConnection) throws(SQLError) -> [[SQLValue]] = { c throws(SQLError) in
            try c.run("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'", [])
        }
        while try await database.read(cancel).isEmpty { await Task.yield() }
        await #expect(throws: SQLError.unavailable("the PostgreSQL server committed, but no synchronous standby confirmed it")) {
            try await written.value
        }
    }

    // MARK: - Time limits and queue

    @Test("the server ends a statement at its time limit, and the connection remains")
    func statementTimeout() async throws {
        let database = PostgresDatabase(
            url: shared.url(),
            settings: Self.settings {
                $0.statementTimeout = .milliseconds(500); $0.connections = 1
            })
        let backend = try await database.read { c throws(SQLError) in try c.run("SELECT pg_backend_pid()", []) }
        await #expect(
            throws: SQLError.unavailable("a statement exceeded the PostgreSQL server's time limit or was cancelled (SQLSTATE 57014)")
        ) { try await database.read { c throws(SQLError) in try c.run("SELECT pg_sleep(30)", []) } }
        #expect(try await database.read { c throws(SQLError) in try c.run("SELECT pg_backend_pid()", []) } == backend)
    }

    @Test("a transaction ends at its time limit even if the server does not answer")
    func transactionTimeout() async throws {
        // The first transaction opens the connection, for which a busy machine may need seconds.
        let database = PostgresDatabase(
            url: shared.url(),
            settings: Self.settings {
                $0.transactionTimeout = .seconds(10); $0.statementTimeout = .seconds(600)
            })
        #expect(try await one(database) == [[.integer(1)]])
        await #expect(throws: SQLError.unavailable("the PostgreSQL server did not answer in time")) {
            try await database.read { c throws(SQLError) in try c.run("SELECT pg_sleep(30)", []) }
        }
        #expect(try await one(database) == [[.integer(1)]])
    }

    @Test("calls beyond the queue's length fail at once, and those that wait too long in time")
    func queue() async throws {
        let settings = Self.settings {
            $0.connections = 1
            $0.queueLimit = 1
            $0.queueTimeout = .milliseconds(300)
        }
        let database = PostgresDatabase(url: shared.url(), settings: settings)
        let started = Gate()
        let end = Gate()
        async let running = database.read { c throws(SQLError) in
            started.open()
            end.wait()
            return try c.run("SELECT 1", [])
        }
        await started.opened()
        // One of the two waits, the other one finds the queue full.
        let results = await withTaskGroup(of: (SQLError?, Duration).self) { group in
            for _ in 0..<2 { group.addTask { await failure(database) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results[0].0 == .unavailable("too many calls wait for a connection to the PostgreSQL database"))
        #expect(results[1].0 == .unavailable("no connection to the PostgreSQL database became free in time"))
        #expect(results[1].1 >= .milliseconds(300))
        end.open()
        #expect(try await running == [[.integer(1)]])
        #expect(try await one(database) == [[.integer(1)]])
    }

    @Test("calls wait for the connections there are when the server allows no more")
    func connectionLimit() async throws {
        let admin = PostgresDatabase(url: shared.url())
        _ = try await admin.write { c throws(SQLError) in
            _ = try c.run("DROP ROLE IF EXISTS limited", [])
            _ = try c.run("CREATE ROLE limited LOGIN PASSWORD 'secret' CONNECTION LIMIT 1", [])
        }
        let database = PostgresDatabase(
            url: shared.url(user: "limited", password: "secret"), settings: Self.settings { $0.queueTimeout = .seconds(20) })
        #expect(try await one(database) == [[.integer(1)]])
        try await withThrowingTaskGroup(of: [[SQLValue]].self) { group in
            for _ in 0..<40 { group.addTask { try await one(database) } }
            for try await rows in group { #expect(rows == [[.integer(1)]]) }
        }
        #expect(database.openConnections == 1)
    }

    @Test("closing ends the calls that wait, waits for the one that runs, and refuses later ones")
    func close() async throws {
        let database = PostgresDatabase(url: shared.url(), settings: Self.settings { $0.connections = 1 })
        let started = Gate()
        let end = Gate()
        async let running = database.read { c throws(SQLError) in
            started.open()
            end.wait()
            return try c.run("SELECT 1", [])
        }
        await started.opened()
        async let waiting = failure(database)
        async let closed: Void = database.close()
        #expect(await waiting.0 == .unavailable("the PostgreSQL database is closed"))
        end.open()
        #expect(try await running == [[.integer(1)]])
        await closed
        #expect(await failure(database).0 == .unavailable("the PostgreSQL database is closed"))
        #expect(database.openConnections == 0)
        await database.close()
    }
}
