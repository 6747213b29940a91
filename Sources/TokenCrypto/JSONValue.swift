/// A JSON value of RFC 8259, parsed strictly: duplicate member names are rejected.
///
/// Member names are Swift strings, so two names that are canonically equivalent in Unicode count as
/// duplicates too. Compare issuers, subjects and other identifiers by their UTF-8, not with `==`.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A number that was written without fraction and exponent, and fits.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package struct Limits: Sendable {
        /// The maximum size of the text.
        package var bytes = 1 << 20
        /// The maximum number of nested arrays and objects.
        package var depth = 32
        package init() {}
        package init(bytes: Int, depth: Int) {
            self.bytes = bytes
            self.depth = depth
        }
    }

    /// Parses a value. Throws for bytes after the value, duplicate names, invalid UTF-8, lone surrogates, NaN, and exceeded limits.
    ///
    /// A number without fraction and exponent that does not fit 64 bits becomes `.number`. A number beyond
    /// the range of a double, and a byte order mark, are rejected.
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

    /// The integer value, however it was written: `1700000000`, `1.7e9`. Nil for a fraction, and for
    /// numbers above 2^53 with fraction or exponent, where doubles skip integers.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value) where abs(value) <= 9_007_199_254_740_992: Int64(exactly: value)
        default: nil
        }
    }
}
