import Accounts
import Testing
import TokenCrypto

@testable import Sessions

@Suite struct RevocationFileFormatTests {
    private let now = Example.start
    private let limits = SessionLimits(idle: 1000, absolute: 10_000)
    private let oldKey = [UInt8](repeating: 1, count: 32)
    private let newKey = [UInt8](repeating: 2, count: 32)

    private func ring(_ keys: [UInt8]...) -> SealingKeyRing { RevocationFileFormat.ring(keys) }

    private func records(_ digester: RevocationDigester) -> [RevocationRecord] {
        [
            digester.record(endingUser: "alice", issuer: "https://a", limits: limits, now: now),
            digester.record(endingProviderSession: "s", issuer: "https://a", limits: limits, now: now),
            digester.record(usingLogoutToken: "j", issuer: "https://a", until: .max),
        ]
    }

    private func file(_ digester: RevocationDigester) -> [UInt8] {
        RevocationFileFormat.head(digester, ring: ring(oldKey)) + records(digester).flatMap { RevocationFileFormat.encode($0, digester) }
    }

    @Test func `what is written is read, also with another session key in front`() throws {
        let digester = RevocationDigester()
        let contents = try RevocationFileFormat.decode(file(digester), ring: ring(newKey, oldKey))
        #expect(contents.digester == digester && contents.records == records(digester) && contents.tornBytes == 0)
    }

    @Test func `the file holds no id, sid or subject in clear`() {
        let text = String(decoding: file(RevocationDigester()), as: UTF8.self)
        for secret in ["alice", "https://a"] { #expect(!text.contains(secret)) }
    }

    @Test func `another session key does not open it`() {
        #expect(throws: RevocationFileFormat.Problem.noKeyOpensIt) {
            try RevocationFileFormat.decode(file(RevocationDigester()), ring: ring(newKey))
        }
    }

    @Test func `an end that was torn off is left out, wherever the tear is`() throws {
        let digester = RevocationDigester()
        let whole = file(digester)
        let size = RevocationFileFormat.recordSize
        for cut in 1...size {
            let contents = try RevocationFileFormat.decode(Array(whole.dropLast(cut)), ring: ring(oldKey))
            #expect(contents.records == Array(records(digester).dropLast()) && contents.tornBytes == size - cut)
        }
        let zeroed = whole.dropLast(size * 2) + [UInt8](repeating: 0, count: size * 2)
        #expect(try RevocationFileFormat.decode(Array(zeroed), ring: ring(oldKey)).records.count == 1)
    }

    @Test func `damage before a readable record is not taken for a torn end`() {
        let digester = RevocationDigester()
        var bytes = file(digester)
        bytes[bytes.count - RevocationFileFormat.recordSize - 1] ^= 1
        #expect(throws: RevocationFileFormat.Problem.damaged(record: 2)) { try RevocationFileFormat.decode(bytes, ring: ring(oldKey)) }
    }

    @Test func `other files are refused`() {
        let head = RevocationFileFormat.head(RevocationDigester(), ring: ring(oldKey))
        for bytes in [[0], Array("key: value\n".utf8), Array(head.prefix(22)), Array(head.prefix(40))] {
            #expect(throws: RevocationFileFormat.Problem.notOurs) { try RevocationFileFormat.decode(bytes, ring: ring(oldKey)) }
        }
    }
}
