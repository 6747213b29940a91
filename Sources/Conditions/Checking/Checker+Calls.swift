extension Checker {
    private func signatures(_ name: String) -> [Signature] {
        let own = environment.functions.lazy.filter { $0.name == name }.map {
            Signature(name: $0.name, isMethod: $0.isMethod, parameters: $0.parameters, result: $0.result)
        }
        return (StandardSignatures.all[name] ?? []) + own
    }

    mutating func checkOperator(_ id: ID, _ name: String, _ operands: [ID]) -> ConditionType {
        let types = operands.map { check($0) }
        let candidates = signatures(name).filter { $0.parameters.count == types.count }
        if let result = select(candidates, types) { return result }
        let shown = types.map { unifier.final($0).description }
        report(Self.message(name, shown) + hint(name, types), at: tree[id].range)
        return Self.comparisons.contains(name) ? .bool : .dynamic
    }

    private static let comparisons: Set = ["==", "!=", "<", "<=", ">", ">=", "in"]

    private static func message(_ name: String, _ types: [String]) -> String {
        switch name {
        case "[]": "\(types[0]) cannot be indexed with \(types[types.count - 1])"
        case "in": "'in' cannot look for \(types[0]) in \(types[types.count - 1])"
        case _ where types.count == 1: "'\(name)' cannot be applied to \(types[0])"
        case _ where comparisons.contains(name): "'\(name)' cannot compare \(types[0]) with \(types[1])"
        default: "'\(name)' cannot combine \(types[0]) and \(types[1])"
        }
    }

    /// Advice for a list that is compared with what could be in it.
    private mutating func hint(_ name: String, _ types: [ConditionType]) -> String {
        guard name == "==" || name == "!=", types.count == 2 else { return "" }
        for (list, item) in [(types[0], types[1]), (types[1], types[0])] {
            if case .list(let element) = list, unifier.assign(item, to: element) { return "; 'in' looks for a value in a list" }
        }
        return ""
    }

    mutating func checkCall(_ id: ID, _ name: String, isMethod: Bool, _ arguments: [ID]) -> ConditionType {
        let types = arguments.map { check($0) }
        let known = signatures(name)
        let candidates = known.filter { $0.isMethod == isMethod }
        guard !candidates.isEmpty else {
            reportUnknown(id, name, isMethod: isMethod, other: known)
            return .dynamic
        }
        if let result = select(candidates.filter { $0.parameters.count == types.count }, types) { return result }
        let call = Signature(name: name, isMethod: isMethod, parameters: types.map { unifier.final($0) }, result: .dynamic).text
        let expected = candidates.prefix(4).map(\.text).joined(separator: ", ")
        report("no function \(call); expected \(expected)\(candidates.count > 4 ? ", …" : "")", at: tree[id].anchor)
        return .dynamic
    }

    private mutating func reportUnknown(_ id: ID, _ name: String, isMethod: Bool, other: [Signature]) {
        if let signature = other.first, !Self.isOperator(name) {
            report("'\(name)' is called as \(signature.text)", at: tree[id].anchor)
            return
        }
        let names = StandardSignatures.all.values.joined().filter { $0.isMethod == isMethod && !Self.isOperator($0.name) }.map(\.name)
        let own = environment.functions.filter { $0.isMethod == isMethod }.map(\.name)
        let macros = isMethod ? ["all", "exists", "exists_one", "filter", "map"] : ["has"]
        if macros.contains(name) {
            let arguments = name == "map" ? "two or three arguments" : "two arguments: a variable and an expression"
            report("\(name)() takes \(arguments)", at: tree[id].anchor)
            return
        }
        report("unknown function '\(name)'", at: tree[id].anchor, suggestion: NearestName.of(name, in: names + own + macros))
    }

    private static func isOperator(_ name: String) -> Bool { !(name.utf8.first?.isIdentifierStart ?? false) || name == "in" }

    /// The result of the overloads that take the types: `dyn` when several do, with different results; nil when none does.
    private mutating func select(_ candidates: [Signature], _ types: [ConditionType]) -> ConditionType? {
        var result: ConditionType?
        for candidate in candidates {
            let fresh = unifier.instantiate(candidate.parameters + [candidate.result])
            guard unifier.assign(types, to: Array(fresh.dropLast())), let type = fresh.last.map({ unifier.resolved($0) }) else { continue }
            result = result == nil || result == type ? type : .dynamic
        }
        return result
    }
}
