/// Reads the nodes of a template.
///
/// A section tag, a comment or a partial alone on its line is removed with the whole line, as the Mustache specification
/// says. Unlike there, the lines of such a partial are not indented: HTML does not need it.
struct MustacheParser {
    private static let maximumDepth = 32

    private struct OpenSection {
        let name: MustacheName
        let tag: String
        let isInverted: Bool
        let line: Int
        /// The nodes before the section, to which it is added when it ends.
        let outer: [MustacheTemplate.Node]
    }

    private var rest: Substring
    private var line = 1
    private var isAtLineStart = true
    private var nodes: [MustacheTemplate.Node] = []
    private var sections: [OpenSection] = []

    init(_ source: String) { rest = source[...] }

    mutating func parse() throws(MustacheProblem) -> [MustacheTemplate.Node] {
        while let open = rest.firstRange(of: "{{") {
            let literal = rest[..<open.lowerBound]
            line += literal.count { $0.isLineEnd }
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else { throw problem("`{{` is not closed: write `}}`") }
            let tag = rest[open.upperBound..<close.lowerBound]
            let after = rest[close.upperBound...]
            if let lineEnd = Self.standaloneEnd(tag, before: literal, isAtLineStart: isAtLineStart, after: after) {
                append(literal.dropLast { $0.isBlank })
                isAtLineStart = true
                rest = rest[lineEnd...]
                try add(tag)
                line += 1
            } else {
                append(literal)
                isAtLineStart = false
                rest = after
                try add(tag)
            }
            line += tag.count { $0.isLineEnd }
        }
        if let section = sections.last {
            throw MustacheProblem(line: section.line, reason: "`{{\(section.tag)}}` has no end: write `{{/\(section.tag.dropFirst())}}`")
        }
        append(rest)
        return nodes
    }

    /// The end of the line when nothing but the tag is on it, and the tag itself prints nothing there.
    private static func standaloneEnd(_ tag: Substring, before: Substring, isAtLineStart: Bool, after: Substring) -> Substring.Index? {
        guard let sigil = tag.first(where: { !$0.isBlank }), "#^/!>".contains(sigil) else { return nil }
        let indentation = before.suffix { $0.isBlank }
        guard indentation.startIndex > before.startIndex ? before[before.index(before: indentation.startIndex)].isLineEnd : isAtLineStart
        else { return nil }
        let end = after.drop { $0.isBlank }
        guard let next = end.first else { return end.endIndex }
        return next.isLineEnd ? end.index(after: end.startIndex) : nil
    }

    private mutating func add(_ tag: Substring) throws(MustacheProblem) {
        let content = tag.trimmingBlanks
        let name = content.dropFirst().trimmingBlanks
        switch content.first {
        case "{", "&": throw problem("values are always escaped: write `{{name}}` with two braces")
        case "=": throw problem("the delimiters stay `{{` and `}}`")
        case "%": throw problem("pragmas are not allowed: every value is escaped for HTML")
        case "<", "$": throw problem("blocks are not supported: write a partial, `{{> name}}`")
        case "!": break
        case ">":
            guard !name.isEmpty, !name.contains(where: { $0.isWhitespace }) else { throw problem("`{{>` needs the name of a partial") }
            nodes.append(.partial(String(name)))
        case "#", "^":
            guard sections.count < Self.maximumDepth else { throw problem("sections are nested more than \(Self.maximumDepth) deep") }
            sections.append(
                OpenSection(
                    name: try valueName(name), tag: String(content), isInverted: content.first == "^", line: line, outer: nodes))
            nodes = []
        case "/":
            guard let section = sections.popLast() else { throw problem("`{{/\(name)}}` ends a section that is not open") }
            guard section.name == (try valueName(name)) else {
                throw problem("`{{/\(name)}}` does not match `{{\(section.tag)}}` in line \(section.line)")
            }
            nodes = section.outer + [.section(section.name, isInverted: section.isInverted, nodes)]
        default: nodes.append(.variable(try valueName(content)))
        }
    }

    private func valueName(_ text: Substring) throws(MustacheProblem) -> MustacheName {
        guard let name = MustacheName(text) else {
            throw problem("`\(text)` is not a name: use letters, digits, `_` and `-`, and dots between keys")
        }
        return name
    }

    private mutating func append(_ literal: Substring) {
        if !literal.isEmpty { nodes.append(.text(String(literal))) }
    }

    private func problem(_ reason: String) -> MustacheProblem { MustacheProblem(line: line, reason: reason) }
}

extension Character {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }
    /// Swift reads CRLF as one character.
    fileprivate var isLineEnd: Bool { self == "\n" || self == "\r\n" }
}

extension Substring {
    fileprivate func suffix(while predicate: (Character) -> Bool) -> Substring {
        var start = endIndex
        while start > startIndex, predicate(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }

    fileprivate func dropLast(while predicate: (Character) -> Bool) -> Substring { self[..<suffix(while: predicate).startIndex] }

    fileprivate var trimmingBlanks: Substring { drop { $0.isWhitespace }.dropLast { $0.isWhitespace } }
}
