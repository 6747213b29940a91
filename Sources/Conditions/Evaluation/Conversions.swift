import Primitives

/// The functions that convert a value to another type.
enum Conversions {
    static let all: [(String, UnaryOperation)] = [
        ("bool", bool), ("bytes", bytes), ("double", double), ("int", int), ("uint", uint), ("string", string),
        ("timestamp", timestamp), ("duration", duration), ("type", type), ("dyn", dynamic),
    ]

    private static func noOverload(_ name: String, _ value: ConditionValue) -> ConditionReason {
        .noOverload("\(name)(\(value.typeName))")
    }

    private static func invalid(_ name: String, _ text: String) -> ConditionReason {
        .invalidValue("\(ConditionValue.string(text)) cannot be converted to \(name)")
    }

    private static func type(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        .type(value.typeName)
    }

    private static func dynamic(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue { value }

    private static func bool(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .bool: return value
        case .string(let text):
            switch text {
            case "1", "t", "true", "TRUE", "True": return .bool(true)
            case "0", "f", "false", "FALSE", "False": return .bool(false)
            default: throw invalid("bool", text)
            }
        default: throw noOverload("bool", value)
        }
    }

    private static func bytes(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .bytes: return value
        case .string(let text):
            try machine.charge(text.utf8.count)
            return .bytes(Array(text.utf8))
        default: throw noOverload("bytes", value)
        }
    }

    private static func double(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .double: return value
        case .int(let number): return .double(Double(number))
        case .uint(let number): return .double(Double(number))
        case .string(let text):
            guard let number = number(text) else { throw invalid("double", text) }
            return .double(number)
        default: throw noOverload("double", value)
        }
    }

    /// A decimal number, `NaN` or an infinity. `Double.init` reads hexadecimal numbers too.
    private static func number(_ text: String) -> Double? {
        switch text {
        case "NaN": return .nan
        case "Infinity", "inf", "+Infinity", "+inf": return .infinity
        case "-Infinity", "-inf": return -.infinity
        default:
            let allowed = text.utf8.allSatisfy { byte in
                byte.isDigit || [0x2B, 0x2D, 0x2E].contains(byte) || byte | 0x20 == UInt8(ascii: "e")
            }
            guard allowed, let number = Double(text), number.isFinite else { return nil }
            return number
        }
    }

    private static func int(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .int: return value
        case .uint(let number):
            guard let result = Int64(exactly: number) else { throw .overflow("int") }
            return .int(result)
        case .double(let number):
            // The bounds themselves are excluded: no double next to them is an int.
            guard number > -0x1p63, number < 0x1p63 else { throw .overflow("int") }
            return .int(Int64(number))
        case .string(let text):
            guard let number = Int64(text) else { throw invalid("int", text) }
            return .int(number)
        case .timestamp(let time): return .int(time.seconds)
        default: throw noOverload("int", value)
        }
    }

    private static func uint(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .uint: return value
        case .int(let number):
            guard let result = UInt64(exactly: number) else { throw .overflow("uint") }
            return .uint(result)
        case .double(let number):
            guard number > -1, number < 0x1p64 else { throw .overflow("uint") }
            return .uint(UInt64(number))
        case .string(let text):
            guard let number = UInt64(text) else { throw invalid("uint", text) }
            return .uint(number)
        default: throw noOverload("uint", value)
        }
    }

    private static func string(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .string: return value
        case .bool(let value): return .string(value ? "true" : "false")
        case .int(let number): return .string(String(number))
        case .uint(let number): return .string(String(number))
        case .double(let number):
            let text = number.description
            return .string(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        case .bytes(let bytes):
            try machine.charge(bytes.count)
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidValue("the bytes are not valid UTF-8") }
            return .string(text)
        case .timestamp(let time): return .string(time.description)
        case .duration(let duration): return .string(duration.description)
        case .address(let address): return .string(address.networkAddress.description)
        default: throw noOverload("string", value)
        }
    }

    private static func timestamp(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .timestamp: return value
        case .int(let seconds):
            guard let time = ConditionTimestamp(seconds: seconds) else { throw .overflow("timestamp") }
            return .timestamp(time)
        case .string(let text):
            guard let time = ConditionTimestamp(text) else { throw invalid("timestamp", text) }
            return .timestamp(time)
        default: throw noOverload("timestamp", value)
        }
    }

    private static func duration(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .duration: return value
        case .string(let text):
            guard let duration = ConditionDuration(text) else { throw invalid("duration", text) }
            return .duration(duration)
        default: throw noOverload("duration", value)
        }
    }
}
