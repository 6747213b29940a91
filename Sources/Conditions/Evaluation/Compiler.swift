/// Turns a checked tree into code.
///
/// It recurses as deep as the tree, which the parser bounds; the code does too.
struct Compiler {
    typealias ID = SyntaxTree.ID

    /// A part with what is known about it before it runs.
    struct Part {
        var code: Code
        /// The value, when it is always the same.
        var constant: ConditionValue?
        /// Whether the part is always true or always false, unless an operand fails.
        var truth: Bool?
        /// Whether it reads variables or calls functions of the environment.
        var isOpen = false
        /// The variables of comprehensions around that it reads, as bits.
        var locals: UInt128 = 0
    }

    let tree: SyntaxTree
    let checker: Checker
    let environment: ConditionEnvironment
    /// Whether each part records its value when it runs.
    let isTraced: Bool
    private(set) var failures: [ConditionFailure] = []
    private(set) var truths: [ID: Bool] = [:]
    private(set) var localCount = 0
    /// The steps that all evaluations at load may take together.
    private var foldingSteps = 100_000

    init(_ tree: SyntaxTree, _ checker: Checker, isTraced: Bool) {
        self.tree = tree
        self.checker = checker
        environment = checker.environment
        self.isTraced = isTraced
    }

    mutating func compile(_ id: ID) -> Part {
        var part = emit(id)
        if part.constant == nil, !part.isOpen, part.locals == 0 { fold(&part, id) }
        if case .bool(let value)? = part.constant { part.truth = value }
        // The code stays: an operand that fails is an error, whatever the truth.
        if let truth = part.truth { truths[id] = truth }
        if case .literal = tree[id].kind { return part }
        if isTraced { part.code = Self.traced(part.code, id, tree[id].range) }
        return part
    }

    private mutating func fold(_ part: inout Part, _ id: ID) {
        var machine = Machine([ConditionValue?](), environment, steps: min(foldingSteps, 10_000), locals: localCount)
        let before = machine.steps
        defer { foldingSteps -= before - max(machine.steps, 0) }
        do {
            let value = try part.code(&machine)
            part.constant = value
            part.code = { (machine) throws(ConditionFailure) in value }
        } catch {
            if error.reason != .budgetExceeded { record(error) }
        }
    }

    private static func traced(_ code: @escaping Code, _ id: ID, _ range: ConditionRange) -> Code {
        { (machine) throws(ConditionFailure) in
            let position = machine.beginTrace(id, range)
            do throws(ConditionFailure) {
                let value = try code(&machine)
                machine.endTrace(position, .success(value))
                return value
            } catch {
                machine.endTrace(position, .failure(error))
                throw error
            }
        }
    }

    private mutating func emit(_ id: ID) -> Part {
        let node = tree[id]
        switch node.kind {
        case .literal(let value): return Part(code: { (machine) throws(ConditionFailure) in value }, constant: value)
        case .name: return reference(id) ?? unknown("", node.anchor)
        case .select(let operand, let field): return reference(id) ?? selection(id, operand, field)
        case .has(let operand, let field): return presence(id, operand, field)
        case .call(let name, let arguments):
            return call(id, name.hasPrefix(".") ? String(name.dropFirst()) : name, isMethod: false, arguments)
        case .method(let target, let name, let arguments): return call(id, name, isMethod: true, [target] + arguments)
        case .unary(.not, let operand): return negation(operand, node.range)
        case .unary(.negate, let operand): return unary(compile(operand), node.range, Arithmetic.negate)
        case .binary(let operation, let left, let right): return binary(operation, left, right, node.range)
        case .logical(let operation, let operands): return logical(operation, operands)
        case .conditional(let condition, let first, let second): return conditional(condition, first, second)
        case .list(let items): return list(items, node.range)
        case .map(let keys, let values): return map(keys, values, node.range)
        case .message(let name, _): return unknown(name, node.anchor)
        case .comprehension(let comprehension): return self.comprehension(comprehension, id)
        }
    }

    func unknown(_ name: String, _ range: ConditionRange) -> Part {
        let failure = ConditionFailure(.unknown(name), at: range)
        return Part(code: { (machine) throws(ConditionFailure) in throw failure }, isOpen: true)
    }

    /// A part that reads what its operands read.
    func part(_ operands: [Part], _ code: @escaping Code) -> Part {
        Part(
            code: code, isOpen: operands.contains(where: \.isOpen),
            locals: operands.reduce(0) { $0 | $1.locals })
    }

    // MARK: Operators

    @inline(__always)
    func unary(_ operand: Part, _ range: ConditionRange, _ operation: @escaping UnaryOperation) -> Part {
        let code = operand.code
        return part([operand]) { (machine) throws(ConditionFailure) in
            let value = try code(&machine)
            do throws(ConditionReason) {
                try machine.step()
                return try operation(value, &machine)
            } catch {
                throw ConditionFailure(error, at: range)
            }
        }
    }

    @inline(__always)
    func binary(_ left: Part, _ right: Part, _ range: ConditionRange, _ operation: @escaping BinaryOperation) -> Part {
        let first = left.code
        let second = right.code
        return part([left, right]) { (machine) throws(ConditionFailure) in
            let left = try first(&machine)
            let right = try second(&machine)
            do throws(ConditionReason) {
                try machine.step()
                return try operation(left, right, &machine)
            } catch {
                throw ConditionFailure(error, at: range)
            }
        }
    }

    private mutating func binary(_ operation: BinaryOperator, _ left: ID, _ right: ID, _ range: ConditionRange) -> Part {
        let first = compile(left)
        let second = compile(right)
        if operation == .membership, case .list(let items)? = second.constant {
            var result: Part
            if let texts = Self.texts(items) {
                result = unary(first, range) { (value, machine) throws(ConditionReason) in
                    guard case .string(let text) = value else { return .bool(false) }
                    return .bool(texts.contains(ExactString(text)))
                }
            } else {
                result = binary(first, second, range, Arithmetic.membership)
            }
            if items.isEmpty { result.truth = false }
            return result
        }
        // A literal closure is built into the code; one that is passed on is a call more.
        switch operation {
        case .equal:
            var result = binary(first, second, range) { (first, second, machine) throws(ConditionReason) in
                .bool(try Comparison.equal(first, second, &machine))
            }
            if comparesPresentVariableWithNull(left, right) { result.truth = false }
            return result
        case .notEqual:
            var result = binary(first, second, range) { (first, second, machine) throws(ConditionReason) in
                .bool(try !Comparison.equal(first, second, &machine))
            }
            if comparesPresentVariableWithNull(left, right) { result.truth = true }
            return result
        default: return binary(first, second, range, Arithmetic.operation(operation))
        }
    }

    private func comparesPresentVariableWithNull(_ left: ID, _ right: ID) -> Bool {
        func isNull(_ id: ID) -> Bool { if case .literal(.null) = tree[id].kind { true } else { false } }
        func isPresent(_ id: ID) -> Bool {
            guard case .variable(let position)? = checker.references[id] else { return false }
            return environment.presentVariables.contains(environment.variables[position].name)
        }
        return isNull(left) && isPresent(right) || isPresent(left) && isNull(right)
    }

    /// The strings of a list of nothing else, once a look-up in a set is faster.
    private static func texts(_ items: [ConditionValue]) -> Set<ExactString>? {
        guard items.count > 8 else { return nil }
        var texts: Set<ExactString> = []
        for item in items {
            guard case .string(let text) = item else { return nil }
            texts.insert(ExactString(text))
        }
        return texts
    }

    private mutating func list(_ items: [ID], _ range: ConditionRange) -> Part {
        let parts = items.map { compile($0) }
        let codes = parts.map(\.code)
        return part(parts) { (machine) throws(ConditionFailure) in
            var values: [ConditionValue] = []
            values.reserveCapacity(codes.count)
            for code in codes {
                values.append(try code(&machine))
                do throws(ConditionReason) { try machine.step() } catch { throw ConditionFailure(error, at: range) }
            }
            return .list(values)
        }
    }

    private mutating func map(_ keys: [ID], _ values: [ID], _ range: ConditionRange) -> Part {
        let keyParts = keys.map { compile($0) }
        let valueParts = values.map { compile($0) }
        let codes = Array(zip(keyParts.map(\.code), valueParts.map(\.code)))
        let ranges = keys.map { tree[$0].range }
        return part(keyParts + valueParts) { (machine) throws(ConditionFailure) in
            var entries: [ConditionMap.Entry] = []
            entries.reserveCapacity(codes.count)
            for (key, value) in codes {
                entries.append((try key(&machine), try value(&machine)))
                do throws(ConditionReason) { try machine.step() } catch { throw ConditionFailure(error, at: range) }
            }
            if let map = ConditionMap(entries) { return .map(map) }
            throw Self.keyFailure(entries, ranges)
        }
    }

    private static func keyFailure(_ entries: [ConditionMap.Entry], _ ranges: [ConditionRange]) -> ConditionFailure {
        var known: Set<ConditionKey> = []
        for (entry, range) in zip(entries, ranges) {
            guard let key = ConditionKey(entry.key, allowsDouble: false) else {
                return ConditionFailure(.unsupportedKey(entry.key.typeName), at: range)
            }
            if !known.insert(key).inserted { return ConditionFailure(.duplicateKey(entry.key.description), at: range) }
        }
        return ConditionFailure(.unsupportedKey("unknown"), at: ranges[0])
    }

    mutating func record(_ failure: ConditionFailure) {
        if !failures.contains(failure) { failures.append(failure) }
    }

    /// Reserves the slot of a comprehension's variable.
    mutating func reserve(_ slot: Int) { localCount = max(localCount, slot + 1) }
}
