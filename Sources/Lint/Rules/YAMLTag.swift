import Diagnostics

extension Rule {
    static let yamlTag = Rule(
        .yamlTag, what: "A value has a YAML tag such as `!!str` or `!env`.",
        why:
            "A tag changes the type of a value, but each key already has a type. In other programs, tags can make a YAML file run code.",
        instead: "Remove the tag. The key determines the type.",
        bad: Example("upstream: «!!str» http://127.0.0.1:8080\n"), good: Example("upstream: http://127.0.0.1:8080\n"))
}
