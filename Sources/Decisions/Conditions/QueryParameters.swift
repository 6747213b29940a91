/// The parameters of a query, decoded as forms are: `+` and `%20` are spaces.
enum QueryParameters {
    /// The values of each name, in the order of the query. `names`: nil for every name; others are not decoded further.
    ///
    /// Nil for an incomplete escape anywhere, and for a result that is not UTF-8.
    static func values(in query: UnsafeRawBufferPointer, named names: Set<String>?) -> [(name: String, values: [String])]? {
        var found: [(name: String, values: [String])] = []
        var positions: [String: Int] = [:]
        var name: [UInt8] = []
        var value: [UInt8] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard decode(query[pair.startIndex..<equals], into: &name),
                decode(query[min(equals + 1, pair.endIndex)..<pair.endIndex], into: &value)
            else { return nil }
            guard let text = String(validating: name, as: UTF8.self) else {
                if names == nil { return nil }
                continue
            }
            guard names?.contains(text) ?? true else { continue }
            guard let content = String(validating: value, as: UTF8.self) else { return nil }
            if let position = positions[text] {
                found[position].values.append(content)
            } else {
                positions[text] = found.count
                found.append((text, [content]))
            }
        }
        return found
    }

    private static func decode(_ part: Slice<UnsafeRawBufferPointer>, into bytes: inout [UInt8]) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        var index = part.startIndex
        while index < part.endIndex {
            switch part[index] {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard index + 2 < part.endIndex, let high = digit(part[index + 1]), let low = digit(part[index + 2]) else { return false }
                bytes.append(high << 4 | low)
                index += 2
            case let byte: bytes.append(byte)
            }
            index += 1
        }
        return true
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
