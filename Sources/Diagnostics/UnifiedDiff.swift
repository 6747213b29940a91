/// The difference between two versions of a file in the format of `diff -u`, with secrets masked.
package enum UnifiedDiff {
    private static let context = 3
    /// The number of differing lines above which a range is shown as replaced as a whole, because comparing takes quadratic time.
    private static let mostCompared = 2000

    /// Empty if nothing differs. A file without a line break at its end is marked as in `diff`.
    package static func text(from old: Report.FileFindings, to new: Report.FileFindings) -> String {
        let before = Lines(old)
        let after = Lines(new)
        let steps = steps(before.raw, after.raw)
        guard steps.contains(where: { $0 != .same }) else { return "" }
        var text = "--- \(sanitized(old.source.name))\n+++ \(sanitized(new.source.name))\n"
        for hunk in hunks(steps) { text += print(hunk, steps, before, after) }
        return text
    }

    private enum Step { case same, removed, added }

    /// The lines of a file: unchanged for comparison, and masked for output.
    private struct Lines {
        var raw: [ArraySlice<UInt8>]
        private let source: SourceFile
        private let mask: SecretMask
        private let endsWithBreak: Bool

        init(_ findings: Report.FileFindings) {
            source = findings.source
            let bytes = source.bytes
            var lines: [ArraySlice<UInt8>] = []
            var start = 0
            for index in bytes.indices where bytes[index] == 0x0A {
                lines.append(bytes[start...index])
                start = index + 1
            }
            endsWithBreak = start == bytes.count
            if !endsWithBreak { lines.append(bytes[start...]) }
            raw = lines
            mask = SecretMask(source: source, spans: findings.secrets, through: max(1, source.lineCount))
        }

        func shown(_ index: Int) -> String {
            let line = source.position(at: raw[index].startIndex).line
            let content = source.contentOffsets(ofLine: line)
            var text = String(String.UnicodeScalarView(mask.scalars(of: content, onLine: line)))
            text = text.split(separator: "\t", omittingEmptySubsequences: false).map { sanitized(String($0)) }.joined(separator: "\t")
            return index == raw.count - 1 && !endsWithBreak ? text + "\n\\ No newline at end of file" : text
        }
    }

    private struct Hunk {
        var steps: Range<Int>
        var oldStart: Int
        var newStart: Int
    }

    /// The edit steps of the lines. Equal lines at the start and end are left out of the comparison.
    private static func steps(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Step] {
        var head = 0
        while head < old.count, head < new.count, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < old.count - head, tail < new.count - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        let left = Array(old[head..<(old.count - tail)])
        let right = Array(new[head..<(new.count - tail)])
        let middle =
            left.count > mostCompared || right.count > mostCompared
            ? Array(repeating: .removed, count: left.count) + Array(repeating: .added, count: right.count) : compared(left, right)
        return Array(repeating: .same, count: head) + middle + Array(repeating: .same, count: tail)
    }

    /// Compares by the longest common subsequence.
    private static func compared(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Step] {
        let width = new.count + 1
        var longest = [Int32](repeating: 0, count: (old.count + 1) * width)
        for row in old.indices.reversed() {
            for column in new.indices.reversed() {
                longest[row * width + column] =
                    old[row] == new[column]
                    ? longest[(row + 1) * width + column + 1] + 1
                    : max(longest[(row + 1) * width + column], longest[row * width + column + 1])
            }
        }
        var steps: [Step] = []
        var (row, column) = (0, 0)
        while row < old.count || column < new.count {
            if row < old.count, column < new.count, old[row] == new[column] {
                steps.append(.same)
                row += 1
                column += 1
            } else if row < old.count, column == new.count || longest[(row + 1) * width + column] >= longest[row * width + column + 1] {
                steps.append(.removed)
                row += 1
            } else {
                steps.append(.added)
                column += 1
            }
        }
        return steps
    }

    /// Changes with their context lines; nearby changes are combined.
    private static func hunks(_ steps: [Step]) -> [Hunk] {
        var ranges: [Range<Int>] = []
        for index in steps.indices where steps[index] != .same {
            let range = max(0, index - context)..<min(steps.count, index + context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        var result: [Hunk] = []
        var (old, new, next) = (0, 0, 0)
        for range in ranges {
            for step in steps[next..<range.lowerBound] {
                if step != .added { old += 1 }
                if step != .removed { new += 1 }
            }
            next = range.lowerBound
            result.append(Hunk(steps: range, oldStart: old, newStart: new))
        }
        return result
    }

    private static func print(_ hunk: Hunk, _ steps: [Step], _ before: Lines, _ after: Lines) -> String {
        var (old, new) = (hunk.oldStart, hunk.newStart)
        var body = ""
        for step in steps[hunk.steps] {
            switch step {
            case .same:
                body += " \(after.shown(new))\n"
                old += 1
                new += 1
            case .removed:
                body += "-\(before.shown(old))\n"
                old += 1
            case .added:
                body += "+\(after.shown(new))\n"
                new += 1
            }
        }
        return "@@ -\(range(hunk.oldStart, old)) +\(range(hunk.newStart, new)) @@\n" + body
    }

    /// Lines count from 1; an empty range is named by the line before it.
    private static func range(_ start: Int, _ end: Int) -> String {
        let count = end - start
        return count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
    }
}
