import TokenCrypto

/// A JSON value that is read is the same value when written and read again, and writing is a fixed point.
enum JSONTarget {
    static func check(_ bytes: [UInt8]) throws(Broken) {
        guard let value = try? JSONValue(parsing: bytes) else { return }
        let written = value.serializedBytes()
        try hold(String(validating: written, as: UTF8.self) != nil, "what is written is not UTF-8")
        // A number can be longer in the writing than it came.
        guard let again = try? JSONValue(parsing: written, limits: .init(bytes: 8 << 20, depth: 32)) else {
            throw Broken("what was written is refused")
        }
        try hold(again == value, "what was written is another value")
        try hold(again.serializedBytes() == written, "written again it is another text")
        try hold(depth(value) <= 32, "it is nested deeper than the limit")
    }

    private static func depth(_ value: JSONValue) -> Int {
        switch value {
        case .array(let items): 1 + (items.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.values.map(depth).max() ?? 0)
        default: 0
        }
    }
}
