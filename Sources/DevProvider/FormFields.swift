/// Name-value pairs of a query or a form body (WHATWG URL section 5, `application/x-www-form-urlencoded`).
struct FormFields: Sendable {
    /// In the order received, decoded.
    let pairs: [(name: String, value: String)]

    init(_ text: String) {
        pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (FormFields.decode(parts[0]), parts.count > 1 ? FormFields.decode(parts[1]) : "")
        }
    }

    /// The first value; an empty one counts as omitted (RFC 6749 section 3.1).
    subscript(name: String) -> String? {
        pairs.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// A name that occurs twice, which RFC 6749 sections 3.1 and 3.2 forbid.
    var repeatedName: String? {
        var seen = Set<String>()
        return pairs.first { !seen.insert($0.name).inserted }?.name
    }

    /// `+` is a space; an escape that is none stays as it is; what is not UTF-8 becomes U+FFFD.
    static func decode(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(0x20)
            } else if byte == UInt8(ascii: "%"), rest.count >= 2, let high = hex(rest[rest.startIndex]),
                let low = hex(rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
