import Access
import Config
import Providers
import Sessions

extension SessionContents {
    /// `edits`: the request headers that routes set.
    init(_ configuration: Configuration, _ headers: IdentityHeaders, _ edits: [RequestHeaderEdits] = []) {
        let reads = Self.conditionReads(of: configuration.routes)
        var paths = headers.claimPaths + edits.flatMap(\.claimPaths)
        var groups: Set<String> = []
        for route in configuration.routes { Self.collect(route.access, into: &paths, &groups) }
        self.init(
            keepsAccessToken: headers.usesAccessToken || edits.contains(where: \.usesAccessToken),
            // A path may name a member with dots in it, so each of its beginnings counts.
            referencedClaims: reads.claims.map { claims in
                claims.union(
                    paths.flatMap { path in
                        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
                        return parts.indices.map { parts[...$0].joined(separator: ".") }
                    })
            },
            // A condition can read groups without naming them.
            referencedGroups: reads.groups ? nil : groups,
            groupClaims: Dictionary(
                configuration.providerSettings.compactMap { settings in settings.claims.groups.map { (settings.id, $0) } },
                uniquingKeysWith: { first, _ in first }))
    }

    private static func conditionReads(of routes: [RouteConfiguration]) -> ConditionReads {
        routes.filter(\.access.hasCondition).reduce(into: ConditionReads()) { reads, route in
            if let own = AccessPolicy(route.access, pattern: try? RoutePattern(route.path)).reads { reads.formUnion(own) }
        }
    }

    private static func collect(_ rule: AccessRule, into paths: inout [String], _ groups: inout Set<String>) {
        switch rule {
        case .public, .authenticated: break
        case .anyOf(let rules): for rule in rules { collect(rule, into: &paths, &groups) }
        case .all(let conditions):
            paths += (conditions.claims ?? []).map(\.path)
            if conditions.acr != nil { paths.append("acr") }
            groups.formUnion(conditions.groups ?? [])
            for rule in conditions.anyOf ?? [] { collect(rule, into: &paths, &groups) }
        }
    }
}
