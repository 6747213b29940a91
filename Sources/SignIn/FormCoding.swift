/// Percent-encoding of URL query components and of `application/x-www-form-urlencoded` bodies.
package enum FormCoding {
    /// One query component: everything but RFC 3986 unreserved characters escaped, a space as `%20`.
    package static func queryComponent(_ text: String) -> String { self.encode(text, spaceAsPlus: false) }

    /// One form component (RFC 6749 appendix B): a space as `+`.
    package static func formComponent(_ text: String) -> String { self.encode(text, spaceAsPlus: true) }

    package static func form(_ fields: [(name: String, value: String)]) -> String {
        fields.map { self.formComponent($0.name) + "=" + self.formComponent($0.value) }.joined(separator: "&")
    }

    package static func query(_ fields: [(name: String, value: String)]) -> String {
        fields.map { self.queryComponent($0.name) + "=" + self.queryComponent($0.value) }.joined(separator: "&")
    }

    /// The fields in order, duplicates included, `+` read as a space; nil for an incomplete escape or what is not UTF-8.
    package static func fields(of text: String) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = self.decode(sides[0]), let value = sides.count == 2 ? self.decode(sides[1]) : "" else { return nil }
            fields.append((name, value))
        }
        return fields
    }

    private static func encode(_ text: String, spaceAsPlus: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): bytes.append(byte)
            case UInt8(ascii: "~") where !spaceAsPlus: bytes.append(byte)
            case 0x20 where spaceAsPlus: bytes.append(UInt8(ascii: "+"))
            default: bytes += [UInt8(ascii: "%"), self.digits[Int(byte >> 4)], self.digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func decode(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(part.count)
        var index = part.startIndex
        while index < part.endIndex {
            let byte = part[index]
            index = part.index(after: index)
            if byte == UInt8(ascii: "+") {
                bytes.append(0x20)
            } else if byte == UInt8(ascii: "%") {
                guard let (high, next) = self.digit(in: part, at: index), let (low, end) = self.digit(in: part, at: next) else {
                    return nil
                }
                bytes.append(high << 4 | low)
                index = end
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(in part: Substring.UTF8View, at index: String.Index) -> (UInt8, String.Index)? {
        guard index < part.endIndex else { return nil }
        let value: UInt8
        switch part[index] {
        case let byte where byte >= 0x30 && byte <= 0x39: value = byte - 0x30
        case let byte where byte >= 0x41 && byte <= 0x46: value = byte - 0x37
        case let byte where byte >= 0x61 && byte <= 0x66: value = byte - 0x57
        default: return nil
        }
        return (value, part.index(after: index))
    }
}
