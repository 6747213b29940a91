import Conditions
import Primitives

/// An expression: refused with a part of the text, or evaluated within its budget, with the same result each time.
enum ConditionsTarget {
    private final class Request: ConditionObject {
        let typeName = "request"
        private let values: [ConditionValue?] = [
            .string("GET"), nil, NetworkAddress("10.0.0.1").map { .address($0) },
            ConditionTimestamp("2026-11-26T10:00:00Z").map(ConditionValue.timestamp), .list([.string("a"), .string("b")]),
        ]

        func field(at index: Int) -> ConditionValue? { values[index] }
    }

    private static let environment = ConditionEnvironment(
        variables: [("request", .object("request")), ("m", .map(.string, .dynamic)), ("d", .dynamic), ("n", .int), ("p", .string)],
        objects: [
            .init(
                "request",
                [
                    .init("method", .string), .init("email", .string, isOptional: true), .init("address", .address),
                    .init("time", .timestamp), .init("groups", .list(.string)),
                ])
        ])

    private static let matching = try? Condition("p.matches(p) || request.method.matches(p)", in: environment)

    static func check(_ bytes: [UInt8]) throws(Broken) {
        let source = text(bytes)
        let values: [ConditionValue?] = [
            .object(Request()), .map(ConditionMap(strings: [("a", .int(1)), ("b", .list([.double(.nan), .null]))])), .uint(.max),
            .int(.min), .string(source),
        ]
        if let condition = try accepted(source, { () throws(ConditionProblems) in try Condition(source, in: environment, expecting: nil) })
        {
            try evaluate(condition, values)
        }
        if let condition = try accepted(source, { () throws(ConditionProblems) in try Condition(unchecked: source, in: environment) }) {
            try evaluate(condition, values)
        }
        // The same text as a regular expression.
        guard let matching = Self.matching else { throw Broken("the expression that matches is refused") }
        try evaluate(matching, values)
    }

    private static func accepted(
        _ source: String, _ compile: () throws(ConditionProblems) -> Condition
    ) throws(Broken) -> Condition? {
        let problems: [ConditionProblem]
        do throws(ConditionProblems) {
            return try compile()
        } catch {
            problems = error.problems
        }
        try hold(!problems.isEmpty, "it is refused without a problem")
        for problem in problems {
            try hold(problem.range.utf8.upperBound <= source.utf8.count, "a problem is behind the end")
            let part = problem.range.text(in: source).unicodeScalars.count
            try hold(part == problem.range.scalars.count, "a problem has \(problem.range.scalars.count) scalars, its text \(part)")
        }
        return nil
    }

    private static func evaluate(_ condition: Condition, _ values: [ConditionValue?]) throws(Broken) {
        let first = result(condition, values)
        try hold(first == result(condition, values), "evaluated again, the result is another one")
        let trace = condition.trace(values, budget: 2_000)
        try hold(first == described(trace.result), "the trace has another result")
        try hold(trace.steps.count <= ConditionTrace.stepLimit, "the trace is too long")
        let end = condition.text.utf8.count
        for constant in condition.constants where constant.range.utf8 == 0..<end {
            try hold(first == "\(constant.value)" || first.hasPrefix("failed"), "always \(constant.value), and yet \(first)")
        }
    }

    private static func result(_ condition: Condition, _ values: [ConditionValue?]) -> String {
        do {
            return described(.success(try condition.evaluate(values, budget: 2_000)))
        } catch {
            return described(.failure(error))
        }
    }

    private static func described(_ result: Result<ConditionValue, ConditionFailure>) -> String {
        switch result {
        case .success(let value): value.description
        case .failure(let failure): "failed at \(failure.range.utf8): \(failure.reason.message)"
        }
    }
}
