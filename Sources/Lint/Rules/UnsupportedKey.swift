import Config
import Diagnostics
import Providers

extension Rule {
    static let unsupportedKey = Rule(
        .unsupportedKey, what: "A key or value of the format is not served by this version of the gateway.",
        why: "Ignoring it silently would leave out what it asks for, shared sessions or a second factor perhaps.",
        instead: "Remove it, or use a release that serves it.",
        bad: Example(
            """
            session:
              keys: ["${file:./session.key}"]
              store: «redis://localhost:6379/0»
            """),
        good: Example("session: { keys: [\"${file:./session.key}\"] }\n"),
        check: { context in UnsupportedFeatures.findings(context) })
}
