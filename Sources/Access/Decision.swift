package import Sessions

/// The answer of policy to one request.
package enum Decision: Sendable {
    case permit(Permit)
    case challenge(Challenge)
    case deny(Denial)
}

/// Policy let a session, or the public, pass on a route. Nothing is forwarded without one.
///
/// Only the initialisers of `Decision`, in this file, make one.
package struct Permit: Sendable {
    package let route: Route
    /// The path that goes to the upstream where the route rewrites it, of the request that was judged.
    package private(set) var forwardedPath: [UInt8]?

    fileprivate init(_ match: RouteMatch) {
        route = match.route
        forwardedPath = match.forwardedPath
    }

    /// The same permit for another request on the same route.
    func renewed(for match: RouteMatch) -> Permit {
        if route.rewriting == nil { return self }
        var permit = self
        permit.forwardedPath = match.forwardedPath
        return permit
    }
}

/// Nobody is signed in and the route asks for somebody.
package struct Challenge: Sendable {
    package let route: Route

    fileprivate init(route: Route) { self.route = route }
}

/// Somebody is signed in and the route's rule does not hold for them.
package struct Denial: Sendable, CustomStringConvertible {
    /// Published codes.
    package enum Code: String, Sendable, Hashable {
        case accessDenied = "auth/access-denied"
        /// A new sign-in is all that is missing.
        case requiresRecentLogin = "auth/requires-recent-login"
    }

    package let route: Route
    package let code: Code
    /// Every condition that failed.
    package let trace: [PolicyStep]

    fileprivate init(route: Route, code: Code, trace: [PolicyStep]) {
        self.route = route
        self.code = code
        self.trace = trace
    }

    /// For the log; rendered when it is read.
    package var description: String {
        "\(code.rawValue) on \(route.label): " + trace.map(\.description).joined(separator: "; ")
    }
}

extension Decision {
    /// Judges a session that has been opened and is within its limits, or nobody, on the route that matched.
    ///
    /// `now` is in Unix milliseconds. Whatever cannot be evaluated does not hold.
    package init(for match: RouteMatch, session: Session?, now: Int64) {
        if let session {
            self.init(for: match, signedIn: session, now: now)
        } else {
            self.init(forNobodyOn: match)
        }
    }

    /// The same for nobody.
    package init(forNobodyOn match: RouteMatch) {
        let route = match.route
        self = route.policy.isPublic ? .permit(Permit(match)) : .challenge(Challenge(route: route))
    }

    /// The same for somebody; does not copy the session, which wrapping it in an optional does.
    package init(for match: RouteMatch, signedIn session: Session, now: Int64) {
        let route = match.route
        var evaluation = RuleEvaluation(now: now)
        if evaluation.admits(session, by: route.policy.rule) {
            self = .permit(Permit(match))
            return
        }
        var afterNewSignIn = RuleEvaluation(now: now, assumingRecentSignIn: true)
        let code: Denial.Code = afterNewSignIn.admits(session, by: route.policy.rule) ? .requiresRecentLogin : .accessDenied
        var traced = RuleEvaluation(now: now, isCollecting: true)
        _ = traced.admits(session, by: route.policy.rule)
        self = .deny(Denial(route: route, code: code, trace: traced.trace))
    }
}
