import Glibc

/// The demo's files: a folder that only this user can read, and that ends with the demo.
struct DemoFolder: Sendable {
    struct Failure: Error { var reason: String }

    let path: String

    /// In `$TMPDIR`, else in /tmp.
    init() throws(Failure) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        // The template for mkdtemp(3), which replaces the six letters.
        var template = Array(((parent.isEmpty ? "/tmp" : parent) + "/gateway-demo-XXXXXX").utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard isMade else { throw Failure(reason: "cannot make the folder \(path): \(String(cString: strerror(errno)))") }
    }

    /// Removes the folder and the files in it.
    func remove() {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { unlink("\(path)/\(name)") }
            }
            closedir(folder)
        }
        rmdir(path)
    }
}
