import Diagnostics

/// Reports text that libyaml accepts and YAML 1.2 does not: comments without a space before them (section 6.6), unindented lines
/// of a list, mapping or quoted text (sections 7.3 and 7.4), `-` alone between brackets (section 7.3.3),
/// headers of block scalars, and comments that may be their text (section 8.1.1).
///
/// One deviation: a closing bracket may be at the column of the key that opened it, because this is common and other readers allow it.
struct StrictnessCheck {
    private enum Level {
        /// The column of its keys or dashes, from 0.
        case block(column: Int)
        case flow(start: Int)
    }

    private let source: SourceFile
    private var levels: [Level] = []
    /// The offset up to which the text has been checked.
    private var cursor: Int

    init(source: SourceFile) {
        self.source = source
        cursor = source.byteOrderMarkLength
    }

    /// Returns the error in the text up to this event. Call once per event, in order.
    mutating func problem(with event: Event) -> Diagnostic? {
        if let problem = gap(before: event.start) ?? name(of: event) { return problem }
        switch event.kind {
        case .streamStart, .streamEnd, .documentStart, .documentEnd: return nil
        case .alias:
            cursor = max(cursor, event.end)
            return nil
        case .scalar(let text, let style):
            cursor = max(cursor, event.end)
            return scalar(text, style, event)
        case .sequenceStart, .mappingStart:
            let start = NodeProperties(event, in: source).contentStart
            levels.append(event.isFlow ? .flow(start: start) : .block(column: column(of: start)))
            cursor = max(cursor, event.isFlow ? start + 1 : start)
            return nil
        case .sequenceEnd, .mappingEnd:
            guard case .flow(let start) = levels.popLast() else { return nil }
            cursor = max(cursor, event.end)
            return isInFlow ? nil : indentation(from: start, to: event.end, what: "the brackets", allowingClosing: true)
        }
    }

    private var isInFlow: Bool {
        if case .flow = levels.last { true } else { false }
    }

    /// Checks the comments between two tokens.
    private mutating func gap(before end: Int) -> Diagnostic? {
        let bytes = source.bytes
        var index = cursor
        while index < min(end, bytes.count) {
            guard bytes[index] == UInt8(ascii: "#") else {
                index += 1
                continue
            }
            if index > source.byteOrderMarkLength, ![0x20, 0x09, 0x0A, 0x0D].contains(bytes[index - 1]) {
                return Diagnostic(
                    .yamlSyntax, at: SourceSpan(start: index, end: index + 1), "a comment needs a space before the `#`", label: "no space",
                    help: "add a space before the `#`; if it is part of the value, put the whole value in quotes")
            }
            while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        }
        cursor = max(cursor, min(end, bytes.count))
        return nil
    }

    /// libyaml ends the name of an anchor or alias at a `:`, YAML 1.2 does not (section 6.9.2).
    private func name(of event: Event) -> Diagnostic? {
        var end = event.start + 1
        if case .alias(let name) = event.kind {
            end += name.utf8.count
        } else if let name = event.anchor, source.bytes[event.start] == UInt8(ascii: "&") {
            end += name.utf8.count
        } else {
            return nil
        }
        guard end < source.bytes.count, source.bytes[end] == UInt8(ascii: ":") else { return nil }
        return Diagnostic(
            .yamlSyntax, at: SourceSpan(start: end, end: end + 1), "a space must follow the name of an anchor", label: "part of the name?",
            help: "use letters, digits, `-` and `_` in the name, and add a space after it")
    }

    private func scalar(_ text: String, _ style: Node.Scalar.Style, _ event: Event) -> Diagnostic? {
        let start = NodeProperties(event, in: source).contentStart
        switch style {
        case .plain:
            if isInFlow, start > 0, source.bytes[start - 1] == UInt8(ascii: "?") {
                return Diagnostic(
                    .yamlSyntax, at: SourceSpan(start: start - 1, end: event.end), "a value between brackets cannot start with `?`",
                    label: "YAML readers disagree on this", help: "put the value in quotes")
            }
            guard isInFlow, text == "-" else { return nil }
            return Diagnostic(
                .yamlSyntax, at: SourceSpan(start: start, end: event.end), "a `-` between brackets is not a value", label: "unexpected `-`",
                help: "separate items between brackets with `,`; put a literal `-` in quotes")
        case .singleQuoted, .doubleQuoted:
            return isInFlow ? nil : indentation(from: start, to: event.end, what: "the quotes", allowingClosing: false)
        case .block: return header(of: start) ?? comment(below: start, text)
        }
    }

    /// Checks that the continuation lines of a value in a block collection are indented further than the collection.
    private func indentation(from start: Int, to end: Int, what: String, allowingClosing: Bool) -> Diagnostic? {
        let outer = outerColumn
        let bytes = source.bytes
        var index = start
        while let lineEnd = bytes[index..<end].firstIndex(of: 0x0A) {
            let lineStart = lineEnd + 1
            let first = bytes[lineStart..<end].firstIndex { $0 != 0x20 } ?? end
            index = lineStart
            let content = bytes[first..<end].first { $0 != 0x20 && $0 != 0x09 }
            guard let content, content != 0x0A, content != 0x0D, first - lineStart <= outer else { continue }
            let isClosing = content == UInt8(ascii: "]") || content == UInt8(ascii: "}")
            if allowingClosing, isClosing || content == UInt8(ascii: "#") { continue }
            return Diagnostic(
                .yamlSyntax, at: SourceSpan(start: first, end: first + 1), "this line is still inside \(what), but not indented",
                label: bytes[first] == 0x09 ? "a tab" : "too far left", help: "indent it with spaces, further than its key",
                related: [RelatedPlace("opened here", at: SourceSpan(start: start, end: start + 1))])
        }
        return nil
    }

    private func header(of start: Int) -> Diagnostic? {
        let bytes = source.bytes
        var index = start + 1
        while index < bytes.count, "+-0123456789".utf8.contains(bytes[index]) { index += 1 }
        guard index < bytes.count, ![0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) else { return nil }
        return Diagnostic(
            .yamlSyntax, at: SourceSpan(start: index, end: index + 1), "only a comment may follow here, after a space",
            label: "unexpected", help: "start the text on the next line")
    }

    /// Checks a block scalar of blank lines followed by a possible comment: indented like text, but less than the lines before.
    private func comment(below start: Int, _ text: String) -> Diagnostic? {
        guard text.allSatisfy({ $0.isNewline || $0 == " " }) else { return nil }
        let lines = source.bytes[start...].split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst().prefix(100)
        var longest = 0
        for line in lines {
            let indentation = line.prefix { $0 == 0x20 }.count
            guard let first = line.dropFirst(indentation).first, first != 0x0D else {
                longest = max(longest, indentation)
                continue
            }
            guard first == UInt8(ascii: "#"), indentation > outerColumn, longest > indentation else { return nil }
            let place = line.startIndex + indentation
            return Diagnostic(
                .yamlSyntax, at: SourceSpan(start: place, end: place + 1), "this may be a comment or part of the text that starts above",
                label: "YAML readers disagree on this", help: "remove the blank lines above, or the spaces before the `#`")
        }
        return nil
    }

    /// The column of the innermost block collection; -1 outside of any.
    private var outerColumn: Int {
        levels.reversed().lazy.compactMap { if case .block(let column) = $0 { column } else { nil } }.first ?? -1
    }

    private func column(of offset: Int) -> Int {
        let bytes = source.bytes
        var start = offset
        while start > source.byteOrderMarkLength, bytes[start - 1] != 0x0A, bytes[start - 1] != 0x0D { start -= 1 }
        return offset - start
    }
}
