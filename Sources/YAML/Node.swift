package import Diagnostics

/// A node of a YAML document with its location.
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

        /// True if the scalar is null in the YAML 1.2 core schema (section 10.3.2): plain and empty, `~`, `null`, `Null` or `NULL`.
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
        /// The location of the first key, even if it was left out; nil without keys.
        package var firstKey: SourceSpan?
        /// True if an entry was left out because of a finding, so that a key may only seem to be missing.
        package var isIncomplete = false
    }

    package struct Entry: Sendable {
        package var key: Node
        package var value: Node

        /// The key's text; keys are always scalars.
        package var name: String { key.scalar?.text ?? "" }
    }

    package var content: Content
    /// The token, including quotes. For a list or mapping its first token, for a block scalar its indicator, for an alias
    /// the alias.
    package var span: SourceSpan
    /// The whole text of the node, from its first token to its end. Equal to `span` for a one-line scalar.
    package var extent: SourceSpan
    /// The anchor, if the node came from an alias.
    package var anchor: SourceSpan?
    /// True if the node itself has an error, which makes findings about its type or value redundant.
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
