import Foundation
import Glibc
import TestTools
import Testing

@testable import Lint

@Suite struct FileReplacementTests {
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(URL(fileURLWithPath: folder.path))
    }

    @Test func `A file keeps its permissions, its link and leaves nothing beside it`() throws {
        try inFolder { folder in
            let file = folder.appendingPathComponent("gateway.yaml")
            let link = folder.appendingPathComponent("link.yaml")
            try Data("old and long".utf8).write(to: file)
            chmod(file.path, 0o640)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            let result = FileReplacement.replace(link.path, with: Array("new".utf8))
            #expect((try? result.get()) != nil)
            #expect(try String(contentsOf: file, encoding: .utf8) == "new")
            var status = stat()
            lstat(link.path, &status)
            #expect(status.st_mode & S_IFMT == S_IFLNK)
            stat(file.path, &status)
            #expect(status.st_mode & 0o777 == 0o640)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["gateway.yaml", "link.yaml"])
        }
    }

    @Test func `What is no file is refused in words`() throws {
        try inFolder { folder in
            func reason(_ path: String) -> String? {
                if case .failure(let failure) = FileReplacement.replace(path, with: []) { failure.reason } else { nil }
            }
            #expect(reason(folder.appendingPathComponent("none").path) == "no such file")
            #expect(reason(folder.path) == "not a regular file")
        }
    }
}
