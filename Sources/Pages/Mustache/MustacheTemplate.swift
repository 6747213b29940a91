/// A parsed [Mustache](https://mustache.github.io/mustache.5.html) template: variables, sections, inverted sections, comments
/// and partials.
///
/// Every value is escaped for HTML and the delimiters cannot change. A template that asks for anything else is refused, so a
/// template cannot open a page to markup from a value. The engine is our own because the libraries link Foundation and ICU
/// (docs/decisions/0030-size-of-the-program.md).
package struct MustacheTemplate: Sendable {
    indirect enum Node: Sendable, Equatable {
        /// Markup of the template, copied as it stands.
        case text(String)
        case variable(MustacheName)
        case section(MustacheName, isInverted: Bool, [Node])
        case partial(String)
    }

    let nodes: [Node]

    package init(_ source: String) throws(MustacheProblem) {
        var parser = MustacheParser(source)
        nodes = try parser.parse()
    }

    /// The names of the partials that this template includes itself, once for each inclusion.
    var partials: [String] { Self.partials(nodes) }

    private static func partials(_ nodes: [Node]) -> [String] {
        nodes.flatMap { node -> [String] in
            switch node {
            case .partial(let name): [name]
            case .section(_, _, let inner): partials(inner)
            case .text, .variable: []
            }
        }
    }
}

/// The name of a value: keys separated by dots, or no key for `.`, the current item.
struct MustacheName: Sendable, Equatable {
    let keys: [String]

    init?(_ text: Substring) {
        if text == "." {
            keys = []
            return
        }
        keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isValid = keys.allSatisfy { key in
            !key.isEmpty
                && key.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" }
        }
        guard isValid else { return nil }
    }
}

/// The reason why a text is not a template that the gateway accepts.
package struct MustacheProblem: Error, Sendable, Equatable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
}
