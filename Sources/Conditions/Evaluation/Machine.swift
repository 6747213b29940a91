/// The state of one evaluation.
struct Machine {
    let bindings: any ConditionBindings
    let environment: ConditionEnvironment
    /// What is left of the budget.
    var steps: Int
    /// The variables of the comprehensions that run.
    var locals: [ConditionValue]
    var trace: [ConditionTrace.Step]?
    var traceDepth = 0

    init(_ bindings: any ConditionBindings, _ environment: ConditionEnvironment, steps: Int, locals: Int) {
        self.bindings = bindings
        self.environment = environment
        self.steps = steps
        self.locals = locals == 0 ? [] : Array(repeating: .null, count: locals)
    }

    @inline(__always)
    mutating func step() throws(ConditionReason) {
        steps -= 1
        if steps < 0 { throw .budgetExceeded }
    }

    /// Takes what work of `amount` bytes or elements costs beside its step.
    mutating func charge(_ amount: Int, per unit: Int = 64) throws(ConditionReason) {
        steps -= amount / unit
        if steps < 0 { throw .budgetExceeded }
    }
}

/// A part of an expression that is ready to run.
typealias Code = @Sendable (inout Machine) throws(ConditionFailure) -> ConditionValue
/// An operation on values.
typealias UnaryOperation = @Sendable (ConditionValue, inout Machine) throws(ConditionReason) -> ConditionValue
typealias BinaryOperation = @Sendable (ConditionValue, ConditionValue, inout Machine) throws(ConditionReason) -> ConditionValue
