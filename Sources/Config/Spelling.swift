/// Finds the word that was probably meant.
package enum Spelling {
    /// The most similar candidate: equal but for case and separators, or else different in at most a third of its characters.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        // No key is this long, and a file may contain thousands of longer words.
        guard word.utf8.count <= 128 else { return nil }
        let letters = letters(word)
        let allowed = max(1, letters.count / 3)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let other = self.letters(candidate)
            if other == letters { return candidate }
            guard letters.count <= 64, abs(other.count - letters.count) <= allowed else { continue }
            let distance = distance(letters, other)
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= allowed, best.distance < letters.count else { return nil }
        return best.candidate
    }

    /// Returns whether one insertion, deletion, substitution or swap of neighbours turns one word into the other.
    package static func isOneEdit(_ left: String, _ right: String) -> Bool {
        guard abs(left.utf8.count - right.utf8.count) <= 4, left.utf8.count <= 128 else { return false }
        return distance(Array(left.unicodeScalars), Array(right.unicodeScalars)) == 1
    }

    /// The characters that `folded` keeps, without creating a string for ASCII words.
    private static func letters(_ word: String) -> [Unicode.Scalar] {
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(folded(word).unicodeScalars) }
        var letters: [Unicode.Scalar] = []
        letters.reserveCapacity(word.utf8.count)
        for byte in word.utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") && byte != UInt8(ascii: " ") {
            let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            letters.append(Unicode.Scalar(isCapital ? byte | 0x20 : byte))
        }
        return letters
    }

    /// The word without case, `-`, `_` and spaces.
    package static func isSameWord(_ left: String, _ right: String) -> Bool { folded(left) == folded(right) }

    package static func folded(_ word: String) -> String {
        String(word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " })
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
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
