import Diagnostics
import Testing

@Suite struct SourceFileTests {
    struct Place: Sendable, CustomTestStringConvertible {
        var text: String
        var offset: Int
        var line: Int
        var column: Int
        var testDescription: String { "\(text.debugDescription) at \(offset)" }
    }

    @Test(
        "Lines and columns count from 1, columns in Unicode scalars, offsets in bytes",
        arguments: [
            Place(text: "", offset: 0, line: 1, column: 1),
            Place(text: "ab\ncd", offset: 0, line: 1, column: 1),
            Place(text: "ab\ncd", offset: 2, line: 1, column: 3),
            Place(text: "ab\ncd", offset: 3, line: 2, column: 1),
            Place(text: "ab\r\ncd", offset: 4, line: 2, column: 1),
            Place(text: "ab\rcd", offset: 3, line: 2, column: 1),
            Place(text: "\n\n", offset: 2, line: 3, column: 1),
            Place(text: "é東x", offset: 5, line: 1, column: 3),
            Place(text: "👩‍🚀x", offset: 11, line: 1, column: 4),
            Place(text: "ab", offset: 99, line: 1, column: 3),
            Place(text: "\u{FEFF}ab", offset: 3, line: 1, column: 1),
            Place(text: "\u{FEFF}ab", offset: 4, line: 1, column: 2),
            Place(text: "\u{FEFF}a\nb", offset: 5, line: 2, column: 1),
        ])
    func position(place: Place) {
        let position = SourceFile(name: "f", text: place.text).position(at: place.offset)
        #expect(position.line == place.line)
        #expect(position.column == place.column)
        #expect(position.offset == min(place.offset, place.text.utf8.count))
    }

    @Test func `A line's content leaves out its break and the byte order mark`() {
        let source = SourceFile(name: "f", text: "\u{FEFF}a\r\nb\n")
        #expect(source.text(of: source.contentOffsets(ofLine: 1)) == "a")
        #expect(source.text(of: source.contentOffsets(ofLine: 2)) == "b")
        #expect(source.contentOffsets(ofLine: 3).isEmpty)
        #expect(source.contentOffsets(ofLine: 4).isEmpty)
    }

    @Test func `A place in a very long line is the one that counting from its start gives`() {
        let text =
            String(repeating: "a", count: 5000) + String(repeating: "日", count: 5000) + "\r\n" + String(repeating: "é", count: 20_000)
        let source = SourceFile(name: "f", text: text)
        for offset in [0, 1, 4095, 4096, 5000, 8192, 8195, 14_999, 20_000, 20_002, 20_004, 33_000, 60_002] {
            let start = offset < 20_002 ? 0 : 20_002
            let column = Array(text.utf8)[start..<offset].count { $0 & 0xC0 != 0x80 } + 1
            #expect(source.position(at: offset) == SourcePosition(line: start == 0 ? 1 : 2, column: column, offset: offset))
        }
    }
}
