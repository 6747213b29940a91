import Foundation

/// A folder of its own for a test, below `/tmp` whatever `TMPDIR` is: paths of sockets must be short. It is removed with the object.
package final class TemporaryFolder: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let path: String

    package init() throws(Failure) {
        var template = Array("/tmp/gateway-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(description: "mkdtemp: errno \(errno)") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
