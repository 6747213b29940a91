/// An expression of the Common Expression Language: parsed, checked and compiled once, evaluated many times.
package struct Condition: Sendable {
    /// The steps that one evaluation may take unless the caller says otherwise.
    package static let budget = 10_000
    private static let largestBudget = 100_000_000

    package let text: String
    package let environment: ConditionEnvironment
    /// The type of the result.
    package let type: ConditionType
    /// Parts that are always true or always false, in the order of the text; the outermost ones only.
    package let constants: [ConditionConstant]
    /// Parts that fail in every evaluation, as `1 / 0` or an invalid regular expression. `&&`, `||` and `?:` can make them irrelevant.
    package let certainFailures: [ConditionFailure]
    /// The variables and fields that are read, as paths: `["auth", "groups"]`. A path ends where a key is computed.
    package let reads: Set<[String]>

    private let code: Code
    private let localCount: Int
    let tree: SyntaxTree
    private let checker: Checker

    /// Parses and checks an expression whose result is of the type `expected`; of any type for nil.
    package init(_ text: String, in environment: ConditionEnvironment, expecting expected: ConditionType? = .bool) throws(ConditionProblems)
    {
        try self.init(text, environment, expected, isStrict: true)
    }

    /// Parses an expression without checking types and names: what is wrong with them is an error of the evaluation.
    package init(unchecked text: String, in environment: ConditionEnvironment) throws(ConditionProblems) {
        try self.init(text, environment, nil, isStrict: false)
    }

    private init(
        _ text: String, _ environment: ConditionEnvironment, _ expected: ConditionType?, isStrict: Bool
    ) throws(ConditionProblems) {
        do {
            tree = try Parser.tree(of: text, limits: environment.limits)
        } catch {
            throw ConditionProblems(problems: [error])
        }
        var checker = Checker(tree, environment, isStrict: isStrict)
        checker.check(expecting: expected)
        guard checker.problems.isEmpty else { throw ConditionProblems(problems: checker.problems) }
        var compiler = Compiler(tree, checker, isTraced: false)
        let part = compiler.compile(tree.root)
        let findings = Findings(tree, checker, compiler.truths)
        self.text = text
        self.environment = environment
        self.checker = checker
        type = checker.types[tree.root]
        constants = findings.constants
        certainFailures = compiler.failures
        reads = findings.reads
        code = part.code
        localCount = compiler.localCount
    }

    /// The value of the expression.
    package func evaluate(_ values: [ConditionValue?], budget: Int = Self.budget) throws(ConditionFailure) -> ConditionValue {
        var machine = Machine(values, environment, steps: Self.clamped(budget), locals: localCount)
        return try code(&machine)
    }

    /// Whether the condition holds. Any value but a Boolean is an error.
    package func holds(_ values: [ConditionValue?], budget: Int = Self.budget) throws(ConditionFailure) -> Bool {
        let value = try evaluate(values, budget: budget)
        guard case .bool(let result) = value else {
            throw ConditionFailure(.noOverload("the result is of type \(value.typeName), not bool"), at: tree[tree.root].range)
        }
        return result
    }

    /// Evaluates with a record of every part. It compiles the expression anew, so it is slower.
    package func trace(_ values: [ConditionValue?], budget: Int = Self.budget) -> ConditionTrace {
        var compiler = Compiler(tree, checker, isTraced: true)
        let part = compiler.compile(tree.root)
        var machine = Machine(values, environment, steps: Self.clamped(budget), locals: compiler.localCount)
        machine.trace = []
        let result: Result<ConditionValue, ConditionFailure>
        do {
            result = .success(try part.code(&machine))
        } catch {
            result = .failure(error)
        }
        return ConditionTrace(result: result, steps: machine.trace ?? [])
    }

    private static func clamped(_ budget: Int) -> Int { min(max(budget, 0), largestBudget) }
}
