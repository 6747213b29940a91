import Access
import Conditions
import Config
import Diagnostics
import YAML

extension RuleName {
    static let invalidCondition = RuleName("invalid-condition")
    static let constantCondition = RuleName("constant-condition", .warning)
    static let optionalSignIn = RuleName("optional-sign-in")
}

extension Rule {
    static let invalidCondition = Rule(
        .invalidCondition, what: "A `condition` is not an expression that the gateway can evaluate.",
        why: "A condition with a wrong name or type would refuse every request, or fail when it is evaluated.",
        instead:
            "Correct the marked part. `auth`, `request` and `path` have the fields in docs/conditions.md; `path` has the captures of the route. Write the whole expression in single quotes, or as a block after `>-`.",
        bad: Example(
            """
            routes: [{ path: "/users/{user}/**", access: { condition: 'auth.uid == path.«usr»' } }]
            """),
        good: Example(
            """
            routes: [{ path: "/users/{user}/**", access: { condition: 'auth.uid == path.user' } }]
            """),
        check: { context in
            context.conditions.flatMap { condition in
                condition.problems.map { problem($0, of: condition) }
                    + (condition.condition?.certainFailures ?? []).map { failure in
                        Diagnostic(
                            .invalidCondition, at: condition.span(of: failure.range), failure.reason.message, label: "always fails",
                            help: "correct it; a condition that fails refuses the request")
                    }
            }
        })

    private static func problem(_ problem: ConditionProblem, of condition: LintCondition) -> Diagnostic {
        Diagnostic(
            .invalidCondition, at: condition.span(of: problem.range), problem.message,
            label: problem.suggestion.map { "did you mean `\($0)`?" }, help: help(for: problem, condition))
    }

    private static func help(for problem: ConditionProblem, _ condition: LintCondition) -> String? {
        if condition.isCutByComment { return "YAML reads ` #` as the start of a comment; write the whole expression in single quotes" }
        guard let pattern = try? RoutePattern(condition.route.configuration.path), let text = condition.item.text else { return nil }
        let part = problem.range.text(in: text)
        if pattern.hasAmbiguousCaptures, pattern.captureNames.contains(part) {
            return "a route's path with more than one `**` has no captures, because they would be ambiguous"
        }
        if pattern.captureNames.contains(where: { $0.contains("-") && $0.hasPrefix(part) && $0 != part }) {
            return "write a capture with a `-` in backticks: ``path.`user-id` ``"
        }
        return nil
    }

    static let constantCondition = Rule(
        .constantCondition, what: "A `condition`, or a part of it, is always true or always false.",
        why: "It has no effect, or it decides alone and makes the rest pointless. Often, a name was written in quotes by mistake.",
        instead: "Correct or remove the part.",
        bad: Example(
            """
            routes: [{ path: /**, access: { condition: 'auth.emailVerified || «"admins" in ["admins"]»' } }]
            """),
        good: Example(
            """
            routes: [{ path: /**, access: { condition: 'auth.emailVerified || "admins" in auth.groups' } }]
            """),
        check: { context in
            context.conditions.flatMap { condition in
                (condition.condition?.constants ?? []).map { constant in
                    let word = constant.value ? "true" : "false"
                    return Diagnostic(
                        .constantCondition, at: condition.span(of: constant.decidedBy ?? constant.range),
                        constant.decidedBy == nil ? "this is always \(word)" : "this is always \(word), and decides the whole expression",
                        label: "always \(word)", help: "correct or remove it")
                }
            }
        })

    static let optionalSignIn = Rule(
        .optionalSignIn, what: "`signedIn: optional` has no effect, or makes a route public by accident.",
        why:
            "With `signedIn: optional`, the other conditions decide about requests without a session. Conditions on the user, such as `groups`, never match such a request.",
        instead:
            "Add `condition` or `networks`. For a route without sign-in, write `access: public`. Write `signedIn` beside `anyOf`, not in its alternatives.",
        bad: Example(
            """
            routes: [{ path: /news/**, access: { signedIn: «optional» } }]
            """),
        good: Example(
            """
            routes: [{ path: /news/**, access: { signedIn: optional, condition: 'auth != null || request.method == "GET"' } }]
            """),
        check: { context in
            context.accessRules.compactMap { route, rule in
                guard let item = rule["signedIn"], item.text == "optional", !rule.isIncomplete, rule.refusedKeys.isEmpty else { return nil }
                let isNested = rule.node.span != route.object["access"]?.span
                if isNested {
                    return Diagnostic(
                        .optionalSignIn, at: item.referenceSpan, "`signedIn` has no effect in an alternative", label: "no effect",
                        help: "write it beside `anyOf`")
                }
                let users = ["emails", "groups", "users", "providers", "claims", "maxAge", "secondFactor", "acr"].filter(rule.has)
                if let first = users.first {
                    return Diagnostic(
                        .optionalSignIn, at: item.referenceSpan, "`\(first)` never matches a request without a session",
                        label: "no effect", help: "remove `signedIn: optional`, or move `\(first)` into an alternative of `anyOf`")
                }
                guard !["condition", "networks", "anyOf"].contains(where: rule.has) else { return nil }
                return Diagnostic(
                    .optionalSignIn, at: item.referenceSpan, "no condition decides about requests without a session",
                    label: "no condition", help: "write `access: public`, or add `condition` or `networks`")
            }
        })
}
