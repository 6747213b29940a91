import Primitives

/// The standard functions.
enum Builtins {
    enum Body {
        case unary(UnaryOperation)
        case binary(BinaryOperation)
    }

    struct Key: Hashable {
        let name: String
        let isMethod: Bool
        let count: Int
    }

    static func body(_ name: String, isMethod: Bool, count: Int) -> Body? { all[Key(name: name, isMethod: isMethod, count: count)] }

    private static let all: [Key: Body] = {
        var all: [Key: Body] = [:]
        func add(_ name: String, isMethod: Bool, _ operation: @escaping UnaryOperation) {
            all[Key(name: name, isMethod: isMethod, count: 1)] = .unary(operation)
        }
        func add(_ name: String, isMethod: Bool, _ operation: @escaping BinaryOperation) {
            all[Key(name: name, isMethod: isMethod, count: 2)] = .binary(operation)
        }
        add("size", isMethod: false, size)
        add("size", isMethod: true, size)
        add("matches", isMethod: false, matches)
        add("matches", isMethod: true, matches)
        add("contains", isMethod: true, Strings.contains)
        add("startsWith", isMethod: true, Strings.startsWith)
        add("endsWith", isMethod: true, Strings.endsWith)
        add("lowerAscii", isMethod: true, Strings.lowerASCII)
        add("ip", isMethod: false, ip)
        add("inNetwork", isMethod: true, inNetwork)
        for (name, conversion) in Conversions.all { add(name, isMethod: false, conversion) }
        for part in TimePart.allCases {
            add(part.rawValue, isMethod: true) { (value, machine) throws(ConditionReason) in try part.of(value) }
            add(part.rawValue, isMethod: true) { (value, zone, machine) throws(ConditionReason) in
                guard case .string(let name) = zone else { throw Arithmetic.noOverload(part.rawValue, value, zone) }
                return try part.of(value, in: try Self.zone(name, machine.environment))
            }
        }
        return all
    }()

    /// The operation with its last argument known; nil when nothing is gained by that.
    static func specialized(
        _ name: String, isMethod: Bool, last argument: ConditionValue, _ environment: ConditionEnvironment
    ) throws(ConditionReason) -> UnaryOperation? {
        guard case .string(let text) = argument else { return nil }
        switch name {
        case "matches":
            let pattern = try pattern(text)
            return { (value, machine) throws(ConditionReason) in
                guard case .string(let value) = value else { throw .noOverload("\(value.typeName).matches(string)") }
                return .bool(try run(pattern, on: value, &machine))
            }
        case "inNetwork":
            let block = try block(text)
            return { (value, machine) throws(ConditionReason) in
                guard case .address(let address) = value else { throw .noOverload("\(value.typeName).inNetwork(string)") }
                return .bool(block.contains(address.networkAddress))
            }
        default:
            guard isMethod, let part = TimePart(rawValue: name) else { return nil }
            let zone = try zone(text, environment)
            return { (value, machine) throws(ConditionReason) in try part.of(value, in: zone) }
        }
    }

    private static func zone(_ name: String, _ environment: ConditionEnvironment) throws(ConditionReason) -> ConditionTimeZone {
        guard let zone = environment.timeZones.zone(name) else {
            throw .invalidValue("unknown time zone \(ConditionValue.string(name))")
        }
        return zone
    }

    private static func size(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        switch value {
        case .string(let text):
            try machine.charge(text.utf8.count)
            return .int(Int64(text.unicodeScalars.count))
        case .bytes(let bytes): return .int(Int64(bytes.count))
        case .list(let items): return .int(Int64(items.count))
        case .map(let map): return .int(Int64(map.count))
        default: throw .noOverload("size(\(value.typeName))")
        }
    }

    // MARK: Patterns

    private static func pattern(_ text: String) throws(ConditionReason) -> Pattern {
        do {
            return try Pattern(text)
        } catch {
            throw .invalidValue("invalid regular expression: \(error.text)")
        }
    }

    private static func matches(
        _ value: ConditionValue, _ pattern: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        guard case .string(let value) = value, case .string(let text) = pattern else {
            throw Arithmetic.noOverload("matches", value, pattern)
        }
        let pattern = try Self.pattern(text)
        try machine.charge(text.utf8.count + pattern.size, per: 8)
        return .bool(try run(pattern, on: value, &machine))
    }

    /// The pattern machine's steps that count as one step.
    private static let patternSteps = 16

    private static func run(_ pattern: Pattern, on text: String, _ machine: inout Machine) throws(ConditionReason) -> Bool {
        let available = machine.steps * patternSteps
        var budget = available
        let result = pattern.matches(text, budget: &budget)
        try machine.charge(available - budget, per: patternSteps)
        guard let result else { throw .budgetExceeded }
        return result
    }

    // MARK: Addresses

    private static func ip(_ value: ConditionValue, _ machine: inout Machine) throws(ConditionReason) -> ConditionValue {
        guard case .string(let text) = value else { throw .noOverload("ip(\(value.typeName))") }
        guard let address = NetworkAddress(text) else { throw .invalidValue("not an IP address: \(value)") }
        return .address(address)
    }

    private static func block(_ text: String) throws(ConditionReason) -> CIDRBlock {
        guard let block = CIDRBlock(text) else { throw .invalidValue("not a network: \(ConditionValue.string(text))") }
        return block
    }

    private static func inNetwork(
        _ value: ConditionValue, _ network: ConditionValue, _ machine: inout Machine
    ) throws(ConditionReason) -> ConditionValue {
        guard case .address(let address) = value, case .string(let text) = network else {
            throw Arithmetic.noOverload("inNetwork", value, network)
        }
        return .bool(try block(text).contains(address.networkAddress))
    }
}
