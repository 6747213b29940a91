import CLibYAML
import Diagnostics

/// An event of libyaml, copied out of C. Offsets are in bytes of the file.
struct Event {
    enum Kind {
        case streamStart, streamEnd
        case documentStart(isImplicit: Bool), documentEnd
        case alias(String)
        case scalar(text: String, style: Node.Scalar.Style)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
    }

    var kind: Kind
    var start: Int
    var end: Int
    var anchor: String?
    var hasTag = false
    /// True if a list or mapping is in brackets or braces.
    var isFlow = false
}

/// Reads libyaml's events one by one. Owns the bytes of the file.
struct EventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let offsets: OffsetMap

    /// - Precondition: the bytes are UTF-8 and contain no character that YAML forbids.
    init?(_ source: SourceFile) {
        parser = .allocate(capacity: 1)
        input = .allocate(capacity: source.bytes.count)
        _ = input.initialize(from: source.bytes)
        offsets = OffsetMap(bytes: source.bytes, skipping: source.byteOrderMarkLength)
        guard yaml_parser_initialize(parser) == 1 else {
            input.deallocate()
            parser.deallocate()
            return nil
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        let text = UnsafeBufferPointer(rebasing: input[source.byteOrderMarkLength...])
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// Returns the next event, or the syntax error.
    func next() -> Result<Event, SyntaxProblem> {
        var raw = yaml_event_t()
        guard yaml_parser_parse(parser, &raw) == 1 else { return .failure(problem()) }
        defer { yaml_event_delete(&raw) }
        var event = Event(
            kind: .streamStart, start: offsets.offset(ofScalar: raw.start_mark.index), end: offsets.offset(ofScalar: raw.end_mark.index))
        switch raw.type {
        case YAML_STREAM_END_EVENT: event.kind = .streamEnd
        case YAML_DOCUMENT_START_EVENT: event.kind = .documentStart(isImplicit: raw.data.document_start.implicit != 0)
        case YAML_DOCUMENT_END_EVENT: event.kind = .documentEnd
        case YAML_ALIAS_EVENT: event.kind = .alias(Self.text(raw.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = raw.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            event.kind = .scalar(text: String(decoding: bytes, as: UTF8.self), style: Self.style(scalar.style))
            event.anchor = Self.text(scalar.anchor)
            event.hasTag = scalar.tag != nil
        case YAML_SEQUENCE_START_EVENT:
            event.kind = .sequenceStart
            event.anchor = Self.text(raw.data.sequence_start.anchor)
            event.hasTag = raw.data.sequence_start.tag != nil
            event.isFlow = raw.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
        case YAML_SEQUENCE_END_EVENT: event.kind = .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            event.kind = .mappingStart
            event.anchor = Self.text(raw.data.mapping_start.anchor)
            event.hasTag = raw.data.mapping_start.tag != nil
            event.isFlow = raw.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
        case YAML_MAPPING_END_EVENT: event.kind = .mappingEnd
        default: event.kind = .streamStart
        }
        return .success(event)
    }

    private func problem() -> SyntaxProblem {
        let context = parser.pointee.context
        return SyntaxProblem(
            problem: parser.pointee.problem.map { String(cString: $0) } ?? "",
            context: context.map { String(cString: $0) },
            offset: offsets.offset(ofScalar: parser.pointee.problem_mark.index),
            contextOffset: context == nil ? nil : offsets.offset(ofScalar: parser.pointee.context_mark.index))
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private static func style(_ style: yaml_scalar_style_t) -> Node.Scalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .plain
        }
    }
}
