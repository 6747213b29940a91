import Config
import Diagnostics

extension RuleName {
    static let dividedConnectionLimit = RuleName("divided-connection-limit", .warning)
}

extension Rule {
    static let dividedConnectionLimit = Rule(
        .dividedConnectionLimit, what: "Two upstreams name the same target with different `maxConnections`.",
        why:
            "The gateway counts connections per upstream. If another upstream names the same target with a different limit or none, the app gets more connections than the limit allows.",
        instead: "Give both upstreams the same settings. Upstreams with equal settings count as one and share their connections.",
        bad: Example(
            """
            upstream: { targets: http://10.0.0.1:8080, maxConnections: 100 }
            routes:
              - path: /reports/**
                upstream: «http://10.0.0.1:8080»
            """),
        good: Example(
            """
            upstream: { targets: http://10.0.0.1:8080, maxConnections: 100 }
            routes:
              - path: /reports/**
                upstream: { targets: http://10.0.0.1:8080, maxConnections: 100 }
            """),
        check: { context in
            var first: [ListenAddress: (limit: Int?, span: SourceSpan)] = [:]
            return context.upstreams.flatMap { upstream -> [Diagnostic] in
                let item = upstream.object?["maxConnections"]
                guard item?.isUnreadable != true else { return [] }
                let limit: Int? = if case .integer(let value) = item?.scalar { value } else { nil }
                return upstream.targets.compactMap { target, address in
                    guard let earlier = first[address.endpoint] else {
                        first[address.endpoint] = (limit, target.referenceSpan)
                        return nil
                    }
                    guard earlier.limit != limit else { return nil }
                    return Diagnostic(
                        .dividedConnectionLimit, at: target.referenceSpan,
                        "this target has \(words(limit)) here and \(words(earlier.limit)) in another upstream", label: "counted separately",
                        help: "give both upstreams the same settings", related: [RelatedPlace("the other upstream", at: earlier.span)])
                }
            }
        })

    private static func words(_ limit: Int?) -> String { limit.map { "`maxConnections: \($0)`" } ?? "no `maxConnections`" }
}
