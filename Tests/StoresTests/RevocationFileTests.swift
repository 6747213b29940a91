import Dispatch
import Glibc
import Sessions
import Synchronization
import TestTools
import Testing
import TokenCrypto

@testable import Stores

@Suite("The file of revocations")
struct RevocationFileTests {
    private let ring = RevocationFileFormat.ring([[UInt8](repeating: 3, count: 32)])
    private let digester = RevocationDigester()
    private let limits = SessionLimits(idle: 1_000, absolute: 1_000_000)

    private final class Folder {
        private let folder: TemporaryFolder
        init() throws { folder = try TemporaryFolder() }
        var file: String { folder.path + "/revocations" }
    }

    private func record(_ sid: String) -> RevocationRecord {
        digester.record(endingProviderSession: sid, issuer: "https://a", limits: limits, now: 0)
    }

    private func bytes(_ records: RevocationRecord...) -> [UInt8] { records.flatMap { RevocationFileFormat.encode($0, digester) } }

    private func read(_ path: String) throws -> [RevocationRecord]? { try RevocationFile(path: path).read(ring)?.records }

    @Test("holds what was appended after a rewrite, and is new without one")
    func append() throws {
        let folder = try Folder()
        do {
            let file = try RevocationFile(path: folder.file)
            #expect(try file.read(ring) == nil && file.needsRewrite)
            try file.rewrite(RevocationFileFormat.head(digester, ring: ring) + bytes(record("a")))
            #expect(!file.needsRewrite)
            try file.append(bytes(record("b"), record("c")))
        }
        #expect(try read(folder.file) == [record("a"), record("b"), record("c")])
    }

    @Test("asks for a rewrite when it has grown by more than a mebibyte")
    func growth() throws {
        let folder = try Folder()
        let file = try RevocationFile(path: folder.file)
        let head = RevocationFileFormat.head(digester, ring: ring)
        try file.rewrite(head)
        try file.append([UInt8](repeating: 0, count: 1 << 20))
        #expect(!file.needsRewrite)
        try file.append([UInt8](repeating: 0, count: 2 * head.count))
        #expect(file.needsRewrite)
    }

    @Test("is locked for one gateway, also after it was replaced")
    func lock() throws {
        let folder = try Folder()
        let file = try RevocationFile(path: folder.file)
        #expect(throws: RevocationFile.Failure.self) { try RevocationFile(path: folder.file) }
        try file.rewrite(RevocationFileFormat.head(digester, ring: ring))
        #expect(throws: RevocationFile.Failure.self) { try RevocationFile(path: folder.file) }
    }

    @Test("a rewrite that fails leaves the file as it was")
    func failedRewrite() throws {
        let folder = try Folder()
        do {
            let file = try RevocationFile(path: folder.file)
            try file.rewrite(RevocationFileFormat.head(digester, ring: ring) + bytes(record("a")))
            mkdir(folder.file + ".new", 0o700)
            defer { rmdir(folder.file + ".new") }
            #expect(throws: RevocationFile.Failure.self) { try file.rewrite(RevocationFileFormat.head(digester, ring: ring)) }
            try file.append(bytes(record("b")))
        }
        #expect(try read(folder.file) == [record("a"), record("b")])
    }

    @Test("a link or a directory is refused", arguments: ["link", "directory"])
    func kinds(kind: String) throws {
        let folder = try Folder()
        if kind == "link" { symlink("/dev/null", folder.file) } else { mkdir(folder.file, 0o700) }
        defer { rmdir(folder.file) }
        #expect(throws: RevocationFile.Failure.self) { try RevocationFile(path: folder.file) }
    }

    @Test("the journal writes what the memory holds, and says when it is on disk")
    func journal() async throws {
        let folder = try Folder()
        let file = try RevocationFile(path: folder.file)
        let kept = record("kept")
        let journal = RevocationJournal(file, digester: digester, ring: ring, now: { 0 }, report: { _ in }, waitLimit: .seconds(600)) {
            [kept]
        }
        try journal.begin()
        journal.append([record("new")])
        #expect(await journal.synchronise())
        mkdir(folder.file + ".new", 0o700)
        journal.adopt(ring, report: { _ in })
        #expect(await journal.synchronise() == false && journal.failure != nil)
        rmdir(folder.file + ".new")
        await journal.close()
    }

    @Test("what ended between the journal's start and its use is written with the first request")
    func firstWrite() async throws {
        let folder = try Folder()
        let memory = Mutex<[RevocationRecord]>([])
        do {
            let journal = RevocationJournal(
                try RevocationFile(path: folder.file), digester: digester, ring: ring, now: { 0 }, report: { _ in },
                waitLimit: .seconds(600)
            ) {
                memory.withLock { $0 }
            }
            try journal.begin()
            memory.withLock { $0 = [record("between")] }
            #expect(await journal.synchronise())
            await journal.close()
        }
        #expect(try read(folder.file) == [record("between")])
    }

    @Test("a disk that does not answer keeps nobody waiting")
    func hungDisk() async throws {
        let folder = try Folder()
        let isHung = Mutex(false)
        let disk = DispatchSemaphore(value: 0)
        let journal = RevocationJournal(
            try RevocationFile(path: folder.file), digester: digester, ring: ring, now: { 0 }, report: { _ in },
            waitLimit: .milliseconds(10)
        ) {
            if isHung.withLock({ $0 }) { disk.wait() }
            return []
        }
        try journal.begin()
        isHung.withLock { $0 = true }
        let first = await journal.synchronise()
        let second = await journal.synchronise()
        isHung.withLock { $0 = false }
        disk.signal()
        #expect(!first && !second)
        await journal.close()
    }
}
