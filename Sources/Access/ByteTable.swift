/// An incremental hash (FNV-1a), computed while the end of the text is still being searched.
struct ByteHash {
    private(set) var value: UInt64

    /// Texts in different scopes are never equal.
    init(scope: UInt32) { value = 0xCBF2_9CE4_8422_2325 ^ (UInt64(scope) &* 0x9E37_79B9_7F4A_7C15) }

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

/// A map from scoped texts to numbers above 0. Lookups allocate nothing.
///
/// Only the configuration adds texts, so clients cannot create long chains.
struct ByteTable: Sendable {
    struct Entry: Sendable, BitwiseCopyable {
        var start: Int
        var count: Int
        var scope: UInt32
        var value: UInt32
        var hash: UInt64
    }

    private var text: [UInt8] = []
    private var entries: [Entry] = []
    /// Open addressing; 0 is empty, otherwise the index into `entries` plus one.
    private var slots: [UInt32] = Array(repeating: 0, count: 16)

    /// Adds a text that the table does not contain yet; `hash` covers its scope and bytes.
    mutating func insert(_ bytes: some Collection<UInt8>, hash: ByteHash, scope: UInt32, value: UInt32) {
        entries.append(Entry(start: text.count, count: bytes.count, scope: scope, value: value, hash: hash.value))
        text += bytes
        if entries.count * 2 > slots.count {
            slots = Array(repeating: 0, count: slots.count * 2)
            for index in entries.indices { occupy(index) }
        } else {
            occupy(entries.count - 1)
        }
    }

    private mutating func occupy(_ index: Int) {
        let mask = slots.count - 1
        var slot = Self.slot(entries[index].hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }

    private static func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash ^ (hash >> 32)) }

    /// Returns the number of a text while the table is being built.
    func value(of bytes: [UInt8], hash: ByteHash, scope: UInt32) -> UInt32 {
        text.withUnsafeBufferPointer { text in
            entries.withUnsafeBufferPointer { entries in
                slots.withUnsafeBufferPointer { slots in
                    let view = View(text: text, entries: entries, slots: slots)
                    return bytes.withUnsafeBytes { view.value(of: $0, hash: hash, scope: scope, folding: false) }
                }
            }
        }
    }

    /// The completed table.
    struct Frozen: Sendable {
        private let text: FrozenArray<UInt8>
        private let entries: FrozenArray<Entry>
        private let slots: FrozenArray<UInt32>
        /// The only view; a search keeps its address, which is smaller than the view.
        private let views: FrozenArray<View>

        init(_ table: ByteTable) {
            text = FrozenArray(table.text)
            entries = FrozenArray(table.entries)
            slots = FrozenArray(table.slots)
            views = FrozenArray([View(text: text.elements, entries: entries.elements, slots: slots.elements)])
        }

        /// Valid for the lifetime of the table.
        @inline(__always)
        var view: ViewPointer { views.first }
    }

    typealias ViewPointer = UnsafePointer<View>

    /// The memory of a table, for lookups without reference counting.
    ///
    /// Unchecked: the memory is immutable after initialisation, and `Frozen` owns it.
    struct View: BitwiseCopyable, @unchecked Sendable {
        fileprivate let text: UnsafeBufferPointer<UInt8>
        fileprivate let entries: UnsafeBufferPointer<Entry>
        fileprivate let slots: UnsafeBufferPointer<UInt32>

        /// Returns the number of a text, or 0 if it is absent. `folding` ignores ASCII case and requires a table in lower case.
        func value(of bytes: UnsafeRawBufferPointer, hash: ByteHash, scope: UInt32, folding: Bool) -> UInt32 {
            let mask = slots.count - 1
            var slot = ByteTable.slot(hash.value) & mask
            while slots[slot] != 0 {
                let entry = entries[Int(slots[slot]) - 1]
                if entry.hash == hash.value, entry.scope == scope, equals(entry, bytes, folding) { return entry.value }
                slot = (slot + 1) & mask
            }
            return 0
        }

        private func equals(_ entry: Entry, _ bytes: UnsafeRawBufferPointer, _ folding: Bool) -> Bool {
            guard entry.count == bytes.count else { return false }
            for index in 0..<entry.count where (folding ? ASCII.lower(bytes[index]) : bytes[index]) != text[entry.start + index] {
                return false
            }
            return true
        }
    }
}
