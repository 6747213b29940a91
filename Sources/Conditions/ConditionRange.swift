/// A part of an expression's text, in UTF-8 bytes and in Unicode scalars.
package struct ConditionRange: Sendable, Hashable {
    package let utf8: Range<Int>
    package let scalars: Range<Int>

    package init(utf8: Range<Int>, scalars: Range<Int>) {
        self.utf8 = utf8
        self.scalars = scalars
    }

    /// The smallest range that contains both; `other` does not start before this range.
    func through(_ other: ConditionRange) -> ConditionRange {
        ConditionRange(
            utf8: utf8.lowerBound..<max(utf8.upperBound, other.utf8.upperBound),
            scalars: scalars.lowerBound..<max(scalars.upperBound, other.scalars.upperBound))
    }

    /// The text of the range in `expression`, the text that was compiled.
    package func text(in expression: String) -> String {
        let bytes = expression.utf8
        guard utf8.upperBound <= bytes.count else { return "" }
        let start = bytes.index(bytes.startIndex, offsetBy: utf8.lowerBound)
        return String(expression[start..<bytes.index(start, offsetBy: utf8.count)])
    }
}

/// A reason why an expression is refused, with the exact part of the text.
package struct ConditionProblem: Error, Sendable, Hashable {
    package let range: ConditionRange
    package let message: String
    /// The name that was probably meant.
    package let suggestion: String?

    package init(_ message: String, at range: ConditionRange, suggestion: String? = nil) {
        self.message = message
        self.range = range
        self.suggestion = suggestion
    }
}

/// Every reason why an expression is refused, in the order of the text; never empty.
package struct ConditionProblems: Error, Sendable, Hashable {
    package let problems: [ConditionProblem]
}

/// What an expression may cost before it is evaluated.
package struct ConditionLimits: Sendable {
    /// UTF-8 bytes of the text.
    package var bytes = 10_000
    /// Levels of nesting, both of the text and of the operations: each level is a call on the stack.
    package var depth = 100
    /// Literals, names, operators and calls.
    package var nodes = 4_000

    package init() {}
}
