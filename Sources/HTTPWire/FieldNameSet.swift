import Primitives

/// Header names as seen by programs that ignore case and turn every character except letters and digits into one
/// (CGI's `HTTP_X_FORWARDED_USER`): `X-Auth-User`, `x_auth.user` and `X~Auth^User` are the same name.
package enum FoldedName {
    /// Lower case for a letter, unchanged for a digit, `-` for everything else.
    package static func fold(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: UInt8(ascii: "-")
        }
    }
}

/// A set of header names and name prefixes, looked up for every header of a request without allocating.
package struct FoldedNameSet: Sendable {
    /// The folded names, one after the other.
    private var text: [UInt8] = []
    private var entries: [Entry] = []
    /// Open addressing over `entries`; 0 is empty, otherwise the entry's index plus one. The size is a power of two.
    private var table: [UInt32] = []
    private var prefixes: [Entry] = []
    /// By the first byte of a name: a bit for each length of a member with this first byte; the last bit stands for 63 and
    /// more. Excludes nearly every other header without reading further.
    private var lengths = [UInt64](repeating: 0, count: 256)

    private struct Entry: Sendable {
        var start: Int
        var count: Int
    }

    /// Spellings that fold to one name count once. Empty names are ignored.
    ///
    /// The set also contains every name that folds to something starting with a folded member of `prefixes`.
    package init(names: some Sequence<String>, prefixes: some Sequence<String> = [String]()) {
        var seen: Set<[UInt8]> = []
        for name in names.map({ $0.utf8.map(FoldedName.fold) }) where !name.isEmpty && seen.insert(name).inserted {
            entries.append(append(name))
        }
        for prefix in prefixes where !prefix.isEmpty {
            self.prefixes.append(append(prefix.utf8.map(FoldedName.fold)))
        }
        for byte in UInt8.min...UInt8.max {
            let first = FoldedName.fold(byte)
            for entry in entries where text[entry.start] == first { lengths[Int(byte)] |= 1 << UInt64(min(entry.count, 63)) }
            for entry in self.prefixes where text[entry.start] == first { lengths[Int(byte)] |= UInt64.max << UInt64(min(entry.count, 63)) }
        }
        var size = 16
        while size < entries.count * 4 { size *= 2 }
        table = [UInt32](repeating: 0, count: size)
        for (index, entry) in entries.enumerated() {
            var slot = Self.hash(text.span.bytes.extracting(entry.start..<entry.start + entry.count)) & (size - 1)
            while table[slot] != 0 { slot = (slot + 1) & (size - 1) }
            table[slot] = UInt32(index + 1)
        }
    }

    package func contains(_ name: RawSpan) -> Bool {
        if name.isEmpty || lengths[Int(name[0])] >> UInt64(min(name.byteCount, 63)) & 1 == 0 { return false }
        let mask = table.count - 1
        var slot = Self.hash(name) & mask
        while table[slot] != 0 {
            let entry = entries[Int(table[slot]) - 1]
            if entry.count == name.byteCount, matches(name, entry) { return true }
            slot = (slot + 1) & mask
        }
        for prefix in prefixes where prefix.count <= name.byteCount && matches(name, prefix) { return true }
        return false
    }

    package func contains(_ name: String) -> Bool {
        contains(name.utf8.span.bytes)
    }

    private mutating func append(_ folded: [UInt8]) -> Entry {
        defer { text.append(contentsOf: folded) }
        return Entry(start: text.count, count: folded.count)
    }

    /// Returns whether the start of the name folds to the entry.
    private func matches(_ name: RawSpan, _ entry: Entry) -> Bool {
        for offset in 0..<entry.count where FoldedName.fold(name[offset]) != text[entry.start + offset] { return false }
        return true
    }

    /// Hashes the length and four folded characters, chosen from the end because many header names share a prefix.
    private static func hash(_ name: RawSpan) -> Int {
        let count = name.byteCount
        var value = UInt32(truncatingIfNeeded: count) &* 0x9E37_79B1
        value = (value ^ UInt32(FoldedName.fold(name[0]))) &* 0x85EB_CA6B
        value = (value ^ UInt32(FoldedName.fold(name[count / 2]))) &* 0xC2B2_AE35
        value = (value ^ UInt32(FoldedName.fold(name[count - 1]))) &* 0x27D4_EB2F
        value = (value ^ UInt32(FoldedName.fold(name[count * 3 / 4]))) &* 0x1656_67B1
        return Int(value ^ (value >> 15))
    }
}
