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
    /// The errors of conditions that were evaluated without a session.
    package let failures: [PolicyStep]

    fileprivate init(route: Route, failures: [PolicyStep] = []) {
        self.route = route
        self.failures = failures
    }
}

/// The route's rule refuses the signed-in user.
package struct Denial: Sendable, CustomStringConvertible {
    /// The public error codes.
    package enum Code: String, Sendable, Hashable {
        case accessDenied = "auth/access-denied"
        /// Only a new sign-in is missing.
        case requiresRecentLogin = "auth/requires-recent-login"
        /// Only an authentication context class is missing, and perhaps a recent sign-in and a second factor with it (RFC 9470 section 3).
        case insufficientUserAuthentication = "auth/insufficient-user-authentication"
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

    /// The authentication context classes, of which the sign-in has none, in the order of the rule.
    package var acceptedContextClasses: [String] { Self.contextClasses(trace) }

    private static func contextClasses(_ trace: [PolicyStep]) -> [String] {
        var result: [String] = []
        for step in trace {
            switch step {
            case .authenticationContextMissing(let accepted): result += accepted.filter { !result.contains($0) }
            case .noAlternative(let alternatives):
                for alternative in alternatives { result += contextClasses(alternative).filter { !result.contains($0) } }
            default: break
            }
        }
        return result
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
    /// `now` is in Unix milliseconds. `request` may be nil for a route whose policy does not depend on the request. A condition that
    /// cannot be evaluated fails.
    package init(for match: RouteMatch, session: Session?, now: Int64, request: (any ConditionRequest)? = nil) {
        if let session {
            self.init(for: match, signedIn: session, now: now, request: request)
        } else {
            self.init(forNobodyOn: match, now: now, request: request)
        }
    }

    /// Decides for a request without a session.
    package init(forNobodyOn match: RouteMatch, now: Int64 = 0, request: (any ConditionRequest)? = nil) {
        let route = match.route
        if route.policy.isPublic {
            self = .permit(Permit(match))
        } else if route.policy.admitsNobody {
            var evaluation = RuleEvaluation(now: now, request: request)
            if evaluation.admitsNobody(by: route.policy.rule) {
                self = .permit(Permit(match))
            } else {
                self = .challenge(Challenge(route: route, failures: evaluation.trace))
            }
        } else {
            self = .challenge(Challenge(route: route))
        }
    }

    /// Decides for a session without copying it, as wrapping it in an optional would. `auth`: the session as conditions read it, if it
    /// exists already.
    package init(
        for match: RouteMatch, signedIn session: Session, now: Int64, request: (any ConditionRequest)? = nil, auth: ConditionAuth? = nil
    ) {
        let route = match.route
        let rule = route.policy.rule
        var evaluation = RuleEvaluation(now: now, request: request, auth: auth)
        if evaluation.admits(session, by: rule) {
            self = .permit(Permit(match))
            return
        }
        var withSecondFactor = RuleEvaluation(now: now, request: request, auth: auth, assumingSecondFactor: true)
        // A new sign-in asks for the second factor, too.
        var afterNewSignIn = RuleEvaluation(
            now: now, request: request, auth: auth, assumingRecentSignIn: true, assumingSecondFactor: true)
        var withContextClass = RuleEvaluation(
            now: now, request: request, auth: auth, assumingRecentSignIn: true, assumingSecondFactor: true, assumingContextClass: true)
        let code: Denial.Code =
            if withSecondFactor.admits(session, by: rule) {
                .multiFactorAuthRequired
            } else if afterNewSignIn.admits(session, by: rule) {
                .requiresRecentLogin
            } else {
                withContextClass.admits(session, by: rule) ? .insufficientUserAuthentication : .accessDenied
            }
        var traced = RuleEvaluation(now: now, request: request, auth: auth, isCollecting: true)
        _ = traced.admits(session, by: rule)
        self = .deny(Denial(route: route, code: code, trace: traced.trace))
    }
}
