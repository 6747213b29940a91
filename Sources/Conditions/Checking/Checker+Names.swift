extension Checker {
    mutating func checkName(_ id: ID, _ name: String, _ isRooted: Bool) -> ConditionType {
        if !isRooted, let local = locals.last(where: { $0.name == name }) {
            refer(id, to: .local(local.slot))
            return local.type
        }
        if let type = resolve(name, isRooted, id) { return type }
        refer(id, to: .unknown(name))
        report("unknown variable '\(name)'", at: tree[id].anchor, suggestion: nearestVariable(to: name))
        return .dynamic
    }

    private func nearestVariable(to name: String) -> String? {
        NearestName.of(name, in: locals.map(\.name) + environment.variables.map(\.name))
    }

    /// Looks a full name up among variables and types.
    private mutating func resolve(_ name: String, _ isRooted: Bool, _ id: ID) -> ConditionType? {
        for candidate in environment.candidates(for: name, isRooted: isRooted) {
            if let position = environment.position(ofVariable: candidate) {
                refer(id, to: .variable(position))
                return environment.variables[position].type
            }
            if ConditionType.named[candidate] != nil || environment.objects[candidate] != nil {
                refer(id, to: .type(candidate))
                return .type
            }
        }
        return nil
    }

    /// The dotted name that a selection spells; nil when it selects from anything but names or from a local variable.
    private func dottedName(_ operand: ID, _ field: String) -> (name: String, isRooted: Bool)? {
        var parts = [field]
        var operand = operand
        while case .select(let inner, let name) = tree[operand].kind {
            parts.append(name)
            operand = inner
        }
        guard case .name(let name, let isRooted) = tree[operand].kind, isRooted || !locals.contains(where: { $0.name == name }) else {
            return nil
        }
        parts.append(name)
        return (parts.reversed().joined(separator: "."), isRooted)
    }

    mutating func checkSelection(_ id: ID, _ operand: ID, _ field: String) -> ConditionType {
        // The longest name that is known counts.
        if let (name, isRooted) = dottedName(operand, field), let type = resolve(name, isRooted, id) { return type }
        return checkField(id, operand, field)
    }

    mutating func checkPresence(_ id: ID, _ operand: ID, _ field: String) -> ConditionType {
        _ = checkField(id, operand, field)
        return .bool
    }

    private mutating func checkField(_ id: ID, _ operand: ID, _ field: String) -> ConditionType {
        let type = check(operand)
        switch type {
        case .map(let key, let value):
            if !unifier.assign(.string, to: key) {
                report("a map with keys of type \(unifier.final(key)) has no fields; use [ ]", at: tree[id].anchor)
            }
            return value
        case .object(let name):
            guard let object = environment.objects[name], let position = object.position(of: field) else {
                let known = environment.objects[name]?.fields.map(\.name) ?? []
                report("\(name) has no field '\(field)'", at: tree[id].anchor, suggestion: NearestName.of(field, in: known))
                return .dynamic
            }
            refer(id, to: .field(type: name, position: position))
            return object.fields[position].type
        case .dynamic: return .dynamic
        case .parameter:
            _ = unifier.assign(.dynamic, to: type)
            return .dynamic
        default:
            report("\(type) has no fields", at: tree[id].anchor)
            return .dynamic
        }
    }
}
