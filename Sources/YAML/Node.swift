package import Diagnostics

/// One node of a YAML document with its place.
package struct Node: Sendable {
    package enum Content: Sendable {
        case scalar(Scalar)
        case sequence([Node])
        case mapping(Mapping)
    }

    package struct Scalar: Sendable {
        package enum Style: Sendable { case plain, singleQuoted, doubleQuoted, block }
        package var text: String
        package var style: Style

        /// Null in the YAML 1.2 core schema (section 10.3.2): plain and empty, `~`, `null`, `Null` or `NULL`.
        package var isNull: Bool {
            guard style == .plain else { return false }
            switch text {
            case "", "~", "null", "Null", "NULL": return true
            default: return false
            }
        }
    }

    package struct Mapping: Sendable {
        package var entries: [Entry]
        /// Where the first key stands, left out or not; nil when there is none.
        package var firstKey: SourceSpan?
        /// True when an entry was left out because of a finding, so what seems to be missing may not be.
        package var isIncomplete = false
    }

    package struct Entry: Sendable {
        package var key: Node
        package var value: Node

        /// The key's text; keys are always scalars.
        package var name: String { key.scalar?.text ?? "" }
    }

    package var content: Content
    /// The token, quotes included. A list or mapping stands for its first token, a block scalar for its indicator;
    /// what came in through an alias for the alias.
    package var span: SourceSpan
    /// The whole text of the node, from its first token to its end. Equal to `span` for a one-line scalar.
    package var extent: SourceSpan
    /// The anchor, when the node came in through an alias.
    package var anchor: SourceSpan?
    /// True when the node carries an error of its own that makes findings about its type or value mere consequences.
    package var isPoisoned = false

    package var scalar: Scalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    package var items: [Node]? {
        if case .sequence(let items) = content { items } else { nil }
    }

    package var mapping: Mapping? {
        if case .mapping(let mapping) = content { mapping } else { nil }
    }

    package var isNull: Bool { scalar?.isNull ?? false }
}
