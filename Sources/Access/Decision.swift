package import Sessions

/// The policy decision on a request.
package enum Decision: Sendable {
    case permit(Permit)
    case challenge(Challenge)
    case deny(Denial)
}

/// Proof that the policy admitted a session, or the public, on a route. Nothing is forwarded without a permit.
///
/// Only the initialisers of `Decision` in this file create permits.
package struct Permit: Sendable {
    package let route: Route
    /// The rewritten path for the upstream, if the route rewrites the path of the checked request.
    package private(set) var forwardedPath: [UInt8]?

    fileprivate init(_ match: RouteMatch) {
        route = match.route
        forwardedPath = match.forwardedPath
    }

    /// Returns the same permit for another request on the same route.
    func renewed(for match: RouteMatch) -> Permit {
        if route.rewriting == nil { return self }
        var permit = self
        permit.forwardedPath = match.forwardedPath
        return permit
    }
}

/// The route requires sign-in, and the request has no session.
package struct Challenge: Sendable {
    package let route: Route

    fileprivate init(route: Route) { self.route = route }
}

/// The route's rule refuses the signed-in user.
package struct Denial: Sendable, CustomStringConvertible {
    /// The public error codes.
    package enum Code: String, Sendable, Hashable {
        case accessDenied = "auth/access-denied"
        /// Only a new sign-in is missing.
        case requiresRecentLogin = "auth/requires-recent-login"
        /// Only a second factor is missing.
        case multiFactorAuthRequired = "auth/multi-factor-auth-required"
    }

    package let route: Route
    package let code: Code
    /// Every condition that failed.
    package let trace: [PolicyStep]

    /// The `maxAge`, in milliseconds, that the sign-in exceeds; nil for another reason.
    package var greatestAge: Int64? {
        for case .signInTooOld(let maxAge) in trace { return maxAge }
        return nil
    }

    fileprivate init(route: Route, code: Code, trace: [PolicyStep]) {
        self.route = route
        self.code = code
        self.trace = trace
    }

    /// The text for the log, rendered on demand.
    package var description: String {
        "\(code.rawValue) on \(route.label): " + trace.map(\.description).joined(separator: "; ")
    }
}

extension Decision {
    /// Decides on the matched route for a session that is opened and within its limits, or for a request without one.
    ///
    /// `now` is in Unix milliseconds. A condition that cannot be evaluated fails.
    package init(for match: RouteMatch, session: Session?, now: Int64) {
        if let session {
            self.init(for: match, signedIn: session, now: now)
        } else {
            self.init(forNobodyOn: match)
        }
    }

    /// Decides for a request without a session.
    package init(forNobodyOn match: RouteMatch) {
        let route = match.route
        self = route.policy.isPublic ? .permit(Permit(match)) : .challenge(Challenge(route: route))
    }

    /// Decides for a session without copying it, as wrapping it in an optional would.
    package init(for match: RouteMatch, signedIn session: Session, now: Int64) {
        let route = match.route
        var evaluation = RuleEvaluation(now: now)
        if evaluation.admits(session, by: route.policy.rule) {
            self = .permit(Permit(match))
            return
        }
        var withSecondFactor = RuleEvaluation(now: now, assumingSecondFactor: true)
        // A new sign-in asks for the second factor, too.
        var afterNewSignIn = RuleEvaluation(now: now, assumingRecentSignIn: true, assumingSecondFactor: true)
        let code: Denial.Code =
            if withSecondFactor.admits(session, by: route.policy.rule) {
                .multiFactorAuthRequired
            } else {
                afterNewSignIn.admits(session, by: route.policy.rule) ? .requiresRecentLogin : .accessDenied
            }
        var traced = RuleEvaluation(now: now, isCollecting: true)
        _ = traced.admits(session, by: route.policy.rule)
        self = .deny(Denial(route: route, code: code, trace: traced.trace))
    }
}
