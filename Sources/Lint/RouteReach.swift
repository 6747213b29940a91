import Access
import Config

/// What routes match, asked of the matcher that serves requests.
enum RouteReach {
    /// Whether a route takes every method and path of the hosts that it names.
    static func isEverything(_ route: RouteConfiguration) -> Bool {
        route.methods.isEmpty && (try? RoutePattern(route.path))?.isEverything == true
    }

    /// The routes that no request reaches, each with the earlier one that takes its requests.
    static func shadowed(_ context: LintContext) -> [(route: LintContext.Route, by: LintContext.Route)] {
        // A route that could not be read says nothing about what it matches.
        let routes = context.routes.filter(\.isReadable)
        let coverage = RouteCoverage(routes.map(\.configuration), pathCase: context.configuration.server.pathCase)
        return coverage.shadowed.map { (routes[$0.route], routes[$0.shadowedBy]) }
    }

    /// Why the matcher does not take a path pattern.
    static func refusal(ofPath path: String) -> String? {
        do throws(RoutePatternError) {
            _ = try RoutePattern(path)
            return nil
        } catch {
            return error.reason.rawValue
        }
    }

    /// Why the matcher does not take a host pattern.
    static func refusal(ofHost host: String) -> String? {
        do throws(RoutePatternError) {
            _ = try HostPattern(host)
            return nil
        } catch {
            return error.reason.rawValue
        }
    }

    /// Lower case, without port and trailing dot.
    static func foldedHost(_ host: String) -> String {
        var name = host.lowercased()
        return name.withUTF8 { String(decoding: HostPattern.name(of: UnsafeRawBufferPointer($0)), as: UTF8.self) }
    }

    /// Whether a path pattern matches nothing but what lies under the prefix.
    static func liesWithin(_ path: String, prefix: String, pathCase: PathCase) -> Bool {
        guard pathCase == .insensitive else { return (try? RoutePattern(path))?.liesWithin(prefix: prefix) ?? false }
        return (try? RoutePattern(path.lowercased()))?.liesWithin(prefix: prefix.lowercased()) ?? false
    }
}
