import Glibc
import Testing

@testable import Conditions

/// Runs the conformance tests of google/cel-spec. They are not part of this repository: `CEL_SPEC_TESTDATA` names the folder
/// `tests/simple/testdata` of a clone.
struct ConformanceTests {
    private static let folder = getenv("CEL_SPEC_TESTDATA").map { String(cString: $0) }

    /// The files whose tests apply. The others need protobuf messages or extensions (docs/condition-language.md).
    private static let files = [
        "basic", "comparisons", "conversions", "dynamic", "fields", "fp_math", "integer_math", "lists", "logic", "macros", "namespace",
        "parse", "plumbing", "string", "timestamps", "type_deduction",
    ]

    @Test(.enabled(if: folder != nil, "CEL_SPEC_TESTDATA is not set"), arguments: files)
    func file(_ name: String) throws {
        let path = "\(Self.folder ?? "")/\(name).textproto"
        let proto = try TextProto(try #require(Self.read(path), "\(path) cannot be read"))
        var count = 0
        for section in proto.messages("section") {
            var passed = 0
            var skipped: [String: Int] = [:]
            for test in section.messages("test") {
                let test = ConformanceCase(file: name, section: section.text("name") ?? "", proto: test)
                if let missing = test.missing {
                    skipped[missing, default: 0] += 1
                    continue
                }
                count += 1
                if let failure = test.run() { Issue.record("\(test.name): \(failure)") } else { passed += 1 }
            }
            let skips = skipped.sorted { $0.key < $1.key }.map { ", \($0.value) skipped: \($0.key)" }.joined()
            print("conformance: \(name) \(section.text("name") ?? ""): \(passed) passed\(skips)")
        }
        #expect(count > 0 || name == "dynamic", "no test of \(name) applies")
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = fgetc(file)
            guard byte != EOF else { return bytes }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
    }
}
