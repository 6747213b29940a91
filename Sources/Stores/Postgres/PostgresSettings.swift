/// Limits of the connections to a PostgreSQL server.
package struct PostgresSettings: Sendable {
    /// Connections and threads.
    package var connections = 4
    /// Calls that wait for a connection.
    package var queueLimit = 256
    /// How long a call waits for a connection.
    package var queueTimeout = Duration.seconds(5)
    /// How long a transaction may take with all its repetitions.
    package var transactionTimeout = Duration.seconds(10)
    /// The server's limit for a statement, and for the wait for a lock.
    package var statementTimeout = Duration.seconds(5)
    /// How long a migration may take, including the wait for another process that migrates.
    package var migrationTimeout = Duration.seconds(300)
    /// How often a transaction runs that conflicts with others.
    package var attempts = 16
    /// Prepared statements of one connection.
    package var statements = 128
    /// The pause after the first failed attempt to connect. It doubles with every further one.
    package var firstPause = Duration.milliseconds(100)
    package var longestPause = Duration.seconds(5)

    package init() {}
}
