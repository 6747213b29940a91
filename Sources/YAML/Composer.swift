package import Diagnostics

package enum YAMLParser {
    /// Reads one YAML document, its nodes with their places, and everything that is wrong with it.
    ///
    /// Duplicate keys, tags, merge keys and further documents are findings that do not stop the reading; broken syntax
    /// and exhausted limits do.
    package static func parse(_ source: SourceFile, limits: YAMLLimits = YAMLLimits()) -> ParsedDocument {
        if let problem = CharacterCheck.problem(in: source) {
            return ParsedDocument(root: nil, diagnostics: [problem], isBroken: true, multilineScalars: [])
        }
        var composer = Composer(source: source, limits: limits)
        return composer.document()
    }
}

/// Builds the tree from events. Recursion is bounded by the depth limit.
struct Composer {
    /// Reading cannot go on; the finding is already recorded.
    private struct Stop: Error {}

    private struct Anchored {
        var node: Node
        var span: SourceSpan
        var count: Int
        /// Levels of lists and mappings in it.
        var height: Int
    }

    private let source: SourceFile
    private let limits: YAMLLimits
    private var diagnostics: [Diagnostic] = []
    private var multilineScalars: [SourceSpan] = []
    private var aliases: [SourceSpan: SourceSpan] = [:]
    private var anchors: [String: Anchored] = [:]
    /// Anchors whose node is not complete yet, so that an alias would contain itself.
    private var openAnchors: Set<String> = []
    private var nodeCount = 0
    private var aliasedNodeCount = 0
    /// The height of the tallest node completed since it was last reset; a scalar has none, an empty list 1.
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
                    .yamlSyntax, at: SourceSpan(start: 0, end: 0), "there is no memory to read this file", help: "free memory and try again"
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
                            label: "a configuration is one document", help: "remove this line, or put the second document into its own file"
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
                    help: "remove it; each value is read as the type that its key asks for"))
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
            // A word as key counts with its value.
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

    /// Why an entry is left out of its mapping.
    private func refusal(of key: Node, places: [String: SourceSpan]) -> Diagnostic? {
        guard let scalar = key.scalar else {
            return Diagnostic(.yamlSyntax, at: key.span, "a key must be a word, not a list or mapping")
        }
        if scalar.text == "<<", scalar.style == .plain {
            return Diagnostic(
                .yamlMergeKey, at: key.span, "merge keys are not part of YAML 1.2", label: "a merge key",
                help: "write the keys out, or use an alias for the whole value")
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
                        ? "the alias `*\(name)` stands inside the value that it names" : "there is no anchor `&\(name)` above this alias",
                    label: isOpen ? "it would contain itself" : "unknown anchor",
                    help: isOpen ? "remove the alias" : "define `&\(name)` first; put the value in quotes if it is meant as text"))
            throw Stop()
        }
        aliases[span] = anchored.span
        try countAliased(anchored.count, at: span)
        try count(anchored.count, at: span)
        if anchored.height > 0 { try descend(to: depth + anchored.height - 1, at: span) }
        deepest = max(deepest, anchored.height)
        return Self.relocated(anchored.node, to: span, anchor: anchored.span)
    }

    /// A copy of an anchored node, all of it placed at the alias.
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
                .yamlLimits, at: span, "the file holds more than \(limits.nodes) values", label: "too many from here on",
                help: "replace entries by patterns, such as `/app/**` or `*@example.com`, or let groups decide instead of long lists"))
        throw Stop()
    }

    private mutating func countAliased(_ nodes: Int, at span: SourceSpan) throws(Stop) {
        aliasedNodeCount += nodes
        guard aliasedNodeCount > limits.aliasedNodes else { return }
        diagnostics.append(
            Diagnostic(
                .yamlLimits, at: span, "aliases repeat more than \(limits.aliasedNodes) values", label: "too many from here on",
                help: "write the values out instead of repeating them with aliases"))
        throw Stop()
    }

    private mutating func descend(to depth: Int, at span: SourceSpan) throws(Stop) {
        guard depth > limits.depth else { return }
        diagnostics.append(
            Diagnostic(
                .yamlLimits, at: span, "lists and mappings are nested more than \(limits.depth) levels deep", label: "too deep",
                help: "no key needs this depth; check the brackets and the indentation"))
        throw Stop()
    }
}
