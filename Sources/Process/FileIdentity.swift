import Glibc

/// The identity and version of the file at a path, links followed, as far as `stat` tells.
///
/// A volume of Kubernetes swaps a link beside the file, so that the path leads to another inode.
package struct FileIdentity: Sendable, Equatable {
    package var device: UInt
    package var inode: UInt
    package var size: Int
    package var modifiedSeconds: Int
    package var modifiedNanoseconds: Int

    /// nil: there is no such file now, or it may not be looked at.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        modifiedSeconds = status.st_mtim.tv_sec
        modifiedNanoseconds = status.st_mtim.tv_nsec
    }

    package init(device: UInt, inode: UInt, size: Int, modifiedSeconds: Int, modifiedNanoseconds: Int) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modifiedSeconds = modifiedSeconds
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}

/// A file that was read, and which version of it.
package struct WatchedFile: Sendable, Equatable {
    /// Absolute, or relative to the working directory.
    package let path: String
    package let identity: FileIdentity?

    /// To be made before the file is read: what changes afterwards is then noticed.
    package init(path: String) {
        self.path = path
        identity = FileIdentity(path: path)
    }

    package init(path: String, identity: FileIdentity?) {
        self.path = path
        self.identity = identity
    }
}

/// Notices that files have changed and come to rest: several that change together, or one that is written in pieces, are one change.
package struct FileWatch: Sendable {
    package private(set) var paths: [String]
    /// As they were read.
    private var known: [FileIdentity?]
    /// As they were at the last glance, while they differ from `known`.
    private var moving: [FileIdentity?]?

    package init(_ files: [WatchedFile]) {
        paths = files.map(\.path)
        known = files.map(\.identity)
    }

    /// A glance. True once for each change, at the first glance that finds everything as the glance before did.
    package mutating func look(_ identities: [FileIdentity?]) -> Bool {
        guard identities != known else {
            moving = nil
            return false
        }
        guard moving == identities else {
            moving = identities
            return false
        }
        known = identities
        moving = nil
        return true
    }
}
