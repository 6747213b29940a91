import Diagnostics

/// The reason why a scalar is not valid for its key.
struct ScalarProblem: Error {
    var rule: RuleName
    var message: String
    var label: String?
    var help: String?
    /// The replacement text.
    var replacement: String?
    var isSafe = false

    init(
        _ message: String, label: String? = nil, help: String? = nil, replacement: String? = nil, safe: Bool = false
    ) {
        self.init(.invalidValue, message, label: label, help: help, replacement: replacement, safe: safe)
    }

    init(
        _ rule: RuleName, _ message: String, label: String? = nil, help: String? = nil, replacement: String? = nil,
        safe: Bool = false
    ) {
        self.rule = rule
        self.message = message
        self.label = label
        self.help = help
        self.replacement = replacement
        self.isSafe = safe
    }
}
