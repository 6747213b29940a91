import Diagnostics

extension Rule {
    static let unknownKey = Rule(
        .unknownKey, what: "A key does not exist where it stands.",
        why: "A misspelt key would be ignored, and with it the restriction that it was meant to make.",
        instead: "Correct the spelling. Keys that begin with `x-` at the top level are free, for anchors and notes.",
        bad: Example(
            """
            routes:
              - path: /admin/**
                «acces»: { groups: [admins] }
            """),
        good: Example(
            """
            routes:
              - path: /admin/**
                access: { groups: [admins] }
            """))
}
