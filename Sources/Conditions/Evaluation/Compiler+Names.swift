extension Compiler {
    /// The code of a name, or of a selection that spells one; nil when it selects a field.
    func reference(_ id: ID) -> Part? {
        let range = tree[id].range
        switch checker.references[id] {
        case .variable(let position):
            let name = environment.variables[position].name
            return Part(
                code: { (machine) throws(ConditionFailure) in
                    do throws(ConditionReason) { try machine.step() } catch { throw ConditionFailure(error, at: range) }
                    guard position < machine.values.count, let value = machine.values[position] else {
                        throw ConditionFailure(.unknown(name), at: range)
                    }
                    return value
                }, isOpen: true)
        case .local(let slot):
            return Part(
                code: { (machine) throws(ConditionFailure) in
                    do throws(ConditionReason) { try machine.step() } catch { throw ConditionFailure(error, at: range) }
                    return machine.locals[slot]
                }, locals: 1 << UInt128(slot))
        case .type(let name):
            let value = ConditionValue.type(name)
            return Part(code: { (machine) throws(ConditionFailure) in value }, constant: value)
        case .unknown(let name): return unknown(name, tree[id].anchor)
        case .field, nil: return nil
        }
    }

    mutating func selection(_ id: ID, _ operand: ID, _ field: String) -> Part {
        let anchor = tree[id].anchor
        let operand = compile(operand)
        guard case .field(let type, let position)? = checker.references[id] else {
            return unary(operand, anchor) { (value, machine) throws(ConditionReason) in
                switch value {
                case .map(let map):
                    guard let value = map.value(for: field) else { throw .noSuchKey(ConditionValue.string(field).description) }
                    return value
                case .object(let object):
                    guard let value = try Self.field(field, of: object, machine) else { throw .noSuchField(field) }
                    return value
                case .null: throw .noSuchField("\(field), because the object is null")
                default: throw .noOverload("\(value.typeName) has no fields")
                }
            }
        }
        return unary(operand, anchor) { (value, machine) throws(ConditionReason) in
            switch value {
            case .object(let object) where object.typeName == type:
                guard let value = object.field(at: position) else { throw .noSuchField(field) }
                return value
            case .null: throw .noSuchField("\(field), because the object is null")
            default: throw .noOverload("\(value.typeName) is not \(type)")
            }
        }
    }

    /// The field of an object whose type is known only now.
    private static func field(_ name: String, of object: any ConditionObject, _ machine: Machine) throws(ConditionReason) -> ConditionValue?
    {
        guard let position = machine.environment.objects[object.typeName]?.position(of: name) else {
            throw .noSuchField("\(name) of \(object.typeName)")
        }
        return object.field(at: position)
    }

    mutating func presence(_ id: ID, _ operand: ID, _ field: String) -> Part {
        let operand = compile(operand)
        var result = unary(operand, tree[id].anchor) { (value, machine) throws(ConditionReason) in
            switch value {
            case .map(let map): return .bool(map.value(for: field) != nil)
            case .object(let object): return .bool(try Self.field(field, of: object, machine) != nil)
            case .null: throw .noSuchField("\(field), because the object is null")
            default: throw .noOverload("\(value.typeName) has no fields")
            }
        }
        if case .field(let type, let position)? = checker.references[id], environment.objects[type]?.fields[position].isOptional == false {
            result.truth = true
        }
        return result
    }

    // MARK: Calls

    mutating func call(_ id: ID, _ name: String, isMethod: Bool, _ arguments: [ID]) -> Part {
        let parts = arguments.map { compile($0) }
        let range = tree[id].range
        let own = environment.functions.filter { $0.name == name && $0.isMethod == isMethod && $0.parameters.count == parts.count }
        guard own.isEmpty else { return call(own, name, parts, range) }
        switch Builtins.body(name, isMethod: isMethod, count: parts.count) {
        case .unary(let operation): return unary(parts[0], range, operation)
        case .binary(let operation):
            if let argument = parts[1].constant {
                do {
                    if let operation = try Builtins.specialized(name, isMethod: isMethod, last: argument, environment) {
                        return unary(parts[0], range, operation)
                    }
                } catch {
                    return failing(parts, ConditionFailure(error, at: tree[arguments[1]].range))
                }
            }
            return binary(parts[0], parts[1], range, operation)
        case nil: return unknown("\(name)()", tree[id].anchor)
        }
    }

    /// A call that cannot succeed. Its arguments are not evaluated.
    private mutating func failing(_ parts: [Part], _ failure: ConditionFailure) -> Part {
        record(failure)
        var part = part(parts) { (machine) throws(ConditionFailure) in throw failure }
        part.isOpen = true
        return part
    }

    /// A call of a function of the environment: the overload is chosen by the values.
    private func call(_ functions: [ConditionFunction], _ name: String, _ parts: [Part], _ range: ConditionRange) -> Part {
        let codes = parts.map(\.code)
        let standard = Builtins.body(name, isMethod: functions[0].isMethod, count: parts.count)
        var result = part(parts) { (machine) throws(ConditionFailure) in
            var values: [ConditionValue] = []
            values.reserveCapacity(codes.count)
            for code in codes { values.append(try code(&machine)) }
            do throws(ConditionReason) {
                try machine.step()
                for function in functions where zip(values, function.parameters).allSatisfy({ $0.mayBe($1) }) {
                    if let body = function.body { return try body(values) }
                }
                switch standard {
                case .unary(let operation): return try operation(values[0], &machine)
                case .binary(let operation): return try operation(values[0], values[1], &machine)
                case nil: throw ConditionReason.noOverload("\(name)(\(values.map(\.typeName).joined(separator: ", ")))")
                }
            } catch {
                throw ConditionFailure(error, at: range)
            }
        }
        result.isOpen = true
        return result
    }
}

extension ConditionValue {
    /// Whether the value can be an argument of the type; what is in lists and maps is not looked at.
    fileprivate func mayBe(_ type: ConditionType) -> Bool {
        switch (self, type) {
        case (_, .dynamic), (_, .parameter): true
        case (.null, .object), (.null, .opaque), (.null, .timestamp), (.null, .duration), (.null, .address): true
        default: typeName == type.name
        }
    }
}
