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

/// One value of the configuration.
package struct Item: Sendable {
    package indirect enum Value: Sendable {
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

    package var node: Node
    package var value: Value

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
        package var key: Node
        package var item: Item
    }

    package var shape: ShapeName
    package var node: Node
    /// By key; a null or empty value is absent.
    package var members: [String: Member]
    /// True when keys were refused, so what seems to be missing may be what they meant.
    package var refusedKeys: Set<String> = []
    package var isIncomplete = false

    /// Where a missing key is reported: the first key, or the brace of an empty mapping.
    package var span: SourceSpan { node.mapping?.firstKey ?? node.span }

    package subscript(_ key: String) -> Item? { members[key]?.item }

    package func keySpan(_ key: String) -> SourceSpan? { members[key]?.key.span }

    /// Whether the absence of a key can be told from its being misspelt or left out for another finding.
    package func isPlainlyMissing(_ key: String) -> Bool {
        members[key] == nil && !isIncomplete && !refusedKeys.contains(key)
    }
}
