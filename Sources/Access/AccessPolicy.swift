import Accounts
package import Config
import Sessions
import TokenCrypto

/// A compiled access rule: lists are sets, nested alternatives are values.
package struct AccessPolicy: Sendable {
    let rule: CompiledRule

    /// True if requests without a session pass.
    package let isPublic: Bool
    /// True if the decision for a session can change with time alone, so that it must not be cached.
    package let dependsOnTime: Bool

    package init(_ rule: AccessRule) {
        self.rule = CompiledRule(rule)
        isPublic = if case .public = self.rule { true } else { false }
        dependsOnTime = self.rule.dependsOnTime
    }
}

/// `public` counts only at the top of a rule. Within `anyOf` it requires sign-in, because a list of alternatives reads as a list of
/// conditions on the user.
indirect enum CompiledRule: Sendable {
    case `public`
    case authenticated
    case all(CompiledConditions)
    case anyOf([CompiledRule])

    init(_ rule: AccessRule) {
        switch rule {
        case .public: self = .public
        case .authenticated: self = .authenticated
        case .all(let conditions): self = .all(CompiledConditions(conditions))
        case .anyOf(let rules): self = .anyOf(rules.map(CompiledRule.init))
        }
    }

    var dependsOnTime: Bool {
        switch self {
        case .public, .authenticated: false
        case .all(let conditions): conditions.maxAge != nil || conditions.anyOf?.contains(where: \.dependsOnTime) ?? false
        case .anyOf(let rules): rules.contains(where: \.dependsOnTime)
        }
    }
}

struct CompiledConditions: Sendable {
    let emails: EmailPatterns?
    let groups: TextSet?
    let users: TextSet?
    let providers: TextSet?
    let claims: [(path: String, values: TextSet)]
    let maxAge: Int64?
    let secondFactor: Bool
    let anyOf: [CompiledRule]?

    init(_ conditions: AccessConditions) {
        emails = conditions.emails.map(EmailPatterns.init)
        groups = conditions.groups.map { TextSet($0) }
        users = conditions.users.map { TextSet($0) }
        providers = conditions.providers.map { TextSet($0) }
        claims = (conditions.claims ?? []).map { ($0.path, TextSet($0.values)) }
        maxAge = conditions.maxAge
        secondFactor = conditions.secondFactor
        anyOf = conditions.anyOf.map { $0.map(CompiledRule.init) }
    }
}

/// The evaluation of a rule against a session. Stops at the first failed condition unless it collects the trace.
struct RuleEvaluation {
    let now: Int64
    /// True if the sign-in is treated as made now, to find out what a new sign-in would change.
    let assumingRecentSignIn: Bool
    /// True if a second factor is treated as used, to find out what one would change.
    let assumingSecondFactor: Bool
    let isCollecting: Bool
    private(set) var trace: [PolicyStep] = []
    private var failures = 0

    /// The skew by which a provider's clock may be ahead before its `auth_time` is ignored.
    private static let clockSkew: Int64 = 60_000

    init(now: Int64, assumingRecentSignIn: Bool = false, assumingSecondFactor: Bool = false, isCollecting: Bool = false) {
        self.assumingSecondFactor = assumingSecondFactor
        self.now = now
        self.assumingRecentSignIn = assumingRecentSignIn
        self.isCollecting = isCollecting
    }

    mutating func admits(_ session: Session, by rule: CompiledRule) -> Bool {
        switch rule {
        case .public, .authenticated: true
        case .all(let conditions): admits(session, by: conditions)
        case .anyOf(let rules): admitsAny(session, of: rules)
        }
    }

    private mutating func admits(_ session: Session, by conditions: CompiledConditions) -> Bool {
        let before = failures
        if conditions.secondFactor, !assumingSecondFactor, session.account?.secondFactor == nil, fails(.secondFactorMissing) {
            return false
        }
        if let users = conditions.users, !users.contains(session.uid), fails(.userNotListed) { return false }
        if let providers = conditions.providers, !providers.contains(session.identity.provider), fails(.providerNotListed) { return false }
        if let groups = conditions.groups, !Self.contains(groups, oneOf: session.identity.groups),
            fails(session.identity.groups.isEmpty ? .noGroups : .groupNotListed)
        {
            return false
        }
        if let emails = conditions.emails, let step = Self.emailFailure(emails, session.identity), fails(step) { return false }
        if let step = Self.claimFailure(conditions.claims, session.identity), fails(step) { return false }
        if let step = ageFailure(conditions.maxAge, session.authTime), fails(step) { return false }
        if let rules = conditions.anyOf, !admitsAny(session, of: rules), !isCollecting { return false }
        return failures == before
    }

    /// Records a failed condition. Returns true if the evaluation can stop.
    private mutating func fails(_ step: PolicyStep) -> Bool {
        failures += 1
        if isCollecting { trace.append(step) }
        return !isCollecting
    }

    private static func contains(_ set: TextSet, oneOf texts: [String]) -> Bool {
        for text in texts where set.contains(text) { return true }
        return false
    }

    private mutating func admitsAny(_ session: Session, of rules: [CompiledRule]) -> Bool {
        var alternatives: [[PolicyStep]] = []
        for rule in rules {
            var alternative = RuleEvaluation(
                now: now, assumingRecentSignIn: assumingRecentSignIn, assumingSecondFactor: assumingSecondFactor,
                isCollecting: isCollecting)
            if alternative.admits(session, by: rule) { return true }
            if isCollecting { alternatives.append(alternative.trace) }
        }
        _ = fails(.noAlternative(alternatives))
        return false
    }

    private static func emailFailure(_ patterns: EmailPatterns, _ identity: ProviderIdentity) -> PolicyStep? {
        guard let email = identity.email else { return .noEmail }
        // Only `true` from the provider counts; nil does not.
        guard identity.emailVerified == true else { return .emailNotVerified }
        switch patterns.match(email) {
        case .listed: return nil
        case .notListed: return .emailNotListed
        case .malformed: return .emailMalformed
        }
    }

    private static func claimFailure(_ claims: [(path: String, values: TextSet)], _ identity: ProviderIdentity) -> PolicyStep? {
        for claim in claims {
            guard let value = identity.claims.value(at: claim.path) else { return .claimMissing(path: claim.path) }
            if !satisfies(value, claim.values) { return .claimNotListed(path: claim.path) }
        }
        return nil
    }

    /// Returns whether a claim matches. A list matches if one of its items does; objects, nested lists, null and fractions never match.
    private static func satisfies(_ value: JSONValue, _ values: TextSet) -> Bool {
        if case .array(let items) = value { return items.contains { scalarSatisfies($0, values) } }
        return scalarSatisfies(value, values)
    }

    private static func scalarSatisfies(_ value: JSONValue, _ values: TextSet) -> Bool {
        switch value {
        case .string(let text): values.contains(text)
        case .bool(let flag): values.contains(flag ? "true" : "false")
        case .integer(let number): values.contains(String(number))
        case .null, .number, .array, .object: false
        }
    }

    private func ageFailure(_ maxAge: Int64?, _ authTime: Int64) -> PolicyStep? {
        guard let maxAge, !assumingRecentSignIn else { return nil }
        let (age, overflow) = now.subtractingReportingOverflow(authTime)
        return overflow || age > maxAge || age < -Self.clockSkew ? .signInTooOld(maxAge: maxAge) : nil
    }
}
