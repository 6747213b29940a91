import Glibc
import Sessions
import Synchronization
import TokenCrypto

/// The open file of `session.revocations`, locked for this process. Its functions block.
///
/// Records are appended and synchronised with the disk. A rewrite puts a new file in the place of the old one, with what is still of use.
package final class RevocationFile: Sendable {
    /// The reason why the file cannot be used.
    package struct Failure: Error, Sendable {
        package let reason: String

        init(_ reason: String) { self.reason = reason }
        init(_ action: String, errno code: CInt) { reason = "\(action): \(String(cString: strerror(code)).lowercased())" }
    }

    /// No more is read: several times what a full table takes.
    private static let longest = 64 << 20
    /// The file is rewritten when it has grown by this much, and to more than twice its size after the last rewrite.
    private static let growth = 1 << 20

    let path: String
    private let state: Mutex<State>

    private struct State {
        var descriptor: CInt
        /// Up to where the file holds whole records; nil: unknown, so it has to be rewritten.
        var length: Int?
        var lengthAfterRewrite = 0
    }

    /// Opens the file, or makes it, and locks it.
    init(path: String) throws(Failure) {
        self.path = path
        state = Mutex(State(descriptor: try Self.openAndLock(path)))
    }

    deinit { close(state.withLock { $0.descriptor }) }

    private static func openAndLock(_ path: String) throws(Failure) -> CInt {
        // Another process may put a new file in the place of the one that was opened just now.
        for _ in 0..<16 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw Failure("it cannot be opened", errno: errno) }
            do throws(Failure) {
                try lock(descriptor)
                if try isSameFile(descriptor, path) { return descriptor }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
        throw Failure("another process replaces it repeatedly")
    }

    private static func lock(_ descriptor: CInt) throws(Failure) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        if errno == EWOULDBLOCK { throw Failure("another gateway uses it; give each gateway its own file") }
        throw Failure("it cannot be locked", errno: errno)
    }

    private static func isSameFile(_ descriptor: CInt, _ path: String) throws(Failure) -> Bool {
        var opened = stat()
        var named = stat()
        guard fstat(descriptor, &opened) == 0 else { throw Failure("it cannot be examined", errno: errno) }
        guard opened.st_mode & S_IFMT == S_IFREG else { throw Failure("it is not a regular file") }
        return stat(path, &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    /// The file's contents; nil for a new file.
    func read(_ ring: SealingKeyRing) throws(Failure) -> RevocationFileFormat.Contents? {
        let bytes = try state.withLock { state throws(Failure) in try Self.read(state.descriptor) }
        guard !bytes.isEmpty else { return nil }
        do throws(RevocationFileFormat.Problem) {
            return try RevocationFileFormat.decode(bytes, ring: ring)
        } catch {
            throw Failure(error.reason)
        }
    }

    private static func read(_ descriptor: CInt) throws(Failure) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure("it cannot be examined", errno: errno) }
        guard status.st_size <= longest else { throw Failure("it is larger than 64 MiB") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset, off_t(offset))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure("it cannot be read", errno: count == 0 ? EIO : errno) }
            offset += count
        }
        return bytes
    }

    /// Whether an append should be a rewrite.
    var needsRewrite: Bool {
        state.withLock { state in state.length.map { $0 > Self.growth + 2 * state.lengthAfterRewrite } ?? true }
    }

    /// On return the bytes are on disk. After a failure the file is as it was, or `needsRewrite`.
    func append(_ bytes: [UInt8]) throws(Failure) {
        try state.withLock { state throws(Failure) in
            guard let start = state.length else { throw Failure("it must be rewritten") }
            state.length = nil
            do throws(Failure) {
                try Self.write(bytes, to: state.descriptor, at: start)
                guard fdatasync(state.descriptor) == 0 else { throw Failure("it cannot be synchronised with the disk", errno: errno) }
            } catch {
                // A record that was cut off must not stand before whole ones.
                _ = ftruncate(state.descriptor, off_t(start))
                throw error
            }
            state.length = start + bytes.count
        }
    }

    /// Puts a file with these bytes in the place of the old one, all or nothing.
    func rewrite(_ bytes: [UInt8]) throws(Failure) {
        try state.withLock { state throws(Failure) in
            let next = try replacement(bytes)
            close(state.descriptor)
            state = State(descriptor: next)
            try synchroniseFolder()
            state = State(descriptor: next, length: bytes.count, lengthAfterRewrite: bytes.count)
        }
    }

    /// Makes the new file and gives it the old one's name.
    private func replacement(_ bytes: [UInt8]) throws(Failure) -> CInt {
        let beside = path + ".new"
        let next = open(beside, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard next >= 0 else { throw Failure("\(beside) cannot be opened", errno: errno) }
        do throws(Failure) {
            try Self.lock(next)
            guard fchmod(next, 0o600) == 0 else { throw Failure("\(beside) cannot be made private", errno: errno) }
            try Self.write(bytes, to: next, at: 0)
            guard fsync(next) == 0 else { throw Failure("\(beside) cannot be synchronised with the disk", errno: errno) }
            guard rename(beside, path) == 0 else { throw Failure("it cannot be replaced", errno: errno) }
        } catch {
            close(next)
            unlink(beside)
            throw error
        }
        return next
    }

    /// The new name must be on disk, too.
    private func synchroniseFolder() throws(Failure) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(folder) cannot be opened", errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure("\(folder) cannot be synchronised with the disk", errno: errno) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt, at start: Int) throws(Failure) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset, off_t(start + offset))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure("it cannot be written", errno: count == 0 ? EIO : errno) }
            offset += count
        }
    }
}
