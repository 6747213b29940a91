package import Conditions
package import Primitives

/// The request as conditions read it. A field is computed when it is read.
package protocol ConditionRequest: ConditionObject {
    /// Nil for a client without an IP address.
    var clientAddress: NetworkAddress? { get }
    /// The path in the form that routes match.
    var canonicalPath: [UInt8] { get }
}

/// A condition of a rule, compiled for one event loop.
struct RequestCondition: Sendable {
    /// Nil for a text that is invalid; a valid configuration has none. It never holds.
    let condition: Condition?
    let reads: ConditionReads
    private let captures: [PathTemplate.Part]

    init(_ text: String, _ scope: ConditionScope) {
        condition = try? Condition(text, in: scope.environment)
        reads = condition.map { ConditionReads($0.reads) } ?? ConditionReads()
        captures = scope.captures
    }

    /// The values of the variables; nil for one that the condition does not read.
    private func values(_ auth: ConditionAuth?, _ request: (any ConditionRequest)?) -> [ConditionValue?] {
        [
            reads.auth ? auth.map { .object($0) } ?? .null : nil, reads.request ? request.map { .object($0) } : nil,
            reads.path ? request.map { .object(CapturedPath(captures, $0.canonicalPath)) } : nil,
        ]
    }

    /// `auth`: nil for a request without a session.
    func holds(_ auth: ConditionAuth?, _ request: (any ConditionRequest)?) throws(ConditionFailure) -> Bool {
        guard let condition else { return false }
        return try condition.holds(values(auth, request))
    }

    /// The reason why the condition does not hold; nil if it does.
    func failure(_ auth: ConditionAuth?, _ request: (any ConditionRequest)?) -> PolicyStep? {
        guard let condition else { return .conditionFailed(ConditionRefusal(problem: "the expression is invalid", at: "", masked: "")) }
        let trace = condition.trace(values(auth, request))
        switch trace.result {
        case .success(.bool(true)): return nil
        case .success: return .conditionFailed(ConditionRefusal(falseOperands: condition.falseOperands(of: trace), of: condition))
        case .failure(let failure): return .conditionFailed(ConditionRefusal(failure, of: condition))
        }
    }

    /// Each part with its value, for `gateway trace`.
    func operands(_ auth: ConditionAuth?, _ request: (any ConditionRequest)?) -> [OperandValue] {
        guard let condition else { return [] }
        let operands = condition.operands(of: condition.trace(values(auth, request)))
        return operands.prefix(OperandValue.limit).map { operand in
            let text = condition.text(of: operand.range)
            switch operand.result {
            case .success(let value): return OperandValue(depth: operand.depth, text: text, value: value.description, failed: false)
            case .failure(let failure):
                return OperandValue(depth: operand.depth, text: text, value: failure.reason.message, failed: true)
            }
        }
    }
}

/// A part of a condition and its value, for `gateway trace`. The value may be user data.
package struct OperandValue: Sendable, Hashable {
    static let limit = 100

    package let depth: Int
    package let text: String
    /// The value as an expression would write it, or the reason why there is none.
    package let value: String
    package let failed: Bool
}

/// The variable `path`: the captured segments of a path.
private final class CapturedPath: ConditionObject {
    private let captures: [PathTemplate.Part]
    private let path: [UInt8]

    var typeName: String { "path" }

    init(_ captures: [PathTemplate.Part], _ path: [UInt8]) {
        self.captures = captures
        self.path = path
    }

    func field(at index: Int) -> ConditionValue? {
        guard captures.indices.contains(index) else { return nil }
        let path = path
        guard let segment = PathTemplate.segment(captures[index], of: path.span.bytes) else { return nil }
        return .string(String(decoding: segment))
    }
}
