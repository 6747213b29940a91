/// A source line cut to the terminal width, with the columns of its carets.
struct SnippetLine {
    private(set) var text = ""
    /// The number of terminal columns before the first caret.
    private(set) var caretStart = 0
    /// The number of carets, at least one.
    private(set) var caretWidth = 1

    /// A scalar, or the spaces of a tab, with its width in columns.
    private struct Cell {
        var text: String
        var width: Int
    }

    /// - Parameters:
    ///   - scalars: the whole line.
    ///   - from: the first scalar under the caret, from 0; may be the line's count.
    ///   - through: after the last scalar under the caret.
    ///   - columns: the number of terminal columns.
    ///   - isCutBefore: whether the line has more text before `scalars`.
    init(_ scalars: [Unicode.Scalar], from: Int, through: Int, columns: Int, isCutBefore: Bool = false) {
        let cells = Self.cells(of: scalars)
        let from = min(max(from, 0), cells.count)
        let through = min(max(through, from), cells.count)
        var window = 0..<cells.count
        if cells.reduce(0, { $0 + $1.width }) > columns {
            window = Self.window(cells, from: from, through: through, columns: columns - 2)
        }
        let isCut = isCutBefore || window.lowerBound > 0
        if isCut { text += "…" }
        for cell in cells[window] { text += cell.text }
        if window.upperBound < cells.count { text += "…" }
        while text.last == " " { text.removeLast() }

        let leading = isCut ? 1 : 0
        caretStart = leading + cells[window.lowerBound..<max(window.lowerBound, min(from, window.upperBound))].reduce(0) { $0 + $1.width }
        let covered = from..<max(from, min(through, window.upperBound))
        caretWidth = max(1, cells[covered].reduce(0) { $0 + $1.width })
    }

    private static func cells(of scalars: [Unicode.Scalar]) -> [Cell] {
        var column = 0
        return scalars.map { scalar in
            let cell: Cell
            if scalar == "\t" {
                let width = 4 - column % 4
                cell = Cell(text: String(repeating: " ", count: width), width: width)
            } else if isUnprintable(scalar) {
                cell = Cell(text: "\u{FFFD}", width: 1)
            } else {
                cell = Cell(text: String(scalar), width: displayWidth(of: scalar))
            }
            column += cell.width
            return cell
        }
    }

    /// The cells to keep: the start of the line if it contains the caret, otherwise a range with the caret near its middle.
    private static func window(_ cells: [Cell], from: Int, through: Int, columns: Int) -> Range<Int> {
        func width(_ range: Range<Int>) -> Int { cells[range].reduce(0) { $0 + $1.width } }
        var start = 0
        if width(0..<through) > columns {
            let before = max(10, (columns - min(width(from..<through), columns)) / 2)
            start = from
            var used = 0
            while start > 0, used + cells[start - 1].width <= before {
                start -= 1
                used += cells[start].width
            }
        }
        var end = start
        var used = 0
        while end < cells.count, used + cells[end].width <= columns {
            used += cells[end].width
            end += 1
        }
        return start..<end
    }
}
