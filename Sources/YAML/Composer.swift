package import Diagnostics

package enum YAMLParser {
    /// Reads a YAML document: its nodes with their locations, and every error.
    ///
    /// Duplicate keys, tags, merge keys and further documents are findings that do not stop the reading. Broken syntax
    /// and exceeded limits stop it.
    package static func parse(_ source: SourceFile, limits: YAMLLimits = YAMLLimits()) -> ParsedDocument {
        if let problem = CharacterCheck.problem(in: source) {
            return ParsedDocument(root: nil, diagnostics: [problem], isBroken: true, multilineScalars: [])
        }
        var composer = Composer(source: source, limits: limits)
        return composer.document()
    }
}

/// Builds the tree from events. The depth limit bounds the recursion.
struct Composer {
    /// Stops the reading; the finding is already recorded.
    private struct Stop: Error {}

    private struct Anchored {
        var node: Node
        var span: SourceSpan
        var count: Int
        /// The nesting depth of lists and mappings.
        var height: Int
    }

    private let source: SourceFile
    private let limits: YAMLLimits
    private var diagnostics: [Diagnostic] = []
    private var multilineScalars: [SourceSpan] = []
    private var aliases: [SourceSpan: SourceSpan] = [:]
    private var anchors: [String: Anchored] = [:]
    /// Anchors of incomplete nodes: an alias to one would contain itself.
    private var openAnchors: Set<String> = []
    private var nodeCount = 0
    private var aliasedNodeCount = 0
    /// The height of the tallest node completed since the last reset: 0 for a scalar, 1 for an empty list.
    private var deepest = 0
    private var strictness: StrictnessCheck

    init(source: SourceFile, limits: YAMLLimits) {
        self.source = source
        strictness = StrictnessCheck(source: source)
        self.limits = limits
    }

    mutating func document() -> ParsedDocument {
        var root: Node?
        var isBroken = false
        if let reader = EventReader(source) {
            do throws(Stop) {
                root = try stream(reader)
            } catch {
                isBroken = true
            }
        } else {
            isBroken = true
            diagnostics.append(
                Diagnostic(
                    .yamlSyntax, at: SourceSpan(start: 0, end: 0), "not enough memory to read this file", help: "free memory and try again"
                ))
        }
        return ParsedDocument(
            root: isBroken ? nil : root, diagnostics: diagnostics, isBroken: isBroken, multilineScalars: multilineScalars,
            anchors: aliases)
    }

    private mutating func stream(_ reader: borrowing EventReader) throws(Stop) -> Node? {
        var root: Node?
        while true {
            let event = try next(reader)
            switch event.kind {
            case .streamEnd: return root
            case .documentStart:
                if root != nil {
                    diagnostics.append(
                        Diagnostic(
                            .yamlSyntax, at: SourceSpan(start: event.start, end: event.end), "a second YAML document starts here",
                            label: "a configuration is one document", help: "remove this line, or move the second document to its own file"
                        ))
                    return root
                }
            case .documentEnd, .streamStart: break
            case .alias, .scalar, .sequenceStart, .sequenceEnd, .mappingStart, .mappingEnd:
                root = try node(event, depth: 1, reader)
            }
        }
    }

    private mutating func next(_ reader: borrowing EventReader) throws(Stop) -> Event {
        switch reader.next() {
        case .success(let event):
            if let problem = strictness.problem(with: event) {
                diagnostics.append(problem)
                throw Stop()
            }
            return event
        case .failure(let problem):
            diagnostics.append(problem.diagnostic(in: source))
            throw Stop()
        }
    }

    private mutating func node(_ event: Event, depth: Int, _ reader: borrowing EventReader) throws(Stop) -> Node {
        if case .alias(let name) = event.kind { return try resolve(name, event, depth: depth) }
        let properties = NodeProperties(event, in: source)
        let first = SourceSpan(start: properties.contentStart, end: properties.contentStart + 1)
        try count(1, at: first)
        if let name = event.anchor {
            anchors[name] = nil
            openAnchors.insert(name)
        }
        let before = nodeCount
        var height = 0
        var result: Node
        switch event.kind {
        case .scalar(let text, let style): result = scalar(text, style, event, properties)
        case .sequenceStart:
            try descend(to: depth, at: first)
            result = try sequence(first, depth: depth, height: &height, reader)
        default:
            try descend(to: depth, at: first)
            result = try mapping(first, depth: depth, height: &height, reader)
        }
        if let tag = properties.tag {
            result.isPoisoned = true
            diagnostics.append(
                Diagnostic(
                    .yamlTag, at: tag, "YAML tags are not allowed", label: "a tag",
                    help: "remove it; the key determines the type of its value"))
        }
        if let name = event.anchor {
            openAnchors.remove(name)
            anchors[name] = Anchored(node: result, span: properties.anchor ?? first, count: nodeCount - before + 1, height: height)
        }
        deepest = max(deepest, height)
        return result
    }

    private mutating func scalar(_ text: String, _ style: Node.Scalar.Style, _ event: Event, _ properties: NodeProperties) -> Node {
        let extent = SourceSpan(start: properties.contentStart, end: event.end)
        let isMultiline = source.bytes[extent.start..<extent.end].contains { $0 == 0x0A || $0 == 0x0D }
        if isMultiline { multilineScalars.append(extent) }
        let span = style == .block ? SourceSpan(start: extent.start, end: extent.start + 1) : extent
        return Node(content: .scalar(Node.Scalar(text: text, style: style)), span: span, extent: extent)
    }

    private mutating func sequence(
        _ first: SourceSpan, depth: Int, height: inout Int, _ reader: borrowing EventReader
    ) throws(Stop) -> Node {
        var items: [Node] = []
        let outer = deepest
        deepest = 0
        while true {
            let event = try next(reader)
            if case .sequenceEnd = event.kind {
                height = deepest + 1
                deepest = outer
                let end = max(event.start, items.last?.extent.end ?? first.end)
                return Node(content: .sequence(items), span: first, extent: SourceSpan(start: first.start, end: end))
            }
            items.append(try node(event, depth: depth + 1, reader))
        }
    }

    private mutating func mapping(
        _ first: SourceSpan, depth: Int, height: inout Int, _ reader: borrowing EventReader
    ) throws(Stop) -> Node {
        var mapping = Node.Mapping(entries: [])
        var places: [String: SourceSpan] = [:]
        let outer = deepest
        deepest = 0
        while true {
            let event = try next(reader)
            if case .mappingEnd = event.kind {
                height = deepest + 1
                deepest = outer
                let isFlow = first.start < source.bytes.count && source.bytes[first.start] == UInt8(ascii: "{")
                let end = max(event.start, mapping.entries.last?.value.extent.end ?? first.end)
                return Node(
                    content: .mapping(mapping), span: isFlow ? first : mapping.firstKey ?? first,
                    extent: SourceSpan(start: first.start, end: end))
            }
            let counted = nodeCount
            let key = try node(event, depth: depth + 1, reader)
            // A key and its value count as one.
            if key.scalar != nil { nodeCount = counted }
            if mapping.firstKey == nil { mapping.firstKey = key.span }
            let value = try node(try next(reader), depth: depth + 1, reader)
            if let finding = refusal(of: key, places: places) {
                mapping.isIncomplete = true
                diagnostics.append(finding)
            } else {
                places[key.scalar?.text ?? ""] = key.span
                mapping.entries.append(Node.Entry(key: key, value: value))
            }
        }
    }

    /// Returns why an entry is left out of its mapping.
    private func refusal(of key: Node, places: [String: SourceSpan]) -> Diagnostic? {
        guard let scalar = key.scalar else {
            return Diagnostic(.yamlSyntax, at: key.span, "a key must be text, not a list or mapping")
        }
        if scalar.text == "<<", scalar.style == .plain {
            return Diagnostic(
                .yamlMergeKey, at: key.span, "merge keys are not part of YAML 1.2", label: "a merge key",
                help: "write out the keys, or use an alias for the whole value")
        }
        guard let place = places[scalar.text] else { return nil }
        return Diagnostic(
            .duplicateKey, at: key.span, "the key `\(scalar.text)` appears twice in this mapping", label: "second time here",
            help: "remove one of the two", related: [RelatedPlace("first time here", at: place)])
    }

    private mutating func resolve(_ name: String, _ event: Event, depth: Int) throws(Stop) -> Node {
        let span = SourceSpan(start: event.start, end: event.end)
        guard let anchored = anchors[name] else {
            let isOpen = openAnchors.contains(name)
            diagnostics.append(
                Diagnostic(
                    .yamlSyntax, at: span,
                    isOpen
                        ? "the alias `*\(name)` is inside the value that it refers to" : "there is no anchor `&\(name)` above this alias",
                    label: isOpen ? "it would contain itself" : "unknown anchor",
                    help: isOpen ? "remove the alias" : "define `&\(name)` above; for literal text, put the value in quotes"))
            throw Stop()
        }
        aliases[span] = anchored.span
        try countAliased(anchored.count, at: span)
        try count(anchored.count, at: span)
        if anchored.height > 0 { try descend(to: depth + anchored.height - 1, at: span) }
        deepest = max(deepest, anchored.height)
        return Self.relocated(anchored.node, to: span, anchor: anchored.span)
    }

    /// A copy of an anchored node, located at the alias.
    private static func relocated(_ node: Node, to span: SourceSpan, anchor: SourceSpan) -> Node {
        var copy = node
        copy.span = span
        copy.extent = span
        copy.anchor = anchor
        switch node.content {
        case .scalar: break
        case .sequence(let items): copy.content = .sequence(items.map { relocated($0, to: span, anchor: anchor) })
        case .mapping(var mapping):
            mapping.firstKey = span
            mapping.entries = mapping.entries.map {
                Node.Entry(key: relocated($0.key, to: span, anchor: anchor), value: relocated($0.value, to: span, anchor: anchor))
            }
            copy.content = .mapping(mapping)
        }
        return copy
    }

    private mutating func count(_ nodes: Int, at span: SourceSpan) throws(Stop) {
        nodeCount += nodes
        guard nodeCount > limits.nodes else { return }
        diagnostics.append(
            Diagnostic(
                .yamlLimits, at: span, "the file contains more than \(limits.nodes) values", label: "limit exceeded here",
                help: "replace long lists with patterns such as `/app/**` or `*@example.com`, or with groups"))
        throw Stop()
    }

    private mutating func countAliased(_ nodes: Int, at span: SourceSpan) throws(Stop) {
        aliasedNodeCount += nodes
        guard aliasedNodeCount > limits.aliasedNodes else { return }
        diagnostics.append(
            Diagnostic(
                .yamlLimits, at: span, "aliases repeat more than \(limits.aliasedNodes) values", label: "limit exceeded here",
                help: "write out the values instead of repeating them with aliases"))
        throw Stop()
    }

    private mutating func descend(to depth: Int, at span: SourceSpan) throws(Stop) {
        guard depth > limits.depth else { return }
        diagnostics.append(
            Diagnostic(
                .yamlLimits, at: span, "lists and mappings are nested more than \(limits.depth) levels deep", label: "too deep",
                help: "check the brackets and the indentation; no key needs this depth"))
        throw Stop()
    }
}
