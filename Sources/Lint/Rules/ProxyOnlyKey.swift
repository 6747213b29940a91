import Config
import Diagnostics

extension RuleName {
    static let proxyOnlyKey = RuleName("proxy-only-key", .warning)
}

extension Rule {
    static let proxyOnlyKey = Rule(
        .proxyOnlyKey, what: "With `authorization`, a key has no effect on requests that another proxy forwards.",
        why:
            "The gateway decides about these requests and never sees their bodies and responses. Requests on a route with `respond` or `redirect` are refused when another proxy asks about them. Paths are always read as with `paths: strict`.",
        instead: "Configure the other proxy, and remove the key. Ignore the warning if the gateway itself also forwards these requests.",
        bad: Example(
            """
            authorization: { listen: 127.0.0.1:4181 }
            routes:
              - path: /api/**
                «stripPrefix»: /api
            """),
        good: Example(
            """
            authorization: { listen: 127.0.0.1:4181 }
            routes:
              - path: /api/**
                access: { groups: [staff] }
            """),
        check: { context in
            guard context.root["authorization"] != nil else { return [] }
            let routeKeys = [
                "upstream", "stripPrefix", "rewrite", "respond", "redirect", "timeouts", "limits", "upgrades", "responseHeaders", "cors",
            ]
            var findings = keys(["responseHeaders", "cors"], in: context.root) + encodedPaths(in: context.server)
            findings += removedHeaders(in: context.root)
            for route in context.routes.map(\.object) {
                findings += keys(routeKeys, in: route) + encodedPaths(in: route) + removedHeaders(in: route)
            }
            return findings
        })

    private static let withoutEffect = "configure the other proxy, and remove this key"

    private static func keys(_ keys: [String], in object: ObjectValue) -> [Diagnostic] {
        keys.compactMap { key in
            guard let span = object.keySpan(key) else { return nil }
            let isAnswer = key == "respond" || key == "redirect"
            return Diagnostic(
                .proxyOnlyKey, at: span,
                isAnswer
                    ? "requests on this route are refused when another proxy asks about them"
                    : "`\(key)` has no effect on requests that another proxy forwards",
                label: isAnswer ? "answers instead of an app" : "only for requests that the gateway forwards", help: withoutEffect)
        }
    }

    private static func encodedPaths(in object: ObjectValue?) -> [Diagnostic] {
        guard let object, let item = object["paths"], item.text == PathPolicy.encoded.rawValue else { return [] }
        return [
            Diagnostic(
                .proxyOnlyKey, at: item.referenceSpan, "requests that another proxy asks about are always read as with `paths: strict`",
                label: "only for requests that the gateway forwards", help: "remove `paths`")
        ]
    }

    private static func removedHeaders(in object: ObjectValue) -> [Diagnostic] {
        guard let span = object["requestHeaders"]?.object?.keySpan("remove") else { return [] }
        return [
            Diagnostic(
                .proxyOnlyKey, at: span, "`requestHeaders.remove` has no effect on requests that another proxy forwards",
                label: "only for requests that the gateway forwards", help: withoutEffect)
        ]
    }
}
