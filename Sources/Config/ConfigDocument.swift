package import Diagnostics
package import YAML

/// The readable values of a configuration file, with their locations.
///
/// Invalid files also have a document; unreadable values are absent from it and have a finding.
package struct ConfigDocument: Sendable {
    package var source: SourceFile
    /// The top-level mapping; nil if the file is not a mapping.
    package var root: ObjectValue?
    package var multilineScalars: [SourceSpan]
    /// Each alias and the anchor that it refers to.
    package var anchors: [SourceSpan: SourceSpan]

    /// The findings. A finding at an alias gets the anchor as a related location.
    package func withAnchors(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard !anchors.isEmpty else { return diagnostics }
        return diagnostics.map { diagnostic in
            guard let anchor = anchors[diagnostic.span] else { return diagnostic }
            var result = diagnostic
            result.related.insert(RelatedPlace("the anchor is here", at: anchor), at: 0)
            return result
        }
    }
}

/// A value of the configuration. A class, because every rule iterates over all values and none changes them.
package final class Item: Sendable {
    package enum Value: Sendable {
        case scalar(ScalarValue, ExpandedText)
        case list([Item])
        case object(ObjectValue)
        /// Entries with keys that the user chooses, in file order.
        case map([MapEntry])
        /// A value that already has a finding.
        case unreadable
        /// Its references are optional and have no value here.
        case unresolved(UnresolvedValue)
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

    /// The location for findings about the value: its token.
    package var span: SourceSpan { node.span }

    /// The location of the value's reference if it consists of one reference, otherwise of its token.
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

    /// The text of a string with references expanded. It may be a secret.
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

    /// The items of a list, or a single value as a list of one.
    package var oneOrMany: [Item] {
        switch value {
        case .list(let items): items
        case .scalar: [self]
        case .object, .map, .unreadable, .unresolved: []
        }
    }

    package var object: ObjectValue? {
        if case .object(let object) = value { object } else { nil }
    }

    package var map: [MapEntry]? {
        if case .map(let entries) = value { entries } else { nil }
    }

    /// Whether nothing can be said about the value.
    package var isUnreadable: Bool {
        switch value {
        case .unreadable, .unresolved: true
        case .scalar, .list, .object, .map: false
        }
    }

    /// The text in the file, before references are expanded.
    package var writtenText: String? { node.scalar?.text }

    package var unresolved: UnresolvedValue? {
        if case .unresolved(let unresolved) = value { unresolved } else { nil }
    }
}

/// A mapping whose keys are in the schema.
package struct ObjectValue: Sendable {
    package struct Member: Sendable {
        package var name: String
        package var key: Node
        package var item: Item
    }

    package var shape: ShapeName
    package var node: Node
    /// Members in file order, without duplicates; null and empty values are absent. Searched linearly, as a shape has a few dozen keys at
    /// most.
    package var members: [Member]
    /// True if keys were rejected, so that a key that seems missing may only be misspelt.
    package var refusedKeys: Set<String> = []
    package var isIncomplete = false

    /// The location for a missing key: the first key, or the brace of an empty mapping.
    package var span: SourceSpan { node.mapping?.firstKey ?? node.span }

    package subscript(_ key: String) -> Item? { index(of: key).map { members[$0].item } }

    package func keySpan(_ key: String) -> SourceSpan? { index(of: key).map { members[$0].key.span } }

    package func has(_ key: String) -> Bool { index(of: key) != nil }

    /// Finds a member by index, to avoid copying a large value.
    private func index(of name: String) -> Int? { members.indices.first { members[$0].name == name } }

    /// Returns whether a key is really absent, rather than misspelt or removed because of another finding.
    package func isPlainlyMissing(_ key: String) -> Bool {
        !has(key) && !isIncomplete && !refusedKeys.contains(key)
    }
}
