import Diagnostics

extension Rule {
    static let ignoreWithoutReason = Rule(
        .ignoreWithoutReason, what: "A `# gateway-ignore` comment gives no reason.",
        why: "Whoever reads the file next cannot tell whether the warning was understood.",
        instead: "Write the reason behind the rule: `# gateway-ignore: public-everything a status page, nothing private`.",
        bad: Example(
            """
            routes:
              - path: /health
                «# gateway-ignore: public-everything»
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
