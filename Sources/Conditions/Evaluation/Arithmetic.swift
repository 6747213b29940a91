/// The arithmetic operators. Overflow is an error.
enum Arithmetic {
    static func noOverload(_ name: String, _ first: ConditionValue, _ second: ConditionValue) -> ConditionReason {
        .noOverload("\(first.typeName) \(name) \(second.typeName)")
    }

    private static func int(_ result: (partialValue: Int64, overflow: Bool)) throws(ConditionReason) -> ConditionValue {
        guard !result.overflow else { throw .overflow("int") }
        return .int(result.partialValue)
    }

    private static func uint(_ result: (partialValue: UInt64, overflow: Bool)) throws(ConditionReason) -> ConditionValue {
        guard !result.overflow else { throw .overflow("uint") }
        return .uint(result.partialValue)
    }

    private static func duration(_ result: (partialValue: Int64, overflow: Bool)) throws(ConditionReason) -> ConditionValue {
        guard !result.overflow else { throw .overflow("duration") }
        return .duration(ConditionDuration(nanoseconds: result.partialValue))
    }

    private static func timestamp(_ result: ConditionTimestamp?) throws(ConditionReason) -> ConditionValue {
        guard let result else { throw .overflow("timestamp") }
        return .timestamp(result)
    }

    static func add(_ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch (first, second) {
        case (.int(let first), .int(let second)): return try int(first.addingReportingOverflow(second))
        case (.uint(let first), .uint(let second)): return try uint(first.addingReportingOverflow(second))
        case (.double(let first), .double(let second)): return .double(first + second)
        case (.string(let first), .string(let second)):
            try machine.charge(first.utf8.count + second.utf8.count)
            return .string(first + second)
        case (.bytes(let first), .bytes(let second)):
            try machine.charge(first.count + second.count)
            return .bytes(first + second)
        case (.list(let first), .list(let second)):
            try machine.charge(first.count + second.count, per: 4)
            return .list(first + second)
        case (.timestamp(let time), .duration(let duration)), (.duration(let duration), .timestamp(let time)):
            return try timestamp(time.adding(duration))
        case (.duration(let first), .duration(let second)):
            return try duration(first.nanoseconds.addingReportingOverflow(second.nanoseconds))
        default: throw noOverload("+", first, second)
        }
    }

    static func subtract(
        _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        switch (first, second) {
        case (.int(let first), .int(let second)): return try int(first.subtractingReportingOverflow(second))
        case (.uint(let first), .uint(let second)): return try uint(first.subtractingReportingOverflow(second))
        case (.double(let first), .double(let second)): return .double(first - second)
        case (.timestamp(let first), .timestamp(let second)):
            guard let result = first.since(second) else { throw .overflow("duration") }
            return .duration(result)
        case (.timestamp(let time), .duration(let duration)):
            guard duration.nanoseconds != .min else { throw .overflow("duration") }
            return try timestamp(time.adding(ConditionDuration(nanoseconds: -duration.nanoseconds)))
        case (.duration(let first), .duration(let second)):
            return try duration(first.nanoseconds.subtractingReportingOverflow(second.nanoseconds))
        default: throw noOverload("-", first, second)
        }
    }

    static func multiply(
        _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        switch (first, second) {
        case (.int(let first), .int(let second)): return try int(first.multipliedReportingOverflow(by: second))
        case (.uint(let first), .uint(let second)): return try uint(first.multipliedReportingOverflow(by: second))
        case (.double(let first), .double(let second)): return .double(first * second)
        default: throw noOverload("*", first, second)
        }
    }

    static func divide(
        _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        switch (first, second) {
        case (.int, .int(0)), (.uint, .uint(0)): throw .divisionByZero
        case (.int(let first), .int(let second)): return try int(first.dividedReportingOverflow(by: second))
        case (.uint(let first), .uint(let second)): return .uint(first / second)
        case (.double(let first), .double(let second)): return .double(first / second)
        default: throw noOverload("/", first, second)
        }
    }

    static func remainder(
        _ first: ConditionValue, _ second: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        switch (first, second) {
        case (.int, .int(0)), (.uint, .uint(0)): throw .divisionByZero
        // The processor traps on the smallest int and -1.
        case (.int, .int(-1)): return .int(0)
        case (.int(let first), .int(let second)): return .int(first % second)
        case (.uint(let first), .uint(let second)): return .uint(first % second)
        default: throw noOverload("%", first, second)
        }
    }

    static func negate(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .int(let value): return try int(Int64(0).subtractingReportingOverflow(value))
        case .double(let value): return .double(-value)
        default: throw .noOverload("-\(value.typeName)")
        }
    }

    static func membership(
        _ item: ConditionValue, _ container: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        switch container {
        case .list(let items):
            for other in items {
                try machine.step()
                if try Comparison.equal(item, other, &machine) { return .bool(true) }
            }
            return .bool(false)
        case .map(let map): return .bool(map.value(for: item) != nil)
        default: throw noOverload("in", item, container)
        }
    }

    static func index(
        _ container: ConditionValue, _ index: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        switch container {
        case .map(let map):
            guard let value = map.value(for: index) else { throw .noSuchKey(index.description) }
            return value
        case .list(let items):
            guard let key = ConditionKey(index, allowsDouble: true), case .int(let position) = key else {
                throw .indexOutOfRange(index.description)
            }
            guard position >= 0, position < items.count else { throw .indexOutOfRange(index.description) }
            return items[Int(position)]
        default: throw .noOverload("\(container.typeName)[\(index.typeName)]")
        }
    }

    static func operation(_ operation: BinaryOperator) -> BinaryOperation {
        switch operation {
        case .add: add
        case .subtract: subtract
        case .multiply: multiply
        case .divide: divide
        case .remainder: remainder
        case .membership: membership
        case .index: index
        case .equal:
            { (first, second, machine) throws(ConditionReason) in .bool(try Comparison.equal(first, second, &machine)) }
        case .notEqual:
            { (first, second, machine) throws(ConditionReason) in .bool(try !Comparison.equal(first, second, &machine)) }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            { (first, second, machine) throws(ConditionReason) in .bool(try Comparison.compare(operation, first, second, &machine)) }
        }
    }
}
