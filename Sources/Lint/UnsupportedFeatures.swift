import YAML
import Config
import Diagnostics
import Providers

/// Features of the format that this version does not support. Remove a line when its feature is added.
enum UnsupportedFeatures {
    static func findings(_ context: LintContext) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        func value(_ item: Item?, _ what: String, _ help: String) {
            guard let item else { return }
            findings.append(
                Diagnostic(
                    .unsupportedKey, at: item.referenceSpan, "this version does not support \(what)", label: "not supported", help: help))
        }
        let root = context.root

        if let store = root["session"]?.object?["store"], let name = store.text, name != "cookie" {
            value(store, "a session store other than `cookie`", "write `cookie`, or remove it")
        }
        return findings
    }
}
