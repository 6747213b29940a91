@testable import Conditions

/// One test of cel-spec.
struct ConformanceCase {
    let file: String
    let section: String
    let proto: TextProto

    var name: String { "\(file)/\(section)/\(proto.text("name") ?? "")" }

    /// What the test needs that this module does not have; nil when it applies.
    var missing: String? {
        let expression = proto.text("expr") ?? ""
        if (proto.text("container") ?? "").hasPrefix("cel.expr.conformance") || expression.contains("TestAllTypes") {
            return "protobuf messages"
        }
        if expression.contains("google.protobuf."), expression.contains("{") { return "protobuf messages" }
        if proto.text("container") == "google.protobuf" { return "protobuf messages" }
        if expression.contains("optional.") || expression.contains("[?") || expression.contains(".?") { return "optional values" }
        return missing(in: proto)
    }

    private func missing(in message: TextProto) -> String? {
        for field in message.fields {
            switch (field.name, field.value) {
            case ("message_type", .text(let name)):
                let known = ["google.protobuf.Duration", "google.protobuf.Timestamp"]
                if !known.contains(String(decoding: name, as: UTF8.self)) { return "protobuf messages" }
            case ("wrapper", _): return "protobuf wrappers"
            case ("object_value", .message(let object)):
                let known = ["[type.googleapis.com/google.protobuf.Duration", "[type.googleapis.com/google.protobuf.Timestamp"]
                if !object.fields.allSatisfy({ known.contains($0.name) }) { return "protobuf messages" }
            case ("name", .text(let name)) where String(decoding: name, as: UTF8.self) == "optional_type": return "optional values"
            case (_, .message(let inner)): if let missing = missing(in: inner) { return missing }
            default: continue
            }
        }
        return nil
    }

    /// Why the test fails; nil when it passes.
    func run() -> String? {
        let environment = environment()
        let expression = proto.text("expr") ?? ""
        let condition: Condition
        do {
            if proto.word("disable_check") == "true" {
                condition = try Condition(unchecked: expression, in: environment)
            } else {
                condition = try Condition(expression, in: environment, expecting: nil)
            }
        } catch {
            return "refused: \(error.problems.map { "\($0.range.utf8): \($0.message)" })"
        }
        let typed = proto.message("typed_result")
        if let deduced = typed?.message("deduced_type"), Self.type(deduced) != condition.type {
            return "the type is \(condition.type), expected \(Self.type(deduced))"
        }
        if proto.word("check_only") == "true" { return nil }
        return compare(condition, environment, typed?.message("result") ?? proto.message("value"))
    }

    private func compare(_ condition: Condition, _ environment: ConditionEnvironment, _ expected: TextProto?) -> String? {
        let result = Result { () throws(ConditionFailure) in try condition.evaluate(bindings(environment)) }
        let traced = condition.trace(bindings(environment)).result
        switch (result, traced) {
        case (.success(let first), .success(let second)) where Self.same(first, second): break
        case (.failure(let first), .failure(let second)) where first == second: break
        default: return "the trace has another result: \(result), \(traced)"
        }
        switch result {
        case .failure(let failure):
            return proto.message("eval_error") != nil ? nil : "failed: \(failure.reason.message)"
        case .success(let value):
            if proto.message("eval_error") != nil { return "expected an error, not \(value)" }
            // Without an expectation the result is true.
            let wanted = expected.map(Self.value) ?? .bool(true)
            return Self.same(value, wanted) ? nil : "the value is \(value), expected \(wanted)"
        }
    }

    // MARK: Environment

    private func environment() -> ConditionEnvironment {
        var variables: [(name: String, type: ConditionType)] = []
        var functions: [ConditionFunction] = []
        for declaration in proto.messages("type_env") {
            let name = declaration.text("name") ?? ""
            if let type = declaration.message("ident")?.message("type") { variables.append((name, Self.type(type))) }
            for overload in declaration.message("function")?.messages("overloads") ?? [] {
                let parameters = overload.messages("params").map(Self.type)
                functions.append(
                    ConditionFunction(
                        name, isMethod: overload.word("is_instance_function") == "true", parameters,
                        overload.message("result_type").map(Self.type) ?? .dynamic))
            }
        }
        for binding in proto.messages("bindings") {
            let name = binding.text("key") ?? ""
            if !variables.contains(where: { $0.name == name }) { variables.append((name, .dynamic)) }
        }
        return ConditionEnvironment(variables: variables, functions: functions, container: proto.text("container") ?? "")
    }

    private func bindings(_ environment: ConditionEnvironment) -> [ConditionValue?] {
        var values = [ConditionValue?](repeating: nil, count: environment.variables.count)
        for binding in proto.messages("bindings") {
            guard let position = environment.position(ofVariable: binding.text("key") ?? "") else { continue }
            values[position] = binding.message("value")?.message("value").map(Self.value)
        }
        return values
    }

    static func type(_ proto: TextProto) -> ConditionType {
        switch proto.word("primitive") {
        case "BOOL": return .bool
        case "INT64": return .int
        case "UINT64": return .uint
        case "DOUBLE": return .double
        case "STRING": return .string
        case "BYTES": return .bytes
        default: break
        }
        switch proto.word("well_known") {
        case "TIMESTAMP": return .timestamp
        case "DURATION": return .duration
        default: break
        }
        if proto.word("null") != nil { return .null }
        if let list = proto.message("list_type") { return .list(list.message("elem_type").map(type) ?? .dynamic) }
        if let map = proto.message("map_type") {
            return .map(map.message("key_type").map(type) ?? .dynamic, map.message("value_type").map(type) ?? .dynamic)
        }
        if let opaque = proto.message("abstract_type") {
            return .opaque(opaque.text("name") ?? "", opaque.messages("parameter_types").map(type))
        }
        if let name = proto.text("type_param") { return .parameter(Int(name.unicodeScalars.first?.value ?? 0)) }
        switch proto.text("message_type") {
        case "google.protobuf.Duration": return .duration
        case "google.protobuf.Timestamp": return .timestamp
        default: return .dynamic
        }
    }

    static func value(_ proto: TextProto) -> ConditionValue {
        if let word = proto.word("bool_value") { return .bool(word == "true") }
        if let word = proto.word("int64_value") { return .int(Int64(word) ?? 0) }
        if let word = proto.word("uint64_value") { return .uint(UInt64(word) ?? 0) }
        if let word = proto.word("double_value") { return .double(Double(word) ?? .nan) }
        if let text = proto.text("string_value") { return .string(text) }
        if let bytes = proto.bytes("bytes_value") { return .bytes(bytes) }
        if let name = proto.text("type_value") { return .type(name) }
        if let list = proto.message("list_value") { return .list(list.messages("values").map(value)) }
        if let map = proto.message("map_value") {
            let entries = map.messages("entries").map { ($0.message("key").map(value) ?? .null, $0.message("value").map(value) ?? .null) }
            return ConditionMap(entries).map(ConditionValue.map) ?? .null
        }
        if let object = proto.message("object_value"), case .message(let fields)? = object.fields.first?.value {
            let seconds = Int64(fields.word("seconds") ?? "0") ?? 0
            let nanoseconds = Int32(fields.word("nanos") ?? "0") ?? 0
            if object.fields[0].name.hasSuffix("Duration") {
                return .duration(ConditionDuration(nanoseconds: seconds * 1_000_000_000 + Int64(nanoseconds)))
            }
            return ConditionTimestamp(seconds: seconds, nanoseconds: nanoseconds).map(ConditionValue.timestamp) ?? .null
        }
        return .null
    }

    /// Equality with the types of numbers, in which NaN equals itself.
    static func same(_ first: ConditionValue, _ second: ConditionValue) -> Bool {
        guard first.typeName == second.typeName else { return false }
        switch (first, second) {
        case (.double(let first), .double(let second)): return first == second || first.isNaN && second.isNaN
        case (.list(let first), .list(let second)): return first.count == second.count && zip(first, second).allSatisfy(same)
        case (.map(let first), .map(let second)):
            return first.count == second.count
                && first.entries.allSatisfy { entry in second.value(for: entry.key).map { same($0, entry.value) } ?? false }
        default:
            var machine = Machine([ConditionValue?](), ConditionEnvironment(), steps: 1_000_000, locals: 0)
            return (try? Comparison.equal(first, second, &machine)) ?? false
        }
    }
}
