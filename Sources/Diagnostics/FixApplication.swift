extension Report.FileFindings {
    /// The file with every safe fix made, and how many there were; nil when there is none.
    ///
    /// A fix whose edits overlap those of an earlier one is left for the next run.
    package func applyingSafeFixes() -> (bytes: [UInt8], count: Int)? {
        var accepted: [Fix.Edit] = []
        var count = 0
        for fix in diagnostics.compactMap(\.fix) where fix.isSafe {
            let isFree = fix.edits.allSatisfy { edit in
                !accepted.contains { $0 == edit || ($0.span.start < edit.span.end && edit.span.start < $0.span.end) }
            }
            guard isFree else { continue }
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
}
