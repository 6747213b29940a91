package import Sessions

/// A cache of the permits of an opened session, by route: a second request on a route costs one comparison.
///
/// Belongs to the opened session: a renewed, refreshed or otherwise changed session needs a new cache.
/// After a reload, routes are different objects, so old permits are not found. Decisions that can change with time are not cached,
/// nor are refusals.
package struct PermitMemory: Sendable {
    private var permits: [Permit?] = []

    package init() {}

    /// Decides like `Decision.init(for:signedIn:now:)`. Reads `session` only if the permit is not cached.
    package mutating func decide(for match: RouteMatch, signedIn session: @autoclosure () -> Session, now: Int64) -> Decision {
        let route = match.route
        if route.index < permits.count, let permit = permits[route.index], permit.route === route {
            return .permit(permit.renewed(for: match))
        }
        let decision = Decision(for: match, signedIn: session(), now: now)
        if case .permit(let permit) = decision, !route.policy.dependsOnTime {
            while permits.count <= route.index { permits.append(nil) }
            permits[route.index] = permit
        }
        return decision
    }
}
