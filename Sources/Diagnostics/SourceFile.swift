/// A file: its name, its bytes and the offsets of its lines.
///
/// Offsets count UTF-8 bytes from 0 and include a byte order mark. Lines and columns count from 1;
/// columns are in Unicode scalars, without a byte order mark.
package struct SourceFile: Sendable {
    /// The name as shown: a path as given, or `<stdin>`.
    package let name: String
    package let bytes: [UInt8]
    /// The offset of each line's first byte. A line ends with LF, CR LF or CR.
    private let lineStarts: [UInt32]
    /// The number of scalars before each 4096th byte, so that finding a column is fast even in a very long line.
    private let scalarsBefore: [UInt32]

    /// - Precondition: there are fewer than 2^32 bytes.
    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        self.lineStarts = Self.lineStarts(of: bytes)
        self.scalarsBefore = Self.scalarsBefore(bytes)
    }

    package init(name: String, text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }

    package var lineCount: Int { lineStarts.count }

    /// 3 if the file starts with the UTF-8 byte order mark, otherwise 0.
    package var byteOrderMarkLength: Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }

    /// The position of `offset`, limited to the end of the file.
    package func position(at offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), bytes.count)
        let line = lineIndex(at: offset)
        var start = Int(lineStarts[line])
        if line == 0 { start = min(byteOrderMarkLength, offset) }
        return SourcePosition(line: line + 1, column: scalarCount(start..<offset) + 1, offset: offset)
    }

    package func range(of span: SourceSpan) -> SourceRange {
        SourceRange(start: position(at: span.start), end: position(at: span.end))
    }

    /// The offsets of a line without its line break and byte order mark. Lines count from 1.
    package func contentOffsets(ofLine line: Int) -> Range<Int> {
        guard line >= 1, line <= lineStarts.count else { return 0..<0 }
        let start = line == 1 ? byteOrderMarkLength : Int(lineStarts[line - 1])
        var end = line < lineStarts.count ? Int(lineStarts[line]) : bytes.count
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
            if Int(lineStarts[middle]) <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private static func lineStarts(of bytes: [UInt8]) -> [UInt32] {
        bytes.withUnsafeBufferPointer { bytes in
            func forEachStart(_ body: (Int) -> Void) {
                var index = 0
                while index < bytes.count {
                    if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
                    if bytes[index] == 0x0A || bytes[index] == 0x0D { body(index + 1) }
                    index += 1
                }
            }
            // Counted first, because a growing array takes twice the memory, and a file may consist of line breaks only.
            var count = 1
            forEachStart { _ in count += 1 }
            var starts: [UInt32] = [0]
            starts.reserveCapacity(count)
            forEachStart { starts.append(UInt32($0)) }
            return starts
        }
    }

    private static let stride = 4096

    private static func scalarsBefore(_ bytes: [UInt8]) -> [UInt32] {
        var counts: [UInt32] = [0]
        counts.reserveCapacity(bytes.count / stride + 1)
        var start = 0
        while start + stride <= bytes.count {
            counts.append(counts[counts.count - 1] + UInt32(scalarCount(bytes, start..<(start + stride))))
            start += stride
        }
        return counts
    }

    private func scalarCount(_ range: Range<Int>) -> Int {
        guard range.count > 2 * Self.stride else { return Self.scalarCount(bytes, range) }
        func before(_ offset: Int) -> Int {
            let stretch = offset / Self.stride
            return Int(scalarsBefore[stretch]) + Self.scalarCount(bytes, (stretch * Self.stride)..<offset)
        }
        return before(range.upperBound) - before(range.lowerBound)
    }

    private static func scalarCount(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var count = 0
            for byte in UnsafeBufferPointer(rebasing: bytes[range]) where byte & 0xC0 != 0x80 { count += 1 }
            return count
        }
    }
}
