package import Config
package import Sessions

/// The result of one condition of a rule for a session. Names conditions, never user data.
package struct ConditionVerdict: Sendable, Hashable {
    /// The nesting depth: 0 for the rule's own conditions, 1 within an alternative, and so on.
    package let depth: Int
    /// The configuration key: `groups`, `claims.department`, `anyOf`.
    package let condition: String
    package let holds: Bool
    /// The reason why the condition failed; nil if it matched.
    package let reason: String?
    /// The parts of a `condition`, each before its operands. Their values may be user data.
    package var operands: [OperandValue] = []
}

/// Evaluates every condition of a rule separately, while a decision stops at the first failure.
package struct RuleExplanation {
    private let session: Session?
    private let now: Int64
    private let request: (any ConditionRequest)?
    private let scope: ConditionScope?
    private let auth: ConditionAuth?
    /// True if the rule also applies to requests without a session.
    private let admitsNobody: Bool

    /// `session` is nil for requests without one. `now` is in Unix milliseconds. `pattern`: the path of the route.
    package static func verdicts(
        of rule: AccessRule, on pattern: RoutePattern? = nil, for session: Session?, now: Int64, request: (any ConditionRequest)? = nil
    ) -> [ConditionVerdict] {
        let explanation = RuleExplanation(
            session: session, now: now, request: request, scope: rule.hasCondition ? ConditionScope(pattern) : nil,
            auth: rule.hasCondition ? session.map { ConditionAuth($0) } : nil,
            admitsNobody: AccessPolicy(rule, pattern: pattern).admitsNobody)
        return explanation.verdicts(of: rule, depth: 0)
    }

    private func verdicts(of rule: AccessRule, depth: Int) -> [ConditionVerdict] {
        switch rule {
        case .public where depth == 0: return [ConditionVerdict(depth: depth, condition: "public", holds: true, reason: nil)]
        case .public, .authenticated:
            return [
                ConditionVerdict(
                    depth: depth, condition: "authenticated", holds: session != nil, reason: session == nil ? "no user is signed in" : nil)
            ]
        case .anyOf(let rules): return alternatives(rules, depth: depth)
        case .all(let conditions):
            let own = singles(conditions).map { name, single in verdict(name, .all(single), depth: depth) }
            return own + (conditions.anyOf.map { alternatives($0, depth: depth) } ?? [])
        }
    }

    private func alternatives(_ rules: [AccessRule], depth: Int) -> [ConditionVerdict] {
        let whole = verdict("anyOf", .anyOf(rules), depth: depth)
        let holds = whole.holds
        let head = ConditionVerdict(depth: depth, condition: "anyOf", holds: holds, reason: holds ? nil : "no alternative matches")
        return [head]
            + rules.enumerated().flatMap { index, rule in
                [verdict("alternative \(index + 1)", rule, depth: depth + 1, isTold: false)] + verdicts(of: rule, depth: depth + 2)
            }
    }

    private func verdict(_ name: String, _ rule: AccessRule, depth: Int, isTold: Bool = true) -> ConditionVerdict {
        let compiled = CompiledRule(rule, scope)
        var evaluation = RuleEvaluation(now: now, request: request, auth: auth, isCollecting: true)
        guard let session else {
            let holds = admitsNobody && evaluation.admitsNobody(by: compiled)
            let reason = reason(compiled, evaluation.trace)
            var verdict = ConditionVerdict(depth: depth, condition: name, holds: holds, reason: holds || !isTold ? nil : reason)
            if admitsNobody { verdict.operands = operands(of: compiled, name) }
            return verdict
        }
        let holds = evaluation.admits(session, by: compiled)
        let reasons = evaluation.trace.map(Self.withoutKey)
        return ConditionVerdict(
            depth: depth, condition: name, holds: holds, reason: holds || !isTold ? nil : reasons.joined(separator: "; "),
            operands: operands(of: compiled, name))
    }

    /// The reason why a single condition refuses a request without a session.
    private func reason(_ rule: CompiledRule, _ failures: [PolicyStep]) -> String {
        guard admitsNobody, case .all(let conditions) = rule, !conditions.isAboutUser else { return "no user is signed in" }
        if let step = failures.first ?? conditions.condition?.failure(nil, request) { return Self.withoutKey(step) }
        return "the client's address is in none of the networks"
    }

    private func operands(of rule: CompiledRule, _ name: String) -> [OperandValue] {
        guard name == "condition", case .all(let conditions) = rule else { return [] }
        return conditions.condition?.operands(auth, request) ?? []
    }

    /// Under `groups`, the reason `groups: none of …` would repeat the key.
    private static func withoutKey(_ step: PolicyStep) -> String {
        let text = step.description
        return text.firstRange(of: ": ").map { String(text[$0.upperBound...]) } ?? text
    }

    /// Each condition as a separate rule.
    private func singles(_ conditions: AccessConditions) -> [(String, AccessConditions)] {
        var result: [(String, AccessConditions)] = []
        func add(_ name: String, _ set: (inout AccessConditions) -> Void) {
            var single = AccessConditions()
            set(&single)
            result.append((name, single))
        }
        if let emails = conditions.emails { add("emails") { $0.emails = emails } }
        if let groups = conditions.groups { add("groups") { $0.groups = groups } }
        if let users = conditions.users { add("users") { $0.users = users } }
        if let providers = conditions.providers { add("providers") { $0.providers = providers } }
        for claim in conditions.claims ?? [] { add("claims.\(claim.path)") { $0.claims = [claim] } }
        if let maxAge = conditions.maxAge { add("maxAge") { $0.maxAge = maxAge } }
        if conditions.secondFactor { add("secondFactor") { $0.secondFactor = true } }
        if let acr = conditions.acr { add("acr") { $0.acr = acr } }
        if let networks = conditions.networks { add("networks") { $0.networks = networks } }
        if let condition = conditions.condition { add("condition") { $0.condition = condition } }
        return result
    }
}
