import Diagnostics

extension Rule {
    static let unusedIgnore = Rule(
        .unusedIgnore, what: "A `# gateway-ignore` comment silences nothing.",
        why: "The warning is gone, or the comment stands in the wrong place, names no rule, or names an error: errors cannot be silenced.",
        instead: "Remove the comment, or put it on the line above the key.",
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
