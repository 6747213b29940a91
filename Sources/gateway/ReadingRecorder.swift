import Config
import Runtime
import Synchronization
import TokenCrypto

/// Takes note of the files that a configuration refers to while it is read.
final class ReadingRecorder: Sendable {
    private struct State {
        var files: [WatchedFile] = []
        var digests: [UInt8] = []
    }

    private let state = Mutex(State())

    var files: [WatchedFile] { state.withLock { $0.files } }

    /// Of everything that was read, in its order.
    var fingerprint: [UInt8] { state.withLock { SHA2.sha256($0.digests) } }

    func note(_ path: String) {
        let file = WatchedFile(path: path)
        state.withLock { state in
            if !state.files.contains(where: { $0.path == path }) { state.files.append(file) }
        }
    }

    func add(_ contents: [UInt8]) {
        let digest = SHA2.sha256(contents)
        state.withLock { $0.digests += digest }
    }

    /// The same surroundings, watched.
    func recording(_ surroundings: Surroundings, relativeTo directory: String) -> Surroundings {
        var recording = surroundings
        recording.file = { path in
            self.note(path.hasPrefix("/") ? path : directory + "/" + path)
            let outcome = surroundings.file(path)
            switch outcome {
            case .contents(let bytes, _): self.add(bytes)
            case .unreadable: self.add([])
            }
            return outcome
        }
        return recording
    }
}
