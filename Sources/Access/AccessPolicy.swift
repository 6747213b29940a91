package import Config
import Primitives

/// A compiled access rule: lists are sets, nested alternatives are values.
package struct AccessPolicy: Sendable {
    let rule: CompiledRule

    /// True if requests without a session pass.
    package let isPublic: Bool
    /// True if requests without a session pass as far as the conditions of the rule allow it.
    package let admitsNobody: Bool
    /// True if the decision for a session can change with time alone, so that it must not be cached.
    package let dependsOnTime: Bool
    /// True if the decision depends on the request besides its route, so that it holds for requests with the same `inputs` only.
    package let dependsOnRequest: Bool
    /// True if the rule has a condition.
    package let hasCondition: Bool
    /// What the conditions read; nil without a condition.
    package let reads: ConditionReads?
    /// The parts of a request for which a permit holds; nil if the rule is evaluated for each request, or depends on none.
    package let inputs: RequestInputs?

    private let configured: AccessRule
    private let pattern: RoutePattern?

    /// `pattern`: the path of the route, which names the captures.
    package init(_ rule: AccessRule, pattern: RoutePattern? = nil) {
        configured = rule
        self.pattern = pattern
        hasCondition = rule.hasCondition
        let scope = rule.hasCondition ? ConditionScope(pattern) : nil
        self.rule = CompiledRule(rule, scope)
        isPublic = if case .public = self.rule { true } else { false }
        admitsNobody = if case .all(let conditions) = self.rule { conditions.admitsNobody } else { false }
        dependsOnTime = self.rule.dependsOnTime
        dependsOnRequest = self.rule.dependsOnRequest
        reads = scope == nil ? nil : self.rule.reads
        inputs =
            dependsOnRequest && !dependsOnTime
            ? RequestInputs(reads ?? ConditionReads(), networks: self.rule.dependsOnNetwork) : nil
    }

    /// A copy whose conditions are compiled anew: event loops that share one would count references to the same objects.
    func copy() -> AccessPolicy { reads == nil ? self : AccessPolicy(configured, pattern: pattern) }
}

extension AccessRule {
    /// True if the rule has a `condition`, at any depth.
    package var hasCondition: Bool {
        switch self {
        case .public, .authenticated: false
        case .all(let conditions): conditions.condition != nil || conditions.anyOf?.contains(where: \.hasCondition) ?? false
        case .anyOf(let rules): rules.contains(where: \.hasCondition)
        }
    }
}

extension AccessRule {
    /// The values of every `acr` of the rule, at any depth.
    package var contextClasses: [String] {
        switch self {
        case .public, .authenticated: []
        case .all(let conditions): (conditions.acr ?? []) + (conditions.anyOf ?? []).flatMap(\.contextClasses)
        case .anyOf(let rules): rules.flatMap(\.contextClasses)
        }
    }
}

/// `public` counts only at the top of a rule. Within `anyOf` it requires sign-in, because a list of alternatives reads as a list of
/// conditions on the user.
indirect enum CompiledRule: Sendable {
    case `public`
    case authenticated
    case all(CompiledConditions)
    case anyOf([CompiledRule])

    /// `scope`: nil for a rule without conditions.
    init(_ rule: AccessRule, _ scope: ConditionScope?) {
        switch rule {
        case .public: self = .public
        case .authenticated: self = .authenticated
        case .all(let conditions): self = .all(CompiledConditions(conditions, scope))
        case .anyOf(let rules): self = .anyOf(rules.map { CompiledRule($0, scope) })
        }
    }

    private var parts: [CompiledConditions] {
        switch self {
        case .public, .authenticated: []
        case .all(let conditions): [conditions] + (conditions.anyOf ?? []).flatMap(\.parts)
        case .anyOf(let rules): rules.flatMap(\.parts)
        }
    }

    var dependsOnNetwork: Bool { parts.contains { $0.networks != nil } }

    var dependsOnRequest: Bool {
        parts.contains { $0.networks != nil || $0.condition.map { $0.reads.request || $0.reads.path } ?? false }
    }

    var reads: ConditionReads {
        parts.compactMap(\.condition).reduce(into: ConditionReads()) { $0.formUnion($1.reads) }
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
    let acr: [String]?
    let networks: CIDRSet?
    let condition: RequestCondition?
    let admitsNobody: Bool
    let anyOf: [CompiledRule]?

    init(_ conditions: AccessConditions, _ scope: ConditionScope?) {
        emails = conditions.emails.map(EmailPatterns.init)
        groups = conditions.groups.map { TextSet($0) }
        users = conditions.users.map { TextSet($0) }
        providers = conditions.providers.map { TextSet($0) }
        claims = (conditions.claims ?? []).map { ($0.path, TextSet($0.values)) }
        maxAge = conditions.maxAge
        secondFactor = conditions.secondFactor
        acr = conditions.acr
        // Networks that cannot be read contain no address.
        networks = conditions.networks.map { CIDRSet($0) ?? CIDRSet() }
        condition = conditions.condition.map { RequestCondition($0, scope ?? ConditionScope(nil)) }
        anyOf = conditions.anyOf.map { $0.map { CompiledRule($0, scope) } }
        // Without another condition, the rule would be public by accident.
        admitsNobody = conditions.admitsNobody && (networks != nil || condition != nil || anyOf != nil)
    }

    /// True if a condition is about the user, so that no request without a session matches it.
    var isAboutUser: Bool {
        emails != nil || groups != nil || users != nil || providers != nil || !claims.isEmpty || maxAge != nil || secondFactor || acr != nil
    }
}
