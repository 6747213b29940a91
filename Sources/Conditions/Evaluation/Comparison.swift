/// Equality and order of values.
enum Comparison {
    /// Values nested deeper are not compared.
    private static let depthLimit = 256

    static func equal(
        _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine, depth: Int = 0
    ) throws(ConditionReason) -> Bool {
        switch (first, second) {
        case (.string(let first), .string(let second)):
            guard first.utf8.count == second.utf8.count else { return false }
            try machine.charge(first.utf8.count)
            return first.isExactly(second)
        case (.null, .null): return true
        case (.bool(let first), .bool(let second)): return first == second
        case (.int, _), (.uint, _), (.double, _): return order(first, second) == 0
        case (.bytes(let first), .bytes(let second)):
            try machine.charge(min(first.count, second.count))
            return first == second
        case (.timestamp(let first), .timestamp(let second)): return first == second
        case (.duration(let first), .duration(let second)): return first == second
        case (.type(let first), .type(let second)): return first == second
        case (.address(let first), .address(let second)): return first == second
        case (.list(let first), .list(let second)): return try equal(first, second, &machine, depth: depth)
        case (.map(let first), .map(let second)): return try equal(first, second, &machine, depth: depth)
        case (.object(let first), .object(let second)): return try equal(first, second, &machine, depth: depth)
        default: return false
        }
    }

    private static func equal(
        _ first: [ConditionValue], _ second: [ConditionValue], _ machine: inout Machine, depth: Int
    ) throws(ConditionReason) -> Bool {
        guard first.count == second.count else { return false }
        guard depth < depthLimit else { throw .budgetExceeded }
        for index in first.indices {
            try machine.step()
            guard try equal(first[index], second[index], &machine, depth: depth + 1) else { return false }
        }
        return true
    }

    private static func equal(
        _ first: ConditionMap, _ second: ConditionMap, _ machine: inout Machine, depth: Int
    ) throws(ConditionReason) -> Bool {
        guard first.count == second.count else { return false }
        guard depth < depthLimit else { throw .budgetExceeded }
        for entry in first.entries {
            try machine.step()
            guard let other = second.value(for: entry.key), try equal(entry.value, other, &machine, depth: depth + 1) else { return false }
        }
        return true
    }

    private static func equal(
        _ first: any ConditionObject, _ second: any ConditionObject, _ machine: inout Machine, depth: Int
    ) throws(ConditionReason) -> Bool {
        guard first.typeName == second.typeName else { return false }
        guard first !== second, let type = machine.environment.objects[first.typeName] else { return first === second }
        guard depth < depthLimit else { throw .budgetExceeded }
        for position in type.fields.indices {
            try machine.step()
            switch (first.field(at: position), second.field(at: position)) {
            case (nil, nil): continue
            case (let first?, let second?): guard try equal(first, second, &machine, depth: depth + 1) else { return false }
            default: return false
            }
        }
        return true
    }

    /// Negative, zero or positive as `first` is less than, equal to or greater than `second`; nil when they have no order.
    ///
    /// An integer is compared with a double as the nearest double, as cel-spec's conformance tests demand.
    static func order(_ first: ConditionValue, _ second: ConditionValue) -> Int? {
        switch (first, second) {
        case (.int(let first), .int(let second)): order(first, second)
        case (.uint(let first), .uint(let second)): order(first, second)
        case (.int(let first), .uint(let second)): first < 0 ? -1 : order(UInt64(first), second)
        case (.uint(let first), .int(let second)): second < 0 ? 1 : order(first, UInt64(second))
        case (.double(let first), .double(let second)): first.isNaN || second.isNaN ? nil : order(first, second)
        case (.double(let first), .int(let second)): first.isNaN ? nil : order(first, Double(second))
        case (.double(let first), .uint(let second)): first.isNaN ? nil : order(first, Double(second))
        case (.int(let first), .double(let second)): second.isNaN ? nil : order(Double(first), second)
        case (.uint(let first), .double(let second)): second.isNaN ? nil : order(Double(first), second)
        default: nil
        }
    }

    private static func order<T: Comparable>(_ first: T, _ second: T) -> Int { first < second ? -1 : first == second ? 0 : 1 }

    /// The result of `<`, `<=`, `>` or `>=`.
    static func compare(
        _ operation: BinaryOperator, _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> Bool {
        let result: Int?
        switch (first, second) {
        case (.int, .int), (.int, .uint), (.int, .double), (.uint, .int), (.uint, .uint), (.uint, .double), (.double, .int),
            (.double, .uint), (.double, .double):
            result = order(first, second)
        case (.string(let first), .string(let second)):
            try machine.charge(min(first.utf8.count, second.utf8.count))
            result = order(first.utf8, second.utf8)
        case (.bytes(let first), .bytes(let second)):
            try machine.charge(min(first.count, second.count))
            result = order(first, second)
        case (.bool(let first), .bool(let second)): result = order(first ? 1 : 0, second ? 1 : 0)
        case (.timestamp(let first), .timestamp(let second)): result = order(first, second)
        case (.duration(let first), .duration(let second)): result = order(first, second)
        default: throw .noOverload("\(first.typeName) \(operation.rawValue) \(second.typeName)")
        }
        guard let result else { return false }
        return switch operation {
        case .less: result < 0
        case .lessOrEqual: result <= 0
        case .greater: result > 0
        default: result >= 0
        }
    }

    private static func order(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8>) -> Int {
        first.lexicographicallyPrecedes(second) ? -1 : second.lexicographicallyPrecedes(first) ? 1 : 0
    }
}
