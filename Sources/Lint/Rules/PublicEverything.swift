import Config
import Diagnostics

extension RuleName {
    static let publicEverything = RuleName("public-everything", .warning)
}

extension Rule {
    static let publicEverything = Rule(
        .publicEverything, what: "A public route matches every path.",
        why: "Every request that no earlier route matches becomes public.",
        instead: "List the public paths one by one. If everything should be public, silence the warning with a reason.",
        bad: Example(
            """
            routes:
              - path: /**
                access: «public»
            """),
        good: Example(
            """
            routes:
              - path: /static/**
                access: public
            """),
        check: { context in
            context.routes.compactMap { route in
                guard context.admitsEveryone(route), route.isReadable, !route.configuration.routing.needsNoUpstream,
                    route.configuration.host == nil,
                    route.isEverything,
                    let access = route.object["access"], route.object["path"] != nil
                else { return nil }
                return Diagnostic(
                    .publicEverything, at: access.span, "everything is public", label: "no path requires sign-in",
                    help: "list the public paths, or remove this route")
            }
        })
}
