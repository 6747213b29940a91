import Config
import Diagnostics

extension Rule {
    static let publicEverything = Rule(
        .publicEverything, what: "One public route matches every path.",
        why: "Then nobody has to sign in for anything that no earlier route takes.",
        instead: "Make the paths public that need it, one by one; silence the warning with a reason if all are meant.",
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
                guard case .public = route.access, route.isReadable, !route.configuration.routing.needsNoUpstream,
                    route.configuration.host == nil,
                    route.isEverything,
                    let access = route.object["access"], route.object["path"] != nil
                else { return nil }
                return Diagnostic(
                    .publicEverything, at: access.span, "everything is public", label: "no path asks for a sign-in here",
                    help: "name the public paths, or remove this route")
            }
        })
}
