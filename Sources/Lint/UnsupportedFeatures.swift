import YAML
import Config
import Diagnostics
import Providers

/// What the format knows and this version does not serve. A line goes when its feature comes.
enum UnsupportedFeatures {
    static func findings(_ context: LintContext) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        func key(_ object: ObjectValue?, _ name: String, _ path: String) {
            guard let span = object?.keySpan(name) else { return }
            findings.append(
                Diagnostic(
                    .unsupportedKey, at: span, "`\(path)` is not served by this version", label: "not served",
                    help: "remove it; the changelog says when it comes"))
        }
        func value(_ item: Item?, _ what: String, _ help: String) {
            guard let item else { return }
            findings.append(
                Diagnostic(
                    .unsupportedKey, at: item.referenceSpan, "\(what) is not served by this version", label: "not served", help: help))
        }
        let root = context.root

        if let store = root["session"]?.object?["store"], let name = store.text, name != "cookie" {
            value(store, "a session store other than `cookie`", "write `cookie`, or remove it")
        }
        for (_, rule) in context.accessRules where rule["secondFactor"]?.boolean == true {
            key(rule, "secondFactor", "access.secondFactor")
        }
        return findings
    }
}
