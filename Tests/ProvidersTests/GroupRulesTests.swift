import Providers
import Testing

@Suite struct GroupRulesTests {
    @Test(
        "keep chooses by pattern, rename gives other names, order stays, nothing comes twice",
        arguments: [
            (nil, [:], ["a", "b", "a", ""], ["a", "b"]),
            ([], [:], ["a", "b"], []),
            (["eng-*", "admins"], [:], ["eng-core", "sales", "admins", "Admins", "xeng-core", "eng-"], ["eng-core", "admins", "eng-"]),
            (["*"], [:], ["a"], ["a"]),
            (["eng-*"], ["8f1c": "admins", "b": "eng-core"], ["8f1c", "eng-core", "b", "c"], ["admins", "eng-core"]),
            (nil, ["8f1c": "admins", "9a": "admins"], ["9a", "8f1c", "x"], ["admins", "x"]),
            (nil, ["secret": ""], ["secret", "x"], ["x"]),
        ] as [([String]?, [String: String], [String], [String])])
    func rules(keep: [String]?, rename: [String: String], names: [String], expected: [String]) {
        #expect(GroupRules(keep: keep, rename: rename).applied(to: names) == expected)
    }

    @Test(
        "a star stands for any text, everything else for itself",
        arguments: [
            ("", "", true), ("", "*", true), ("a", "", false), ("abc", "a*c", true), ("ac", "a*c", true), ("abcd", "a*c", false),
            ("a*c", "a*c", true), ("aXbXc", "a*b*c", true), ("aXcXb", "a*b*c", false), ("é", "?", false), ("a.b", "a.b", true),
            ("axb", "a.b", false),
        ])
    func patterns(name: String, pattern: String, matches: Bool) {
        #expect(GroupRules.matches(name, pattern: pattern) == matches)
    }

    @Test func `a pattern of many stars against a long name is decided at once`() {
        let name = String(repeating: "a", count: 4_000)
        #expect(!GroupRules.matches(name, pattern: String(repeating: "*a", count: 40) + "b"))
    }
}
