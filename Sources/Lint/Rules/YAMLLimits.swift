import Diagnostics

extension Rule {
    static let yamlLimits = Rule(
        .yamlLimits,
        what: "Aliases repeat more than 10,000 values, the file contains more than 500,000 values, or it is nested deeper than 64 levels.",
        why: "A few hundred bytes of aliases can expand to billions of values. No configuration needs that.",
        instead:
            "Write values out instead of repeating them with aliases. Replace long lists with patterns such as `/app/**` or `*@example.com`, or with groups.",
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
