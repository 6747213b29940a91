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
}
