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
}

/// Evaluates every condition of a rule separately, while a decision stops at the first failure.
package enum RuleExplanation {
    /// `session` is nil for requests without one. `now` is in Unix milliseconds.
    package static func verdicts(of rule: AccessRule, for session: Session?, now: Int64) -> [ConditionVerdict] {
        verdicts(of: rule, for: session, now: now, depth: 0)
    }

    private static func verdicts(of rule: AccessRule, for session: Session?, now: Int64, depth: Int) -> [ConditionVerdict] {
        switch rule {
        case .public where depth == 0: return [ConditionVerdict(depth: depth, condition: "public", holds: true, reason: nil)]
        case .public, .authenticated:
            return [
                ConditionVerdict(
                    depth: depth, condition: "authenticated", holds: session != nil, reason: session == nil ? "no user is signed in" : nil)
            ]
        case .anyOf(let rules): return alternatives(rules, for: session, now: now, depth: depth)
        case .all(let conditions):
            let own = singles(conditions).map { name, single in verdict(name, .all(single), for: session, now: now, depth: depth) }
            return own + (conditions.anyOf.map { alternatives($0, for: session, now: now, depth: depth) } ?? [])
        }
    }

    private static func alternatives(_ rules: [AccessRule], for session: Session?, now: Int64, depth: Int) -> [ConditionVerdict] {
        let whole = verdict("anyOf", .anyOf(rules), for: session, now: now, depth: depth)
        let holds = whole.holds
        let head = ConditionVerdict(depth: depth, condition: "anyOf", holds: holds, reason: holds ? nil : "no alternative matches")
        return [head]
            + rules.enumerated().flatMap { index, rule in
                [verdict("alternative \(index + 1)", rule, for: session, now: now, depth: depth + 1, isTold: false)]
                    + verdicts(of: rule, for: session, now: now, depth: depth + 2)
            }
    }

    private static func verdict(
        _ name: String, _ rule: AccessRule, for session: Session?, now: Int64, depth: Int, isTold: Bool = true
    ) -> ConditionVerdict {
        guard let session else { return ConditionVerdict(depth: depth, condition: name, holds: false, reason: "no user is signed in") }
        var evaluation = RuleEvaluation(now: now, isCollecting: true)
        let holds = evaluation.admits(session, by: CompiledRule(rule))
        // Under `groups`, the reason `groups: none of …` would repeat the key.
        let reasons = evaluation.trace.map { step in
            let text = step.description
            return text.firstRange(of: ": ").map { String(text[$0.upperBound...]) } ?? text
        }
        return ConditionVerdict(
            depth: depth, condition: name, holds: holds, reason: holds || !isTold ? nil : reasons.joined(separator: "; "))
    }

    /// Each condition as a separate rule.
    private static func singles(_ conditions: AccessConditions) -> [(String, AccessConditions)] {
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
        return result
    }
}
