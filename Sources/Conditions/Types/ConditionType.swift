/// The type of a value or of a part of an expression.
package indirect enum ConditionType: Sendable, Hashable {
    case bool
    case int
    case uint
    case double
    case string
    case bytes
    case null
    case list(ConditionType)
    case map(ConditionType, ConditionType)
    case type
    case timestamp
    case duration
    /// An IP address.
    case address
    /// Any type; what is done with it is checked when it is evaluated.
    case dynamic
    /// An object with the fields that the environment declares for the name.
    case object(String)
    /// A type that only functions of the environment know.
    case opaque(String, [ConditionType])
    /// A type that a signature leaves open.
    case parameter(Int)

    /// The name that `type()` gives to values of the type.
    package var name: String {
        switch self {
        case .bool: "bool"
        case .int: "int"
        case .uint: "uint"
        case .double: "double"
        case .string: "string"
        case .bytes: "bytes"
        case .null: "null_type"
        case .list: "list"
        case .map: "map"
        case .type: "type"
        case .timestamp: "google.protobuf.Timestamp"
        case .duration: "google.protobuf.Duration"
        case .address: "net.IP"
        case .dynamic, .parameter: "dyn"
        case .object(let name), .opaque(let name, _): name
        }
    }

    /// The types that an expression can name.
    static let named: [String: String] = {
        let types: [ConditionType] = [
            .bool, .int, .uint, .double, .string, .bytes, .null, .list(.dynamic), .map(.dynamic, .dynamic), .type, .timestamp, .duration,
            .address,
        ]
        return Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0.name) })
    }()
}

extension ConditionType: CustomStringConvertible {
    package var description: String {
        switch self {
        case .list(let element): "list(\(element))"
        case .map(let key, let value): "map(\(key), \(value))"
        case .opaque(let name, let parameters) where !parameters.isEmpty:
            "\(name)(\(parameters.map(\.description).joined(separator: ", ")))"
        case .timestamp: "timestamp"
        case .duration: "duration"
        case .address: "ip"
        default: name
        }
    }
}
