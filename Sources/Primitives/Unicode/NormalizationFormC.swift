/// Unicode's normalisation form C (UAX #15), which Swift's standard library does not publish.
package enum NormalizationFormC {
    /// Returns the canonical composition of a text: texts that are canonically equivalent become the same bytes.
    ///
    /// The work is about proportional to the length; the result can have three times the bytes.
    package static func normalize(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var scalars = decomposed(text.unicodeScalars)
        compose(&scalars)
        var result = String.UnicodeScalarView()
        for entry in scalars {
            if let scalar = Unicode.Scalar(entry.value) { result.append(scalar) }
        }
        return String(result)
    }

    private struct Entry {
        var value: UInt32
        var combiningClass: UInt8
    }

    // MARK: Decomposition

    private static func decomposed(_ scalars: String.UnicodeScalarView) -> [Entry] {
        var entries: [Entry] = []
        entries.reserveCapacity(scalars.underestimatedCount)
        /// The first entry after the last character of class 0.
        var runStart = 0
        for scalar in scalars { decompose(scalar.value, into: &entries, &runStart) }
        sort(&entries, from: runStart)
        return entries
    }

    private static func decompose(_ value: UInt32, into entries: inout [Entry], _ runStart: inout Int) {
        if let syllable = Hangul.parts(value) {
            for part in syllable { append(part, to: &entries, &runStart) }
        } else if let (first, second) = tables.decomposition(value) {
            // Only the first part decomposes further; the data nests a few levels.
            decompose(first, into: &entries, &runStart)
            if second != 0 { append(second, to: &entries, &runStart) }
        } else {
            append(value, to: &entries, &runStart)
        }
    }

    private static func append(_ value: UInt32, to entries: inout [Entry], _ runStart: inout Int) {
        let combiningClass = tables.combiningClass(value)
        if combiningClass == 0 {
            sort(&entries, from: runStart)
            runStart = entries.count + 1
        }
        entries.append(Entry(value: value, combiningClass: combiningClass))
    }

    /// Puts combining marks in the order of their classes; marks of one class keep their order. `sort` of the standard library is stable, but
    /// does not promise it: the offset decides between equals.
    private static func sort(_ entries: inout [Entry], from start: Int) {
        guard entries.count > start + 1 else { return }
        let ordered = entries[start...].enumerated().sorted {
            ($0.element.combiningClass, $0.offset) < ($1.element.combiningClass, $1.offset)
        }
        entries.replaceSubrange(start..., with: ordered.map(\.element))
    }

    // MARK: Composition

    private static func compose(_ entries: inout [Entry]) {
        var starter: Int?
        /// The class of the last entry that stays after the starter; nil directly after it.
        var last: UInt8?
        var count = 0
        for entry in entries {
            if let starter, last.map({ $0 < entry.combiningClass }) ?? true,
                let composite = Hangul.composed(entries[starter].value, entry.value)
                    ?? tables.composition(entries[starter].value, entry.value)
            {
                entries[starter].value = composite
                continue
            }
            if entry.combiningClass == 0 {
                starter = count
                last = nil
            } else {
                last = entry.combiningClass
            }
            entries[count] = entry
            count += 1
        }
        entries.removeLast(entries.count - count)
    }

    private static let tables = NormalizationTables()
}

/// The arithmetic of Hangul syllables (Unicode, section 3.12).
private enum Hangul {
    private static let syllables: UInt32 = 0xAC00
    private static let leads: UInt32 = 0x1100
    private static let vowels: UInt32 = 0x1161
    private static let trails: UInt32 = 0x11A7
    private static let leadCount: UInt32 = 19
    private static let vowelCount: UInt32 = 21
    private static let trailCount: UInt32 = 28

    static func parts(_ value: UInt32) -> [UInt32]? {
        guard value >= syllables, value < syllables + leadCount * vowelCount * trailCount else { return nil }
        let index = value - syllables
        let trail = index % trailCount
        let parts = [leads + index / (vowelCount * trailCount), vowels + index % (vowelCount * trailCount) / trailCount]
        return trail == 0 ? parts : parts + [trails + trail]
    }

    static func composed(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if first >= leads, first < leads + leadCount, second >= vowels, second < vowels + vowelCount {
            return syllables + ((first - leads) * vowelCount + second - vowels) * trailCount
        }
        if first >= syllables, first < syllables + leadCount * vowelCount * trailCount, (first - syllables) % trailCount == 0,
            second > trails, second < trails + trailCount
        {
            return first + second - trails
        }
        return nil
    }
}

/// The tables of `NormalizationTable`, decoded.
private struct NormalizationTables: Sendable {
    /// Sorted by character; the flag of composition in the highest bit is cleared.
    private let decompositions: [UInt64]
    /// Sorted by character.
    private let classes: [UInt64]
    /// The pairs that compose, sorted, and their characters in the same order.
    private let pairs: [UInt64]
    private let composites: [UInt32]

    private static let partMask: UInt64 = 1 << 21 - 1
    private static let pairMask: UInt64 = 1 << 42 - 1

    init() {
        let flagged = Self.words(NormalizationTable.decompositions)
        decompositions = flagged.map { $0 & ~(1 << 63) }
        classes = Self.words(NormalizationTable.combiningClasses)
        let composing = flagged.filter { $0 >> 63 == 1 }.sorted { $0 & Self.pairMask < $1 & Self.pairMask }
        pairs = composing.map { $0 & Self.pairMask }
        composites = composing.map { UInt32($0 >> 42 & Self.partMask) }
    }

    private static func words(_ text: StaticString) -> [UInt64] {
        guard let bytes = Base64.decode(text.description) else { preconditionFailure("scripts/unicode-tables wrote no Base64") }
        return stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    func decomposition(_ value: UInt32) -> (UInt32, UInt32)? {
        guard value >= 0xC0 else { return nil }
        let index = Self.lowerBound(decompositions, UInt64(value) << 42)
        guard index < decompositions.count, decompositions[index] >> 42 == UInt64(value) else { return nil }
        let word = decompositions[index]
        return (UInt32(word >> 21 & Self.partMask), UInt32(word & Self.partMask))
    }

    func combiningClass(_ value: UInt32) -> UInt8 {
        guard value >= 0x300 else { return 0 }
        // The last run that begins at the character or before it.
        let index = Self.lowerBound(classes, UInt64(value + 1) << 32)
        guard index > 0 else { return 0 }
        let run = classes[index - 1]
        return UInt64(value) < run >> 32 + run >> 8 & 0xFF_FFFF ? UInt8(run & 0xFF) : 0
    }

    func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
        let pair = UInt64(first) << 21 | UInt64(second)
        let index = Self.lowerBound(pairs, pair)
        return index < pairs.count && pairs[index] == pair ? composites[index] : nil
    }

    /// The index of the first word that is not less.
    private static func lowerBound(_ words: [UInt64], _ word: UInt64) -> Int {
        var low = 0
        var high = words.count
        while low < high {
            let middle = low + (high - low) / 2
            if words[middle] < word { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
