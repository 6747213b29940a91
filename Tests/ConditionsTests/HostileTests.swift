import Testing

@testable import Conditions

/// Inputs that are made to exhaust memory, time or the stack.
struct HostileTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let message: String
        let offset: Int

        var testDescription: String { name }
    }

    private static func nested(_ open: String, _ inner: String, _ close: String, _ count: Int) -> String {
        String(repeating: open, count: count) + inner + String(repeating: close, count: count)
    }

    private static let depth = "the expression is nested deeper than 100 levels"

    private static let refused = [
        Attack(
            name: "length", text: String(repeating: " ", count: 10_000) + "1", message: "the expression is longer than 10000 bytes",
            offset: 10_000),
        Attack(name: "parentheses", text: nested("(", "1", ")", 4_000), message: depth, offset: 100),
        Attack(name: "open parentheses", text: String(repeating: "(", count: 9_000), message: depth, offset: 100),
        Attack(name: "lists", text: nested("[", "", "]", 4_000), message: depth, offset: 100),
        Attack(name: "maps", text: nested("{1:", "1", "}", 2_000), message: depth, offset: 298),
        Attack(name: "calls", text: nested("size(", "''", ")", 1_500), message: depth, offset: 500),
        Attack(name: "negations", text: String(repeating: "!", count: 9_000) + "true", message: depth, offset: 8_900),
        Attack(name: "signs", text: String(repeating: "-", count: 9_000) + "count", message: depth, offset: 8_900),
        Attack(name: "sums", text: "1" + String(repeating: "+1", count: 4_000), message: depth, offset: 199),
        Attack(name: "selections", text: "auth" + String(repeating: ".a", count: 4_000), message: depth, offset: 203),
        Attack(name: "indices", text: "auth" + String(repeating: "[1]", count: 3_000), message: depth, offset: 301),
        Attack(name: "methods", text: "auth" + String(repeating: ".a()", count: 2_000), message: depth, offset: 401),
        Attack(name: "conditionals", text: String(repeating: "true?1:", count: 1_000) + "1", message: depth, offset: 700),
        Attack(
            name: "comprehensions", text: nested("[1].all(x,", "true", ")", 500), message: depth, offset: 991),
        Attack(
            name: "parts", text: "[" + Array(repeating: "1", count: 4_800).joined(separator: ",") + "]",
            message: "the expression has more than 4000 parts", offset: 8_001),
    ]

    @Test("A text that is too long, too deep or has too many parts is refused where it is so", arguments: refused)
    func refusals(_ attack: Attack) throws {
        let problem = try #require(Sample.problems(attack.text, expecting: nil).first)
        #expect(problem.message == attack.message)
        #expect(problem.range.utf8.lowerBound == attack.offset)
    }

    @Test("What cel-spec asks for at least is not refused")
    func largeEnough() {
        #expect(Sample.problems(Self.nested("(", "true", ")", 90)).isEmpty)
        #expect(Sample.problems("1" + String(repeating: " + 1", count: 90) + " == 91").isEmpty)
        #expect(Sample.problems(Array(repeating: "count == 1", count: 500).joined(separator: " || ")).isEmpty)
    }

    private static let expensive = [
        // Each level doubles the work.
        nested("[0, 1].all(x, ", "count == 7", ")", 30),
        // Each level multiplies the memory.
        "['foo', 'bar']" + String(repeating: ".map(x, [x + x, x + x])", count: 20) + ".all(x, [x, auth.uid] == [x + [], ''])",
        // The parts of the value are shared, so it is small; comparing it is not.
        "[[count]]" + String(repeating: ".map(x, [x, x, x, x])", count: 30) + ".all(x, x == x + [])",
        "[auth.uid]" + String(repeating: ".map(x, x + x)", count: 60) + " == []",
        "[auth.groups]" + String(repeating: ".map(x, x + x)", count: 60) + " == []",
        "[auth.uid].map(x, x + x + x + x + x + x + x + x)" + String(repeating: ".map(x, x + x)", count: 12)
            + ".all(x, x.matches('(a|d|ada)*(a?d?a?){50}b'))",
        "[auth.uid].map(x, x)" + String(repeating: ".map(x, x + x)", count: 18) + ".all(x, [x, x, x].all(y, y == x + ''))",
    ]

    @Test("An evaluation ends when its budget is exceeded, and nothing absorbs that", arguments: expensive)
    func budget(_ text: String) throws {
        let types: Set<ConditionReason> = [.budgetExceeded]
        let condition = try Condition(unchecked: text, in: Sample.environment)
        for whole in [text, "(\(text)) || true", "false && (\(text)) || (\(text)) || true", "[1, 2].exists(i, i == 2 || (\(text)))"] {
            let condition = try Condition(unchecked: whole, in: Sample.environment)
            let failure = #expect(throws: ConditionFailure.self) { try condition.evaluate(Sample.bindings) }
            #expect(failure.map { types.contains($0.reason) } == true)
        }
        #expect(condition.certainFailures.isEmpty)
    }

    @Test("No budget is enough for nothing, and the largest one traps nowhere", arguments: [Int.min, -1, 0, Int.max])
    func budgets(_ budget: Int) throws {
        let condition = try Condition("auth.uid.matches('^a.a$')", in: Sample.environment)
        if budget > 0 {
            #expect(try condition.holds(Sample.bindings, budget: budget))
        } else {
            let failure = #expect(throws: ConditionFailure.self) { try condition.holds(Sample.bindings, budget: budget) }
            #expect(failure?.reason == .budgetExceeded)
        }
    }

    @Test(
        "Overflow is an error, never a trap",
        arguments: [
            "9223372036854775807 + count", "-9223372036854775807 - count", "9223372036854775807 * count",
            "-(-9223372036854775808 + count - 7)",
            "(-9223372036854775808 + count - 7) / -1", "1 / (count - 7)", "1 % (count - 7)", "0u - uint(count)",
            "18446744073709551615u + uint(count)",
            "int(1e19 * double(count))", "uint(-1.0 * double(count))", "int(0.0 / (double(count) - 7.0))", "uint(count - 8)",
            "timestamp(253402300799 + count)", "timestamp('9999-12-31T23:59:59Z') + duration('7s')",
            "duration('9223372036s') + duration('1s')",
            "duration('-9223372036s') - duration('1s')", "timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')",
            "timestamp('0001-01-01T00:00:00Z') - duration('1ns')", "duration('99999999999999999999h')",
        ])
    func overflow(_ text: String) throws {
        let reason = try #require(try Sample.failure(text)).reason
        switch reason {
        case .overflow, .divisionByZero, .invalidValue: break
        default: Issue.record("\(reason)")
        }
    }

    @Test("The remainder of the smallest int and -1 is zero")
    func remainder() throws {
        #expect(try Sample.value("(-9223372036854775808 + count - 7) % -1 == 0").description == "true")
    }

    @Test(
        "Bytes that are not UTF-8 are no string", arguments: ["\\xff", "\\xc0\\x80", "\\xed\\xa0\\x80", "a\\x80", "\\xf4\\x90\\x80\\x80"])
    func invalidUTF8(_ bytes: String) throws {
        #expect(try Sample.failure("string(b'\(bytes)')")?.reason == .invalidValue("the bytes are not valid UTF-8"))
    }

    @Test("Values from outside that are nested deeply are compared up to a limit")
    func deepValues() throws {
        func nest(_ count: Int) -> ConditionValue { (0..<count).reduce(.int(1)) { value, _ in .list([value]) } }
        let environment = ConditionEnvironment(variables: [("a", .dynamic), ("b", .dynamic)])
        let condition = try Condition("a == b", in: environment)
        #expect(try condition.holds([nest(200), nest(200)]))
        // Steps are left, and yet nothing absorbs the error.
        for text in ["a == b", "a == b || true", "[1, 2].exists(x, x == 2 || a == b)", "!([1, 2].all(x, x != 2 && a == b))"] {
            let condition = try Condition(text, in: environment)
            let failure = #expect(throws: ConditionFailure.self) { try condition.holds([nest(2_000), nest(2_000)]) }
            #expect(failure?.reason == .budgetExceeded)
        }
    }
}
