import Diagnostics

extension RuleName {
    static let unusedIgnore = RuleName("unused-ignore", .warning)
}

extension Rule {
    static let unusedIgnore = Rule(
        .unusedIgnore, what: "A `# gateway-ignore` comment has no effect.",
        why:
            "Either the warning no longer occurs, or the comment is in the wrong place, names no rule, or names an error. Errors cannot be silenced.",
        instead: "Remove the comment, or move it to the line above the key.",
        bad: Example(
            """
            routes:
              - path: /health
                «# gateway-ignore: public-everything a status page»
                access: public
            """),
        good: Example(
            """
            routes:
              - path: /**
                # gateway-ignore: public-everything a status page, nothing private
                access: public
            """))
}
