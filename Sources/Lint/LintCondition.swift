import Access
import Conditions
import Config
import Diagnostics
import YAML

/// A `condition` of an access rule, compiled with the names that its route offers.
final class LintCondition: Sendable {
    let route: LintContext.Route
    let item: Item
    /// Nil for an invalid condition.
    let condition: Condition?
    let problems: [ConditionProblem]
    let reads: ConditionReads
    private let source: SourceFile
    /// Nil where the text does not stand in the file as it is: a reference or an alias.
    private let offsets: ScalarOffsets?

    /// Nil for a rule without a readable condition.
    init?(_ rule: ObjectValue, of route: LintContext.Route, in source: SourceFile) {
        guard let item = rule["condition"], let text = item.text else { return nil }
        self.route = route
        self.item = item
        self.source = source
        let isInFile = item.expanded?.isLiteral == true && item.writtenText == text
        offsets = isInFile ? ScalarOffsets(item.node, in: source) : nil
        let admitsNobody = if case .all(let conditions) = route.access { conditions.admitsNobody } else { false }
        let scope = ConditionScope(try? RoutePattern(route.configuration.path), isSignedIn: !admitsNobody)
        do throws(ConditionProblems) {
            let condition = try Condition(text, in: scope.environment)
            self.condition = condition
            problems = []
            reads = ConditionReads(condition.reads)
        } catch {
            condition = nil
            problems = error.problems
            reads = ConditionReads()
        }
    }

    /// The place of a part of the expression in the file.
    func span(of range: ConditionRange) -> SourceSpan {
        offsets?.span(of: range.utf8, in: source) ?? item.referenceSpan
    }

    /// True if a comment follows a value without quotes. It was perhaps meant as a part of the value.
    var isCutByComment: Bool {
        guard item.node.scalar?.style == .plain, item.node.anchor == nil, item.node.extent.end <= source.bytes.count else { return false }
        let rest = source.bytes[item.node.extent.end...].drop { $0 == 0x20 || $0 == 0x09 }
        return rest.first == UInt8(ascii: "#")
    }

    /// True if the whole condition is always true.
    var isAlwaysTrue: Bool { condition?.constants.contains { $0.value && $0.range.utf8.count >= ownLength } ?? false }

    /// True if everyone can meet the condition, since it reads nothing about the user or where the request comes from.
    var isOpenToEveryone: Bool { condition != nil && !reads.auth && !reads.provenRequest }

    private var ownLength: Int {
        (condition?.text ?? "").drop { $0.isWhitespace || $0 == "(" }.reversed().drop { $0.isWhitespace || $0 == ")" }.reduce(0) {
            $0 + $1.utf8.count
        }
    }
}

extension LintContext {
    /// True if requests without a session pass the rule of a route, whatever they are.
    func admitsEveryone(_ route: Route) -> Bool {
        switch route.access {
        case .public: return true
        case .all(let rule):
            guard rule.admitsNobody, rule.networks == nil, rule.anyOf == nil, rule.condition != nil, !rule.isAboutUser,
                let condition = conditions.first(where: { $0.route === route })
            else { return false }
            return condition.isAlwaysTrue
        case .authenticated, .anyOf: return false
        }
    }

    /// True if everyone can make a request without a session that passes the rule of a route.
    func isOpenToEveryone(_ route: Route) -> Bool {
        if admitsEveryone(route) { return true }
        guard case .all(let rule) = route.access, rule.admitsNobody, rule.networks == nil, rule.anyOf == nil, !rule.isAboutUser else {
            return false
        }
        return conditions.first { $0.route === route }?.isOpenToEveryone ?? false
    }
}

extension AccessConditions {
    /// True if a condition is about the user, so that no request without a session matches it.
    fileprivate var isAboutUser: Bool {
        emails != nil || groups != nil || users != nil || providers != nil || claims != nil || maxAge != nil || secondFactor || acr != nil
    }
}
