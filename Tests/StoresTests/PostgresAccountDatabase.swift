@testable import Stores

extension AccountDatabase {
    /// A schema of its own for each test, on the shared server.
    static let postgres = AccountDatabase(name: "PostgreSQL") {
        let server = try await PostgresServer.shared.value
        let schema = "accounts_\(UInt64.random(in: 0 ... .max))"
        let administrator = PostgresDatabase(url: server.url(), settings: .withoutTimeLimits)
        _ = try await administrator.write { c throws(SQLError) in try c.run("CREATE SCHEMA \(schema)", []) }
        await administrator.close()
        let url = server.url("options=-c%20search_path%3D\(schema)")
        let databases = [
            PostgresDatabase(url: url, settings: .withoutTimeLimits), PostgresDatabase(url: url, settings: .withoutTimeLimits),
        ]
        return Replicas(databases[0], databases[1], owner: schema)
    }
}
