import Config
import Diagnostics

extension Rule {
    static let unreachableRoute = Rule(
        .unreachableRoute, what: "A route is never used: an earlier one matches everything that it matches.",
        why: "The first match wins, so its access rule protects nothing.",
        instead: "Move it above the other, or remove it.",
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
                    .unreachableRoute, at: route.object.span, "this route is never reached",
                    label: "an earlier route takes its requests", help: "move it above the earlier route, or remove it",
                    related: [RelatedPlace("the earlier route", at: earlier.object.span)])
            }
        })
}
