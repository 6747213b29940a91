import Glibc

/// A `redis-server`, or a Sentinel, in a temporary folder. A shell stops it and removes the folder when the test process ends, however
/// that ends.
package final class RedisProcess: @unchecked Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    package let folder: String
    package let port: UInt16
    /// Closing it, which the kernel does at the latest, makes the shell stop the server.
    private var watch: CInt = -1
    private let options: [String]
    private let program: String

    package var url: String { "redis://127.0.0.1:\(port)" }
    package var socketPath: String { "\(folder)/redis.sock" }

    /// Starts a server on a free port of 127.0.0.1 and on a socket. `options`: further lines of its configuration. `$FOLDER` and `$PORT` are
    /// replaced.
    package init(_ options: [String] = [], program: String = "redis-server", start: Bool = true) throws {
        var template = Array("/tmp/gateway-redis-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(description: "mkdtemp: \(errno)") }
        folder = String(cString: made)
        port = try LoopbackPort.claim()
        self.options = options
        self.program = program
        if start { try self.start() }
    }

    deinit {
        stop()
        _ = try? Self.run("rm -rf \"$1\"", [folder])
    }

    /// Starts it, also again on the same port, and waits until it listens.
    package func start(_ more: [String] = []) throws {
        var lines = ["port \(port)", "bind 127.0.0.1", "dir \(folder)", "logfile \(folder)/log", "daemonize no"]
        if program == "redis-server" { lines += ["unixsocket \(socketPath)", "save \"\"", "appendonly no", "enable-debug-command yes"] }
        for option in options + more {
            lines.append(Self.replacing("$FOLDER", with: folder, in: Self.replacing("$PORT", with: "\(port)", in: option)))
        }
        try Self.write(lines.joined(separator: "\n") + "\n", to: folder + "/redis.conf")
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        watch = ends[1]
        _ = try Shell.spawn(
            "cd \"$1\"; \"$2\" redis.conf & echo $! >pid.new; mv pid.new pid; cat; kill -9 $!; wait", [folder, program], input: ends[0])
        Glibc.close(ends[0])
        guard Self.wait(until: LoopbackPort.isListening(port)) else { throw Failure(description: "\(program) does not listen") }
    }

    /// Kills it.
    package func stop() {
        guard watch >= 0 else { return }
        Glibc.close(watch)
        watch = -1
        _ = Self.wait(until: !LoopbackPort.isListening(port))
    }

    package func pause() throws { try signal("STOP") }
    package func resume() throws { try signal("CONT") }

    private func signal(_ name: String) throws { try Self.run("kill -\"$2\" \"$(cat \"$1/pid\")\"", [folder, name]) }

    /// Runs a command with `redis-cli` and returns its output.
    @discardableResult
    package func run(_ arguments: String..., options: [String] = []) throws -> String {
        let output = folder + "/output"
        try Self.run(
            "out=\"$1\"; port=\"$2\"; shift 2; redis-cli -h 127.0.0.1 -p \"$port\" \"$@\" >\"$out\" 2>&1",
            [output, "\(port)"] + options + arguments)
        return try Self.read(output)
    }

    /// Runs a script with the folder as its first argument.
    package func shell(_ script: String) throws {
        do {
            try Self.run("exec >\"$1/shell.log\" 2>&1\n\(script)", [folder])
        } catch {
            throw Failure(description: "\(error)\n\(try Self.read(folder + "/shell.log").suffix(4_000))")
        }
    }

    // MARK: Processes

    /// Returns whether the condition came true. A busy machine does not reach the limit of two minutes.
    private static func wait(until condition: @autoclosure () -> Bool) -> Bool {
        for _ in 0..<12_000 {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }

    @discardableResult
    private static func run(_ script: String, _ arguments: [String]) throws -> CInt {
        let process = try Shell.spawn(script, arguments, input: -1)
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw Failure(description: "status \(status): \(script)") }
        return status
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(description: "fopen: \(errno)") }
        defer { fclose(file) }
        guard fputs(text, file) >= 0 else { throw Failure(description: "fputs: \(errno)") }
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw Failure(description: "fopen: \(errno)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func replacing(_ name: String, with value: String, in text: String) -> String {
        var parts: [Substring] = []
        var rest = text[...]
        while let range = rest.firstRange(of: name) {
            parts.append(rest[..<range.lowerBound])
            parts.append(value[...])
            rest = rest[range.upperBound...]
        }
        return (parts + [rest]).joined()
    }
}
