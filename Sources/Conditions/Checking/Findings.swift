/// A part of an expression with the same truth in every evaluation.
package struct ConditionConstant: Sendable, Hashable {
    package let range: ConditionRange
    package let value: Bool
    /// The operand that decides a longer part alone, as in `auth.emailVerified || true`.
    package let decidedBy: ConditionRange?
}

/// Facts about a checked expression.
struct Findings {
    let tree: SyntaxTree
    let checker: Checker
    let truths: [SyntaxTree.ID: Bool]
    private(set) var constants: [ConditionConstant] = []
    private(set) var reads: Set<[String]> = []

    init(_ tree: SyntaxTree, _ checker: Checker, _ truths: [SyntaxTree.ID: Bool]) {
        self.tree = tree
        self.checker = checker
        self.truths = truths
        collectConstants()
        collectReads(tree.root)
    }

    /// The outermost parts with a known truth: the whole, the operands of logical operators, conditions and predicates.
    private mutating func collectConstants() {
        var pending = [(id: tree.root, isTested: true)]
        while let (id, isTested) = pending.popLast() {
            if isTested, let value = truths[id] {
                constants.append(ConditionConstant(range: tree[id].range, value: value, decidedBy: decider(of: id, value)))
                continue
            }
            switch tree[id].kind {
            case .logical(_, let operands): pending += operands.map { ($0, true) }
            case .unary(.not, let operand): pending.append((operand, true))
            case .conditional(let condition, let first, let second):
                pending.append((condition, true))
                // `a ? b : false` is the usual way to write an "and" that stops at its first operand.
                pending += [(first, false), (second, false)]
            case .comprehension(let comprehension):
                pending.append((comprehension.source, false))
                if let predicate = comprehension.predicate { pending.append((predicate, true)) }
                if let transform = comprehension.transform { pending.append((transform, false)) }
            default: tree[id].kind.forEachChild { pending.append(($0, false)) }
            }
        }
        constants.sort { $0.range.utf8.lowerBound < $1.range.utf8.lowerBound }
    }

    private func decider(of id: SyntaxTree.ID, _ value: Bool) -> ConditionRange? {
        guard case .logical(let operation, let operands) = tree[id].kind, value == (operation == .or) else { return nil }
        return operands.first { truths[$0] == value }.map { tree[$0].range }
    }

    /// The variables and fields that the part reads, as paths. `key`: the only member of the part that matters; nil: all of it.
    private mutating func collectReads(_ id: SyntaxTree.ID, key: String? = nil) {
        var fields = key.map { [$0] } ?? []
        var current = id
        while true {
            if case .variable(let position)? = checker.references[current] {
                reads.insert([checker.environment.variables[position].name] + fields.reversed())
                return
            }
            switch tree[current].kind {
            case .select(let operand, let field), .has(let operand, let field):
                if case .type? = checker.references[current] { return }
                fields.append(field)
                current = operand
            case .binary(.index, let operand, let index):
                if case .literal(.string(let key)) = tree[index].kind {
                    fields.append(key)
                } else {
                    fields.removeAll()
                    collectReads(index)
                }
                current = operand
            case .binary(.membership, let item, let map):
                // Of a list, all members matter.
                guard fields.isEmpty, case .literal(.string(let key)) = tree[item].kind, case .map = checker.types[map] else {
                    tree[current].kind.children.forEach { collectReads($0) }
                    return
                }
                collectReads(map, key: key)
                return
            default:
                tree[current].kind.children.forEach { collectReads($0) }
                return
            }
        }
    }
}

extension SyntaxTree.Kind {
    var children: [SyntaxTree.ID] {
        var children: [SyntaxTree.ID] = []
        forEachChild { children.append($0) }
        return children
    }
}
