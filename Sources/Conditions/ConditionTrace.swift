/// One evaluation, part by part.
package struct ConditionTrace: Sendable {
    package struct Step: Sendable {
        package let range: ConditionRange
        let id: SyntaxTree.ID
        /// The number of parts around this one.
        package let depth: Int
        /// Nil while the part runs, which a caller never sees.
        package fileprivate(set) var result: Result<ConditionValue, ConditionFailure>?
    }

    package let result: Result<ConditionValue, ConditionFailure>
    /// Every part that was evaluated and is more than a literal, a part before its operands. A comprehension's parts are there once for
    /// each element. At most `stepLimit`.
    package let steps: [Step]

    package static let stepLimit = 1_000
}

extension Machine {
    mutating func beginTrace(_ id: SyntaxTree.ID, _ range: ConditionRange) -> Int? {
        traceDepth += 1
        guard let count = trace?.count, count < ConditionTrace.stepLimit else { return nil }
        trace?.append(ConditionTrace.Step(range: range, id: id, depth: traceDepth - 1, result: nil))
        return count
    }

    mutating func endTrace(_ position: Int?, _ result: Result<ConditionValue, ConditionFailure>) {
        traceDepth -= 1
        if let position { trace?[position].result = result }
    }
}
