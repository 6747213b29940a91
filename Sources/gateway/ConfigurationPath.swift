import Config
import Diagnostics
import Glibc
import Lint

/// Which configuration file a command means.
enum ConfigurationPath {
    /// The argument, else `$GATEWAY_CONFIG`, else `./gateway.yaml`, else `/etc/gateway/gateway.yaml`.
    static func resolve(_ argument: String?) -> String {
        if let argument { return argument }
        if let variable = getenv("GATEWAY_CONFIG"), variable.pointee != 0 { return String(cString: variable) }
        return access("gateway.yaml", F_OK) == 0 ? "gateway.yaml" : "/etc/gateway/gateway.yaml"
    }

    /// The file's contents under the name that reports show; `-` is standard input.
    static func read(_ path: String) -> Result<SourceFile, UnreadableFile> {
        let outcome = path == "-" ? SystemFile.readStandardInput() : SystemFile.read(path)
        switch outcome {
        case .contents(let bytes, _): return .success(SourceFile(name: path == "-" ? "<stdin>" : path, bytes: bytes))
        case .unreadable(let reason): return .failure(UnreadableFile(path: path, reason: reason))
        }
    }
}

struct UnreadableFile: Error {
    var path: String
    var reason: String
}
