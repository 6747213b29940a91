/// Masks secrets in lines before they are shown.
///
/// Masks the spans that the decoder knows to be secrets, and searches the text for secret keys, because a file that is not
/// valid YAML, or misspells `clientSecret`, has no such spans.
struct SecretMask {
    private let source: SourceFile
    /// Sorted and disjoint, because a file may contain thousands.
    private let spans: [SourceSpan]
    /// The offset from which a line is masked, by line number.
    private let hiddenFrom: [Int: Int]

    /// - Parameter line: the last line that will be shown.
    init(source: SourceFile, spans: [SourceSpan], through line: Int) {
        self.source = source
        self.spans = Self.merged(spans)
        self.hiddenFrom = Self.hiddenTails(in: source, through: line)
    }

    /// The scalars of `offsets`, which are on one line, with masked ones replaced by `*`.
    func scalars(of offsets: Range<Int>, onLine line: Int) -> [Unicode.Scalar] {
        let tail = hiddenFrom[line] ?? Int.max
        let spans = self.spans(within: offsets)
        var result: [Unicode.Scalar] = []
        var offset = offsets.lowerBound
        for scalar in source.text(of: offsets).unicodeScalars {
            let hidden = offset >= tail || spans.contains { $0.start <= offset && offset < $0.end }
            result.append(hidden && scalar != " " ? "*" : scalar)
            // A byte that is not UTF-8 decodes to U+FFFD, so offsets after it may be wrong. Such a file is rejected anyway.
            offset += UTF8.width(scalar)
        }
        return Self.withoutURLPasswords(result)
    }

    private static func merged(_ spans: [SourceSpan]) -> [SourceSpan] {
        var result: [SourceSpan] = []
        for span in spans.sorted(by: { $0.start < $1.start }) {
            if let last = result.last, span.start <= last.end {
                result[result.count - 1] = SourceSpan(start: last.start, end: max(last.end, span.end))
            } else {
                result.append(span)
            }
        }
        return result
    }

    private func spans(within offsets: Range<Int>) -> ArraySlice<SourceSpan> {
        var low = spans.startIndex
        var high = spans.endIndex
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end <= offsets.lowerBound { low = middle + 1 } else { high = middle }
        }
        return spans[low...].prefix { $0.start < offsets.upperBound }
    }

    /// Masks the password in `scheme://user:password@host`.
    private static func withoutURLPasswords(_ line: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result = line
        var index = 0
        while index + 2 < line.count {
            guard line[index] == ":", line[index + 1] == "/", line[index + 2] == "/" else {
                index += 1
                continue
            }
            let start = index + 3
            var end = start
            while end < line.count, !" \"',]}/".unicodeScalars.contains(line[end]) { end += 1 }
            if let at = line[start..<end].lastIndex(of: "@"), let colon = line[start..<at].firstIndex(of: ":") {
                for hidden in (colon + 1)..<at { result[hidden] = "*" }
            }
            index = end
        }
        return result
    }

    /// The start of each secret key's value, for each line that the value covers.
    private static func hiddenTails(in source: SourceFile, through last: Int) -> [Int: Int] {
        var tails: [Int: Int] = [:]
        // The column of the key whose value continues: it includes deeper lines, and items at the same column.
        var openKey: Int?
        for line in 1...min(max(last, 1), source.lineCount) {
            let offsets = source.contentOffsets(ofLine: line)
            let bytes = source.bytes[offsets]
            guard let first = bytes.firstIndex(where: { $0 != UInt8(ascii: " ") && $0 != 0x09 }) else { continue }
            let indent = first - offsets.lowerBound
            if let key = openKey, indent > key || (indent == key && bytes[first] == UInt8(ascii: "-")) {
                tails[line] = secretStart(in: bytes[first...])
                continue
            }
            let values = secretValues(in: bytes.prefix(Self.searched))
            openKey = values.last.map { $0.key - offsets.lowerBound }
            tails[line] = values.compactMap { secretStart(in: bytes[$0.value...]) }.min()
            // Mask the part that was not searched.
            if tails[line] == nil, bytes.count > Self.searched { tails[line] = bytes.startIndex + Self.searched }
        }
        return tails
    }

    /// The length of the part of a line that is searched for keys.
    private static let searched = 64 * 1024

    /// The offsets after the colon of each secret key on the line.
    private static func secretValues(in line: ArraySlice<UInt8>) -> [(key: Int, value: Int)] {
        line.indices.filter { line[$0] == UInt8(ascii: ":") }.compactMap { colon in
            var end = colon
            while end > line.startIndex, [UInt8(ascii: " "), 0x22, 0x27].contains(line[end - 1]) { end -= 1 }
            var start = end
            while start > line.startIndex, isNameByte(line[start - 1]) { start -= 1 }
            return namesSecret(line[start..<end]) ? (start, colon + 1) : nil
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: byte >= 0x80
        }
    }

    private static func namesSecret(_ name: ArraySlice<UInt8>) -> Bool {
        let folded = String(decoding: name.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }, as: UTF8.self).lowercased()
        return folded.contains("secret") || folded.contains("password") || folded.contains("privatekey") || folded == "keys"
    }

    /// The offset of the first part of a value that may be a secret: anything but references without a default,
    /// punctuation, block scalar indicators and comments.
    private static func secretStart(in value: ArraySlice<UInt8>) -> Int? {
        let punctuation: Set<UInt8> = [0x20, 0x09, 0x22, 0x27, UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "-")]
        var index = value.startIndex
        while index < value.endIndex {
            switch value[index] {
            case let byte where punctuation.contains(byte): index += 1
            case UInt8(ascii: "#"): return nil
            // An empty list, and what follows it in a flow mapping.
            case UInt8(ascii: ","), UInt8(ascii: "}"):
                if value[..<index].contains(UInt8(ascii: "]")) { return nil }
                return index
            case UInt8(ascii: "|"), UInt8(ascii: ">"):
                return value[(index + 1)...].firstIndex { !" \t+-0123456789".utf8.contains($0) }
            case UInt8(ascii: "$"):
                guard let end = referenceEnd(in: value[index...]) else { return index }
                index = end
                while index < value.endIndex, punctuation.contains(value[index]) { index += 1 }
                // The value ends, or the next list item or flow mapping key starts.
                guard index < value.endIndex, value[index] == UInt8(ascii: ",") else { return endsValue(value[index...]) ? nil : index }
                guard value[..<index].lastIndex(of: UInt8(ascii: "[")) ?? -1 > value[..<index].lastIndex(of: UInt8(ascii: "]")) ?? -1 else {
                    return nil
                }
                index += 1
            default: return index
            }
        }
        return nil
    }

    private static func endsValue(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.first.map { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "#") } ?? true
    }

    /// The offset after `${env:NAME}` or `${file:PATH}`.
    private static func referenceEnd(in value: ArraySlice<UInt8>) -> Int? {
        for (opening, isAllowed) in [
            ("${env:", { (byte: UInt8) in byte != UInt8(ascii: "-") && byte < 0x80 && isNameByte(byte) }),
            ("${file:", { (byte: UInt8) in byte != UInt8(ascii: "}") && byte != UInt8(ascii: "{") }),
        ] where value.starts(with: opening.utf8) {
            let inner = value.dropFirst(opening.utf8.count)
            guard let end = inner.firstIndex(where: { !isAllowed($0) }), value[end] == UInt8(ascii: "}") else { return nil }
            return end + 1
        }
        return nil
    }
}
