import TokenCrypto

/// The 10,000 most common passwords, as a sorted table of the first 30 bits of their SHA-256.
///
/// Any other password is taken for one of them with a probability of 1 in about 107,000.
enum CommonPasswords {
    private static let recordSize = 5
    /// The digits of a record, in the order of ASCII.
    private static let alphabet: StaticString = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

    /// Compares without case.
    static func contains(_ password: Password) -> Bool {
        let digest = SHA2.sha256(Array(password.text.lowercased().utf8))
        return contains(digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } >> 2)
    }

    /// A binary search in the text of the table, without an allocation.
    private static func contains(_ bits: UInt32) -> Bool {
        let record: InlineArray<5, UInt8> = InlineArray { position in
            alphabet.utf8Start[Int(bits >> UInt32(6 * (recordSize - 1 - position)) & 63)]
        }
        let table = UnsafeBufferPointer(start: CommonPasswordTable.records.utf8Start, count: CommonPasswordTable.records.utf8CodeUnitCount)
        var low = 0
        var high = table.count / recordSize
        while low < high {
            let middle = low + (high - low) / 2
            switch order(table, middle * recordSize, record) {
            case 0: return true
            case ..<0: low = middle + 1
            default: high = middle
            }
        }
        return false
    }

    /// Negative if the record of the table is before the other one, 0 if they are equal.
    private static func order(_ table: UnsafeBufferPointer<UInt8>, _ start: Int, _ record: InlineArray<5, UInt8>) -> Int {
        for position in 0..<recordSize where table[start + position] != record[position] {
            return Int(table[start + position]) - Int(record[position])
        }
        return 0
    }
}
