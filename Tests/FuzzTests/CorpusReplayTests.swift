import Foundation
import FuzzTargets
import Testing

/// Every file that the fuzzer kept goes through its target again (`docs/fuzzing.md`).
@Suite struct CorpusReplayTests {
    static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fuzz/Corpus")

    static func files(_ target: FuzzTarget) -> [URL] {
        let folder = corpus.appendingPathComponent(target.rawValue)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map(folder.appendingPathComponent)
    }

    @Test("Nothing that a target promises is broken by its corpus", arguments: FuzzTarget.allCases)
    func replay(target: FuzzTarget) throws {
        let files = Self.files(target)
        #expect(files.count >= 5)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(target.broken(by: bytes) == nil, "Fuzz/Corpus/\(target.rawValue)/\(file.lastPathComponent)")
            // Cut off anywhere it is hostile in another way.
            for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 8)) {
                #expect(target.broken(by: Array(bytes.prefix(count))) == nil, "\(file.lastPathComponent), the first \(count) bytes")
            }
        }
    }

    @Test func `The corpora stay small, and each belongs to a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
        let files = FuzzTarget.allCases.flatMap(Self.files)
        #expect(files.count <= 3_000)
        let sizes = try files.map { try Data(contentsOf: $0).count }
        #expect(sizes.reduce(0, +) <= 1 << 20)
    }
}
