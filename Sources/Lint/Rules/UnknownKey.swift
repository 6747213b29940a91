import Diagnostics

extension Rule {
    static let unknownKey = Rule(
        .unknownKey, what: "A key does not exist in this part of the file.",
        why: "If the gateway ignored a misspelt key, it would also ignore the restriction that the key sets.",
        instead: "Correct the spelling. Top-level keys that start with `x-` are free for anchors and notes.",
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
