/// A range of a file in UTF-8 byte offsets; `end` is exclusive.
package struct SourceSpan: Sendable, Hashable {
    package var start: Int
    package var end: Int

    package init(start: Int, end: Int) {
        self.start = start
        self.end = max(start, end)
    }
}

/// A position in a file: line and column from 1, the column in Unicode scalars, the offset in bytes from 0.
package struct SourcePosition: Sendable, Hashable {
    package var line: Int
    package var column: Int
    package var offset: Int

    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

package struct SourceRange: Sendable, Hashable {
    package var start: SourcePosition
    package var end: SourcePosition

    package init(start: SourcePosition, end: SourcePosition) {
        self.start = start
        self.end = end
    }
}
