import Dispatch
import Glibc
import ServerProcesses

@testable import Stores

/// A PostgreSQL server in a temporary folder, with a Unix socket, a port of 127.0.0.1 and TLS. A process of its own stops it and removes the
/// folder when the test process ends, however that ends.
final class PostgresServer: Sendable {
    /// One server for every test that does not stop it.
    static let shared = Task { try await PostgresServer() }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let user = "gateway"
    static let password = "p@ss/w%rd"
    private static let encodedPassword = "p%40ss%2Fw%25rd"

    let folder: String
    let port: UInt16
    /// Closing it, which the kernel does at the latest, makes the other process stop the server.
    private let watch: CInt

    private let options: [String]

    init() async throws {
        var template = Array("/tmp/gateway-postgres-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(description: "mkdtemp: \(errno)") }
        folder = String(cString: made)
        port = try LoopbackPort.claim()
        options = ["-k", folder, "-p", "\(port)"]
        try await Self.run(Self.create, [folder, options.joined(separator: " "), Self.user, Self.password])
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        watch = ends[1]
        _ = try Shell.spawn(Self.common + "cat; control -m immediate stop; rm -rf \"$folder\"", [folder], input: ends[0])
        Glibc.close(ends[0])
    }

    deinit { Glibc.close(watch) }

    /// Starts the server again, with its earlier settings and these.
    func start(_ settings: [String] = []) async throws {
        let options = options + settings.flatMap { ["-c", $0] }
        try await Self.run(Self.common + "control -w -o \"$2\" start", [folder, options.joined(separator: " ")])
    }

    func stop() async throws { try await Self.run(Self.common + "control -w -m fast stop", [folder]) }

    /// The URL of the Unix socket.
    func url(database: String = "postgres", user: String = user, password: String = encodedPassword, _ more: String...) -> String {
        "postgres://\(user):\(password)@/\(database)?" + Self.parameters(["host=\(folder)", "port=\(port)"] + more)
    }

    /// The URL of the port.
    func url(host: String, _ more: String...) -> String {
        "postgresql://\(Self.user):\(Self.encodedPassword)@\(host):\(port)/postgres?" + Self.parameters(more)
    }

    /// The server answers late on a busy machine.
    private static func parameters(_ given: [String]) -> String {
        let patience = given.contains { $0.hasPrefix("connect_timeout=") } ? [] : ["connect_timeout=30"]
        return (given + patience).joined(separator: "&")
    }

    // MARK: - Processes

    /// PostgreSQL does not run as root: then it runs as the user of its package, or as nobody.
    private static let common = """
        set -eu
        folder="$1"
        bin="$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)"
        as_server() {
            if [ "$(id -u)" -ne 0 ]; then "$@"; return; fi
            setpriv --reuid="$server" --regid="$(id -g "$server")" --clear-groups "$@"
        }
        server="$(id -un postgres 2>/dev/null || echo nobody)"
        control() { as_server "$bin/pg_ctl" -s -D "$folder/data" -l "$folder/log" -t 300 "$@"; }
        cd "$folder"

        """

    private static let create =
        common + """
            key() { openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "$@" 2>/dev/null; }
            for authority in ca other; do key -x509 -days 2 -subj "/CN=$authority" -keyout $authority.key -out $authority.crt; done
            key -subj /CN=localhost -keyout server.key -out server.csr
            echo subjectAltName=DNS:localhost >names
            openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt 2>/dev/null
            chmod 600 server.key
            printf '%s' "$4" >password
            if [ "$(id -u)" -eq 0 ]; then chown -R "$server" "$folder"; fi
            as_server "$bin/initdb" -D data -U "$3" --pwfile=password --auth=scram-sha-256 -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
            cat >>data/postgresql.conf <<END
            listen_addresses = '127.0.0.1'
            fsync = off
            max_connections = 500
            deadlock_timeout = 50ms
            ssl = on
            ssl_cert_file = '$folder/server.crt'
            ssl_key_file = '$folder/server.key'
            END
            control -w -o "$2" start
            """

    /// Runs a script without keeping one of Swift's cooperative threads.
    private static func run(_ script: String, _ arguments: [String]) async throws {
        let process = try Shell.spawn(script, arguments, showsErrors: true)
        let status = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var status: CInt = 0
                while waitpid(process, &status, 0) < 0 && errno == EINTR {}
                continuation.resume(returning: status)
            }
        }
        guard status == 0 else { throw Failure(description: "PostgreSQL's programs failed with status \(status): \(script)") }
    }
}

extension PostgresSettings {
    /// For tests of other things than time limits: no busy machine reaches these.
    static let withoutTimeLimits: PostgresSettings = {
        var settings = PostgresSettings()
        settings.queueTimeout = .seconds(600)
        settings.transactionTimeout = .seconds(600)
        settings.statementTimeout = .seconds(600)
        settings.migrationTimeout = .seconds(600)
        return settings
    }()
}

/// A port of 127.0.0.1 at which connections are made and never answered.
final class LoopbackListener: Sendable {
    let port: UInt16
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw PostgresServer.Failure(description: "listen: \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Closes the first connection that waits. False: none does.
    func closeOne() -> Bool {
        guard hasConnection else { return false }
        close(accept(descriptor, nil, nil))
        return true
    }

    /// Whether there is a connection that was not closed here.
    var hasConnection: Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) == 1
    }
}
