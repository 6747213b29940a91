import Primitives

/// The findings of one scan of a request path. The policy decides which of them to reject: `refusal(under:)`.
package struct PathFindings: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The path does not start with `/`.
    package static let notAbsolute = PathFindings(rawValue: 1 << 0)
    /// A segment that is `.` or `..` in any spelling (`%2e`), also before `;` and between escaped separators.
    package static let dotSegment = PathFindings(rawValue: 1 << 1)
    package static let encodedSlash = PathFindings(rawValue: 1 << 2)
    package static let encodedBackslash = PathFindings(rawValue: 1 << 3)
    package static let backslash = PathFindings(rawValue: 1 << 4)
    package static let semicolon = PathFindings(rawValue: 1 << 5)
    package static let encodedSemicolon = PathFindings(rawValue: 1 << 6)
    /// Contains `//`.
    package static let emptySegment = PathFindings(rawValue: 1 << 7)
    /// An escape of U+0001 to U+001F, U+007F or (as UTF-8) U+0080 to U+009F.
    package static let encodedControl = PathFindings(rawValue: 1 << 8)
    package static let encodedNUL = PathFindings(rawValue: 1 << 9)
    /// Escapes that do not decode to UTF-8: overlong forms, surrogates, stray or missing continuation bytes.
    package static let invalidUTF8Escape = PathFindings(rawValue: 1 << 10)
    /// `%` without two hexadecimal digits.
    package static let incompleteEscape = PathFindings(rawValue: 1 << 11)
    package static let fragment = PathFindings(rawValue: 1 << 12)
    /// Contains `?`: the caller did not remove the query, which would be matched as part of the path.
    package static let query = PathFindings(rawValue: 1 << 13)
    package static let rawControl = PathFindings(rawValue: 1 << 14)
    package static let rawSpace = PathFindings(rawValue: 1 << 15)
    package static let rawNonASCII = PathFindings(rawValue: 1 << 16)
    /// Contains an escape, so that matching needs the canonical form (`RequestPath.appendCanonical`).
    package static let hasEscapes = PathFindings(rawValue: 1 << 17)

    /// The first reason to answer 400 under a policy; nil if the path is accepted.
    package func refusal(under strictness: PathStrictness) -> PathRefusal? {
        let refused = intersection(strictness == .strict ? .refusedByStrict : .refusedAlways)
        if refused.isEmpty { return nil }
        return PathRefusal.inOrder.first { refused.contains($0.finding) }
    }

    private static let refusedAlways: PathFindings = [
        .notAbsolute, .dotSegment, .encodedBackslash, .backslash, .encodedControl, .encodedNUL, .invalidUTF8Escape,
        .incompleteEscape, .fragment, .query, .rawControl, .rawSpace, .rawNonASCII,
    ]
    private static let refusedByStrict = refusedAlways.union([.encodedSlash, .encodedSemicolon, .semicolon, .emptySegment])
}

/// The strictness with which ambiguous paths are rejected.
package enum PathStrictness: Sendable, Hashable {
    /// Rejects everything that programs are known to read differently.
    case strict
    /// Accepts `%2F`, `%3B`, `;` and `//`.
    case encoded
}

/// The reason why a request path gets 400. The raw value is a stable code for logs.
package enum PathRefusal: String, Sendable, Hashable, CaseIterable {
    case notAbsolute = "path-not-absolute"
    case fragment = "path-fragment"
    case query = "path-query"
    case rawControl = "path-raw-control"
    case rawSpace = "path-raw-space"
    case rawNonASCII = "path-raw-non-ascii"
    case incompleteEscape = "path-incomplete-escape"
    case encodedNUL = "path-encoded-nul"
    case encodedControl = "path-encoded-control"
    case invalidUTF8Escape = "path-invalid-utf8"
    case dotSegment = "path-dot-segment"
    case backslash = "path-backslash"
    case encodedBackslash = "path-encoded-backslash"
    case encodedSlash = "path-encoded-slash"
    case semicolon = "path-semicolon"
    case encodedSemicolon = "path-encoded-semicolon"
    case emptySegment = "path-empty-segment"

    static let inOrder: [PathRefusal] = allCases

    package var finding: PathFindings {
        switch self {
        case .notAbsolute: .notAbsolute
        case .fragment: .fragment
        case .query: .query
        case .rawControl: .rawControl
        case .rawSpace: .rawSpace
        case .rawNonASCII: .rawNonASCII
        case .incompleteEscape: .incompleteEscape
        case .encodedNUL: .encodedNUL
        case .encodedControl: .encodedControl
        case .invalidUTF8Escape: .invalidUTF8Escape
        case .dotSegment: .dotSegment
        case .backslash: .backslash
        case .encodedBackslash: .encodedBackslash
        case .encodedSlash: .encodedSlash
        case .semicolon: .semicolon
        case .encodedSemicolon: .encodedSemicolon
        case .emptySegment: .emptySegment
        }
    }
}

/// The path of an origin-form request target (RFC 9112 section 3.2.1), without its query.
package enum RequestPath {
    /// `/`.
    package static var root: RawSpan {
        @_lifetime(immortal)
        get { ("/" as StaticString).bytes }
    }

    /// Scans the bytes once, without allocating. Escapes are decoded once: `%252e` is the escape `%25` and the text `2e`.
    package static func findings(of path: RawSpan) -> PathFindings {
        if isPlain(path) { return [] }
        var scan = RequestPathScan()
        scan.run(path)
        return scan.findings
    }

    /// Returns whether a path has no findings: only ordinary characters, and no segment that is empty or starts with a dot.
    ///
    /// Nearly every path is plain, and this check takes a fraction of the full scan.
    private static func isPlain(_ path: RawSpan) -> Bool {
        guard path.first == UInt8(ascii: "/") else { return false }
        var previous: UInt8 = 0
        for offset in path.byteOffsets {
            let byte = path[offset]
            let word = byte < 64 ? plainBelow64 : plainFrom64
            if byte > 0x7F || word >> UInt64(byte & 63) & 1 == 0 { return false }
            if previous == UInt8(ascii: "/"), byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") { return false }
            previous = byte
        }
        return true
    }

    /// A bit for each plain byte: `!$&'()*+,-./:=@_~`, digits and letters.
    private static var plainBelow64: UInt64 { 0x27FF_FFD2_0000_0000 }
    private static var plainFrom64: UInt64 { 0x47FF_FFFE_87FF_FFFF }

    /// Appends the form that route patterns are compared with: escapes of unreserved characters become the
    /// characters (RFC 3986 section 6.2.2.2), and other escapes get upper-case digits (section 6.2.2.1).
    ///
    /// Only for matching; the received path is forwarded unchanged. Needed only if the findings contain `hasEscapes`.
    package static func appendCanonical(_ path: RawSpan, to output: inout [UInt8]) {
        var index = 0
        while index < path.byteCount {
            let byte = path[index]
            guard byte == UInt8(ascii: "%"), let value = escapedByte(path, at: index) else {
                output.append(byte)
                index += 1
                continue
            }
            if isUnreserved(value) {
                output.append(value)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(upperHexDigit(value >> 4))
                output.append(upperHexDigit(value & 15))
            }
            index += 3
        }
    }

    /// The byte of the escape at `index`; nil unless two hexadecimal digits follow.
    static func escapedByte(_ bytes: RawSpan, at index: Int) -> UInt8? {
        guard index + 2 < bytes.byteCount, let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2]) else { return nil }
        return high << 4 | low
    }

    /// Returns whether the byte is ALPHA, DIGIT, `-`, `.`, `_` or `~` (RFC 3986 section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// `value` must be below 16.
    package static func upperHexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }
}
