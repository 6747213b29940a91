import Diagnostics

extension Rule {
    static let yamlTag = Rule(
        .yamlTag, what: "A value carries a YAML tag such as `!!str` or `!env`.",
        why:
            "A tag asks the reader to build some other type. Each key already knows its type, and tags are how YAML files are made to run code elsewhere.",
        instead: "Remove the tag. A value is read as the type that its key asks for.",
        bad: Example("upstream: «!!str» http://127.0.0.1:8080\n"), good: Example("upstream: http://127.0.0.1:8080\n"))
}
