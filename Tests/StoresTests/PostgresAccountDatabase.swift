@testable import Stores

extension AccountDatabase {
    /// A schema of its own for each test, on the shared server.
    static let postgres = AccountDatabase(name: "PostgreSQL") {
        let server = try await PostgresServer.shared.value
        let schema = "accounts_\(UInt64.random(in: 0 ... .max))"
        let administrator = PostgresDatabase(url: server.url())
        _ = try await administrator.write { c throws(SQLError) in try c.run("CREATE SCHEMA \(schema)", []) }
        await administrator.close()
        // These tests are about races, not about time limits: other tests keep the machine busy.
        var settings = PostgresSettings()
        settings.queueTimeout = .seconds(30)
        settings.transactionTimeout = .seconds(30)
        let url = server.url("options=-c%20search_path%3D\(schema)")
        let databases = [PostgresDatabase(url: url, settings: settings), PostgresDatabase(url: url, settings: settings)]
        return Replicas(databases[0], databases[1], owner: schema)
    }
}
