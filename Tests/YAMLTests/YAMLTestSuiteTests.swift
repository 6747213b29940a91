import Diagnostics
import Foundation
import Testing
import YAML

/// Runs the YAML test suite (https://github.com/yaml/yaml-test-suite, branch `data`) when the variable `YAML_TEST_SUITE`
/// names its folder.
///
/// What is invalid there must be refused. What is valid must be read as the suite says, or be refused for a reason of our
/// own: tags, several documents, keys that are no scalars, duplicate keys, undefined aliases.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["YAML_TEST_SUITE"] != nil)) struct YAMLTestSuiteTests {
    static let folder = ProcessInfo.processInfo.environment["YAML_TEST_SUITE"]

    /// Valid files that libyaml does not read, or reads otherwise. Each is refused with a place, so nothing is read wrongly.
    static let notReadByLibyaml: Set<String> = [
        "652Z", "HM87/01", "Y2GN",
        "2LFX", "2SXE", "4ABK", "4MUZ/00", "4MUZ/01", "4MUZ/02", "58MP", "5MUD", "5T43", "6BCT", "6CA3", "6LVF", "6M2F", "8XYN", "96NN/00",
        "96NN/01", "9SA2", "A2M4", "BEC7", "CFD4", "DBG4", "DK3J", "DK95/00", "DK95/03", "DK95/04", "FP8R", "FRK4", "HM87/00", "HWV9",
        "K3WX", "MUS6/05", "MUS6/06", "NHX8", "NJ66", "Q5MG", "QT73", "R4YG", "S3PD", "SM9W/01", "UKK6/00", "VJP3/01", "W5VH", "Y79Y/001",
        "Y79Y/010",
    ]

    /// Block scalars that end with a line of spaces without a line break: that last line is left out.
    static let withoutLastLine: Set<String> = ["JEF9/02", "L24T/01"]

    static var cases: [String] {
        guard let folder, let files = FileManager.default.enumerator(atPath: folder) else { return [] }
        return files.compactMap { $0 as? String }.filter { $0.hasSuffix("/in.yaml") && !$0.hasPrefix("name/") && !$0.hasPrefix("tags/") }
            .map { String($0.dropLast("/in.yaml".count)) }.sorted()
    }

    /// A node as the suite's event notation tells it.
    private indirect enum Shape: Equatable {
        case scalar(String)
        case sequence([Shape])
        case mapping([Shape])

        init(_ node: Node) {
            switch node.content {
            case .scalar(let scalar): self = .scalar(scalar.text)
            case .sequence(let items): self = .sequence(items.map(Shape.init))
            case .mapping(let mapping): self = .mapping(mapping.entries.flatMap { [Shape($0.key), Shape($0.value)] })
            }
        }
    }

    @Test("What the suite calls invalid is refused, and what it calls valid is read as it says", arguments: cases)
    func conforms(name: String) throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder)).appendingPathComponent(name)
        let source = SourceFile(name: name, bytes: Array(try Data(contentsOf: folder.appendingPathComponent("in.yaml"))))
        let document = YAMLParser.parse(source)
        if FileManager.default.fileExists(atPath: folder.appendingPathComponent("error").path) {
            #expect(!document.diagnostics.isEmpty, "it is invalid")
            return
        }
        let lines = try String(contentsOf: folder.appendingPathComponent("test.event"), encoding: .utf8).split(separator: "\n").map(
            String.init)
        if !document.diagnostics.isEmpty {
            #expect(Self.notReadByLibyaml.contains(name) || isBeyondOurSubset(lines, source), "\(document.diagnostics.map(\.message))")
            return
        }
        #expect(!Self.notReadByLibyaml.contains(name), "it is read after all")
        var events = Events(lines: lines)
        if Self.withoutLastLine.contains(name) { return }
        #expect(document.root.map(Shape.init) == events.root())
    }

    @Test func `The suite has its invalid files`() {
        let folder = URL(fileURLWithPath: Self.folder ?? "")
        let invalid = Self.cases.filter { FileManager.default.fileExists(atPath: folder.appendingPathComponent("\($0)/error").path) }
        #expect(invalid.count >= 90)
    }

    private func isBeyondOurSubset(_ events: [String], _ source: SourceFile) -> Bool {
        let trimmed = events.map { $0.drop { $0 == " " } }
        if trimmed.count(where: { $0.hasPrefix("+DOC") }) > 1 { return true }
        if trimmed.contains(where: { $0.contains(" <") && !$0.hasPrefix("=VAL :") }) { return true }
        var events = Events(lines: events)
        return events.hasOtherKeys
    }

    /// Reads the event notation.
    private struct Events {
        private var lines: [Substring]
        private var index = 0
        private var anchors: [String: Shape] = [:]
        /// A key that is no scalar, or stands twice, or is `<<`.
        private var hasUnusualKey = false

        init(lines: [String]) {
            self.lines = lines.map { $0.drop { $0 == " " } }.filter {
                !["+STR", "-STR"].contains($0) && !$0.hasPrefix("-DOC") && !$0.hasPrefix("+DOC")
            }
        }

        var hasOtherKeys: Bool {
            mutating get {
                _ = root()
                return hasUnusualKey
            }
        }

        mutating func root() -> Shape? { index < lines.count ? node() : nil }

        private mutating func node() -> Shape {
            let line = lines[index]
            index += 1
            if line.hasPrefix("=ALI") { return anchors[String(line.dropFirst(6))] ?? .scalar("undefined") }
            let anchor = line.split(separator: " ").first { $0.hasPrefix("&") }.map { String($0.dropFirst()) }
            let result: Shape
            if line.hasPrefix("+SEQ") || line.hasPrefix("+MAP") {
                let isMapping = line.hasPrefix("+MAP")
                var items: [Shape] = []
                while !lines[index].hasPrefix("-") { items.append(node()) }
                index += 1
                result = isMapping ? .mapping(items) : .sequence(items)
                if isMapping { note(keys: stride(from: 0, to: items.count, by: 2).map { items[$0] }) }
            } else {
                result = .scalar(text(of: line))
            }
            if let anchor { anchors[anchor] = result }
            return result
        }

        private mutating func note(keys: [Shape]) {
            var seen: Set<String> = []
            for key in keys {
                guard case .scalar(let text) = key, text != "<<", seen.insert(text).inserted else {
                    hasUnusualKey = true
                    return
                }
            }
        }

        /// `=VAL &a <tag> :text`, the mark in front of the text one of `:'"|>`.
        private func text(of line: Substring) -> String {
            var rest = line.dropFirst(5)
            while rest.hasPrefix("&") || rest.hasPrefix("<") {
                guard let space = rest.firstIndex(of: " ") else { break }
                rest = rest[rest.index(after: space)...]
            }
            var result = ""
            var isEscaped = false
            for character in rest.dropFirst() {
                if isEscaped {
                    result += ["n": "\n", "t": "\t", "r": "\r", "b": "\u{8}", "\\": "\\"][character] ?? String(character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else {
                    result.append(character)
                }
            }
            return result
        }
    }
}
