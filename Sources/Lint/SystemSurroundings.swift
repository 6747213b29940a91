package import Config
import Glibc

extension Surroundings {
    /// The environment and file system of the process; relative paths start at `directory`.
    package static func system(relativeTo directory: String) -> Surroundings {
        @Sendable func located(_ path: String) -> String {
            path.hasPrefix("/") ? path : directory.isEmpty ? path : directory + "/" + path
        }
        var surroundings = Surroundings(
            variable: { name in getenv(name).map { String(cString: $0) } }, file: { SystemFile.read(located($0)) },
            now: { Int64(time(nil)) * 1_000 })
        surroundings.fileAgain = { SystemFile.readRegular(located($0)) }
        surroundings.database = { SystemFile.databaseFacts(located($0)) }
        return surroundings
    }

    /// The surroundings of a configuration file: relative paths start at its directory, or at the working directory for `-`.
    package static func system(forFile path: String) -> Surroundings {
        guard path != "-", let slash = path.lastIndex(of: "/") else { return system(relativeTo: ".") }
        return system(relativeTo: slash == path.startIndex ? "/" : String(path[..<slash]))
    }
}

/// Reads small files as a whole.
package enum SystemFile {
    /// The size limit. Secrets and configurations are far smaller; devices and logs may never end.
    private static let largest = 64 * 1024 * 1024

    package static func read(_ path: String) -> Surroundings.FileOutcome {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .unreadable(reason: reason(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .unreadable(reason: reason(errno)) }
        // Shells pass secrets as pipes: <(command).
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFIFO: break
        case S_IFDIR: return .unreadable(reason: "is a directory")
        default: return .unreadable(reason: "not a regular file")
        }
        switch readAll(descriptor) {
        case .failure(let error): return .unreadable(reason: error.reason)
        case .success(let bytes):
            let facts = FileFacts(permissions: status.st_mode & 0o7777, isKubernetesVolume: isInKubernetesVolume(path))
            return .contents(bytes, facts)
        }
    }

    /// A regular file's contents; nil for anything else. Does not block: a pipe can be read only once.
    package static func readRegular(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? readAll(descriptor).get()
    }

    /// Returns whether this process can create or write a database at the path. Opens nothing.
    package static func databaseFacts(_ path: String) -> DatabaseFileFacts {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return .noFolder }
        // SQLite creates its log beside the file.
        let isWritable = access(folder, W_OK | X_OK) == 0
        guard stat(path, &status) == 0 else { return isWritable ? .usable(permissions: nil) : .readOnlyFolder }
        guard status.st_mode & S_IFMT == S_IFREG else { return .noFile }
        guard access(path, R_OK | W_OK) == 0 else { return .readOnlyFile }
        return isWritable ? .usable(permissions: status.st_mode & 0o7777) : .readOnlyFolder
    }

    /// Reads all of standard input.
    package static func readStandardInput() -> Surroundings.FileOutcome {
        switch readAll(STDIN_FILENO) {
        case .failure(let error): .unreadable(reason: error.reason)
        case .success(let bytes): .contents(bytes, FileFacts())
        }
    }

    private struct ReadFailure: Error { var reason: String }

    private static func readAll(_ descriptor: Int32) -> Result<[UInt8], ReadFailure> {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return .success(bytes) }
            if count < 0 {
                if errno == EINTR { continue }
                return .failure(ReadFailure(reason: reason(errno)))
            }
            bytes += chunk[..<count]
            if bytes.count > largest { return .failure(ReadFailure(reason: "larger than 64 MiB")) }
        }
    }

    private static func reason(_ number: Int32) -> String {
        switch number {
        case ENOENT: "no such file"
        case EACCES: "permission denied"
        case ENOTDIR: "part of the path is not a directory"
        case ELOOP: "too many symbolic links"
        case EISDIR: "is a directory"
        default: String(cString: strerror(number)).lowercased()
        }
    }

    /// Returns whether the file is a Kubernetes volume, which has a `..data` link in its directory.
    private static func isInKubernetesVolume(_ path: String) -> Bool {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var status = stat()
        return lstat(directory + "/..data", &status) == 0
    }
}
