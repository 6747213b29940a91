import Config
import Diagnostics
import Providers

extension RuleName {
    static let unsupportedKey = RuleName("unsupported-key")
}

extension Rule {
    static let unsupportedKey = Rule(
        .unsupportedKey, what: "This version of the gateway does not support a key or value of the configuration format.",
        why: "If the gateway ignored it, a requested feature such as shared sessions or a second factor would silently be missing.",
        instead: "Remove it, or use a release that supports it.",
        bad: Example(
            """
            session:
              keys: ["${file:./session.key}"]
              store: «redis://localhost:6379/0»
            """),
        good: Example("session: { keys: [\"${file:./session.key}\"] }\n"),
        check: { context in UnsupportedFeatures.findings(context) })
}
