import Primitives

/// A JSON value that keeps the order of its members (RFC 8259), so that equal reports are equal byte for byte.
package indirect enum JSONText: Sendable {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([JSONText])
    case object([(String, JSONText)])

    package static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

    /// The value on one line.
    package var text: String {
        var output = ""
        write(into: &output)
        return output
    }

    /// The value with each member or item on its own line.
    package func pretty(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .null, .bool, .number, .string: return text
        case .array(let items):
            if items.isEmpty || items.allSatisfy(\.isScalar) { return text }
            return "[\n" + items.map { inner + $0.pretty(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.map { "\(inner)\(JSONText.string($0.0).text): \($0.1.pretty(indent: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array, .object: false
        }
    }

    package func write(into output: inout String) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .number(let value): output += String(value)
        case .string(let text): Self.write(text, into: &output)
        case .array(let items):
            output += "["
            for (index, item) in items.enumerated() {
                if index > 0 { output += "," }
                item.write(into: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { output += "," }
                Self.write(member.0, into: &output)
                output += ":"
                member.1.write(into: &output)
            }
            output += "}"
        }
    }

    private static func write(_ text: String, into output: inout String) {
        var bytes: [UInt8] = []
        JSONEscaping.append(text, to: &bytes, alsoEscaping: isUnprintable)
        output += "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
}
