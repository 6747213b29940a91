import Diagnostics

extension RuleName {
    static let ignoreWithoutReason = RuleName("ignore-without-reason")
}

extension Rule {
    static let ignoreWithoutReason = Rule(
        .ignoreWithoutReason, what: "A `# gateway-ignore` comment gives no reason.",
        why: "The next reader cannot tell why the warning does not apply.",
        instead: "Write the reason after the rule name: `# gateway-ignore: public-everything a status page, nothing private`.",
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
