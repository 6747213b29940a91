package import Sessions

/// The permits that one opened session has been given, by route: a second request on a route costs one comparison.
///
/// Belongs to whoever keeps the opened session, and goes with it: a renewed, refreshed or otherwise changed session needs a new one.
/// After a reload the routes are other objects, so that no permit of old rules is found. Answers that time alone can change are not kept,
/// nor are refusals.
package struct PermitMemory: Sendable {
    private var permits: [Permit?] = []

    package init() {}

    /// As `Decision.init(for:signedIn:now:)`. `session` is read only when the permit is not known yet.
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
