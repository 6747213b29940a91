extension Compiler {
    mutating func negation(_ operand: ID, _ range: ConditionRange) -> Part {
        let part = compile(operand)
        var result = unary(part, range) { (value, machine) throws(ConditionReason) in
            guard case .bool(let value) = value else { throw .noOverload("!\(value.typeName)") }
            return .bool(!value)
        }
        result.truth = part.truth.map { !$0 }
        return result
    }

    mutating func logical(_ operation: LogicalOperator, _ operands: [ID]) -> Part {
        let parts = operands.map { compile($0) }
        let decisive = operation == .or
        let tests = zip(parts, operands).map { Self.test($0.code, tree[$1].range) }
        let test = Self.combined(tests[...], decisive: decisive)
        var result = part(parts) { (machine) throws(ConditionFailure) in .bool(try test(&machine)) }
        if parts.contains(where: { $0.truth == decisive }) {
            result.truth = decisive
        } else if parts.allSatisfy({ $0.truth == !decisive }) {
            result.truth = !decisive
        }
        return result
    }

    private static func test(_ code: @escaping Code, _ range: ConditionRange) -> Test {
        { (machine) throws(ConditionFailure) in try truth(code, &machine, range) }
    }

    /// The operands in halves, so that the calls are nested as deep as the logarithm of their number.
    private static func combined(_ tests: ArraySlice<Test>, decisive: Bool) -> Test {
        guard tests.count > 1 else { return tests[tests.startIndex] }
        let middle = tests.startIndex + tests.count / 2
        let first = combined(tests[..<middle], decisive: decisive)
        let second = combined(tests[middle...], decisive: decisive)
        return { (machine) throws(ConditionFailure) in
            do throws(ConditionFailure) {
                if try first(&machine) == decisive { return decisive }
            } catch {
                return try recovered(from: error, second, decisive: decisive, &machine)
            }
            return try second(&machine)
        }
    }

    /// The result after the first operand failed: the second one can still decide.
    private static func recovered(
        from failure: ConditionFailure, _ second: Test, decisive: Bool, _ machine: inout Machine
    ) throws(ConditionFailure) -> Bool {
        if failure.reason == .budgetExceeded { throw failure }
        do throws(ConditionFailure) {
            if try second(&machine) == decisive { return decisive }
        } catch {
            if error.reason == .budgetExceeded { throw error }
        }
        throw failure
    }

    @inline(__always)
    private static func truth(_ code: Code, _ machine: inout Machine, _ range: ConditionRange) throws(ConditionFailure) -> Bool {
        guard case .bool(let value) = try code(&machine) else {
            throw ConditionFailure(.noOverload("the operand is not a bool"), at: range)
        }
        do throws(ConditionReason) { try machine.step() } catch { throw ConditionFailure(error, at: range) }
        return value
    }

    mutating func conditional(_ condition: ID, _ first: ID, _ second: ID) -> Part {
        let range = tree[condition].range
        let parts = [compile(condition), compile(first), compile(second)]
        let (test, taken, other) = (parts[0].code, parts[1].code, parts[2].code)
        var result = part(parts) { (machine) throws(ConditionFailure) in
            try Self.truth(test, &machine, range) ? try taken(&machine) : try other(&machine)
        }
        if let truth = parts[0].truth {
            result.truth = parts[truth ? 1 : 2].truth
        } else if let truth = parts[1].truth, truth == parts[2].truth, parts[0].constant != nil {
            result.truth = truth
        }
        return result
    }

    // MARK: Comprehensions

    mutating func comprehension(_ comprehension: SyntaxTree.Comprehension, _ id: ID) -> Part {
        let source = compile(comprehension.source)
        let slot = checker.slots[id] ?? 0
        reserve(slot)
        let predicate = comprehension.predicate.map { compile($0) }
        let transform = comprehension.transform.map { compile($0) }
        let range = comprehension.predicate.map { tree[$0].range } ?? tree[id].range
        let loop = Loop(
            source: source.code, sourceRange: tree[comprehension.source].range, slot: slot, predicate: predicate?.code,
            predicateRange: range, transform: transform?.code)
        var result = part([source, predicate, transform].compactMap(\.self)) { (machine) throws(ConditionFailure) in
            defer { machine.locals[slot] = .null }
            switch comprehension.macro {
            case .all: return try loop.quantify(&machine, decisive: false)
            case .exists: return try loop.quantify(&machine, decisive: true)
            case .existsOne: return try loop.countOne(&machine)
            case .filter, .map: return try loop.collect(&machine)
            }
        }
        let inner = (predicate?.locals ?? 0) | (transform?.locals ?? 0)
        result.locals = source.locals | inner & ~(1 << UInt128(slot))
        return result
    }
}

/// A comprehension that is ready to run.
struct Loop: Sendable {
    let source: Code
    let sourceRange: ConditionRange
    let slot: Int
    let predicate: Code?
    let predicateRange: ConditionRange
    let transform: Code?

    /// The elements of a list or the keys of a map.
    private func elements(_ machine: inout Machine) throws(ConditionFailure) -> [ConditionValue] {
        switch try source(&machine) {
        case .list(let items): return items
        case .map(let map):
            do { try machine.charge(map.count, per: 4) } catch { throw ConditionFailure(error, at: sourceRange) }
            return map.entries.map(\.key)
        case let value: throw ConditionFailure(.noOverload("\(value.typeName) is neither a list nor a map"), at: sourceRange)
        }
    }

    private func holds(_ element: ConditionValue, _ machine: inout Machine) throws(ConditionFailure) -> Bool {
        do throws(ConditionReason) { try machine.step() } catch { throw ConditionFailure(error, at: predicateRange) }
        machine.locals[slot] = element
        guard let predicate else { return true }
        guard case .bool(let value) = try predicate(&machine) else {
            throw ConditionFailure(.noOverload("the predicate is not a bool"), at: predicateRange)
        }
        return value
    }

    /// `exists()` for a decisive true, `all()` for a decisive false. A decisive element makes errors of others irrelevant.
    func quantify(_ machine: inout Machine, decisive: Bool) throws(ConditionFailure) -> ConditionValue {
        var failure: ConditionFailure?
        for element in try elements(&machine) {
            do throws(ConditionFailure) {
                if try holds(element, &machine) == decisive { return .bool(decisive) }
            } catch {
                if error.reason == .budgetExceeded { throw error }
                if failure == nil { failure = error }
            }
        }
        if let failure { throw failure }
        return .bool(!decisive)
    }

    func countOne(_ machine: inout Machine) throws(ConditionFailure) -> ConditionValue {
        var count = 0
        for element in try elements(&machine) where try holds(element, &machine) { count += 1 }
        return .bool(count == 1)
    }

    func collect(_ machine: inout Machine) throws(ConditionFailure) -> ConditionValue {
        var results: [ConditionValue] = []
        for element in try elements(&machine) where try holds(element, &machine) {
            results.append(transform == nil ? element : try transform?(&machine) ?? element)
        }
        return .list(results)
    }
}
