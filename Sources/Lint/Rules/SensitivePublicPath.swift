import Config
import Diagnostics

extension Rule {
    static let sensitivePublicPath = Rule(
        .sensitivePublicPath, what: "A path that is named like an administration page is public.",
        why: "Anyone can reach it without signing in; scanners try these paths within minutes.",
        instead: "Ask for a sign-in and a rule. If it is harmless, say so in a `# gateway-ignore` comment.",
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
                guard case .public = route.access, let item = route.object["access"], let path = route.object["path"]?.text else {
                    return nil
                }
                let segments = path.lowercased().split(separator: "/").map(String.init)
                let last = segments.last ?? ""
                guard let word = segments.first(where: words.contains), !harmless.contains(last) else { return nil }
                return Diagnostic(
                    .sensitivePublicPath, at: item.referenceSpan, "anyone reaches `\(word)` without signing in", label: "no sign-in",
                    help: "write a rule such as `access: { groups: [admins] }`")
            }
        })

    private static let words: Set<String> = [
        "admin", "administrator", "wp-admin", "phpmyadmin", "adminer", ".git", ".env", "actuator", "internal", "debug", "pprof", "console",
        "backup", "backups",
    ]
    /// What load balancers ask below such paths, and what pages are made of.
    private static let harmless: Set<String> = [
        "health", "healthz", "livez", "readyz", "ping", "info", "liveness", "readiness", "login", "static", "assets",
    ]
}
