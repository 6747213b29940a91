import Diagnostics

extension RuleName {
    static let deprecatedKey = RuleName("deprecated-key", .warning)
}

extension Rule {
    static let deprecatedKey = Rule(
        .deprecatedKey,
        what:
            "A key still works but will be removed. Version 1 has no deprecated keys yet, so this rule reports nothing and has no bad example.",
        why: "The gateway release that removes the key will not start with this file.",
        instead: "Use the replacement that the finding names.", bad: nil, good: Example("version: 1\n"))
}
