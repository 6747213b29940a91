import Testing

@testable import Conditions

@Suite struct ExplanationTests {
    private static let environment = ConditionEnvironment(
        variables: [("a", .bool), ("b", .bool), ("c", .bool), ("m", .map(.string, .dynamic)), ("s", .string)])
    private static let map = ConditionValue.map(ConditionMap(strings: [("x", .string("secret")), ("n", .int(1))]))

    private func condition(_ text: String) throws -> (Condition, ConditionTrace) {
        let condition = try Condition(text, in: Self.environment)
        return (condition, condition.trace([.bool(true), .bool(false), .bool(false), Self.map, .string("t")]))
    }

    @Test(
        "The operands that made the result false are named, and no others",
        arguments: [
            ("a && b", ["b"]), ("a && b && c", ["b"]), ("b || c", ["b", "c"]), ("a && (b || c)", ["b", "c"]), ("!a", ["!a"]),
            ("s == 'u'", ["s == 'u'"]), ("a ? b : true", ["b"]), ("b ? true : c", ["c"]), ("b ? true : false", ["b"]),
            ("a ? false : true", ["a"]), ("(a && b) || c", ["b", "c"]), ("m.exists(k, k == s)", ["m.exists(k, k == s)"]),
            ("a || b", []), ("m.missing == 1", []),
        ])
    func falseOperands(text: String, expected: [String]) throws {
        let (condition, trace) = try condition(text)
        #expect(condition.falseOperands(of: trace).map { condition.text(of: $0) } == expected)
    }

    @Test("A trace shows each part before its operands, and a path as a whole")
    func operands() throws {
        let (condition, trace) = try condition("a && m['x'] == s || m.n == 2")
        let shown = condition.operands(of: trace).map { operand in
            String(repeating: "  ", count: operand.depth) + condition.text(of: operand.range)
        }
        #expect(
            shown == [
                "a && m['x'] == s || m.n == 2", "  a && m['x'] == s", "    a", "    m['x'] == s", "      m['x']", "      s", "  m.n == 2",
                "    m.n",
            ])
    }

    @Test(
        "A text without its strings, on one line",
        arguments: [
            ("s == 'boss@example.com'", "s == \"…\""), ("m['x'] == s\n  && s in ['p', \"q\"]", "m[\"…\"] == s && s in [\"…\", \"…\"]"),
            ("s.matches(r'^a')", "s.matches(\"…\")"), ("a", "a"), ("m.n == 3", "m.n == 3"),
        ])
    func masked(text: String, expected: String) throws {
        let (condition, _) = try condition(text)
        let whole = ConditionRange(utf8: 0..<text.utf8.count, scalars: 0..<text.unicodeScalars.count)
        #expect(condition.text(of: whole, hidingLiterals: true) == expected)
    }
}
