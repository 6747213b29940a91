import Diagnostics

/// A section of the index of rules.
package struct RuleTopic: Sendable {
    package let title: String
    package let rules: [Rule]

    init(_ title: String, _ rules: [Rule]) {
        self.title = title
        self.rules = rules
    }
}

extension RulePages {
    /// The index of the rule pages by topic, as Markdown.
    package static var index: String {
        let sections = RuleRegistry.topics.map { topic in
            let rows = topic.rules.map { rule in
                let name = rule.name.rawValue
                return "| [`\(name)`](\(name).md) | \(rule.name.severity.rawValue) | \(rule.what) |\n"
            }
            return "\n## \(topic.title)\n\n| rule | severity | reports |\n|---|---|---|\n" + rows.joined()
        }
        return """
            # Rules

            This page lists every rule that `gateway validate` checks, by topic. Each rule has a page with a bad and a good example;
            `gateway explain RULE` prints the same page. An error prevents the gateway from starting; a warning does not.

            """ + sections.joined()
    }
}
