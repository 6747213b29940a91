/// The state of one evaluation.
struct Machine {
    /// The values of the environment's variables.
    let values: [ConditionValue?]
    let environment: ConditionEnvironment
    /// What is left of the budget.
    var steps: Int
    /// The variables of the comprehensions that run.
    var locals: [ConditionValue]
    var trace: [ConditionTrace.Step]?
    var traceDepth = 0

    init(_ values: [ConditionValue?], _ environment: ConditionEnvironment, steps: Int, locals: Int) {
        self.values = values
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
/// A part whose value can only be a Boolean.
typealias Test = @Sendable (inout Machine) throws(ConditionFailure) -> Bool
/// An operation on values.
typealias UnaryOperation = @Sendable (ConditionValue, inout Machine) throws(ConditionReason) -> ConditionValue
typealias BinaryOperation = @Sendable (ConditionValue, ConditionValue, inout Machine) throws(ConditionReason) -> ConditionValue
