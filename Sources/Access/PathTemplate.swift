import Primitives
package import HTTPWire

/// The reason why a rewrite cannot be compiled for a route's pattern.
package struct PathTemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The pattern does not start with these literal segments, so requests without them could match.
        case notItsPrefix
        case notAbsolute
        case emptySegment
        case dotSegment
        case unknownCapture(String)
        case malformedCapture
        /// `*` in the template: only a trailing `/**` has a meaning.
        case strayWildcard
        /// The template ends with `/**`, but the pattern does not.
        case nothingToAppend
        /// With several `**`, the segments that `{name}` captures are ambiguous.
        case severalWildcards
        /// White space, `?`, `#`, `\`, a control character, or an invalid escape.
        case unusableCharacter
    }
    package let reason: Reason
    package init(_ reason: Reason) { self.reason = reason }

    package var description: String {
        switch reason {
        case .notItsPrefix: "the route's path does not start with it"
        case .notAbsolute: "it does not start with `/`"
        case .emptySegment: "it has an empty segment"
        case .dotSegment: "it has a `.` or `..` segment"
        case .unknownCapture(let name): "the route's path captures no `{\(name)}`"
        case .malformedCapture: "a capture must be written `{name}`"
        case .strayWildcard: "`*` has no meaning here, except in `/**` at the end"
        case .nothingToAppend: "it ends with `/**`, but the route's path does not"
        case .severalWildcards: "the route's path has more than one `**`, so its captures are ambiguous"
        case .unusableCharacter: "it contains a character that paths cannot contain"
        }
    }
}

/// Builds a path from the path of a request that matched a route's pattern.
///
/// Captured segments are inserted byte for byte, between `/` and `/`. A segment of the received path is also a
/// segment of its canonical form, because no escape becomes a `/`. The result is checked like a received path (`refusal`).
package struct PathTemplate: Sendable {
    enum Part: Sendable, Hashable {
        case literal([UInt8])
        /// The segment at this index from the start.
        case segment(Int)
        /// The segment at this index from the end.
        case segmentFromEnd(Int)
        /// Everything from this segment on, including its `/`; empty without such a segment.
        case rest(from: Int)
    }

    let parts: [Part]
    /// True if the result can be empty and then becomes `/`.
    private let stripsAll: Bool

    /// `prefix` contains literal segments that every path of the pattern starts with. `/api` turns `/api/x` into `/x` and `/api` into `/`.
    package init(strippingPrefix prefix: String, of pattern: RoutePattern, ignoringCase: Bool) throws(PathTemplateError) {
        func fold(_ bytes: [UInt8]) -> [UInt8] { ignoringCase ? bytes.map(ASCII.lower) : bytes }
        guard let stripped = try? RoutePattern(prefix) else { throw PathTemplateError(.unusableCharacter) }
        guard stripped.segments.count <= pattern.segments.count else { throw PathTemplateError(.notItsPrefix) }
        for (mine, theirs) in zip(stripped.segments, pattern.segments) {
            guard case .literal(let mine) = mine, case .literal(let theirs) = theirs, fold(mine) == fold(theirs) else {
                throw PathTemplateError(.notItsPrefix)
            }
        }
        parts = [.rest(from: stripped.segments.count)]
        stripsAll = true
    }

    /// Compiles templates such as `/new/{name}.html` and `/new/**`.
    package init(_ template: String, of pattern: RoutePattern) throws(PathTemplateError) {
        guard template.utf8.first == UInt8(ascii: "/") else { throw PathTemplateError(.notAbsolute) }
        let parts = try Self.parts(of: template, pattern)
        // A placeholder stands for a segment that is neither empty nor a dot segment.
        let shape: [UInt8] = parts.flatMap { part -> [UInt8] in
            switch part {
            case .literal(let bytes): bytes
            case .segment, .segmentFromEnd: Array("a".utf8)
            case .rest: Array("/a".utf8)
            }
        }
        let findings = RequestPath.findings(of: shape.span.bytes)
        if findings.contains(.emptySegment) { throw PathTemplateError(.emptySegment) }
        if findings.contains(.dotSegment) { throw PathTemplateError(.dotSegment) }
        if findings.refusal(under: .encoded) != nil { throw PathTemplateError(.unusableCharacter) }
        self.parts = parts
        stripsAll = if case .rest? = parts.first { true } else { false }
    }

    /// The parts of a text with captures. Also used for the URL of a redirect.
    static func parts(of template: String, _ pattern: RoutePattern) throws(PathTemplateError) -> [Part] {
        let wildcards = pattern.segments.count { $0 == .anyNumber }
        let end: [UInt8] = Array("/**".utf8)
        var bytes = Array(template.utf8)
        let appendsRest = bytes.suffix(3) == end[...]
        if appendsRest { bytes.removeLast(3) }
        var parts: [Part] = []
        var literal: [UInt8] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"):
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else { throw PathTemplateError(.malformedCapture) }
                let name = String(decoding: bytes[(index + 1)..<close], as: UTF8.self)
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(try place(of: name, pattern, wildcards))
                index = close + 1
            case UInt8(ascii: "}"): throw PathTemplateError(.malformedCapture)
            case UInt8(ascii: "*"): throw PathTemplateError(.strayWildcard)
            default:
                literal.append(bytes[index])
                index += 1
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        if appendsRest {
            guard pattern.segments.last == .anyNumber else { throw PathTemplateError(.nothingToAppend) }
            guard wildcards == 1 else { throw PathTemplateError(.severalWildcards) }
            parts.append(.rest(from: pattern.segments.count - 1))
        }
        return parts
    }

    /// The position of a capture. With one `**` in the pattern, every other segment has a fixed index from the start or the end.
    static func place(of name: String, _ pattern: RoutePattern) throws(PathTemplateError) -> Part {
        try place(of: name, pattern, pattern.segments.count { $0 == .anyNumber })
    }

    private static func place(of name: String, _ pattern: RoutePattern, _ wildcards: Int) throws(PathTemplateError) -> Part {
        guard let index = pattern.segments.firstIndex(of: .capture(name)) else { throw PathTemplateError(.unknownCapture(name)) }
        guard wildcards <= 1 else { throw PathTemplateError(.severalWildcards) }
        if let wildcard = pattern.segments.firstIndex(of: .anyNumber), wildcard < index {
            return .segmentFromEnd(pattern.segments.count - 1 - index)
        }
        return .segment(index)
    }

    /// Appends the path built from `path`, which matched the pattern.
    package func append(_ path: RawSpan, to output: inout [UInt8]) {
        let start = output.count
        for part in parts {
            switch part {
            case .literal(let bytes): output.append(contentsOf: bytes)
            case .segment(let index): output.append(contentsOf: Self.segment(path, index))
            case .segmentFromEnd(let index): output.append(contentsOf: Self.segmentFromEnd(path, index))
            case .rest(let index): output.append(contentsOf: Self.rest(path, from: index))
            }
        }
        if stripsAll, output.count == start { output.append(UInt8(ascii: "/")) }
    }

    /// Appends and checks the path. Returns nil on success, otherwise why the request gets 400.
    ///
    /// Refuses two leading slashes under every policy, because a program that parses the target as a URL treats what follows as
    /// a host.
    package func rewrite(_ path: RawSpan, _ strictness: PathStrictness, into output: inout [UInt8]) -> PathRefusal? {
        append(path, to: &output)
        if let refusal = RequestPath.findings(of: output.span.bytes).refusal(under: strictness) { return refusal }
        return output.count > 1 && output[1] == UInt8(ascii: "/") ? .emptySegment : nil
    }

    /// The bytes of a captured segment; nil for a part that is no segment.
    @_lifetime(copy path)
    static func segment(_ part: Part, of path: RawSpan) -> RawSpan? {
        switch part {
        case .segment(let index): segment(path, index)
        case .segmentFromEnd(let index): segmentFromEnd(path, index)
        case .literal, .rest: nil
        }
    }

    /// The bytes between the slash with this index and the next one. Indexes start at 0.
    @_lifetime(copy path)
    private static func segment(_ path: RawSpan, _ index: Int) -> RawSpan {
        let rest = rest(path, from: index)
        guard rest.byteCount > 1 else { return path.extracting(first: 0) }
        var end = 1
        while end < rest.byteCount, rest[end] != UInt8(ascii: "/") { end += 1 }
        return rest.extracting(1..<end)
    }

    @_lifetime(copy path)
    private static func segmentFromEnd(_ path: RawSpan, _ index: Int) -> RawSpan {
        var end = path.byteCount
        var remaining = index
        var position = path.byteCount
        while position > 0 {
            position -= 1
            guard path[position] == UInt8(ascii: "/") else { continue }
            if remaining == 0 { return path.extracting((position + 1)..<end) }
            remaining -= 1
            end = position
        }
        return path.extracting(first: 0)
    }

    /// The bytes from the slash with this index on; empty if there are fewer slashes. Indexes start at 0.
    @_lifetime(copy path)
    private static func rest(_ path: RawSpan, from index: Int) -> RawSpan {
        var slashes = 0
        for position in 0..<path.byteCount where path[position] == UInt8(ascii: "/") {
            if slashes == index { return path.extracting(droppingFirst: position) }
            slashes += 1
        }
        return path.extracting(first: 0)
    }
}
