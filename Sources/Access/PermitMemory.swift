import Primitives
package import Sessions

/// A cache of the permits of an opened session, by route: a second request on a route costs one comparison.
///
/// Belongs to the opened session: a renewed, refreshed or otherwise changed session needs a new cache.
/// After a reload, routes are different objects, so old permits are not found. Decisions that can change with time are not cached,
/// nor are refusals.
package struct PermitMemory: Sendable {
    private var permits: [Permit?] = []
    /// Permits that depend on the request, each with its inputs; a new one replaces the oldest.
    private var byInputs: [(inputs: [UInt8], permit: Permit)] = []
    private var oldest = 0

    /// Longer inputs are not remembered, which bounds the memory of a session.
    package static let longestInputs = 512
    private static let mostInputs = 4

    package init() {}

    /// The permit of an earlier request on the route that had the same inputs, as bytes.
    package func permit(for match: RouteMatch, inputs: RawSpan) -> Permit? {
        for known in byInputs where known.permit.route === match.route && inputs.equals(known.inputs) {
            return known.permit.renewed(for: match)
        }
        return nil
    }

    /// Remembers a permit for requests with the same inputs: the values of all that `AccessPolicy.inputs` names.
    package mutating func keep(_ permit: Permit, inputs: RawSpan) {
        guard inputs.byteCount <= Self.longestInputs else { return }
        if byInputs.count < Self.mostInputs {
            byInputs.append((Array(inputs), permit))
        } else {
            byInputs[oldest] = (Array(inputs), permit)
            oldest = (oldest + 1) % Self.mostInputs
        }
    }

    /// Decides like `Decision.init(for:signedIn:now:request:auth:)`. Reads `session` and `auth` only if the permit is not cached.
    ///
    /// Does not cache a permit that depends on the request; `keep(_:inputs:)` does, with all that a condition read.
    package mutating func decide(
        for match: RouteMatch, signedIn session: @autoclosure () -> Session, now: Int64, request: (any ConditionRequest)? = nil,
        auth: @autoclosure () -> ConditionAuth? = nil
    ) -> Decision {
        let route = match.route
        if route.index < permits.count, let permit = permits[route.index], permit.route === route {
            return .permit(permit.renewed(for: match))
        }
        let decision = Decision(for: match, signedIn: session(), now: now, request: request, auth: auth())
        if case .permit(let permit) = decision, !route.policy.dependsOnTime, !route.policy.dependsOnRequest {
            while permits.count <= route.index { permits.append(nil) }
            permits[route.index] = permit
        }
        return decision
    }
}
