import Glibc

/// Replaces the contents of an existing file atomically.
package enum FileReplacement {
    package struct Failure: Error { package let reason: String }

    /// Concurrent readers see either the old or the new contents. Permissions stay, and so does the owner if the process
    /// may set it. Symbolic links are followed.
    package static func replace(_ path: String, with bytes: [UInt8]) -> Result<Void, Failure> {
        guard let resolved = realpath(path, nil) else { return .failure(failure()) }
        defer { free(resolved) }
        let target = String(cString: resolved)
        var status = stat()
        guard stat(target, &status) == 0 else { return .failure(failure()) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failure(Failure(reason: "not a regular file")) }
        // A rename would bypass the permissions of the file itself.
        guard access(target, W_OK) == 0 else { return .failure(failure()) }
        // The template for mkstemp(3). The new file is in the same directory, because a rename cannot cross file systems.
        var name = Array((target + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return .failure(failure()) }
        let isWritten =
            fchmod(descriptor, status.st_mode & 0o7777) == 0 && write(bytes, to: descriptor) && fsync(descriptor) == 0
        // Only root can change the owner; otherwise the file belongs to the current user.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        let problem = isWritten ? nil : failure()
        close(descriptor)
        if let problem {
            unlink(name)
            return .failure(problem)
        }
        guard rename(name, target) == 0 else {
            let problem = failure()
            unlink(name)
            return .failure(problem)
        }
        return .success(())
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failure() -> Failure {
        switch errno {
        case ENOENT: Failure(reason: "no such file")
        case EACCES, EPERM: Failure(reason: "permission denied")
        case EROFS: Failure(reason: "the file system is read-only")
        case ENOSPC: Failure(reason: "no space left on the device")
        default: Failure(reason: String(cString: strerror(errno)).lowercased())
        }
    }
}
