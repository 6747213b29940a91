import Primitives
import Access
import Config
import HTTPWire

/// Whatever a route makes of a path is a path that would be let through by itself, and no address of another host. Lines of the input:
/// the route's pattern, its `rewrite` (or, without a slash in front, its redirection), the request's path.
enum RewriteTarget {
    static func check(_ input: [UInt8]) throws(Broken) {
        let lines = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
        guard lines.count == 3 else { return }
        let template = String(decoding: lines[1], as: UTF8.self)
        guard let pattern = try? RoutePattern(String(decoding: lines[0], as: UTF8.self)) else { return }
        for policy in [PathPolicy.strict, .encoded] {
            try checkRewriting(pattern, template, lines[2], policy)
            try checkRedirection(pattern, template, lines[2], policy)
        }
    }

    private static func checkRewriting(_ pattern: RoutePattern, _ template: String, _ path: [UInt8], _ policy: PathPolicy) throws(Broken) {
        var route = RouteConfiguration()
        route.path = pattern.text
        route.access = .public
        route.paths = policy
        route.routing.rewrite = template
        var configuration = Configuration()
        configuration.routes = [route]
        guard let table = try? RouteTable(configuration) else { return }
        var scratch: [UInt8] = []
        let method = Array("GET".utf8)
        let resolution = table.resolve(method: method.span.bytes, host: method.span.bytes, path: path.span.bytes, scratch: &scratch)
        guard case .matched(let match) = resolution, !match.route.isImplicit else { return }
        guard let forwarded = match.forwardedPath else { throw Broken("a route that rewrites forwards the path that came") }
        try checkPath(forwarded, policy)
    }

    private static func checkRedirection(_ pattern: RoutePattern, _ target: String, _ path: [UInt8], _ policy: PathPolicy) throws(Broken) {
        guard let target = try? RedirectTarget(target, of: pattern) else { return }
        let location = target.location(for: path.span.bytes, query: "".utf8.span.bytes, PathStrictness(policy))
        guard let location else { return }
        let text = String(decoding: location, as: UTF8.self)
        try hold(location.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a Location holds what no URL holds")
        if let url = target.url {
            try hold(text.hasPrefix(url.origin.text + "/"), "a Location leads to another host")
        } else {
            try hold(text.hasPrefix("/") && !text.hasPrefix("//") && !text.hasPrefix("/\\"), "a Location leads to another host")
        }
    }

    private static func checkPath(_ path: [UInt8], _ policy: PathPolicy) throws(Broken) {
        let refusal = RequestPath.findings(of: path.span.bytes).refusal(under: PathStrictness(policy))
        try hold(refusal == nil, "a rewritten path is one that would be refused")
        try hold(path.count < 2 || path[1] != UInt8(ascii: "/"), "a rewritten path names a host")
    }
}
