/// A function or operator with the types of its arguments and its result.
struct Signature {
    let name: String
    /// Whether the first argument stands before the name.
    let isMethod: Bool
    let parameters: [ConditionType]
    let result: ConditionType

    /// As a message shows it: `string.startsWith(string)`.
    var text: String {
        let types = parameters.map { if case .parameter(let number) = $0 { number == 0 ? "A" : "B" } else { Self.text(of: $0) } }
        return isMethod
            ? "\(types.first ?? "").\(name)(\(types.dropFirst().joined(separator: ", ")))" : "\(name)(\(types.joined(separator: ", ")))"
    }

    private static func text(of type: ConditionType) -> String {
        switch type {
        case .list(.parameter): "list"
        case .map(.parameter, .parameter): "map"
        default: type.description
        }
    }
}

/// The standard functions and operators.
enum StandardSignatures {
    static let all: [String: [Signature]] = Dictionary(grouping: operators + functions + times + conversions, by: \.name)

    private static let a = ConditionType.parameter(0)
    private static let b = ConditionType.parameter(1)

    private static func function(_ name: String, _ parameters: [ConditionType], _ result: ConditionType) -> Signature {
        Signature(name: name, isMethod: false, parameters: parameters, result: result)
    }

    private static func method(_ name: String, _ parameters: [ConditionType], _ result: ConditionType) -> Signature {
        Signature(name: name, isMethod: true, parameters: parameters, result: result)
    }

    private static let operators: [Signature] = {
        var all = ["==", "!="].map { function($0, [a, a], .bool) }
        for name in ["<", "<=", ">", ">="] {
            let types: [ConditionType] = [.bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration]
            all += types.map { function(name, [$0, $0], .bool) }
        }
        for name in ["+", "-", "*", "/", "%"] {
            let types: [ConditionType] = name == "%" ? [.int, .uint] : [.int, .uint, .double]
            all += types.map { function(name, [$0, $0], $0) }
        }
        let added: [ConditionType] = [.string, .bytes, .list(a), .duration]
        all += added.map { function("+", [$0, $0], $0) }
        all += [
            function("+", [.timestamp, .duration], .timestamp), function("+", [.duration, .timestamp], .timestamp),
            function("-", [.timestamp, .timestamp], .duration), function("-", [.timestamp, .duration], .timestamp),
            function("-", [.duration, .duration], .duration),
            function("-", [.int], .int), function("-", [.double], .double),
            function("in", [a, .list(a)], .bool), function("in", [a, .map(a, b)], .bool),
            function("[]", [.list(a), .int], a), function("[]", [.map(a, b), a], b),
        ]
        return all
    }()

    private static let functions: [Signature] = {
        let sized: [ConditionType] = [.string, .bytes, .list(a), .map(a, b)]
        var all = sized.map { function("size", [$0], .int) } + sized.map { method("size", [$0], .int) }
        all += ["contains", "startsWith", "endsWith", "matches"].map { method($0, [.string, .string], .bool) }
        all += [
            function("matches", [.string, .string], .bool),
            method("lowerAscii", [.string], .string),
            function("ip", [.string], .address),
            method("inNetwork", [.address, .string], .bool),
        ]
        return all
    }()

    private static let times: [Signature] = {
        let parts = [
            "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds", "getMinutes",
            "getMonth", "getSeconds",
        ]
        return parts.map { method($0, [.timestamp], .int) } + parts.map { method($0, [.timestamp, .string], .int) }
            + ["getHours", "getMilliseconds", "getMinutes", "getSeconds"].map { method($0, [.duration], .int) }
    }()

    private static let conversions: [Signature] = {
        func converting(to name: String, _ result: ConditionType, from sources: [ConditionType]) -> [Signature] {
            sources.map { function(name, [$0], result) }
        }
        return converting(to: "bool", .bool, from: [.bool, .string])
            + converting(to: "bytes", .bytes, from: [.bytes, .string])
            + converting(to: "double", .double, from: [.double, .int, .uint, .string])
            + converting(to: "int", .int, from: [.int, .uint, .double, .string, .timestamp])
            + converting(to: "uint", .uint, from: [.uint, .int, .double, .string])
            + converting(
                to: "string", .string, from: [.string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration, .address])
            + converting(to: "timestamp", .timestamp, from: [.timestamp, .string, .int])
            + converting(to: "duration", .duration, from: [.duration, .string])
            + converting(to: "type", .type, from: [a])
            + converting(to: "dyn", .dynamic, from: [a])
    }()
}
