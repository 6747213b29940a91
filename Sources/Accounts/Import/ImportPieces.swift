/// A piece of an import that one account is made of, with the number of its first line; nil bytes: it is longer than the limit.
package struct ImportPiece: Sendable, Equatable {
    package let line: Int
    package let bytes: [UInt8]?
}

/// Divides JSON Lines, as they are read, into lines without their line breaks. Keeps at most one line, and of that no more than the limit.
package struct LineSplitter: Sendable {
    private let limit: Int
    private var line = 1
    private var current: [UInt8] = []
    private var isTooLong = false

    package init(limit: Int = AccountDocument.longest) { self.limit = limit }

    /// Lines with nothing but white space are left out.
    package mutating func pieces(of chunk: some Collection<UInt8>) -> [ImportPiece] {
        var pieces: [ImportPiece] = []
        for part in chunk.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 {
                if let piece = end() { pieces.append(piece) }
                line += 1
            }
            if current.count + part.element.count > limit {
                isTooLong = true
                current = []
            } else if !isTooLong {
                current += part.element
            }
        }
        return pieces
    }

    /// The last line, if no line break ends it.
    package mutating func end() -> ImportPiece? {
        defer {
            current = []
            isTooLong = false
        }
        if isTooLong { return ImportPiece(line: line, bytes: nil) }
        guard current.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") }) else {
            return nil
        }
        return ImportPiece(line: line, bytes: current)
    }
}
