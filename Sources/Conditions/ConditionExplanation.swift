/// A part of an expression with its value in one evaluation, for people.
package struct ConditionOperand: Sendable {
    package let range: ConditionRange
    /// The number of shown parts around this one.
    package let depth: Int
    package let result: Result<ConditionValue, ConditionFailure>
}

extension Condition {
    /// The parts of a trace that explain its result, each before its operands. Of `auth.token.department`, the parts `auth` and
    /// `auth.token` are left out.
    package func operands(of trace: ConditionTrace) -> [ConditionOperand] {
        let hidden = partsOfPaths
        var operands: [ConditionOperand] = []
        // The depth in the trace of each shown part around the current one.
        var around: [Int] = []
        for step in trace.steps {
            while let last = around.last, last >= step.depth { around.removeLast() }
            guard let result = step.result, !hidden.contains(step.id) else { continue }
            operands.append(ConditionOperand(range: step.range, depth: around.count, result: result))
            around.append(step.depth)
        }
        return operands
    }

    /// The operands that made the result false: those of `&&` that are false, all of `||`, the chosen one of `?:`.
    package func falseOperands(of trace: ConditionTrace) -> [ConditionRange] {
        guard case .success(.bool(false)) = trace.result else { return [] }
        var values: [SyntaxTree.ID: Bool] = [:]
        for step in trace.steps {
            if case .success(.bool(let value))? = step.result, values[step.id] == nil { values[step.id] = value }
        }
        var found: [ConditionRange] = []
        collectFalse(tree.root, values, into: &found)
        return found
    }

    private func collectFalse(_ id: SyntaxTree.ID, _ values: [SyntaxTree.ID: Bool], into found: inout [ConditionRange]) {
        switch tree[id].kind {
        case .logical(.and, let operands):
            let before = found.count
            for operand in operands where values[operand] == false { collectFalse(operand, values, into: &found) }
            if found.count == before { found.append(tree[id].range) }
        case .logical(.or, let operands):
            for operand in operands { collectFalse(operand, values, into: &found) }
        case .conditional(let condition, let first, let second):
            guard let isFirst = values[condition] else { return found.append(tree[id].range) }
            let chosen = isFirst ? first : second
            if case .literal = tree[chosen].kind {
                if isFirst { found.append(tree[condition].range) } else { collectFalse(condition, values, into: &found) }
            } else {
                collectFalse(chosen, values, into: &found)
            }
        default: found.append(tree[id].range)
        }
    }

    /// The parts that a longer path contains: `auth` in `auth.uid`.
    private var partsOfPaths: Set<SyntaxTree.ID> {
        var hidden: Set<SyntaxTree.ID> = []
        for node in tree.nodes {
            switch node.kind {
            case .select(let operand, _), .has(let operand, _), .binary(.index, let operand, _):
                switch tree[operand].kind {
                case .name, .select, .binary(.index, _, _): hidden.insert(operand)
                default: break
                }
            default: break
            }
        }
        return hidden
    }

    /// The part that failed, as a reader looks for it: the whole of `auth.token.department`, whose last name failed.
    package func part(of failure: ConditionFailure) -> ConditionRange {
        let whole = tree.nodes.first { node in
            switch node.kind {
            case .select, .has: node.anchor == failure.range
            default: false
            }
        }
        return whole?.range ?? failure.range
    }

    /// The text of a part on one line. `hidingLiterals`: each string is written as `"…"`, because it may be data about other users.
    package func text(of range: ConditionRange, hidingLiterals: Bool = false) -> String {
        var bytes: [UInt8] = []
        let source = Array(text.utf8)
        var position = range.utf8.lowerBound
        if hidingLiterals {
            for node in tree.nodes.sorted(by: { $0.range.utf8.lowerBound < $1.range.utf8.lowerBound }) {
                guard case .literal(let value) = node.kind, position <= node.range.utf8.lowerBound,
                    node.range.utf8.upperBound <= range.utf8.upperBound
                else { continue }
                switch value {
                case .string, .bytes:
                    bytes += source[position..<node.range.utf8.lowerBound]
                    bytes += "\"…\"".utf8
                    position = node.range.utf8.upperBound
                default: break
                }
            }
        }
        bytes += source[position..<max(position, min(range.utf8.upperBound, source.count))]
        return String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0.isNewline || $0 == "\t" }.joined(separator: " ")
    }
}
