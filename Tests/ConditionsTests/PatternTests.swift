import Testing

@testable import Conditions

/// Regular expressions in RE2's syntax.
struct PatternTests {
    private func matches(_ pattern: String, _ text: String) throws -> Bool {
        var budget = 1_000_000
        let result: Bool? = try Pattern(pattern).matches(text, budget: &budget)
        #expect(result != nil, "the budget does not suffice")
        return result == true
    }

    @Test(arguments: [
        ("", ""), ("", "abc"), ("b", "abc"), ("^abc$", "abc"), ("a.c", "aüc"), ("^(a|b)*$", "abba"), ("a{2,3}", "caab"), ("^a{2}$", "aa"),
        ("^a{2,}$", "aaaa"), ("^a{0}b$", "b"), ("a{,2}", "a{,2}"), ("x{", "x{"), ("^[a-c]+$", "cab"), ("^[^a-c]+$", "xyz"), ("[]a]", "]"),
        ("[^]]", "a"), ("^[a-]+$", "a-"), ("^[\\w.-]+@[\\w.-]+$", "a.b-c@d.e"), ("^\\d+$", "123"), ("^\\D\\S\\W$", "ab-"), ("^\\s$", "\t"),
        ("^[[:alpha:]]+$", "aZ"), ("^[[:^alpha:]]+$", "1-"), ("^[\\d\\s]+$", "1 2"), ("^[^\\d]+$", "ab"), ("^\\pL+$", "äλЖ"),
        ("^\\p{Lu}\\PL$", "Ä1"), ("^\\p{^Lu}$", "a"), ("^\\p{Greek}+$", "αβγ"), ("^[\\p{Cyrillic}]+$", "Жук"), ("^\\P{Latin}$", "ж"),
        ("^\\p{Any}$", "\u{10FFFF}"), ("^\\x41\\x{1F431}$", "A🐱"), ("^\\101\\0$", "A\0"), ("^\\a\\f\\t\\n\\r\\v$", "\u{7}\u{C}\t\n\r\u{B}"),
        ("^\\Qa.b*\\E$", "a.b*"), ("^\\Qa.b", "a.b"), ("^a\\.b\\*\\_$", "a.b*_"), ("(?i)straße", "STRAßE"), ("(?i)^[a-z]+$", "ABC"),
        ("(?i)k", "\u{212A}"), ("(?i)[k]", "\u{212A}"), ("(?i)s", "\u{17F}"), ("(?i)σ", "ς"), ("(?i:a)b", "Ab"), ("a(?i)b(?-i)c", "aBc"),
        ("(?s)a.b", "a\nb"), ("(?m)^b$", "a\nb\nc"), ("(?P<name>a)(?<other>b)(?:c)", "abc"), ("\\bword\\b", "a word here"), ("\\Bb", "ab"),
        ("\\Aa\\z", "a"), ("a*?b+?c??", "b"), ("(a*)*b", "aab"), ("(a|)+b", "b"), ("(|a)*$", "aaa"), ("^(?:a|b|c|)$", ""), ("(?U)a+", "a"),
        ("[[:word:]]", "_"), ("[a\\-z]", "-"), ("[\\]]", "]"), ("(?i)[^a]", "b"), ("^.$", "\u{10FFFF}"), ("é", "é"),
    ])
    func match(_ pattern: String, _ text: String) throws { #expect(try matches(pattern, text)) }

    @Test(arguments: [
        ("b", "ac"), ("^b", "ab"), ("b$", "ba"), ("a.c", "a\nc"), ("^a{2}$", "aaa"), ("^[^a-c]$", "b"), ("\\d", "٣"), ("\\w", "ä"),
        ("^$", "a"),
        ("(?i)[^a]", "A"), ("(?-i)a", "A"), ("(?i:a)b", "AB"), ("^b$", "a\nb"), ("\\bord", "word"), ("\\Bword", "a word"),
        ("\\p{Greek}", "a"),
        ("[^\\x00-\\x{10FFFF}]", "a"), ("\\pL", "1"), ("é", "e\u{301}"), ("a\\z", "a\n"), ("a$", "a\n"),
    ])
    func noMatch(_ pattern: String, _ text: String) throws { #expect(try !matches(pattern, text)) }

    @Test(arguments: [
        ("(", "missing ')'", 0), (")", "unexpected ')'", 0), ("a)", "unexpected ')'", 1), ("[a", "missing ']'", 0),
        ("*", "a repetition of nothing", 0),
        ("a|*", "a repetition of nothing", 2), ("a**", "two repetitions in a row", 2), ("a{2}{3}", "two repetitions in a row", 4),
        ("\\", "a backslash at the end", 0),
        ("\\q", "no escape sequence", 0), ("\\1", "RE2's syntax has no back-references", 0), ("(?=a)", "RE2's syntax has no such group", 0),
        ("(?<=a)", "RE2's syntax has no such group", 0), ("(?!a)", "RE2's syntax has no such group", 0), ("\\C", "no escape sequence", 0),
        ("\\pX", "unknown class of characters", 0), ("\\p{Klingon}", "unknown class of characters", 0),
        ("[[:nope:]]", "unknown class of characters", 1),
        ("[z-a]", "a range from a higher to a lower character", 1), ("\\x{110000}", "no character's number", 0),
        ("\\x{d800}", "no character's number", 0), ("\\xg", "no character's number", 0),
        ("a{1001}", "a repetition counts to 1,000 at most, from the lower to the higher number", 1),
        ("a{3,2}", "a repetition counts to 1,000 at most, from the lower to the higher number", 1),
        ("(?P<1", "a group's name consists of letters, digits and '_'", 4), ("(?i", "missing ')'", 0),
        ("{1}", "a repetition of nothing", 0),
        ("((a{1000}){1000}){1000}", "the pattern needs more than 5000 steps", 1),
        ("(){1000}(){1000}", "the pattern needs more than 5000 steps", 16),
    ])
    func refused(_ pattern: String, _ message: String, _ offset: Int) {
        let problem = #expect(throws: Pattern.Problem.self) { try Pattern(pattern) }
        #expect(problem?.message == message)
        #expect(problem?.offset == offset)
    }

    @Test("Groups are nested 50 deep at most")
    func depth() throws {
        func nested(_ count: Int) -> String { String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count) }
        #expect(try matches(nested(49), "a"))
        #expect(throws: Pattern.Problem.self) { try Pattern(nested(50)) }
        #expect(throws: Pattern.Problem.self) { try Pattern(String(repeating: "(", count: 10_000)) }
    }

    @Test(
        "The work grows with the length of the text, not with its powers",
        arguments: ["(a*)*$", "(a|a)*b", "(.*)(.*)(.*)(.*)x", "(a?){30}a{30}b"])
    func linear(_ text: String) throws {
        let pattern = try Pattern(text)
        func work(_ length: Int) throws -> Int {
            var budget = 10_000_000
            #expect(pattern.matches(String(repeating: "a", count: length) + "!", budget: &budget) != nil)
            return 10_000_000 - budget
        }
        let short = try work(200)
        #expect(try work(2_000) <= short * 11)
    }

    @Test("A match ends when the budget is exceeded")
    func budget() throws {
        var budget = 100
        #expect(try Pattern("(a|b)*c").matches(String(repeating: "ab", count: 1_000), budget: &budget) == nil)
    }
}
