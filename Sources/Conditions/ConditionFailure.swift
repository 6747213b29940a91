/// The reason why an evaluation has no value.
package enum ConditionReason: Error, Sendable, Hashable {
    /// The field is absent, or the object's type has none with this name.
    case noSuchField(String)
    case noSuchKey(String)
    /// The operation does not exist for values of these types.
    case noOverload(String)
    /// A variable without a value, or a function that is not defined.
    case unknown(String)
    case overflow(String)
    case divisionByZero
    case indexOutOfRange(String)
    /// A value that cannot be converted or used.
    case invalidValue(String)
    case duplicateKey(String)
    case unsupportedKey(String)
    /// The evaluation took more steps than allowed. `&&` and `||` do not absorb this error.
    case budgetExceeded

    package var message: String {
        switch self {
        case .noSuchField(let name): "no such field: \(name)"
        case .noSuchKey(let key): "no such key: \(key)"
        case .noOverload(let call): "no matching overload: \(call)"
        case .unknown(let name): "unknown name: \(name)"
        case .overflow(let type): "overflow: the result is out of the range of \(type)"
        case .divisionByZero: "division by zero"
        case .indexOutOfRange(let index): "index out of range: \(index)"
        case .invalidValue(let text): text
        case .duplicateKey(let key): "duplicate key: \(key)"
        case .unsupportedKey(let type): "unsupported type of a key: \(type)"
        case .budgetExceeded: "the evaluation exceeds its budget of steps"
        }
    }

    /// The reason without values, which may be secrets: for logs.
    package var summary: String {
        switch self {
        case .noSuchKey: "no such key"
        case .indexOutOfRange: "index out of range"
        case .invalidValue: "invalid value"
        case .duplicateKey: "duplicate key"
        case .unknown, .noSuchField, .noOverload, .overflow, .divisionByZero, .unsupportedKey, .budgetExceeded: message
        }
    }
}

/// An error of an evaluation, with the part of the expression that caused it.
package struct ConditionFailure: Error, Sendable, Hashable {
    package let reason: ConditionReason
    package let range: ConditionRange

    package init(_ reason: ConditionReason, at range: ConditionRange) {
        self.reason = reason
        self.range = range
    }
}
