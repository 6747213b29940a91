/// The offsets of a time zone: changes in the past from a file of the time zone database, and its rule for the time after them.
struct TimeZoneRules: Sendable {
    /// The times of changes, ascending, with the offset that each one starts.
    private let changes: [(start: Int64, offset: Int32)]
    /// The offset before the first change.
    private let first: Int32
    private let rule: TimeZoneRule?

    /// The offset from UTC in seconds.
    func offset(at seconds: Int64) -> Int {
        guard let last = changes.last else { return rule?.offset(at: seconds) ?? Int(first) }
        if seconds >= last.start { return rule?.offset(at: seconds) ?? Int(last.offset) }
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].start <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? Int(first) : Int(changes[low - 1].offset)
    }

    /// Reads the format TZif (RFC 8536), version 2 or later; nil for other bytes.
    init?(_ bytes: [UInt8]) {
        guard let old = Header(bytes, at: 0), old.version >= UInt8(ascii: "2"),
            let header = Header(bytes, at: 44 + old.size(timeBytes: 4))
        else { return nil }
        let times = header.start + 44
        let indices = times + header.times * 8
        let types = indices + header.times
        let end = header.start + 44 + header.size(timeBytes: 8)
        guard end <= bytes.count, header.types > 0 else { return nil }
        func offset(ofType index: Int) -> Int32? {
            guard index < header.types else { return nil }
            let offset = Int32(truncatingIfNeeded: Self.number(bytes, types + index * 6, 4))
            return offset.magnitude <= 26 * 3_600 ? offset : nil
        }
        var changes: [(start: Int64, offset: Int32)] = []
        for index in 0..<header.times {
            let start = Int64(bitPattern: Self.number(bytes, times + index * 8, 8))
            guard let offset = offset(ofType: Int(bytes[indices + index])), start > changes.last?.start ?? .min else { return nil }
            changes.append((start, offset))
        }
        guard let first = offset(ofType: 0) else { return nil }
        self.changes = changes
        self.first = first
        let footer = bytes[end...].dropFirst().prefix { $0 != 0x0A }
        rule = TimeZoneRule(Array(footer))
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<(start + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The counts at the start of a block.
    private struct Header {
        let start: Int
        let version: UInt8
        let utcMarks: Int
        let standardMarks: Int
        let leaps: Int
        let times: Int
        let types: Int
        let characters: Int

        init?(_ bytes: [UInt8], at start: Int) {
            guard start + 44 <= bytes.count, bytes[start..<(start + 4)].elementsEqual(Array("TZif".utf8)) else { return nil }
            func count(_ index: Int) -> Int { Int(TimeZoneRules.number(bytes, start + 20 + index * 4, 4)) }
            self.start = start
            version = bytes[start + 4]
            (utcMarks, standardMarks, leaps) = (count(0), count(1), count(2))
            (times, types, characters) = (count(3), count(4), count(5))
        }

        func size(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standardMarks + utcMarks
        }
    }
}
