/// What an expression may name: variables, the fields of objects, and functions beside the standard ones.
package final class ConditionEnvironment: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let type: ConditionType
        /// Whether the field can be absent. `has()` of any other field is always true.
        package let isOptional: Bool

        package init(_ name: String, _ type: ConditionType, isOptional: Bool = false) {
            self.name = name
            self.type = type
            self.isOptional = isOptional
        }
    }

    package struct ObjectType: Sendable {
        package let name: String
        package let fields: [Field]
        private let positions: [String: Int]

        /// Of fields with the same name the first counts.
        package init(_ name: String, _ fields: [Field]) {
            self.name = name
            self.fields = fields
            positions = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The position of a field in the declaration, which `ConditionObject.field(at:)` takes.
        package func position(of field: String) -> Int? { positions[field] }
    }

    /// The variables. Evaluations take their values in this order; nil stands for a variable without a value.
    package let variables: [(name: String, type: ConditionType)]
    /// The names of variables that are never null here: a comparison of one with `null` is constant.
    package let presentVariables: Set<String>
    package let objects: [String: ObjectType]
    package let functions: [ConditionFunction]
    /// A dotted prefix that names are looked up with before they are looked up alone.
    package let container: String
    package let timeZones: ConditionTimeZones
    package let limits: ConditionLimits
    private let positions: [String: Int]

    package init(
        variables: [(name: String, type: ConditionType)] = [], presentVariables: Set<String> = [], objects: [ObjectType] = [],
        functions: [ConditionFunction] = [],
        container: String = "", timeZones: ConditionTimeZones = .system, limits: ConditionLimits = ConditionLimits()
    ) {
        self.variables = variables
        self.presentVariables = presentVariables
        self.objects = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.functions = functions
        self.container = container
        self.timeZones = timeZones
        self.limits = limits
        positions = Dictionary(variables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func position(ofVariable name: String) -> Int? { positions[name] }

    /// The full names that a name can stand for, the longest prefix first.
    func candidates(for name: String, isRooted: Bool) -> [String] {
        guard !isRooted, !container.isEmpty else { return [name] }
        var prefix = container.split(separator: ".")
        var candidates: [String] = []
        while !prefix.isEmpty {
            candidates.append(prefix.joined(separator: ".") + "." + name)
            prefix.removeLast()
        }
        return candidates + [name]
    }
}

/// A function of the environment. It has no side effects.
package struct ConditionFunction: Sendable {
    package typealias Body = @Sendable ([ConditionValue]) throws(ConditionReason) -> ConditionValue

    package let name: String
    /// Whether the first argument stands before the name: `value.name(…)`.
    package let isMethod: Bool
    package let parameters: [ConditionType]
    package let result: ConditionType
    /// Nil for a function that can be checked but not called.
    package let body: Body?

    package init(_ name: String, isMethod: Bool = false, _ parameters: [ConditionType], _ result: ConditionType, _ body: Body? = nil) {
        self.name = name
        self.isMethod = isMethod
        self.parameters = parameters
        self.result = result
        self.body = body
    }
}
