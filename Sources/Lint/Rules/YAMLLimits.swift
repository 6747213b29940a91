import Diagnostics

extension Rule {
    static let yamlLimits = Rule(
        .yamlLimits, what: "The file holds more than 10,000 values once aliases are expanded, or nests deeper than 64 levels.",
        why: "A few hundred bytes of aliases can stand for billions of values. No configuration needs that.",
        instead: "Split the configuration, or write fewer aliases.",
        bad: Example(
            """
            x-a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
            x-b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
            x-c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
            x-d: [«*c», *c]
            """),
        good: Example(
            """
            x-team: &team ["alice@example.com", "bob@example.com"]
            routes:
              - path: /**
                access: { emails: *team }
            """))
}
