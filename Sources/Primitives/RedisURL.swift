/// The URL of a session store: one server, Sentinels, a cluster, or a Unix socket.
///
/// `redis://user:password@host:6379/0`, `redis+sentinel://host:26379,host:26379/NAME/0`, `redis+cluster://host:6379,host:6379`, each also
/// with `rediss` for TLS, and `redis+unix:///path?db=0`.
///
/// The value keeps no password, and problems repeat no part of the URL: in a URL with a mistake, the password may be anywhere.
package struct RedisURL: Sendable, Hashable {
    package enum Problem: String, Error, Sendable, CaseIterable {
        case scheme =
            "does not begin with redis://, rediss://, redis+sentinel://, rediss+sentinel://, redis+cluster://, rediss+cluster:// or redis+unix://"
        case characters = "contains a space or a control character; write it as a percent-escape"
        case host = "has no valid host"
        case port = "contains a port that is not a number from 1 to 65535"
        case credentials = "contains a user name without a password, or an empty password"
        case percentEscape =
            "contains a % without two hexadecimal digits, or escapes that are no UTF-8 text or a control character; write a % as %25"
        case severalHosts = "names several hosts, which only redis+sentinel:// and redis+cluster:// take"
        case database = "has a database that is not a number from 0 to 15"
        case clusterDatabase = "names a database, but a cluster has only one"
        case masterName = "lacks the name of the master, as in redis+sentinel://host:26379/mymaster"
        case socketPath = "has no absolute path of a socket, as in redis+unix:///run/redis/redis.sock"
        case query = "contains a parameter, which only redis+unix:// takes: ?db=0"
    }

    package struct Server: Sendable, Hashable {
        /// Lower case; an IPv6 address without brackets.
        package let host: String
        package let port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        package var isLocal: Bool { AbsoluteURL.isLoopback(host: host.contains(":") ? "[\(host)]" : host) }
    }

    package enum Topology: Sendable, Hashable {
        case server(Server)
        case socket(path: String)
        case sentinels([Server], master: String)
        case cluster([Server])
    }

    package let topology: Topology
    package let isTLS: Bool
    package let database: Int
    package let hasPassword: Bool

    package init(_ text: String) throws(Problem) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .characters }
        guard let separator = text.firstRange(of: "://") else { throw .scheme }
        let scheme = text[..<separator.lowerBound]
        hasPassword = try Self.credentials(of: text) != nil
        let rest = MailURL.behindCredentials(text)
        isTLS = scheme.hasPrefix("rediss")
        switch scheme {
        case "redis+unix": (topology, database) = try Self.socket(rest)
        case "redis", "rediss":
            let (servers, path) = try Self.servers(rest, standardPort: 6379)
            guard servers.count == 1 else { throw .severalHosts }
            topology = .server(servers[0])
            guard path.count <= 1 else { throw .database }
            database = try Self.database(path.first)
        case "redis+sentinel", "rediss+sentinel":
            let (servers, path) = try Self.servers(rest, standardPort: 26379)
            guard let name = path.first, !name.isEmpty, path.count <= 2, let master = MailURL.decoded(name) else { throw .masterName }
            topology = .sentinels(servers, master: master)
            database = try Self.database(path.dropFirst().first)
        case "redis+cluster", "rediss+cluster":
            let (servers, path) = try Self.servers(rest, standardPort: 6379)
            guard path.isEmpty || path == ["0"] else { throw .clusterDatabase }
            topology = .cluster(servers)
            database = 0
        default: throw .scheme
        }
    }

    /// The servers that the URL names; none for a socket.
    package var servers: [Server] {
        switch topology {
        case .server(let server): [server]
        case .socket: []
        case .sentinels(let servers, _), .cluster(let servers): servers
        }
    }

    /// The user name, which may be empty, and the password of a URL, decoded; nil if it has none.
    package static func credentials(of text: String) throws(Problem) -> (user: String, password: String)? {
        let end = MailURL.behindCredentials(text).startIndex
        guard let scheme = text.firstRange(of: "://"), scheme.upperBound < end else { return nil }
        let parts = text[scheme.upperBound..<text.utf8.index(before: end)]
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { throw .credentials }
        guard let user = MailURL.decoded(parts[0]), let password = MailURL.decoded(parts[1]) else { throw .percentEscape }
        return (user, password)
    }

    /// The hosts, and the segments of the path; an empty last segment is left out.
    private static func servers(_ rest: Substring, standardPort: Int) throws(Problem) -> ([Server], [Substring]) {
        guard !rest.contains("?"), !rest.contains("#") else { throw .query }
        var path = rest.split(separator: "/", omittingEmptySubsequences: false)
        let hosts = path.isEmpty ? "" : path.removeFirst()
        if path.last?.isEmpty == true { path.removeLast() }
        var servers: [Server] = []
        for text in hosts.split(separator: ",", omittingEmptySubsequences: false) {
            guard let (host, port) = AbsoluteURL.hostAndPort(text) else {
                let hasHost = AbsoluteURL.hostAndPort(text.prefix { $0 != ":" }) != nil
                throw hasHost ? .port : .host
            }
            let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            servers.append(Server(host: bare, port: port ?? standardPort))
        }
        guard !servers.isEmpty else { throw .host }
        return (servers, path)
    }

    private static func socket(_ rest: Substring) throws(Problem) -> (Topology, Int) {
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first.flatMap({ MailURL.decoded($0) }), path.hasPrefix("/"), path.utf8.count > 1, path.utf8.count <= 107
        else { throw .socketPath }
        guard parts.count == 2 else { return (.socket(path: path), 0) }
        guard parts[1].hasPrefix("db=") else { throw .query }
        return (.socket(path: path), try database(parts[1].dropFirst(3)))
    }

    private static func database(_ text: Substring?) throws(Problem) -> Int {
        guard let text else { return 0 }
        guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(text), (0...15).contains(number)
        else { throw .database }
        return number
    }
}
