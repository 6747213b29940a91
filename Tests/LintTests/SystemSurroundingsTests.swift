import Config
import Foundation
import Glibc
import TestTools
import Testing

@testable import Lint

@Suite struct SystemSurroundingsTests {
    private let folder: TemporaryFolder
    private var directory: URL { URL(fileURLWithPath: folder.path) }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: directory.appendingPathComponent("projected/..data"), withIntermediateDirectories: true)
    }

    private func write(_ text: String, _ name: String, mode: Int) throws {
        let file = directory.appendingPathComponent(name)
        try text.write(to: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    private func outcome(_ path: String, relativeTo base: String) -> (text: String?, facts: FileFacts?, reason: String?) {
        switch Surroundings.system(relativeTo: base).file(path) {
        case .contents(let bytes, let facts): (String(decoding: bytes, as: UTF8.self), facts, nil)
        case .unreadable(let reason): (nil, nil, reason)
        }
    }

    @Test func `A relative path starts at the configuration's directory, an absolute one at the root`() throws {
        try write("secret\n", "a.key", mode: 0o600)
        #expect(outcome("./a.key", relativeTo: directory.path).text == "secret\n")
        #expect(outcome("projected/../a.key", relativeTo: directory.path).text == "secret\n")
        #expect(outcome(directory.appendingPathComponent("a.key").path, relativeTo: "/nowhere").text == "secret\n")
        guard case .contents = Surroundings.system(forFile: directory.appendingPathComponent("gateway.yaml").path).file("a.key") else {
            Issue.record("not read beside the configuration")
            return
        }
    }

    @Test("The mode of a file is told", arguments: [0o600, 0o644, 0o666])
    func mode(mode: Int) throws {
        try write("x", "b.key", mode: mode)
        #expect(outcome("b.key", relativeTo: directory.path).facts == FileFacts(permissions: UInt32(mode), isKubernetesVolume: false))
    }

    @Test func `A file beside a ..data link lies in a Kubernetes volume`() throws {
        try write("x", "projected/c.key", mode: 0o644)
        #expect(outcome("projected/c.key", relativeTo: directory.path).facts?.isKubernetesVolume == true)
    }

    @Test(
        "What cannot be read says why", arguments: [("none", "no such file"), ("projected", "is a directory"), ("a\u{0}b", "no such file")])
    func unreadable(path: String, reason: String) {
        #expect(outcome(path, relativeTo: directory.path).reason == reason)
    }

    @Test func `A device that never ends is not read for ever`() {
        #expect(outcome("/dev/zero", relativeTo: "").reason == "not a regular file")
    }

    @Test func `A variable is that of the process`() throws {
        // Other tests read the environment at the same time, so none changes it.
        let (name, value) = try #require(ProcessInfo.processInfo.environment.first)
        let surroundings = Surroundings.system(relativeTo: ".")
        #expect(surroundings.variable(name) == value)
        #expect(surroundings.variable("GATEWAY_LINT_UNSET") == nil)
    }

    @Test func `A database can be created in a folder, and written where it exists`() throws {
        func facts(_ path: String) -> DatabaseFileFacts? { Surroundings.system(relativeTo: directory.path).database(path) }
        #expect(facts("accounts.db") == .usable(permissions: nil))
        try write("", "accounts.db", mode: 0o640)
        #expect(facts("./accounts.db") == .usable(permissions: 0o640))
        #expect(facts("missing/accounts.db") == .noFolder)
        #expect(facts("accounts.db/accounts.db") == .noFolder)
        #expect(facts("projected") == .noFile)
        guard geteuid() != 0 else { return }
        try write("", "read-only.db", mode: 0o400)
        #expect(facts("read-only.db") == .readOnlyFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.appendingPathComponent("projected").path)
        #expect(facts("projected/accounts.db") == .readOnlyFolder)
    }
}
