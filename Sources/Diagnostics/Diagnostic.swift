package enum Severity: String, Sendable, Hashable {
    case error, warning, note
}

/// A finding in a file.
package struct Diagnostic: Sendable, Hashable {
    package var rule: RuleName
    package var severity: Severity
    /// The problem, in one sentence without a full stop. Never contains a secret or an expanded reference.
    package var message: String
    /// A few words after the caret.
    package var label: String?
    /// The advice: what to do.
    package var help: String?
    package var span: SourceSpan
    package var related: [RelatedPlace]
    package var fix: Fix?

    /// The message with the label, for formats that show no caret.
    package var messageWithLabel: String { label.map { "\(message) (\($0))" } ?? message }

    /// All texts of the finding, for formats with a single text.
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

/// A second location in the same file that explains a finding.
package struct RelatedPlace: Sendable, Hashable {
    package var message: String
    package var span: SourceSpan

    package init(_ message: String, at span: SourceSpan) {
        self.message = message
        self.span = span
    }
}

/// A change to the text that resolves a finding.
package struct Fix: Sendable, Hashable {
    package struct Edit: Sendable, Hashable {
        package var span: SourceSpan
        package var text: String

        package init(replacing span: SourceSpan, with text: String) {
            self.span = span
            self.text = text
        }
    }

    /// True if the fixed file means the same, or what its author clearly meant.
    package var isSafe: Bool
    package var edits: [Edit]

    package init(safe: Bool, _ edits: [Edit]) {
        self.isSafe = safe
        self.edits = edits
    }
}
