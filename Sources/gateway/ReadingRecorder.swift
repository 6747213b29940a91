import Config
import Process
import Runtime
import Synchronization
import TokenCrypto

/// Records the files that a configuration refers to while it is read.
final class ReadingRecorder: Sendable {
    private struct State {
        var files: [WatchedFile] = []
        /// Digests in the order of reading; the path of the configuration's own file is nil.
        var digests: [(path: String?, digest: [UInt8])] = []
    }

    private let state = Mutex(State())

    var files: [WatchedFile] { state.withLock { $0.files } }

    /// A digest of everything that was read but the files at `paths`.
    func fingerprint(without paths: [String]) -> [UInt8] {
        state.withLock { state in
            SHA2.sha256(state.digests.flatMap { file in file.path.map(paths.contains) == true ? [] : file.digest })
        }
    }

    func note(_ path: String) {
        let file = WatchedFile(path: path)
        state.withLock { state in
            if !state.files.contains(where: { $0.path == path }) { state.files.append(file) }
        }
    }

    func add(_ contents: [UInt8], of path: String? = nil) {
        let digest = SHA2.sha256(contents)
        state.withLock { $0.digests.append((path, digest)) }
    }

    /// The same surroundings, with every file that is read recorded.
    func recording(_ surroundings: Surroundings, relativeTo directory: String) -> Surroundings {
        var recording = surroundings
        recording.file = { path in
            let whole = path.hasPrefix("/") ? path : directory + "/" + path
            self.note(whole)
            let outcome = surroundings.file(path)
            switch outcome {
            case .contents(let bytes, _): self.add(bytes, of: whole)
            case .unreadable: self.add([], of: whole)
            }
            return outcome
        }
        return recording
    }
}
