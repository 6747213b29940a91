import Diagnostics

extension Rule {
    static let duplicateKey = Rule(
        .duplicateKey, what: "A mapping has the same key twice.",
        why: "YAML readers differ on which of the two wins, so one of them may be ignored.",
        instead: "Remove one of the two.",
        bad: Example(
            """
            upstream: http://127.0.0.1:8080
            «upstream»: http://127.0.0.1:9090
            """),
        good: Example("upstream: http://127.0.0.1:9090\n"))
}
