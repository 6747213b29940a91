import Glibc

/// Puts new contents in the place of a file that exists.
package enum FileReplacement {
    package struct Failure: Error { package let reason: String }

    /// Whoever reads the file meanwhile sees the old contents or the new, whole. Permissions stay, and where the process
    /// may, the owner; a symbolic link stays one.
    package static func replace(_ path: String, with bytes: [UInt8]) -> Result<Void, Failure> {
        guard let resolved = realpath(path, nil) else { return .failure(failure()) }
        defer { free(resolved) }
        let target = String(cString: resolved)
        var status = stat()
        guard stat(target, &status) == 0 else { return .failure(failure()) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .failure(Failure(reason: "not a regular file")) }
        // Renaming would get around the permissions of the file itself.
        guard access(target, W_OK) == 0 else { return .failure(failure()) }
        // The template that mkstemp(3) fills in: beside the file, because a rename must not leave its file system.
        var name = Array((target + ".XXXXXX").utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return .failure(failure()) }
        let isWritten =
            fchmod(descriptor, status.st_mode & 0o7777) == 0 && write(bytes, to: descriptor) && fsync(descriptor) == 0
        // Only root may give files away; the file then belongs to whoever fixed it.
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
