import Diagnostics

extension Rule {
    static let yamlSyntax = Rule(
        .yamlSyntax, what: "The file is not a single valid YAML 1.2 document in UTF-8.",
        why: "A syntax error can change the meaning of the rest of the file, so the linter checks nothing else.",
        instead:
            "Check the reported line and the line above it. Common causes are an unclosed quote or bracket, a tab used for indentation, or an unquoted value that starts with `*`, `&`, `@` or `%`.",
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
