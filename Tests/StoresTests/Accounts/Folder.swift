import Glibc
import TestTools

/// A folder of its own with the file of a database.
final class Folder: Sendable {
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    var database: String { path + "/accounts.db" }

    func mode(_ suffix: String) -> mode_t? {
        var status = stat()
        return stat(database + suffix, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
