import HTTPWire
import Primitives

/// The reason why a route's `path` or `host` is not a pattern.
package struct RoutePatternError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: String, Sendable, Hashable {
        case notAbsolute = "a path pattern must start with `/`"
        case partialWildcard = "`*`, `**` and `{name}` must be whole segments"
        case invalidCaptureName = "a capture is `{name}`: a letter or `_`, then letters, digits, `_` and `-`"
        case duplicateCapture = "each name can capture only one segment"
        case incompleteEscape = "`%` needs two hexadecimal digits after it"
        case unmatchableCharacter = "accepted request paths never contain this character"
        case dotSegment = "accepted request paths never contain a `.` or `..` segment"
        case tooManySegments = "a path pattern has at most 256 segments"
        case hostWildcard = "a host must be a name, or `*.` and a name"
        case emptyHost = "a host needs a name"
    }
    package let reason: Reason
    /// The UTF-8 byte offset in the pattern's text.
    package let offset: Int
    package var description: String { "\(reason.rawValue) (at byte \(offset))" }
}

/// A compiled path pattern: literal segments, `*` (one non-empty segment), `**` (any number of segments) and `{name}`
/// (like `*`, captured).
///
/// Literals are in the canonical form of `RequestPath.appendCanonical`, with non-ASCII characters escaped.
package struct RoutePattern: Sendable, Hashable {
    package enum Segment: Sendable, Hashable {
        case literal([UInt8])
        case one
        case capture(String)
        case anyNumber
    }

    private static let mostSegments = 256

    package let text: String
    /// At least one segment: `/` is one empty literal.
    package let segments: [Segment]

    package init(_ text: String) throws(RoutePatternError) {
        guard text.utf8.first == UInt8(ascii: "/") else { throw RoutePatternError(reason: .notAbsolute, offset: 0) }
        var segments: [Segment] = []
        var offset = 1
        var names: Set<String> = []
        for piece in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let segment = try Self.segment(Array(piece), at: offset)
            if case .capture(let name) = segment, !names.insert(name).inserted {
                throw RoutePatternError(reason: .duplicateCapture, offset: offset)
            }
            // Two consecutive `**` mean the same as one.
            if segment != .anyNumber || segments.last != .anyNumber { segments.append(segment) }
            // The matcher recurses once per segment.
            guard segments.count <= Self.mostSegments else { throw RoutePatternError(reason: .tooManySegments, offset: offset) }
            offset += piece.count + 1
        }
        self.text = text
        self.segments = segments
    }

    /// True if the pattern matches every path.
    package var isEverything: Bool { segments == [.anyNumber] }

    private static func segment(_ bytes: [UInt8], at offset: Int) throws(RoutePatternError) -> Segment {
        if bytes.count <= 2, !bytes.isEmpty, bytes.allSatisfy({ $0 == UInt8(ascii: "*") }) { return bytes.count == 1 ? .one : .anyNumber }
        if bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") {
            let name = bytes.dropFirst().dropLast()
            guard isCaptureName(name) else { throw RoutePatternError(reason: .invalidCaptureName, offset: offset) }
            return .capture(String(decoding: name, as: UTF8.self))
        }
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                throw RoutePatternError(reason: .partialWildcard, offset: offset + index)
            case 0...0x20, 0x7F, UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "\\"):
                throw RoutePatternError(reason: .unmatchableCharacter, offset: offset + index)
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.count, isHex(bytes[index + 1]), isHex(bytes[index + 2]) else {
                    throw RoutePatternError(reason: .incompleteEscape, offset: offset + index)
                }
            default: continue
            }
        }
        return .literal(try literal(bytes, at: offset))
    }

    private static func literal(_ bytes: [UInt8], at offset: Int) throws(RoutePatternError) -> [UInt8] {
        var escaped: [UInt8] = []
        for byte in bytes {
            if byte < 0x80 {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), RequestPath.upperHexDigit(byte >> 4), RequestPath.upperHexDigit(byte & 15)]
            }
        }
        var canonical: [UInt8] = []
        RequestPath.appendCanonical(escaped.span.bytes, to: &canonical)
        if canonical == [UInt8(ascii: ".")] || canonical == [UInt8(ascii: "."), UInt8(ascii: ".")] {
            throw RoutePatternError(reason: .dotSegment, offset: offset)
        }
        return canonical
    }

    private static func isHex(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }

    private static func isCaptureName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
        return bytes.allSatisfy {
            isLetter($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
}

extension RoutePattern {
    /// The captured segments of a matching path, as ranges of the canonical path; empty if the path does not
    /// match. Allocates; not for the request path.
    package func captures(in canonicalPath: [UInt8], ignoringCase: Bool = false) -> [(name: String, range: Range<Int>)] {
        guard canonicalPath.first == UInt8(ascii: "/") else { return [] }
        var starts: [Range<Int>] = []
        var start = 1
        for index in 1...canonicalPath.count where index == canonicalPath.count || canonicalPath[index] == UInt8(ascii: "/") {
            starts.append(start..<index)
            start = index + 1
        }
        return assign(segments[...], starts[...], canonicalPath, ignoringCase) ?? []
    }

    private func assign(
        _ pattern: ArraySlice<Segment>, _ path: ArraySlice<Range<Int>>, _ bytes: [UInt8], _ ignoringCase: Bool
    ) -> [(name: String, range: Range<Int>)]? {
        guard let segment = pattern.first else { return path.isEmpty ? [] : nil }
        if segment == .anyNumber {
            for skipped in 0...path.count {
                if let found = assign(pattern.dropFirst(), path.dropFirst(skipped), bytes, ignoringCase) { return found }
            }
            return nil
        }
        guard let range = path.first else { return nil }
        if case .literal(let literal) = segment {
            func fold(_ byte: UInt8) -> UInt8 { ignoringCase ? ASCII.lower(byte) : byte }
            guard literal.map(fold) == bytes[range].map(fold) else { return nil }
        } else if range.isEmpty {
            return nil
        }
        guard let rest = assign(pattern.dropFirst(), path.dropFirst(), bytes, ignoringCase) else { return nil }
        if case .capture(let name) = segment { return [(name, range)] + rest }
        return rest
    }
}

/// The hosts that a route matches.
package enum HostPattern: Sendable, Hashable {
    /// The host in lower case, without port and trailing dot.
    case exact([UInt8])
    /// The suffix after `*`, which starts with a dot and must follow at least one label.
    case suffix([UInt8])

    package init(_ text: String) throws(RoutePatternError) {
        var bytes = text.utf8.map(ASCII.lower)
        let isWildcard = bytes.starts(with: "*.".utf8)
        if isWildcard { bytes.removeFirst() }
        if bytes.contains(UInt8(ascii: "*")) { throw RoutePatternError(reason: .hostWildcard, offset: 0) }
        let name = Array(Self.name(of: bytes.span.bytes))
        guard name.count > (isWildcard ? 1 : 0) else { throw RoutePatternError(reason: .emptyHost, offset: 0) }
        self = isWildcard ? .suffix(name) : .exact(name)
    }

    /// The `Host` value without its port and one trailing dot. Keeps the brackets of an IPv6 address.
    @_lifetime(copy host)
    package static func name(of host: RawSpan) -> RawSpan {
        var end = host.byteCount
        if host.first == UInt8(ascii: "["), let close = host.firstOffset(of: UInt8(ascii: "]")) {
            end = close + 1
        } else if let colon = host.firstOffset(of: UInt8(ascii: ":")) {
            end = colon
        }
        if end > 0, host[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return host.extracting(0..<end)
    }
}

enum ASCII {
    /// Folds `A` to `Z` only, because programs disagree on the case of other characters.
    static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
