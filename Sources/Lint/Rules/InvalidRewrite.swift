import Access
import Config
import Diagnostics

extension RuleName {
    static let invalidRewrite = RuleName("invalid-rewrite")
}

extension Rule {
    static let invalidRewrite = Rule(
        .invalidRewrite, what: "`stripPrefix` or `rewrite` does not match the route's path.",
        why: "Every path that the route matches must produce a valid path for the upstream.",
        instead:
            "Set `stripPrefix` to one or more whole segments at the start of `path`. Set `rewrite` to a path that may use the `{name}` captures of `path`. End it with `/**` if `path` ends with `/**`.",
        bad: Example(
            """
            routes: [{ path: "/users/{id}", rewrite: «"/people/{name}"» }]
            """),
        good: Example(
            """
            routes: [{ path: "/users/{id}", rewrite: "/people/{id}" }]
            """),
        check: { context in
            context.routes.compactMap { route in
                let routing = route.configuration.routing
                let ignoringCase = context.configuration.server.pathCase == .insensitive
                guard let pattern = try? RoutePattern(route.configuration.path) else { return nil }
                let key = routing.stripPrefix == nil ? "rewrite" : "stripPrefix"
                guard let item = route.object[key], !item.isUnreadable, route.object["path"]?.isUnreadable != true else { return nil }
                do throws(PathTemplateError) {
                    if let prefix = routing.stripPrefix {
                        _ = try PathTemplate(strippingPrefix: prefix, of: pattern, ignoringCase: ignoringCase)
                    } else if let template = routing.rewrite {
                        _ = try PathTemplate(template, of: pattern)
                    }
                    return nil
                } catch {
                    return Diagnostic(
                        .invalidRewrite, at: item.referenceSpan, "this `\(key)` does not match the path: \(error)", label: nil,
                        help: help(key, pattern, error.reason))
                }
            }
        })

    private static func help(_ key: String, _ pattern: RoutePattern, _ reason: PathTemplateError.Reason) -> String {
        switch reason {
        case .notItsPrefix: return "write the first segments of `\(pattern.text)`, or make `path` start with this prefix"
        case .unusableCharacter: return "write only a path, as the gateway appends the query; escape other characters, like `%20`"
        case .nothingToAppend: return "end `path` with `/**`, or remove `/**` here"
        case .severalWildcards: return "use one `**` in `path`"
        default:
            let names = pattern.segments.compactMap { if case .capture(let name) = $0 { "`{\(name)}`" } else { nil } }
            return names.isEmpty
                ? "write a path like `/new/page`; `path` captures nothing"
                : "write a path; `path` captures \(names.joined(separator: ", "))"
        }
    }
}
