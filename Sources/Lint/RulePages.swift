import Diagnostics
import Config

/// The pages that `gateway explain` prints and `docs/rules/` holds.
package enum RulePages {
    /// The page as text for a terminal; nil if no rule has this name.
    package static func page(for name: String) -> String? {
        RuleRegistry.rule(named: name).map(text)
    }

    /// The rule or error code whose name is closest to a misspelt one.
    package static func suggestion(for name: String) -> String? {
        Spelling.nearest(to: name, among: RuleRegistry.rules.map(\.name.rawValue) + ErrorCodePages.entries.map(\.code))
    }

    /// One line for each rule: severity, name, what it reports.
    package static var list: String {
        let width = RuleRegistry.rules.map(\.name.rawValue.count).max() ?? 0
        return RuleRegistry.rules.map { rule in
            let name = rule.name.rawValue
            let severity = rule.name.severity.rawValue
            return severity + String(repeating: " ", count: 9 - severity.count) + name
                + String(repeating: " ", count: width + 2 - name.count) + rule.what
                + "\n"
        }.joined()
    }

    /// The page as Markdown.
    package static func markdown(for rule: Rule) -> String {
        var text = "# `\(rule.name.rawValue)`\n\n*\(rule.name.severity.rawValue)*\n\n\(rule.what)\n\n## Why\n\n\(rule.why)\n"
        if let bad = rule.bad { text += "\n## Bad\n\n```yaml\n\(trimmed(bad.text))\n```\n" }
        text += "\n## Good\n\n```yaml\n\(trimmed(rule.good.text))\n```\n\n## What to do\n\n\(rule.instead)\n"
        return text
    }

    private static func text(_ rule: Rule) -> String {
        var text = "\(rule.name.rawValue) (\(rule.name.severity.rawValue))\n\n\(rule.what)\n\nWhy\n  \(rule.why)\n"
        if let bad = rule.bad { text += "\nBad\n\(indented(bad.text))" }
        text += "\nGood\n\(indented(rule.good.text))\nWhat to do\n  \(rule.instead)\n"
        return text
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == "\n" { text = text.dropLast() }
        return String(text)
    }

    private static func indented(_ text: String) -> String {
        trimmed(text).split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
    }
}
