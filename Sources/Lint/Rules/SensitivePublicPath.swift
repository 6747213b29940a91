import Config
import Diagnostics

extension RuleName {
    static let sensitivePublicPath = RuleName("sensitive-public-path", .warning)
}

extension Rule {
    static let sensitivePublicPath = Rule(
        .sensitivePublicPath, what: "A public path looks like an administration page.",
        why: "Anyone can open it without signing in. Scanners try such paths within minutes.",
        instead: "Require sign-in and add a rule. If the path is harmless, say so in a `# gateway-ignore` comment.",
        bad: Example(
            """
            routes: [{ path: /admin/**, access: «public» }]
            """),
        good: Example(
            """
            routes: [{ path: /admin/**, access: { groups: [admins] } }]
            """),
        check: { context in
            context.routes.compactMap { route in
                guard context.isOpenToEveryone(route), let item = route.object["access"], let path = route.object["path"]?.text else {
                    return nil
                }
                let segments = path.lowercased().split(separator: "/").map(String.init)
                let last = segments.last ?? ""
                guard let word = segments.first(where: words.contains), !harmless.contains(last) else { return nil }
                return Diagnostic(
                    .sensitivePublicPath, at: item.referenceSpan, "anyone can open `\(word)` without signing in", label: "no sign-in",
                    help: "write a rule such as `access: { groups: [admins] }`")
            }
        })

    private static let words: Set<String> = [
        "admin", "administrator", "wp-admin", "phpmyadmin", "adminer", ".git", ".env", "actuator", "internal", "debug", "pprof", "console",
        "backup", "backups",
    ]
    /// Last segments of health checks and page assets, which are commonly public below such paths.
    private static let harmless: Set<String> = [
        "health", "healthz", "livez", "readyz", "ping", "info", "liveness", "readiness", "login", "static", "assets",
    ]
}
