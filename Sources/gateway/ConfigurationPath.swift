import ArgumentParser
import Config
import Diagnostics
import Glibc
import Lint

/// The configuration file that a command reads.
struct ConfigurationPath: Sendable {
    private enum Origin { case argument, variable, search }

    private static let variable = "GATEWAY_CONFIG"
    private static let local = "gateway.yaml"
    private static let installed = "/etc/gateway/gateway.yaml"

    let path: String
    private let origin: Origin

    private init(_ path: String, _ origin: Origin) {
        self.path = path
        self.origin = origin
    }

    /// A file that the user named; `-` is standard input.
    init(named path: String) { self.init(path, .argument) }

    /// The argument, else `$GATEWAY_CONFIG`, else `./gateway.yaml`, else `/etc/gateway/gateway.yaml`.
    init(argument: String?) {
        if let argument {
            self.init(named: argument)
        } else if let value = getenv(Self.variable), value.pointee != 0 {
            self.init(String(cString: value), .variable)
        } else {
            self.init(access(Self.local, F_OK) == 0 ? Self.local : Self.installed, .search)
        }
    }

    var isStandardInput: Bool { path == "-" }

    /// The file's contents under the name that reports show.
    func read() -> Result<SourceFile, UnreadableFile> {
        switch isStandardInput ? SystemFile.readStandardInput() : SystemFile.read(path) {
        case .contents(let bytes, _): .success(SourceFile(name: isStandardInput ? "<stdin>" : path, bytes: bytes))
        case .unreadable(let reason): .failure(UnreadableFile(reason: reason, message: message(reason)))
        }
    }

    /// The file's contents; a file that cannot be read ends the command with a message.
    func contents() throws -> SourceFile {
        switch read() {
        case .success(let source): return source
        case .failure(let failure):
            Terminal.say("gateway: \(failure.message)")
            throw ExitCode(1)
        }
    }

    /// The files of its directory and the environment of this process, to which the file may refer.
    var surroundings: Surroundings { .system(forFile: path) }

    private func message(_ reason: String) -> String {
        switch origin {
        case .argument: return "cannot read \(path): \(reason)"
        case .variable: return "cannot read \(path), which \(Self.variable) names: \(reason)"
        case .search:
            guard path == Self.installed else { return "cannot read \(path): \(reason)" }
            return """
                no configuration file found. Tried:
                  $\(Self.variable): not set
                  ./\(Self.local): no such file
                  \(Self.installed): \(reason)
                help: name the file, set \(Self.variable), or write a file with `gateway init`
                """
        }
    }
}

struct UnreadableFile: Error {
    var reason: String
    /// Where the file was looked for, why it cannot be read, and what to do.
    var message: String
}
