/// The URL of a PostgreSQL database as libpq reads it: `postgres://user:password@host:5432/db?sslmode=verify-full`.
///
/// A pure check for configurations and the linter; libpq itself reads the URL when the gateway connects. The value keeps no password, and
/// problems repeat no part of the URL: in a URL with a mistake the password may be anywhere.
package struct PostgresURL: Sendable, Equatable {
    /// How far libpq protects the connection, in the order of strength.
    package enum SSLMode: String, Sendable, CaseIterable {
        case disable, allow, prefer, require
        case verifyCA = "verify-ca"
        case verifyFull = "verify-full"
    }

    package struct Host: Sendable, Equatable {
        /// A name, an address, or the folder of a Unix socket; empty for libpq's default.
        package let name: String
        /// nil: 5432, or what libpq's environment says.
        package let port: Int?

        package var isUnixSocket: Bool { name.hasPrefix("/") || name.hasPrefix("@") }
        /// The connection does not leave the machine.
        package var isLocal: Bool {
            isUnixSocket || name.isEmpty || name == "localhost" || name == "::1"
                || name.hasPrefix("127.") && name.utf8.allSatisfy(Self.isAddress)
        }

        private static func isAddress(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    }

    package enum Problem: String, Sendable, CaseIterable {
        case scheme = "does not begin with postgres:// or postgresql://"
        case characters = "contains a space or a control character; write it as a percent-escape"
        case percentEscape = "contains a % without two hexadecimal digits, or %00; write a % of a password as %25"
        case brackets = "contains an IPv6 address whose brackets are empty, not closed, or followed by other characters"
        case port = "contains a port that is not a number from 1 to 65535; write a / of a password as %2F"
        case hostCount = "contains a list of hosts and a list of ports or addresses of another length"
        case database = "contains an @ in the name of the database; write a / of a password as %2F"
        case query = "contains a parameter that is not of the form name=value, or a value with an = that is not written as %3D"
        case parameter = "contains a parameter that libpq does not know"
        case sslmode = "contains an sslmode other than disable, allow, prefer, require, verify-ca and verify-full"
        case connectTimeout = "contains a connect_timeout that is not a number of seconds"
    }

    package private(set) var hosts: [Host] = []
    package private(set) var user: String?
    /// nil: the database of the user's name.
    package private(set) var database: String?
    /// nil: libpq's default, which is `prefer`.
    package private(set) var sslmode: SSLMode?
    package private(set) var hasPassword = false
    /// The file of certificates that `verify-ca` and `verify-full` trust.
    package private(set) var rootCertificate: String?
    /// The first problem. The other properties are empty then, because what was read may be a part of the password.
    package private(set) var problem: Problem?

    /// Whether every host is on this machine.
    package var isLocal: Bool { hosts.allSatisfy(\.isLocal) }
    /// Whether another server than the right one can read the password and the data.
    package var isUnverified: Bool { !isLocal && sslmode != .verifyFull }

    /// Whether the text is meant as the URL of a PostgreSQL database.
    package static func isPostgres(_ text: String) -> Bool { scheme(of: text) != nil }

    private static func scheme(of text: String) -> String? { ["postgres://", "postgresql://"].first(where: text.hasPrefix) }

    package init(_ text: String) {
        do throws(Problem) {
            guard let scheme = Self.scheme(of: text) else { throw .scheme }
            guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { throw .characters }
            try read(try PostgresURLReader(Array(text.utf8.dropFirst(scheme.utf8.count))).parameters())
        } catch {
            self = PostgresURL(problem: error)
        }
    }

    private init(problem: Problem) { self.problem = problem }

    private mutating func read(_ parameters: [String: String]) throws(Problem) {
        user = parameters["user"]
        hasPassword = !(parameters["password"] ?? "").isEmpty
        rootCertificate = parameters["sslrootcert"]
        try readHosts(parameters)
        database = parameters["dbname"]
        if database?.contains("@") ?? false { throw .database }
        guard parameters.keys.allSatisfy(Self.known.contains) else { throw .parameter }
        if let mode = parameters["sslmode"] {
            sslmode = SSLMode(rawValue: mode)
            guard sslmode != nil else { throw .sslmode }
        }
        if let seconds = parameters["connect_timeout"], Int32(seconds) == nil { throw .connectTimeout }
    }

    /// Hosts, their addresses and their ports are lists; a single port is for every host.
    private mutating func readHosts(_ parameters: [String: String]) throws(Problem) {
        func list(_ key: String) -> [Substring]? { parameters[key].map { $0.split(separator: ",", omittingEmptySubsequences: false) } }
        let addresses = list("hostaddr")
        let names = list("host") ?? addresses ?? [""]
        guard addresses.map({ $0.count == names.count }) ?? true else { throw .hostCount }
        var ports: [Int?] = []
        for port in list("port") ?? [""] {
            guard port.isEmpty || Int(port).map({ 1...65_535 ~= $0 }) ?? false else { throw .port }
            ports.append(Int(port))
        }
        guard ports.count == 1 || ports.count == names.count else { throw .hostCount }
        hosts = names.indices.map { Host(name: String(names[$0]), port: ports.count == 1 ? ports[0] : ports[$0]) }
    }

    /// The parameters of libpq 13 to 18 (PostgreSQL's manual, "Parameter Key Words").
    private static let known: Set<String> = [
        "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "require_auth", "channel_binding", "connect_timeout",
        "client_encoding", "options", "application_name", "fallback_application_name", "keepalives", "keepalives_idle",
        "keepalives_interval",
        "keepalives_count", "tcp_user_timeout", "replication", "gssencmode", "sslmode", "sslnegotiation", "sslcompression", "sslcert",
        "sslkey",
        "sslkeylogfile", "sslpassword", "sslcertmode", "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "requirepeer",
        "ssl_min_protocol_version", "ssl_max_protocol_version", "min_protocol_version", "max_protocol_version", "krbsrvname", "gsslib",
        "gssdelegation", "scram_client_key", "scram_server_key", "service", "servicefile", "target_session_attrs", "load_balance_hosts",
        "oauth_issuer", "oauth_client_id", "oauth_client_secret", "oauth_scope",
    ]
}

extension PostgresURL.Problem: Error {}

/// Reads a URL after its scheme in the steps of libpq's `conninfo_uri_parse`.
private struct PostgresURLReader {
    private let text: [UInt8]
    private var position = 0
    private var found: [String: String] = [:]

    init(_ text: [UInt8]) { self.text = text }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    consuming func parameters() throws(PostgresURL.Problem) -> [String: String] {
        try readUser()
        try readHosts()
        if next == UInt8(ascii: "/") {
            position += 1
            try store("dbname", take(until: "?"))
        }
        if next == UInt8(ascii: "?") {
            position += 1
            try readQuery()
        }
        return found
    }

    private mutating func take(until ends: String) -> ArraySlice<UInt8> {
        let start = position
        position = text[start...].firstIndex { ends.utf8.contains($0) } ?? text.count
        return text[start..<position]
    }

    /// The user and the password stand before the first @, if no slash is before it.
    private mutating func readUser() throws(PostgresURL.Problem) {
        let credentials = take(until: "@/")
        guard next == UInt8(ascii: "@") else {
            position = 0
            return
        }
        position += 1
        let parts = credentials.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        try store("user", parts[0])
        if parts.count == 2 { try store("password", parts[1]) }
    }

    private mutating func readHosts() throws(PostgresURL.Problem) {
        var hosts: [UInt8] = []
        var ports: [UInt8] = []
        while true {
            hosts += try readHost()
            if next == UInt8(ascii: ":") {
                position += 1
                ports += take(until: "/?,")
            }
            guard next == UInt8(ascii: ",") else { break }
            position += 1
            hosts.append(UInt8(ascii: ","))
            ports.append(UInt8(ascii: ","))
        }
        try store("host", hosts[...])
        try store("port", ports[...])
    }

    private mutating func readHost() throws(PostgresURL.Problem) -> ArraySlice<UInt8> {
        guard next == UInt8(ascii: "[") else { return take(until: ":/?,") }
        position += 1
        let address = take(until: "]")
        guard next != nil, !address.isEmpty else { throw .brackets }
        position += 1
        guard next.map({ ":/?,".utf8.contains($0) }) ?? true else { throw .brackets }
        return address
    }

    private mutating func readQuery() throws(PostgresURL.Problem) {
        while next != nil {
            let parameter = take(until: "&")
            position += 1
            let parts = parameter.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .query }
            let (name, value) = (try decoded(parts[0]), try decoded(parts[1]))
            // JDBC's form.
            if name == "ssl" && value == "true" { found["sslmode"] = "require" } else { found[name] = value }
        }
    }

    /// An empty part of the URL stands for libpq's default.
    private mutating func store(_ name: String, _ value: ArraySlice<UInt8>) throws(PostgresURL.Problem) {
        if !value.isEmpty { found[name] = try decoded(value) }
    }

    private func decoded(_ value: ArraySlice<UInt8>) throws(PostgresURL.Problem) -> String {
        var result: [UInt8] = []
        var index = value.startIndex
        while index < value.endIndex {
            if value[index] == UInt8(ascii: "%") {
                guard index + 2 < value.endIndex, let high = Self.digit(value[index + 1]), let low = Self.digit(value[index + 2]),
                    high << 4 | low != 0
                else { throw .percentEscape }
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(value[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
