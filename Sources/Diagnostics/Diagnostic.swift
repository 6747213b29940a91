package enum Severity: String, Sendable, Hashable {
    case error, warning, note
}

/// One finding in one file. A value; nothing is printed until a renderer is given a `Report`.
package struct Diagnostic: Sendable, Hashable {
    package var rule: RuleName
    package var severity: Severity
    /// One sentence without a full stop: what is wrong. Never holds a secret or an expanded reference.
    package var message: String
    /// A few words that stand behind the caret.
    package var label: String?
    /// What to do next.
    package var help: String?
    package var span: SourceSpan
    package var related: [RelatedPlace]
    package var fix: Fix?

    /// The message with the label, for formats that show no caret.
    package var messageWithLabel: String { label.map { "\(message) (\($0))" } ?? message }

    /// Everything that is said about the finding, for formats that have one text.
    package var messageWithHelp: String { help.map { "\(messageWithLabel)\nhelp: \($0)" } ?? messageWithLabel }

    package init(
        _ rule: RuleName, at span: SourceSpan, _ message: String, label: String? = nil, help: String? = nil,
        related: [RelatedPlace] = [], fix: Fix? = nil, severity: Severity? = nil
    ) {
        self.rule = rule
        self.severity = severity ?? rule.severity
        self.message = message
        self.label = label
        self.help = help
        self.span = span
        self.related = related
        self.fix = fix
    }
}

/// A second place that explains a finding, in the same file.
package struct RelatedPlace: Sendable, Hashable {
    package var message: String
    package var span: SourceSpan

    package init(_ message: String, at span: SourceSpan) {
        self.message = message
        self.span = span
    }
}

/// A change of the text that removes a finding.
package struct Fix: Sendable, Hashable {
    package struct Edit: Sendable, Hashable {
        package var span: SourceSpan
        package var text: String

        package init(replacing span: SourceSpan, with text: String) {
            self.span = span
            self.text = text
        }
    }

    /// True when the file means the same afterwards, or what its writer plainly meant.
    package var isSafe: Bool
    package var edits: [Edit]

    package init(safe: Bool, _ edits: [Edit]) {
        self.isSafe = safe
        self.edits = edits
    }
}
