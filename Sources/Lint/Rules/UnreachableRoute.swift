import Access
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
            // A route that could not be read says nothing about what it matches.
            let routes = context.routes.filter(\.isReadable)
            let coverage = RouteCoverage(routes.map(\.configuration), pathCase: context.configuration.server.pathCase)
            return coverage.shadowed.map { finding in
                Diagnostic(
                    .unreachableRoute, at: routes[finding.route].object.span, "this route is never reached",
                    label: "an earlier route takes its requests", help: "move it above the earlier route, or remove it",
                    related: [RelatedPlace("the earlier route", at: routes[finding.shadowedBy].object.span)])
            }
        })
}
