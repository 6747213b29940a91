/// A head read the simplest way there is, to compare a parser's result with.
struct HeadLines {
    let lines: [ArraySlice<UInt8>]

    /// `bytes` is a whole head. Breaks unless CR and LF occur as CRLF only, and twice in a row only at the end.
    init(_ bytes: [UInt8]) throws(Broken) {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices {
            if bytes[index] == 0x0D {
                try hold(index + 1 < bytes.count && bytes[index + 1] == 0x0A, "a CR stands alone in an accepted head")
            }
            guard bytes[index] == 0x0A else { continue }
            try hold(index > 0 && bytes[index - 1] == 0x0D, "an LF stands alone in an accepted head")
            lines.append(bytes[start..<(index - 1)])
            start = index + 1
        }
        try hold(start == bytes.count && lines.last?.isEmpty == true, "an accepted head does not end with its empty line")
        lines.removeLast()
        try hold(!lines.contains { $0.isEmpty }, "an empty line stands within an accepted head")
        self.lines = lines
    }

    /// Name in lower case and value without white space around, of each line after the first.
    func fields() throws(Broken) -> [HeadField] {
        var fields: [HeadField] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw Broken("an accepted field line has no colon") }
            let name = line[..<colon]
            try hold(!name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an accepted field name is no token")
            fields.append(HeadField(name: text(name).lowercased(), value: trimmed(line[(colon + 1)...])))
        }
        return fields
    }
}

struct HeadField: Equatable {
    /// In lower case.
    var name: String
    var value: [UInt8]
}

func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    return Array(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
}

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
