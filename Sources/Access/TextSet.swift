/// A set of texts compared byte by byte, with lookups that do not allocate.
///
/// Not a `Set<String>`, because Swift strings are equal if they are canonically equivalent. Groups whose names differ
/// in normalisation are different groups.
struct TextSet: Sendable {
    private let ignoringCase: Bool
    private var text: [UInt8] = []
    private var ends: [Int] = []
    /// Open addressing; 0 is empty, otherwise the index into `ends` plus one.
    private var table: [UInt32] = []

    /// `ignoringCase` folds ASCII letters only.
    init(_ texts: some Sequence<String>, ignoringCase: Bool = false) {
        self.ignoringCase = ignoringCase
        var seen: Set<[UInt8]> = []
        for item in texts {
            let bytes = ignoringCase ? item.utf8.map(ASCII.lower) : Array(item.utf8)
            guard seen.insert(bytes).inserted else { continue }
            text += bytes
            ends.append(text.count)
        }
        var size = 8
        while size < ends.count * 2 { size *= 2 }
        table = [UInt32](repeating: 0, count: size)
        for index in ends.indices {
            var slot = text[start(index)..<ends[index]].withUnsafeBytes(hash) & (size - 1)
            while table[slot] != 0 { slot = (slot + 1) & (size - 1) }
            table[slot] = UInt32(index + 1)
        }
    }

    var isEmpty: Bool { ends.isEmpty }

    func contains(_ item: String) -> Bool { item.withBytes(contains) }

    func contains(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let mask = table.count - 1
        var slot = hash(bytes) & mask
        while table[slot] != 0 {
            if matches(bytes, Int(table[slot]) - 1) { return true }
            slot = (slot + 1) & mask
        }
        return false
    }

    private func start(_ index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

    private func matches(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        let start = start(index)
        guard bytes.count == ends[index] - start else { return false }
        for offset in 0..<bytes.count where fold(bytes[offset]) != text[start + offset] { return false }
        return true
    }

    private func fold(_ byte: UInt8) -> UInt8 { ignoringCase ? ASCII.lower(byte) : byte }

    /// FNV-1a. Only the configuration adds members, so clients cannot create long chains.
    private func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(fold(byte))) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: value >> 1)
    }
}
