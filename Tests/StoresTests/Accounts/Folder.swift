import Glibc
import Testing

/// A directory of its own, removed with the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/gateway-accounts-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
        for name in ["", ".old", ".new"].flatMap({ ["accounts.db\($0)", "accounts.db\($0)-wal", "accounts.db\($0)-shm"] }) {
            unlink(path + "/" + name)
        }
        rmdir(path)
    }

    var database: String { path + "/accounts.db" }

    func mode(_ suffix: String) -> mode_t? {
        var status = stat()
        return stat(database + suffix, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
