package import Diagnostics

/// The positions in the file of the parts of a scalar's text: escapes, folded lines and indentation make the two differ.
package struct ScalarOffsets {
    /// The offset in the file of each byte of the text, and of its end.
    private let offsets: [Int]
    private let text: [UInt8]

    /// Nil for a scalar that an alias repeats, and if the text cannot be found in the file.
    package init?(_ node: Node, in source: SourceFile) {
        guard let scalar = node.scalar, node.anchor == nil, node.extent.end <= source.bytes.count else { return nil }
        var walk = ScalarWalk(source.bytes[..<node.extent.end], from: node.extent.start, scalar.style)
        var offsets: [Int] = []
        offsets.reserveCapacity(scalar.text.utf8.count + 1)
        for character in scalar.text.unicodeScalars {
            guard let offset = walk.find(character) else { return nil }
            for _ in 0..<UTF8.width(character) { offsets.append(offset) }
        }
        offsets.append(walk.position)
        self.offsets = offsets
        text = Array(scalar.text.utf8)
    }

    /// The span of a range of UTF-8 bytes of the text, on the line where it starts. An empty range gets the next character.
    package func span(of range: Range<Int>, in source: SourceFile) -> SourceSpan? {
        guard range.lowerBound >= 0, range.upperBound < offsets.count else { return nil }
        var first = range.lowerBound
        // The end of a text is behind its last word, not behind its line break.
        if range.isEmpty { while first > 0, text[first - 1] == 0x20 || text[first - 1] == 0x0A { first -= 1 } }
        let start = offsets[first]
        var end = max(start, offsets[range.upperBound])
        end = source.bytes[start..<end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? end
        while end > start + 1, source.bytes[end - 1] == 0x20 || source.bytes[end - 1] == 0x09 { end -= 1 }
        return SourceSpan(start: start, end: max(end, min(start + 1, source.bytes.count)))
    }
}

/// Goes through the bytes of a scalar in step with its text.
private struct ScalarWalk {
    private let bytes: ArraySlice<UInt8>
    private let style: Node.Scalar.Style
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>, from start: Int, _ style: Node.Scalar.Style) {
        self.bytes = bytes
        self.style = style
        position = start
        switch style {
        case .plain: break
        case .singleQuoted, .doubleQuoted: position += 1
        case .block:
            // The header: the indicator, and perhaps a comment.
            while position < bytes.endIndex, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
        }
    }

    /// The offset of the next character of the text; nil if something else is there.
    mutating func find(_ character: Unicode.Scalar) -> Int? {
        if Self.isSpace(character) { return findSpace(character) }
        while position < bytes.endIndex {
            if Self.isSpace(bytes[position]) {
                position += 1
                continue
            }
            let start = position
            if style == .doubleQuoted, bytes[position] == UInt8(ascii: "\\") {
                guard let (value, count) = escape() else { return nil }
                position += count
                // An escaped line break, or an escaped space that the text has already.
                if value.map({ Self.isSpace($0) }) ?? true { continue }
                return value == character ? start : nil
            }
            if style == .singleQuoted, character == "'" {
                guard bytes[position] == UInt8(ascii: "'") else { return nil }
                position += 2
                return start
            }
            let encoded = Array(UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
            guard bytes[position...].starts(with: encoded) else { return nil }
            position += encoded.count
            return start
        }
        return nil
    }

    /// White space of the text is white space of the file, an escape, or a folded line break: its exact length does not matter, because
    /// the next character that is none is looked for behind it.
    private mutating func findSpace(_ character: Unicode.Scalar) -> Int? {
        let start = position
        guard position < bytes.endIndex else { return start }
        if Self.isSpace(bytes[position]) {
            position += 1
        } else if style == .doubleQuoted, bytes[position] == UInt8(ascii: "\\"), let (value, count) = escape(),
            value.map({ Self.isSpace($0) }) ?? true
        {
            position += count
        }
        return start
    }

    /// The character of the escape here, nil for an escaped line break, and its length (YAML 1.2.2 section 5.7).
    private func escape() -> (Unicode.Scalar?, Int)? {
        guard position + 1 < bytes.endIndex else { return nil }
        let digits: Int
        switch bytes[position + 1] {
        case UInt8(ascii: "x"): digits = 2
        case UInt8(ascii: "u"): digits = 4
        case UInt8(ascii: "U"): digits = 8
        case 0x0A: return (nil, 2)
        case 0x0D: return (nil, 2)
        case let byte:
            guard let value = Self.escapes[byte] else { return nil }
            return (value, 2)
        }
        guard position + 2 + digits <= bytes.endIndex,
            let value = UInt32(String(decoding: bytes[(position + 2)..<(position + 2 + digits)], as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(value)
        else { return nil }
        return (scalar, 2 + digits)
    }

    private static let escapes: [UInt8: Unicode.Scalar] = {
        let pairs: [(Character, UInt32)] = [
            ("0", 0), ("a", 7), ("b", 8), ("t", 9), ("\t", 9), ("n", 10), ("v", 11), ("f", 12), ("r", 13), ("e", 27), (" ", 32),
            ("\"", 34), ("/", 47), ("\\", 92), ("N", 0x85), ("_", 0xA0), ("L", 0x2028), ("P", 0x2029),
        ]
        return Dictionary(
            uniqueKeysWithValues: pairs.compactMap { name, value in
                guard let byte = name.asciiValue, let scalar = Unicode.Scalar(value) else { return nil }
                return (byte, scalar)
            })
    }()

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" }
}
