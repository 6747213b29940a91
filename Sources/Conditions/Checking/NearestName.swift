/// Finds the name that was probably meant.
enum NearestName {
    /// The candidate with the fewest changes; nil when all differ too much.
    static func of(_ name: String, in candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.utf8.prefix(64)).map(lower)
        guard !wanted.isEmpty else { return nil }
        var best: (name: String, distance: Int)?
        // Of one or two letters, only the case can be wrong.
        let allowed = wanted.count < 3 ? 0 : max(1, wanted.count / 3)
        for candidate in candidates where candidate.utf8.count <= 64 {
            let distance = distance(wanted, Array(candidate.utf8).map(lower))
            guard distance <= allowed, distance < (best?.distance ?? .max) || distance == best?.distance && candidate < best?.name ?? ""
            else {
                continue
            }
            best = (candidate, distance)
        }
        return best?.name
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte }

    /// Insertions, deletions, replacements and swaps of neighbours.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }
}
