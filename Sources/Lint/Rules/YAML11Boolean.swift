import Diagnostics

extension Rule {
    static let yaml11Boolean = Rule(
        .yaml11Boolean, what: "A boolean key has the value `yes`, `no`, `on` or `off`.",
        why:
            "YAML 1.1 reads these as booleans, YAML 1.2 as strings. The gateway accepts only values that both versions read in the same way.",
        instead: "Write `true` or `false`.",
        bad: Example("session: { refresh: «no», keys: [\"${file:./session.key}\"] }\n"),
        good: Example("session: { refresh: false, keys: [\"${file:./session.key}\"] }\n"))
}
