import Access
import Config
import Diagnostics

extension RuleName {
    static let unreachableRoute = RuleName("unreachable-route", .warning)
}

extension Rule {
    static let unreachableRoute = Rule(
        .unreachableRoute, what: "A route never applies, because an earlier route matches the same requests.",
        why: "The first matching route wins, so this route's access rule protects nothing.",
        instead: "Move the route above the earlier one, or remove it.",
        bad: Example(
            """
            routes:
              - path: /**
                access: { groups: [staff] }
              - «path»: /admin/**
                access: { groups: [admins] }
            """),
        good: Example(
            """
            routes:
              - path: /admin/**
                access: { groups: [admins] }
              - path: /**
                access: { groups: [staff] }
            """),
        check: { context in
            RouteReach.shadowed(context).map { route, earlier in
                Diagnostic(
                    .unreachableRoute, at: route.object.span, "this route never applies",
                    label: "an earlier route matches its requests",
                    help: earlier.access.hasCondition
                        ? "a `condition` does not choose the route; write both rules as alternatives of `anyOf` in one route"
                        : "move it above the earlier route, or remove it",
                    related: [RelatedPlace("the earlier route", at: earlier.object.span)])
            }
        })
}
