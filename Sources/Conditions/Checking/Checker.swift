/// Finds out what each name refers to and which type each part has.
///
/// It recurses as deep as the tree, which the parser bounds.
struct Checker {
    typealias ID = SyntaxTree.ID

    /// What a name or a selection refers to.
    enum Reference {
        case variable(Int)
        case local(Int)
        case type(String)
        /// The field of an object at its position in the declaration of `type`.
        case field(type: String, position: Int)
        /// Nothing: an error when it is evaluated, which only unchecked expressions get to.
        case unknown(String)
    }

    struct Local {
        let name: String
        let slot: Int
        let type: ConditionType
    }

    let tree: SyntaxTree
    let environment: ConditionEnvironment
    /// Whether types are checked; otherwise only names are resolved.
    let isStrict: Bool
    var unifier = TypeUnifier()
    var locals: [Local] = []
    private(set) var problems: [ConditionProblem] = []
    private(set) var types: [ConditionType]
    private(set) var references: [Reference?]
    /// The slot of each comprehension's variable.
    private(set) var slots: [ID: Int] = [:]

    static let problemLimit = 20

    init(_ tree: SyntaxTree, _ environment: ConditionEnvironment, isStrict: Bool) {
        self.tree = tree
        self.environment = environment
        self.isStrict = isStrict
        types = Array(repeating: .dynamic, count: tree.nodes.count)
        references = Array(repeating: nil, count: tree.nodes.count)
    }

    /// Checks everything; the result is complete when `problems` is empty.
    mutating func check(expecting expected: ConditionType?) {
        let type = check(tree.root)
        if let expected, !unifier.assign(type, to: expected) {
            report("the expression is of type \(unifier.final(type)); expected \(expected)", at: tree[tree.root].range)
        }
        for id in types.indices { types[id] = unifier.final(types[id]) }
        problems.sort { $0.range.utf8.lowerBound < $1.range.utf8.lowerBound }
    }

    mutating func report(_ message: String, at range: ConditionRange, suggestion: String? = nil) {
        guard isStrict, problems.count < Self.problemLimit else { return }
        problems.append(ConditionProblem(message, at: range, suggestion: suggestion))
    }

    mutating func refer(_ id: ID, to reference: Reference) { references[id] = reference }

    @discardableResult
    mutating func check(_ id: ID) -> ConditionType {
        let type = typeOf(id)
        types[id] = type
        return unifier.resolved(type)
    }

    private mutating func typeOf(_ id: ID) -> ConditionType {
        switch tree[id].kind {
        case .literal(let value): return Self.type(of: value)
        case .name(let name, let isRooted): return checkName(id, name, isRooted)
        case .select(let operand, let field): return checkSelection(id, operand, field)
        case .has(let operand, let field): return checkPresence(id, operand, field)
        case .call(let name, let arguments):
            return checkCall(id, name.hasPrefix(".") ? String(name.dropFirst()) : name, isMethod: false, arguments)
        case .method(let target, let name, let arguments): return checkCall(id, name, isMethod: true, [target] + arguments)
        case .unary(.not, let operand):
            require(.bool, operand, for: "'!'")
            return .bool
        case .unary(.negate, let operand): return checkOperator(id, "-", [operand])
        case .binary(let operation, let left, let right): return checkOperator(id, operation.rawValue, [left, right])
        case .logical(let operation, let operands):
            for operand in operands { require(.bool, operand, for: "'\(operation.rawValue)'") }
            return .bool
        case .conditional(let condition, let first, let second): return checkConditional(id, condition, first, second)
        case .list(let items): return .list(join(items))
        case .map(let keys, let values): return checkMap(keys, values)
        case .message(let name, let values):
            values.forEach { check($0) }
            report("unknown type '\(name)'; objects cannot be written in an expression", at: tree[id].anchor)
            return .dynamic
        case .comprehension(let comprehension): return check(comprehension, id)
        }
    }

    private static func type(of literal: ConditionValue) -> ConditionType {
        switch literal {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .uint: .uint
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        default: .dynamic
        }
    }

    private mutating func require(_ type: ConditionType, _ operand: ID, for user: String) {
        let found = check(operand)
        if !unifier.assign(found, to: type) {
            report("\(user) takes \(type), not \(unifier.final(found))", at: tree[operand].range)
        }
    }

    private mutating func checkConditional(_ id: ID, _ condition: ID, _ first: ID, _ second: ID) -> ConditionType {
        require(.bool, condition, for: "the condition of '?'")
        let firstType = check(first)
        let secondType = check(second)
        guard unifier.assign(secondType, to: firstType) else {
            report(
                "both results of '?' have the same type; these are \(unifier.final(firstType)) and \(unifier.final(secondType))",
                at: tree[id].range)
            return .dynamic
        }
        return TypeUnifier.mostGeneral(unifier.resolved(firstType), unifier.resolved(secondType))
    }

    /// The type that covers all items; `dyn` when none but that does.
    private mutating func join(_ items: [ID]) -> ConditionType {
        var joined: ConditionType?
        for item in items {
            let type = check(item)
            guard let before = joined else {
                joined = type
                continue
            }
            joined =
                unifier.assign(type, to: before)
                ? TypeUnifier.mostGeneral(unifier.resolved(before), unifier.resolved(type)) : .dynamic
        }
        return joined ?? unifier.fresh()
    }

    private mutating func checkMap(_ keys: [ID], _ values: [ID]) -> ConditionType {
        let type = ConditionType.map(join(keys), join(values))
        for key in keys {
            switch unifier.final(types[key]) {
            case .bool, .int, .uint, .string, .dynamic: break
            default: report("a key is of type bool, int, uint or string, not \(unifier.final(types[key]))", at: tree[key].range)
            }
        }
        return type
    }

    // MARK: Comprehensions

    private mutating func check(_ comprehension: SyntaxTree.Comprehension, _ id: ID) -> ConditionType {
        let source = check(comprehension.source)
        let element: ConditionType
        switch source {
        case .list(let type), .map(let type, _): element = type
        case .dynamic: element = .dynamic
        case .parameter:
            // Anything else would decide a type that nothing in the expression says.
            _ = unifier.assign(.dynamic, to: source)
            element = .dynamic
        default:
            report("\(comprehension.macro.rawValue)() takes a list or a map, not \(source)", at: tree[comprehension.source].range)
            element = .dynamic
        }
        let slot = locals.count
        slots[id] = slot
        locals.append(Local(name: comprehension.variable, slot: slot, type: element))
        defer { locals.removeLast() }
        if let predicate = comprehension.predicate { require(.bool, predicate, for: "\(comprehension.macro.rawValue)()") }
        let transformed = comprehension.transform.map { check($0) }
        switch comprehension.macro {
        case .all, .exists, .existsOne: return .bool
        case .filter: return .list(element)
        case .map: return .list(transformed ?? .dynamic)
        }
    }
}
