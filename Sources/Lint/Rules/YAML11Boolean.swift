import Diagnostics

extension Rule {
    static let yaml11Boolean = Rule(
        .yaml11Boolean, what: "A boolean key has `yes`, `no`, `on` or `off`.",
        why:
            "In YAML 1.1 these were booleans, in YAML 1.2 they are strings. Which of the two a reader means must not decide whether a switch is on.",
        instead: "Write `true` or `false`.",
        bad: Example("session: { refresh: «no», keys: [\"${file:./session.key}\"] }\n"),
        good: Example("session: { refresh: false, keys: [\"${file:./session.key}\"] }\n"))
}
