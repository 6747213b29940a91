/// One file as it was read: its name, its bytes and where its lines begin.
///
/// Offsets count UTF-8 bytes from 0 and include a byte order mark; lines and columns count from 1,
/// columns in Unicode scalars, and a byte order mark takes no column.
package struct SourceFile: Sendable {
    /// As it is shown to a person: a path as given, or `<stdin>`.
    package let name: String
    package let bytes: [UInt8]
    /// The offset of each line's first byte; a line ends with LF, CR LF or CR.
    private let lineStarts: [Int]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        self.lineStarts = Self.lineStarts(of: bytes)
    }

    package init(name: String, text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }

    package var lineCount: Int { lineStarts.count }

    /// 3 when the file begins with the UTF-8 byte order mark, else 0.
    package var byteOrderMarkLength: Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }

    /// Where `offset` is; an offset beyond the end is the end.
    package func position(at offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = lineIndex(at: offset)
        var start = lineStarts[line]
        if line == 0 { start = min(byteOrderMarkLength, offset) }
        return SourcePosition(line: line + 1, column: Self.scalarCount(bytes[start..<offset]) + 1, offset: offset)
    }

    package func range(of span: SourceSpan) -> SourceRange {
        SourceRange(start: position(at: span.start), end: position(at: span.end))
    }

    /// The offsets of a line's content, without its line break and without a byte order mark. Lines count from 1.
    package func contentOffsets(ofLine line: Int) -> Range<Int> {
        guard line >= 1, line <= lineStarts.count else { return 0..<0 }
        let start = line == 1 ? byteOrderMarkLength : lineStarts[line - 1]
        var end = line < lineStarts.count ? lineStarts[line] : bytes.count
        while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    /// The text of `offsets`; bytes that are not UTF-8 become U+FFFD.
    package func text(of offsets: Range<Int>) -> String {
        String(decoding: bytes[offsets.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    package func text(of span: SourceSpan) -> String {
        text(of: span.start..<max(span.start, span.end))
    }

    private func lineIndex(at offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private static func lineStarts(of bytes: [UInt8]) -> [Int] {
        var starts = [0]
        bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                if bytes[index] == 0x0A {
                    starts.append(index + 1)
                } else if bytes[index] == 0x0D {
                    if index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
                    starts.append(index + 1)
                }
                index += 1
            }
        }
        return starts
    }

    private static func scalarCount(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}
