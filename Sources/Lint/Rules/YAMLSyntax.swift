import Diagnostics

extension Rule {
    static let yamlSyntax = Rule(
        .yamlSyntax, what: "The file is not YAML 1.2, or not one document in UTF-8.",
        why: "Nothing in the file can be trusted to mean what it says, so nothing else is checked.",
        instead:
            "Look at the place and the line above it: most often a quote or bracket is not closed, a tab indents, or a value that begins with `*`, `&`, `@` or `%` lacks quotes.",
        bad: Example(
            """
            version: 1
            routes:
              - path: /**
                access:
                  emails: [«*»@example.com]
            """, whole: true),
        good: Example(
            """
            routes:
              - path: /**
                access:
                  emails: ["*@example.com"]
            """))
}
