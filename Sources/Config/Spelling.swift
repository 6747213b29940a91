/// Finds the word that was probably meant.
package enum Spelling {
    /// The candidate that differs least: in case and separators only, else by at most a third of its letters.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        if let same = candidates.first(where: { isSameWord($0, word) }) { return same }
        let letters = Array(folded(word).unicodeScalars)
        guard letters.count <= 64 else { return nil }
        let allowed = max(1, letters.count / 3)
        let scored = candidates.map { ($0, distance(letters, Array(folded($0).unicodeScalars))) }
        guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= allowed, best.1 < letters.count else { return nil }
        return best.0
    }

    /// Equal but for case, `-`, `_` and spaces.
    package static func isSameWord(_ left: String, _ right: String) -> Bool { folded(left) == folded(right) }

    package static func folded(_ word: String) -> String {
        String(word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " })
    }

    /// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var older = Array(repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        for row in 1...left.count {
            var current = [row] + Array(repeating: 0, count: right.count)
            for column in 1...right.count {
                let substitution = previous[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                current[column] = min(substitution, previous[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    current[column] = min(current[column], older[column - 2] + 1)
                }
            }
            older = previous
            previous = current
        }
        return previous[right.count]
    }
}
