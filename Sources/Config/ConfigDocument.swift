package import Diagnostics
package import YAML

/// A configuration file as it was read: every value that could be read, with its place.
///
/// It exists whether or not the file is valid; what could not be read is absent and has a finding.
package struct ConfigDocument: Sendable {
    package var source: SourceFile
    /// Nil when the file is not a mapping.
    package var root: ObjectValue?
    package var multilineScalars: [SourceSpan]
    /// Each alias and the anchor that it repeats.
    package var anchors: [SourceSpan: SourceSpan]

    /// The findings, each one at an alias with the anchor as related place.
    package func withAnchors(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard !anchors.isEmpty else { return diagnostics }
        return diagnostics.map { diagnostic in
            guard let anchor = anchors[diagnostic.span] else { return diagnostic }
            var result = diagnostic
            result.related.insert(RelatedPlace("the anchor that it repeats", at: anchor), at: 0)
            return result
        }
    }
}

/// One value of the configuration. A class: every rule walks over all of them, and none changes one.
package final class Item: Sendable {
    package enum Value: Sendable {
        case scalar(ScalarValue, ExpandedText)
        case list([Item])
        case object(ObjectValue)
        /// Keys of the writer's choosing, in file order.
        case map([MapEntry])
        /// It has a finding of its own already.
        case unreadable
    }

    package struct MapEntry: Sendable {
        package var key: Node
        package var item: Item
        package var name: String { key.scalar?.text ?? "" }
    }

    package let node: Node
    package let value: Value

    init(node: Node, value: Value) {
        self.node = node
        self.value = value
    }

    /// Where a finding about the value belongs: its token.
    package var span: SourceSpan { node.span }

    /// The value's reference when it is nothing but one, else its token.
    package var referenceSpan: SourceSpan {
        if case .scalar(_, let text) = value, text.isOneReference, let reference = text.references.first { return reference.span }
        return node.span
    }

    package var scalar: ScalarValue? {
        if case .scalar(let scalar, _) = value { scalar } else { nil }
    }

    package var expanded: ExpandedText? {
        if case .scalar(_, let text) = value { text } else { nil }
    }

    /// The text of a string, references expanded. May be a secret.
    package var text: String? {
        if case .text(let text) = scalar { text } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = scalar { value } else { nil }
    }

    package var milliseconds: Int64? {
        if case .milliseconds(let value) = scalar { value } else { nil }
    }

    package var list: [Item]? {
        if case .list(let items) = value { items } else { nil }
    }

    /// The items of a list, or the one value that stands for a list of one.
    package var oneOrMany: [Item] {
        switch value {
        case .list(let items): items
        case .scalar: [self]
        case .object, .map, .unreadable: []
        }
    }

    package var object: ObjectValue? {
        if case .object(let object) = value { object } else { nil }
    }

    package var map: [MapEntry]? {
        if case .map(let entries) = value { entries } else { nil }
    }

    package var isUnreadable: Bool {
        if case .unreadable = value { true } else { false }
    }
}

/// A mapping whose keys the schema knows.
package struct ObjectValue: Sendable {
    package struct Member: Sendable {
        package var name: String
        package var key: Node
        package var item: Item
    }

    package var shape: ShapeName
    package var node: Node
    /// In file order, no name twice; a null or empty value is absent. A shape has a few dozen keys at most: they are searched one by one.
    package var members: [Member]
    /// True when keys were refused, so what seems to be missing may be what they meant.
    package var refusedKeys: Set<String> = []
    package var isIncomplete = false

    /// Where a missing key is reported: the first key, or the brace of an empty mapping.
    package var span: SourceSpan { node.mapping?.firstKey ?? node.span }

    package subscript(_ key: String) -> Item? { index(of: key).map { members[$0].item } }

    package func keySpan(_ key: String) -> SourceSpan? { index(of: key).map { members[$0].key.span } }

    package func has(_ key: String) -> Bool { index(of: key) != nil }

    /// By position: a member is too large to copy for a look at its name.
    private func index(of name: String) -> Int? { members.indices.first { members[$0].name == name } }

    /// Whether the absence of a key can be told from its being misspelt or left out for another finding.
    package func isPlainlyMissing(_ key: String) -> Bool {
        !has(key) && !isIncomplete && !refusedKeys.contains(key)
    }
}
