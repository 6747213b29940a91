import Primitives

/// The parameters of a query, decoded as forms are: `+` and `%20` are spaces.
enum QueryParameters {
    /// The values of each name, in the order of the query. `names`: nil for every name; others are not decoded further.
    ///
    /// Nil for an incomplete escape anywhere, and for a result that is not UTF-8.
    static func values(in query: RawSpan, named names: Set<String>?) -> [(name: String, values: [String])]? {
        var found: [(name: String, values: [String])] = []
        var positions: [String: Int] = [:]
        var name: [UInt8] = []
        var value: [UInt8] = []
        var rest = query
        while !rest.isEmpty {
            let pair = rest.extracting(first: rest.firstOffset(of: UInt8(ascii: "&")) ?? rest.byteCount)
            rest = rest.extracting(droppingFirst: pair.byteCount + 1)
            if pair.isEmpty { continue }
            let equals = pair.firstOffset(of: UInt8(ascii: "=")) ?? pair.byteCount
            guard decode(pair.extracting(first: equals), into: &name),
                decode(pair.extracting(droppingFirst: equals + 1), into: &value)
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

    private static func decode(_ part: RawSpan, into bytes: inout [UInt8]) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        var index = 0
        while index < part.byteCount {
            switch part[index] {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard index + 2 < part.byteCount, let high = digit(part[index + 1]), let low = digit(part[index + 2]) else { return false }
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
