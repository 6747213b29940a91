import Accounts
import Primitives
import Sessions
import TokenCrypto

/// The evaluation of a rule against a session. Stops at the first failed condition unless it collects the trace.
struct RuleEvaluation {
    let now: Int64
    /// True if the sign-in is treated as made now, to find out what a new sign-in would change.
    let assumingRecentSignIn: Bool
    /// True if a second factor is treated as used, to find out what one would change.
    let assumingSecondFactor: Bool
    /// True if the sign-in is treated as one of every authentication context class, to find out what asking for one would change.
    let assumingContextClass: Bool
    let isCollecting: Bool
    /// Nil if the rule does not read it.
    let request: (any ConditionRequest)?
    /// The session as conditions read it; nil if there is none, or to make it when a condition reads it.
    let auth: ConditionAuth?
    private(set) var trace: [PolicyStep] = []
    private var failures = 0

    /// The skew by which a provider's clock may be ahead before its `auth_time` is ignored.
    private static let clockSkew: Int64 = 60_000

    init(
        now: Int64, request: (any ConditionRequest)?, auth: ConditionAuth? = nil, assumingRecentSignIn: Bool = false,
        assumingSecondFactor: Bool = false, assumingContextClass: Bool = false, isCollecting: Bool = false
    ) {
        self.assumingContextClass = assumingContextClass
        self.request = request
        self.auth = auth
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
        if let step = contextFailure(conditions.acr, session.identity), fails(step) { return false }
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
        if let step = networkFailure(conditions.networks), fails(step) { return false }
        if let condition = conditions.condition, let step = failure(of: condition, session), fails(step) { return false }
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
                now: now, request: request, auth: auth, assumingRecentSignIn: assumingRecentSignIn,
                assumingSecondFactor: assumingSecondFactor, assumingContextClass: assumingContextClass, isCollecting: isCollecting)
            if alternative.admits(session, by: rule) { return true }
            if isCollecting { alternatives.append(alternative.trace) }
        }
        _ = fails(.noAlternative(alternatives))
        return false
    }

    private func networkFailure(_ networks: CIDRSet?) -> PolicyStep? {
        guard let networks else { return nil }
        guard let address = request?.clientAddress else { return .addressUnknown }
        return networks.contains(address) ? nil : .addressNotListed
    }

    private func failure(of condition: RequestCondition, _ session: Session) -> PolicyStep? {
        let auth = condition.reads.auth ? auth(of: session) : nil
        if isCollecting { return condition.failure(auth, request) }
        // An error refuses. What failed is worked out for the trace only.
        return (try? condition.holds(auth, request)) == true ? nil : .conditionFailed(.unexplained)
    }

    private func auth(of session: Session) -> ConditionAuth {
        if assumingRecentSignIn || assumingSecondFactor {
            return ConditionAuth(session, time: assumingRecentSignIn ? now : nil, secondFactor: assumingSecondFactor ? true : nil)
        }
        return auth ?? ConditionAuth(session)
    }

    /// Evaluates a rule for a request without a session. `public` and `authenticated` among alternatives require one.
    mutating func admitsNobody(by rule: CompiledRule) -> Bool {
        switch rule {
        case .public, .authenticated: return false
        case .anyOf(let rules): return admitsNobody(byAny: rules)
        case .all(let conditions):
            if conditions.isAboutUser || networkFailure(conditions.networks) != nil { return false }
            if let condition = conditions.condition {
                do {
                    guard try condition.holds(nil, request) else { return false }
                } catch {
                    if let condition = condition.condition { trace.append(.conditionFailed(ConditionRefusal(error, of: condition))) }
                    return false
                }
            }
            if let rules = conditions.anyOf { return admitsNobody(byAny: rules) }
            return conditions.networks != nil || conditions.condition != nil
        }
    }

    private mutating func admitsNobody(byAny rules: [CompiledRule]) -> Bool {
        for rule in rules where admitsNobody(by: rule) { return true }
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

    private func contextFailure(_ accepted: [String]?, _ identity: ProviderIdentity) -> PolicyStep? {
        guard let accepted, !assumingContextClass else { return nil }
        if let acr = identity.claims["acr"]?.string, accepted.contains(where: { sameBytes($0, acr) }) { return nil }
        return .authenticationContextMissing(accepted: accepted)
    }

    private func ageFailure(_ maxAge: Int64?, _ authTime: Int64) -> PolicyStep? {
        guard let maxAge, !assumingRecentSignIn else { return nil }
        let (age, overflow) = now.subtractingReportingOverflow(authTime)
        return overflow || age > maxAge || age < -Self.clockSkew ? .signInTooOld(maxAge: maxAge) : nil
    }
}
