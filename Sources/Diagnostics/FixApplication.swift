extension Report.FileFindings {
    /// The file with every safe fix applied, and their number; nil if there are none.
    package func applyingSafeFixes() -> (bytes: [UInt8], count: Int)? { applyingFixes(includingUnsafe: false) }

    /// The file with its fixes applied, and their number; nil if there are none.
    ///
    /// Skips a fix that overlaps an earlier one, or starts at the same place; the next run applies it.
    package func applyingFixes(includingUnsafe: Bool) -> (bytes: [UInt8], count: Int)? {
        var accepted: [Fix.Edit] = []
        var count = 0
        for fix in diagnostics.compactMap(\.fix) where fix.isSafe || includingUnsafe {
            let isFree = fix.edits.allSatisfy { edit in !accepted.contains { Self.collide($0.span, edit.span) } }
            guard isFree, !fix.edits.isEmpty else { continue }
            accepted += fix.edits
            count += 1
        }
        guard count > 0 else { return nil }
        var bytes = source.bytes
        for edit in accepted.sorted(by: { $0.span.start > $1.span.start }) {
            bytes.replaceSubrange(edit.span.start..<edit.span.end, with: Array(edit.text.utf8))
        }
        return (bytes, count)
    }

    /// The number of findings fixable with these options.
    package func fixableCount(includingUnsafe: Bool) -> Int {
        diagnostics.count { $0.fix.map { $0.isSafe || includingUnsafe } ?? false }
    }

    private static func collide(_ left: SourceSpan, _ right: SourceSpan) -> Bool {
        left.start == right.start || (left.start < right.end && right.start < left.end)
    }
}
