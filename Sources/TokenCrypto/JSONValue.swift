/// A JSON value as RFC 8259 has it, read strictly: duplicate member names are refused.
///
/// Member names are Swift strings, so two names that are canonically equivalent in Unicode count as
/// duplicates too. Compare issuers, subjects and other identifiers by their UTF-8, not with `==`.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package struct Limits: Sendable {
        /// Of the whole text.
        package var bytes = 1 << 20
        /// How many arrays and objects may be open at once.
        package var depth = 32
        package init() {}
        package init(bytes: Int, depth: Int) {
            self.bytes = bytes
            self.depth = depth
        }
    }

    /// Refuses with `JSONError`: bytes after the value, duplicate names, invalid UTF-8, lone surrogates, NaN, depth, size.
    ///
    /// A number without fraction and exponent that does not fit 64 bits becomes `.number`; one beyond
    /// the range of a double is refused. A byte order mark is refused.
    package init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) {
        guard bytes.count <= limits.bytes else {
            throw JSONError(offset: limits.bytes, reason: "the text is longer than \(limits.bytes) bytes")
        }
        var parser = JSONParser(bytes: bytes, maximumDepth: limits.depth)
        self = try parser.parseDocument()
    }

    package init(parsing text: String, limits: Limits = Limits()) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// The whole number, however it was written: `1700000000`, `1.7e9`. nil for a fraction and for
    /// what was written with fraction or exponent beyond 2^53, where doubles skip integers.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value) where abs(value) <= 9_007_199_254_740_992: Int64(exactly: value)
        default: nil
        }
    }
}
