import TokenCrypto

/// The texts that a payload has in its claims already, so that its other fields need not repeat them.
///
/// Written as a count: 0 for no text, 1 for one that follows, n + 2 for the n-th known one.
struct KnownTexts {
    private var texts: [String] = []
    private var positions: [[UInt8]: Int] = [:]

    /// Every string of `values`, whatever it stands in, in the order of the members' names, each once.
    init(in values: [JSONValue]) {
        for value in values { collect(value) }
    }

    private mutating func collect(_ value: JSONValue) {
        switch value {
        case .string(let text):
            // By bytes: texts that Unicode calls equal may differ in them.
            let bytes = Array(text.utf8)
            guard positions[bytes] == nil else { return }
            positions[bytes] = texts.count
            texts.append(text)
        case .array(let elements): for element in elements { collect(element) }
        case .object(let members):
            for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) { collect(member.value) }
        case .null, .bool, .integer, .number: break
        }
    }

    func write(_ text: String?, to writer: inout FieldWriter) {
        guard let text else { return writer.write(count: 0) }
        if let position = positions[Array(text.utf8)] { return writer.write(count: position + 2) }
        writer.write(count: 1)
        writer.write(text)
    }

    /// nil also for a text spelled out that is known.
    func read(from reader: inout FieldReader) -> String? { readOptional(from: &reader).flatMap { $0 } }

    /// The outer nil is a refusal, the inner one a text that is absent.
    func readOptional(from reader: inout FieldReader) -> String?? {
        guard let count = reader.count() else { return nil }
        switch count {
        case 0: return .some(nil)
        case 1:
            guard let text = reader.text(), positions[Array(text.utf8)] == nil else { return nil }
            return text
        default:
            guard count - 2 < texts.count else { return nil }
            return texts[count - 2]
        }
    }
}
