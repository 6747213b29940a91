import Primitives

extension ConditionValue: CustomStringConvertible {
    /// The value as an expression would write it, for logs and traces; long values are cut.
    package var description: String {
        var text = ""
        write(into: &text, depth: 0)
        return text
    }

    private static let limit = 200

    private func write(into text: inout String, depth: Int) {
        guard text.utf8.count < Self.limit, depth < 8 else {
            text += "…"
            return
        }
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .int(let value): text += String(value)
        case .uint(let value): text += "\(value)u"
        case .double(let value): text += value.description
        case .string(let value): Self.quote(value, into: &text)
        case .bytes(let value): text += "bytes(\(value.count))"
        case .list(let values):
            text += "["
            for (position, value) in values.enumerated() {
                if text.utf8.count > Self.limit { break }
                if position > 0 { text += ", " }
                value.write(into: &text, depth: depth + 1)
            }
            text += "]"
        case .map(let map):
            text += "{"
            for (position, entry) in map.entries.enumerated() {
                if text.utf8.count > Self.limit { break }
                if position > 0 { text += ", " }
                entry.key.write(into: &text, depth: depth + 1)
                text += ": "
                entry.value.write(into: &text, depth: depth + 1)
            }
            text += "}"
        case .timestamp(let value): text += "timestamp(\"\(value)\")"
        case .duration(let value): text += "duration(\"\(value)\")"
        case .type(let name): text += name
        case .address(let value): text += "ip(\"\(value.networkAddress)\")"
        case .object(let object): text += object.typeName
        }
    }

    private static func quote(_ value: String, into text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            if text.utf8.count > limit {
                text += "…"
                break
            }
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                // Control and format characters would change what a log line shows.
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                    let digits = String(scalar.value, radix: 16)
                    text += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}
