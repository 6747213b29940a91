import ArgumentParser
import Glibc
import Lint

/// One file that `gateway init` writes.
struct FileToWrite {
    let path: String

    /// The name alone in the working directory, so that the commands of the next steps are short.
    init(directory: String, name: String) {
        path = directory == "." ? name : directory + (directory.hasSuffix("/") ? "" : "/") + name
    }

    var exists: Bool {
        var status = stat()
        // A link to nothing is in the way, too.
        return lstat(path, &status) == 0
    }

    /// Creates the file. With `replacing`, replaces a file that exists as a whole and keeps its permissions.
    func write(_ text: String, mode: mode_t, replacing: Bool = false) throws {
        if replacing, exists {
            if case .failure(let failure) = FileReplacement.replace(path, with: Array(text.utf8)) { throw cannotWrite(failure.reason) }
            return
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw cannotWrite(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var text = text
        let isComplete = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count }
        guard isComplete else {
            let reason = String(cString: strerror(errno))
            remove()
            throw cannotWrite(reason)
        }
    }

    func remove() { unlink(path) }

    private func cannotWrite(_ reason: String) -> ExitCode {
        Terminal.say("gateway: cannot write \(path): \(reason)")
        return ExitCode(1)
    }
}
