import Config
import Diagnostics
import Providers

extension RuleName {
    static let noSecondFactor = RuleName("no-second-factor")
}

extension Rule {
    static let noSecondFactor = Rule(
        .noSecondFactor,
        what:
            "A route requires a second factor, and no user can have used one: `secondFactor` is missing or `off`, and no provider is trusted with it.",
        why: "The route refuses everybody.",
        instead: "Add `secondFactor: { policy: enrolled }`, or `secondFactor: trusted` to a provider that reports second factors.",
        bad: Example(
            """
            routes:
              - path: /admin/**
                access: { «secondFactor»: true }
            """),
        good: Example(
            """
            accounts:
              store: sqlite:./accounts.db
              keys: ["${file:./accounts.key}"]
            secondFactor: { policy: enrolled }
            routes:
              - path: /admin/**
                access: { secondFactor: true }
            """),
        check: { context in
            let isTrusted = context.providers.contains {
                $0.configuration.enabled && $0.configuration.trustedSecondFactor != nil && $0.preset?.kind != .oauth2
            }
            guard context.configuration.secondFactor?.isOn != true, !isTrusted, !context.hasUnreadableProvider else { return [] }
            return context.accessRules.compactMap { _, rule in
                guard rule["secondFactor"]?.boolean == true, let span = rule.keySpan("secondFactor") else { return nil }
                return Diagnostic(
                    .noSecondFactor, at: span, "no user can have used a second factor", label: "refuses everybody",
                    help: "add `secondFactor: { policy: enrolled }`, or `secondFactor: trusted` to a provider")
            }
        })
}
