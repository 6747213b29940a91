import Diagnostics
import YAML

/// Reads the tree according to the schema, and reports unknown keys, wrong types and malformed values.
///
/// It continues after a finding. A value with a finding is left out of the result, and its absence is not reported again.
struct Decoder {
    private let source: SourceFile
    private let expander: ReferenceExpander
    private(set) var diagnostics: [Diagnostic] = []
    /// Ranges of the file that contain secrets.
    private(set) var secrets: [SourceSpan] = []

    init(source: SourceFile, surroundings: Surroundings) {
        self.source = source
        expander = ReferenceExpander(surroundings: surroundings, source: source)
    }

    mutating func root(_ node: Node?) -> ObjectValue? {
        guard let node, !node.isNull else {
            let start = source.byteOrderMarkLength
            diagnostics.append(
                Diagnostic(
                    .missingKey, at: SourceSpan(start: start, end: start), "the file is empty",
                    help: "start with `version: 1`, or run `gateway init` to create a complete file"))
            return nil
        }
        guard let mapping = node.mapping else {
            if !node.isPoisoned {
                diagnostics.append(
                    Diagnostic(
                        .wrongType, at: node.span, "a configuration must be a mapping, not \(kind(of: node))", label: "not a mapping",
                        help: "start with `version: 1`"))
            }
            return nil
        }
        return object(node, mapping, .root)
    }

    private mutating func object(_ node: Node, _ mapping: Node.Mapping, _ shape: ShapeName) -> ObjectValue {
        var object = ObjectValue(shape: shape, node: node, members: [])
        object.isIncomplete = mapping.isIncomplete
        // Only needed for unknown keys, of which there may be thousands.
        var present: Set<String>?
        for entry in mapping.entries {
            guard let key = shape.keys.first(where: { $0.name == entry.name }) else {
                if shape == .root, entry.name.hasPrefix("x-") { continue }
                let names = present ?? Set(mapping.entries.map(\.name))
                present = names
                let (finding, stoodFor) = KeySuggestion.finding(for: entry.key, in: shape, present: names)
                diagnostics.append(finding)
                if let stoodFor { object.refusedKeys.insert(stoodFor) }
                for name in [entry.name, stoodFor].compactMap(\.self) { noteSecrets(under: entry.value, key: name) }
                continue
            }
            guard let item = item(entry.value, key.type, key.name), !isEmptyText(item) else {
                if shape == .access { refuseEmptyCondition(entry) }
                if case .scalar(.color) = key.type { refuseUnquotedColor(entry) }
                continue
            }
            object.members.append(ObjectValue.Member(name: key.name, key: entry.key, item: item))
        }
        for key in shape.keys where key.isRequired && object.isPlainlyMissing(key.name) {
            let place = shape.place.map { " in `\($0)`" } ?? ""
            diagnostics.append(
                Diagnostic(
                    .missingKey, at: object.span, "`\(key.name)` is missing\(place)",
                    help: "add `\(key.name): \(key.example ?? "…")`"))
        }
        return object
    }

    /// An absent condition always matches, so a condition with an empty value must not count as absent.
    private mutating func refuseEmptyCondition(_ entry: Node.Entry) {
        diagnostics.append(
            Diagnostic(
                .invalidValue, at: entry.value.span, "the condition `\(entry.name)` is empty", label: "no value",
                help: "add a value, or remove the key"))
    }

    /// `#` begins a comment, so a color without quotes would be ignored without a word.
    private mutating func refuseUnquotedColor(_ entry: Node.Entry) {
        let rest = source.bytes.dropFirst(entry.key.span.end).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let color = String(decoding: rest.drop { $0 != UInt8(ascii: "#") }.prefix(7), as: UTF8.self)
        guard ScalarReader.isColor(color) else { return }
        diagnostics.append(
            Diagnostic(
                .invalidValue, at: entry.key.span, "`\(entry.name)` has no value: `\(color)` is a comment", label: "no value",
                help: "write the color in quotes: `\"\(color)\"`"))
    }

    /// Returns nil for null, which counts as absent.
    private mutating func item(_ node: Node, _ type: ValueType, _ key: String) -> Item? {
        if node.isPoisoned { return Item(node: node, value: .unreadable) }
        if node.isNull, !isParameterValue(type) { return nil }
        switch type {
        case .scalar(let type):
            guard let scalar = node.scalar else { return wrongType(node, key, type.noun) }
            return read(node, scalar, type, key)
        case .list(let element):
            guard let nodes = node.items else { return wrongType(node, key, "a list", help: MissingDash.help(for: node, element)) }
            return Item(node: node, value: .list(nodes.compactMap { listItem($0, element, key) }))
        case .mapping(let shape):
            guard let mapping = node.mapping else { return wrongType(node, key, "a mapping") }
            return Item(node: node, value: .object(object(node, mapping, shape)))
        case .map(let element, _):
            guard let mapping = node.mapping else { return wrongType(node, key, "a mapping") }
            let entries = mapping.entries.compactMap { entry in
                item(entry.value, element, entry.name).map { Item.MapEntry(key: entry.key, item: $0) }
            }
            return Item(node: node, value: .map(entries))
        case .anyOf(let types):
            if let fitting = types.first(where: { fits(node, $0) }) { return item(node, fitting, key) }
            return wrongType(node, key, noun(type))
        }
    }

    private mutating func listItem(_ node: Node, _ type: ValueType, _ key: String) -> Item? {
        guard let item = item(node, type, key), !isEmptyText(item) else {
            diagnostics.append(
                Diagnostic(
                    .invalidValue, at: node.span, "an item of `\(key)` is empty", label: "no value",
                    help: "add a value, or remove the item"))
            return nil
        }
        return item
    }

    private mutating func read(_ node: Node, _ scalar: Node.Scalar, _ type: ScalarType, _ key: String) -> Item {
        var scalar = scalar
        if let finding = TrailingComma.finding(node, scalar, key: key) {
            diagnostics.append(finding)
            // The rest is read on, so that one run reports what else is wrong with it.
            scalar.text.removeLast(TrailingComma.count(in: scalar.text))
        }
        if case .parameterValue = type, scalar.style == .plain, let finding = NonString.finding(node, scalar, key, in: source) {
            diagnostics.append(finding)
            return Item(node: node, value: .unreadable)
        }
        let expanded: ExpandedText
        switch expander.expand(node, scalar, as: type) {
        case .text(let text): expanded = text
        case .unresolved(let unresolved): return Item(node: node, value: .unresolved(unresolved))
        case .refused(let problems):
            diagnostics += type.isSecret ? problems.map(Self.withoutDefault) : problems
            return Item(node: node, value: .unreadable)
        }
        if type.isSecret, expanded.isLiteral, let finding = ShellReference.finding(node, expanded.text, scalar.style) {
            diagnostics.append(finding)
            secrets.append(node.extent)
            return Item(node: node, value: .unreadable)
        }
        if type.isSecret, !expanded.isOneReference { secrets.append(node.extent) }
        if type.isSecret { secrets += expanded.defaults }
        if type.isStoreURL, URLPassword.isLiteral(in: scalar.text) { secrets.append(node.extent) }
        // Empty text counts as absent, whatever the type of its key.
        if expanded.text.isEmpty { return Item(node: node, value: .scalar(.text(""), expanded)) }
        let reader = ScalarReader(key: key, text: expanded.text, isShowable: expanded.isLiteral && !type.isSecret)
        switch reader.read(type) {
        case .success(let value): return Item(node: node, value: .scalar(value, expanded))
        case .failure(let problem):
            // In an invalid URL, the password may be anywhere.
            if type.isStoreURL, !expanded.isOneReference, expanded.text.contains("://") { secrets.append(node.extent) }
            let item = Item(node: node, value: .scalar(.text(""), expanded))
            let fix =
                expanded.isLiteral && node.anchor == nil && scalar.style != .block
                ? problem.replacement.map { Fix(safe: problem.isSafe, [Fix.Edit(replacing: node.span, with: $0)]) } : nil
            diagnostics.append(
                Diagnostic(
                    problem.rule, at: item.referenceSpan, problem.message, label: problem.label, help: problem.help, fix: fix))
            return Item(node: node, value: .unreadable)
        }
    }

    /// Removes the suggestion of a default: as the default of a secret, it would be a secret in the file.
    private static func withoutDefault(_ problem: Diagnostic) -> Diagnostic {
        guard let help = problem.help, let alternative = help.firstRange(of: ", or give a default") else { return problem }
        var result = problem
        result.help = String(help[..<alternative.lowerBound])
        return result
    }

    private mutating func wrongType(_ node: Node, _ key: String, _ expected: String, help: String? = nil) -> Item {
        diagnostics.append(
            Diagnostic(
                .wrongType, at: node.span, "`\(key)` must be \(expected), not \(kind(of: node))", label: "\(kind(of: node))",
                help: help ?? self.help(for: node, expected)))
        noteSecrets(under: node, key: key)
        return Item(node: node, value: .unreadable)
    }

    private func help(for node: Node, _ expected: String) -> String? {
        if expected == "a list", node.scalar != nil { return "write it in brackets: `[…]`, or on a separate line after `- `" }
        if node.items != nil, !expected.contains("list") { return "write a single value, without brackets or `- `" }
        return nil
    }

    /// Collects values that may be secrets, under unknown keys.
    private mutating func noteSecrets(under node: Node, key: String) {
        let name = Spelling.folded(key)
        guard name.contains("secret") || name.contains("password") || name.contains("privatekey") || name.hasSuffix("keys") else { return }
        switch node.content {
        case .scalar(let scalar): if !scalar.text.hasPrefix("${") { secrets.append(node.extent) }
        case .sequence, .mapping: secrets.append(node.extent)
        }
    }

    private func isEmptyText(_ item: Item) -> Bool {
        guard let expanded = item.expanded, expanded.text.isEmpty else { return false }
        return true
    }

    private func isParameterValue(_ type: ValueType) -> Bool {
        if case .scalar(.parameterValue) = type { true } else { false }
    }

    private func fits(_ node: Node, _ type: ValueType) -> Bool {
        switch type {
        case .scalar: node.scalar != nil
        case .list: node.items != nil
        case .mapping(let shape):
            if let id = shape.fixedID {
                node.mapping?.entries.first { $0.name == "id" }?.value.scalar?.text.lowercased() == id
            } else {
                node.mapping != nil
            }
        case .map: node.mapping != nil
        case .anyOf(let types): types.contains { fits(node, $0) }
        }
    }

    private func noun(_ type: ValueType) -> String {
        switch type {
        case .scalar(let type): type.noun
        case .list: "a list"
        case .mapping, .map: "a mapping"
        case .anyOf(let types):
            types.map(noun).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " or ")
        }
    }

    private func kind(of node: Node) -> String {
        switch node.content {
        case .scalar: "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
