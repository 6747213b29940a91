import Conditions

/// The reason why a condition did not hold: the operands that were false, or an error.
package struct ConditionRefusal: Sendable, Hashable {
    private static let operandLimit = 5
    private static let lengthLimit = 200

    /// For the log. Names operands as the configuration writes them, without values of the request.
    package let text: String
    /// For the refused user. Strings are left out, because they may be data about other users.
    package let masked: String

    /// Where nobody reads the reason.
    static let unexplained = ConditionRefusal(problem: "", at: "", masked: "")

    init(falseOperands ranges: [ConditionRange], of condition: Condition) {
        func list(_ hidesLiterals: Bool) -> String {
            let operands = ranges.prefix(Self.operandLimit).map {
                "`\(Self.shortened(condition.text(of: $0, hidingLiterals: hidesLiterals)))` is false"
            }
            let more = ranges.count - operands.count
            return operands.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
        }
        text = list(false)
        masked = list(true)
    }

    init(_ failure: ConditionFailure, of condition: Condition) {
        let range = condition.part(of: failure)
        func part(_ hidesLiterals: Bool) -> String { Self.shortened(condition.text(of: range, hidingLiterals: hidesLiterals)) }
        self.init(problem: failure.reason.summary, at: part(false), masked: part(true))
    }

    init(problem: String, at part: String, masked: String) {
        text = part.isEmpty ? problem : "\(problem), in `\(part)`"
        self.masked = masked.isEmpty ? "it cannot be evaluated" : "`\(masked)` cannot be evaluated"
    }

    private static func shortened(_ text: String) -> String {
        text.unicodeScalars.count <= lengthLimit ? text : String(text.unicodeScalars.prefix(lengthLimit)) + "…"
    }
}
