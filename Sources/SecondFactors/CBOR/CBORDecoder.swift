/// Decodes CBOR strictly.
///
/// Refused: indefinite lengths, lengths and numbers that are not in their shortest form, duplicate keys, keys other than numbers and texts,
/// tags, floating-point numbers, other simple values than false, true and null, invalid UTF-8, more than four nested levels (CTAP2), and
/// more than 64 KiB. The order of keys is not checked: some software authenticators sort them otherwise, and the order means nothing.
package struct CBORDecoder {
    package static let mostBytes = 1 << 16
    static let mostLevels = 4

    private let bytes: [UInt8]
    /// The start of what was not read yet.
    private(set) var position = 0

    /// Decodes a whole text.
    package static func decode(_ bytes: [UInt8]) throws(CBORError) -> CBORValue {
        let (value, size) = try decodePrefix(bytes)
        guard size == bytes.count else { throw CBORError("bytes follow the item") }
        return value
    }

    /// Decodes the item at the start, and returns its size.
    package static func decodePrefix(_ bytes: [UInt8]) throws(CBORError) -> (CBORValue, size: Int) {
        guard bytes.count <= mostBytes else { throw CBORError("it is longer than \(mostBytes) bytes") }
        var decoder = CBORDecoder(bytes: bytes)
        let value = try decoder.item(level: 0)
        return (value, decoder.position)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var remaining: Int { bytes.count - position }

    private mutating func byte() throws(CBORError) -> UInt8 {
        guard position < bytes.count else { throw CBORError("it ends in an item") }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func take(_ count: UInt64) throws(CBORError) -> [UInt8] {
        guard count <= UInt64(remaining) else { throw CBORError("a string is longer than the rest") }
        let end = position + Int(count)
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// The argument of an initial byte (RFC 8949 section 3), in its shortest form.
    private mutating func argument(_ additional: UInt8) throws(CBORError) -> UInt64 {
        let size: Int
        switch additional {
        case 0..<24: return UInt64(additional)
        case 24...27: size = 1 << Int(additional - 24)
        case 31: throw CBORError("a length is indefinite")
        default: throw CBORError("an initial byte is reserved")
        }
        var value: UInt64 = 0
        for _ in 0..<size { value = value << 8 | UInt64(try byte()) }
        // The smallest value that needs this size.
        let least: UInt64 = size == 1 ? 24 : 1 << UInt64(size * 4)
        guard value >= least else { throw CBORError("a number is not in its shortest form") }
        return value
    }

    private mutating func item(level: Int) throws(CBORError) -> CBORValue {
        let initial = try byte()
        let additional = initial & 0x1F
        switch initial >> 5 {
        case 0: return .unsigned(try argument(additional))
        case 1: return .negative(try argument(additional))
        case 2: return .bytes(try take(try argument(additional)))
        case 3:
            guard let text = String(validating: try take(try argument(additional)), as: UTF8.self) else {
                throw CBORError("a text is not UTF-8")
            }
            return .text(text)
        case 4: return .array(try elements(try argument(additional), level: level))
        case 5: return .map(try members(try argument(additional), level: level))
        case 6: throw CBORError("it has a tag")
        default:
            switch additional {
            case 20: return .bool(false)
            case 21: return .bool(true)
            case 22: return .null
            default: throw CBORError("it has a floating-point number or an unknown simple value")
            }
        }
    }

    private func check(_ count: UInt64, ofSize size: UInt64, level: Int) throws(CBORError) {
        guard level < Self.mostLevels else { throw CBORError("it is nested deeper than \(Self.mostLevels) levels") }
        // Each element takes a byte at least, so a huge count allocates nothing.
        guard count <= UInt64(remaining) / size else { throw CBORError("a list or a map has more elements than bytes") }
    }

    private mutating func elements(_ count: UInt64, level: Int) throws(CBORError) -> [CBORValue] {
        try check(count, ofSize: 1, level: level)
        var elements: [CBORValue] = []
        for _ in 0..<count { elements.append(try item(level: level + 1)) }
        return elements
    }

    private mutating func members(_ count: UInt64, level: Int) throws(CBORError) -> [CBORValue: CBORValue] {
        try check(count, ofSize: 2, level: level)
        var members: [CBORValue: CBORValue] = [:]
        for _ in 0..<count {
            let key = try item(level: level + 1)
            switch key {
            case .unsigned, .negative, .text: break
            default: throw CBORError("a key is neither a number nor a text")
            }
            guard members.updateValue(try item(level: level + 1), forKey: key) == nil else { throw CBORError("a key occurs twice") }
        }
        return members
    }
}
