/// A failure of the server or of a connection: what the caller learns, and what becomes of the transaction and the connection.
struct PostgresFailure: Error, Equatable {
    enum Consequence {
        /// The server refused a statement. The connection is good.
        case refused
        /// Another transaction was in the way: the transaction may run again.
        case conflict
        /// The connection's prepared statements do not fit the server any more: the transaction may run again on a new connection.
        case outdated
        /// The connection is usable, but the server behind it is not the right one.
        case wrongServer
        /// There is no connection any more.
        case lost
    }

    let error: SQLError
    var consequence: Consequence

    init(_ error: SQLError, _ consequence: Consequence) {
        self.error = error
        self.consequence = consequence
    }

    static func lost(_ reason: String) -> PostgresFailure { PostgresFailure(.unavailable(reason), .lost) }
    static func refused(_ reason: String) -> PostgresFailure { PostgresFailure(.unavailable(reason), .refused) }

    /// The failure that the server reports with a SQLSTATE. Its own message may hold addresses and values of rows, and is not used.
    /// - Parameter constraint: the constraint's name, or the table and the column.
    init(sqlState: String, constraint: String = "", isConnected: Bool = true) {
        let state = Self.isState(sqlState) ? sqlState : "unknown"
        if state.hasPrefix("23") {
            self.init(.constraint(constraint), .refused)
        } else if state.hasPrefix("42") && state != "42501" || state == "3F000" {
            self.init(.schema("the tables of the PostgreSQL database differ from what the program expects (SQLSTATE \(state))"), .refused)
        } else {
            self.init(.unavailable("\(Self.reason(state)) (SQLSTATE \(state))"), Self.consequence(state))
        }
        if !isConnected { consequence = .lost }
    }

    static func isState(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 5
            && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }

    private static func consequence(_ state: String) -> Consequence {
        switch state {
        case "40001", "40P01": .conflict
        // "cached plan must not change result type", after a migration; and a statement that a connection pooler does not know.
        case "0A000", "26000": .outdated
        case "25006": .wrongServer
        default: state.hasPrefix("08") || state.hasPrefix("57P") ? .lost : .refused
        }
    }

    /// Our words for the SQLSTATEs that an operator can do something about, most specific first.
    private static func reason(_ state: String) -> String {
        for (prefix, reason) in reasons where state.hasPrefix(prefix) { return reason }
        return "the PostgreSQL server refused a statement"
    }

    private static let reasons = [
        ("08", "the connection to the PostgreSQL server broke"),
        ("0A000", "the PostgreSQL server does not support a statement; it may be a standby or older than the tables"),
        ("22", "the PostgreSQL server refused a value"),
        ("25006", "the PostgreSQL server is read-only"),
        ("28", "the PostgreSQL server refused the sign-in; check the user, the password and pg_hba.conf"),
        ("3D000", "the PostgreSQL server has no database of the URL's name"),
        ("40", "transactions of the PostgreSQL database conflict repeatedly"),
        ("42501", "the PostgreSQL user lacks a privilege; grant it CREATE on the schema and all privileges on the tables"),
        ("53100", "the PostgreSQL server's disk is full"),
        ("53200", "the PostgreSQL server has no memory left"),
        ("53300", "the PostgreSQL server has no free connection; raise max_connections or the user's connection limit"),
        ("53", "the PostgreSQL server lacks resources"),
        ("55P03", "a lock in the PostgreSQL database was not released in time"),
        ("57014", "a statement exceeded the PostgreSQL server's time limit or was cancelled"),
        ("57P03", "the PostgreSQL server is starting or stopping"),
        ("57P", "the PostgreSQL server closed the connection"),
        ("57", "an operator of the PostgreSQL server intervened"),
    ]
}

extension PostgresFailure {
    /// Translates libpq's message after a failed attempt to connect. With `PQERRORS_SQLSTATE` a refusal by the server is a line that ends
    /// with the SQLSTATE; of libpq's own messages only the kind is used, because they hold addresses.
    static func connecting(_ message: String) -> PostgresFailure {
        for line in message.split(separator: "\n").reversed() {
            guard let word = line.split(separator: " ").last, isState(word), line.contains(":  ") else { continue }
            return PostgresFailure(sqlState: String(word), isConnected: false)
        }
        for (words, reason) in kinds where words.contains(where: message.contains) {
            return .lost("the PostgreSQL server cannot be reached: \(reason)")
        }
        return .lost("the PostgreSQL server cannot be reached")
    }

    private static let kinds: [([String], String)] = [
        (["root certificate file"], "the file of root certificates does not exist or cannot be read; set sslrootcert in the URL"),
        (["certificate verify failed"], "its certificate is not signed by an authority of sslrootcert, or has expired"),
        (["server certificate for", "does not match host name"], "its certificate is for another host name"),
        (["does not support SSL"], "it does not offer TLS, which sslmode requires"),
        (["no password supplied"], "it asks for a password, and the URL has none"),
        (["session is read-only", "session is not read-only", "hot standby"], "no host of the URL accepts writes"),
        (["timeout expired", "timed out"], "it does not answer in time"),
        (["Connection refused"], "the connection was refused"),
        (["could not translate host name", "Name or service not known"], "its host name cannot be resolved"),
        (["No such file or directory"], "its socket does not exist"),
        (["invalid"], "a parameter of the URL has an invalid value"),
        (["SSL", "TLS"], "the TLS handshake failed"),
        (["server closed the connection"], "it closed the connection"),
    ]
}
