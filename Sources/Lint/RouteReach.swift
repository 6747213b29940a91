import Access
import Config
import Primitives

/// Checks what routes match, with the matcher that serves requests.
enum RouteReach {
    /// Returns whether a route matches every method and path of its hosts.
    static func isEverything(_ route: RouteConfiguration) -> Bool {
        route.methods.isEmpty && (try? RoutePattern(route.path))?.isEverything == true
    }

    /// The routes that no request reaches, each with the earlier route that matches its requests.
    static func shadowed(_ context: LintContext) -> [(route: LintContext.Route, by: LintContext.Route)] {
        // A route that could not be read has unknown matches.
        let routes = context.routes.filter(\.isReadable)
        let coverage = RouteCoverage(routes.map(\.configuration), pathCase: context.configuration.server.pathCase)
        return coverage.shadowed.map { (routes[$0.route], routes[$0.shadowedBy]) }
    }

    /// Returns why the matcher refuses a path pattern.
    static func refusal(ofPath path: String) -> String? {
        do throws(RoutePatternError) {
            _ = try RoutePattern(path)
            return nil
        } catch {
            return error.reason.rawValue
        }
    }

    /// Returns why the matcher refuses a host pattern.
    static func refusal(ofHost host: String) -> String? {
        do throws(RoutePatternError) {
            _ = try HostPattern(host)
            return nil
        } catch {
            return error.reason.rawValue
        }
    }

    /// The host in lower case, without port and trailing dot.
    static func foldedHost(_ host: String) -> String {
        let name = host.lowercased()
        return String(decoding: HostPattern.name(of: name.utf8.span.bytes))
    }

    /// Returns whether a path pattern matches only paths below the prefix.
    static func liesWithin(_ path: String, prefix: String, pathCase: PathCase) -> Bool {
        guard pathCase == .insensitive else { return (try? RoutePattern(path))?.liesWithin(prefix: prefix) ?? false }
        return (try? RoutePattern(path.lowercased()))?.liesWithin(prefix: prefix.lowercased()) ?? false
    }
}
