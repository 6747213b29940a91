package import Access
package import Config
package import HTTPWire
package import NIOCore
package import Sessions

/// The result of a decision step. `RequestDecider` returns it; its caller carries it out and logs it.
package enum RequestOutcome: ~Copyable {
    /// Send an answer of the gateway, and change cookies with it.
    case answer(GatewayAnswer, cookies: CookieChange)
    /// Serve one of the gateway's own endpoints. `path` is the part after the prefix. No upstream receives the request.
    case endpoint(path: String)
    /// Look up the session of this cookie, then call `resume`.
    case loadSession(SessionCredential)
    /// Verify this token, then call `resume`. `nonce` is the raw nonce of the request.
    case verifyToken(PresentedToken, nonce: String?, BearerConfiguration)
    /// Refresh the tokens of the caller's session, then call `resume`.
    case refresh(Caller)
    /// Forward the request to the upstream of the permit's route.
    case forward(ForwardPlan)
}

/// An answer of the gateway, before it is rendered. Indirect: it would make every outcome as large as the largest answer.
package indirect enum GatewayAnswer: Sendable {
    /// `code`: the published one; `reason`: for the log.
    case refusal(status: Int, code: String, reason: String)
    /// Audit records cannot be written, and the route requires a sign-in.
    case auditUnavailable
    /// The session store does not respond, and the route requires a sign-in.
    case storeUnavailable
    /// A preflight of a listed origin: 204.
    case preflight(PreflightAnswer)
    /// The request carries an unusable token (RFC 6750 section 3.1).
    case token(BearerProblem, provider: String?)
    /// The route requires sign-in. `hadSession` is true if the request carries a session that has ended. `failures`: the errors of
    /// conditions that were evaluated without a session.
    case challenge(hadSession: Bool, failures: [PolicyStep])
    /// The rule of the route refuses the caller.
    case denial(Denial)
    /// A page of another site made a request that changes something.
    case crossSite
    /// The route's own answer, with the lines that go with it.
    case fixed(FixedAnswer)
    /// The last recipient of an `OPTIONS` with `Max-Forwards: 0` (RFC 9110 section 7.6.2): 204.
    case lastRecipient
}

/// The answer of a route with `respond` or `redirect`.
package struct FixedAnswer: Sendable {
    package let status: Int
    package let body: ByteBuffer
    /// Empty: none is sent.
    package let contentType: String
    /// Of a redirect.
    package let location: [UInt8]?
    package let features: RouteFeatures
    /// The caller is signed in: what is answered is private.
    package let isPrivate: Bool
}

/// The change of the session cookie that goes out with a response.
package enum CookieChange: Sendable, Equatable {
    case none
    /// Send the cookie of the refreshed session.
    case store
    /// Send the cookie with a new time of last use.
    case renew
    /// Delete the session cookies of the request. `hadSession` is true if they hold a session that has ended.
    case remove(hadSession: Bool)
}

/// The session cookie of a request.
package enum SessionCredential: Sendable {
    /// One cookie, as a range of the head's bytes.
    case whole(Range<Int>)
    /// The joined pieces of a session that needs several cookies.
    case joined([UInt8])
    case refused(Authentication.Refusal)
}

/// The caller of a request, as far as it is known.
package enum CallerKnowledge {
    /// The request has no session.
    case nobody
    /// An opened session or a verified token.
    case caller(Caller)
    /// The session after a refresh attempt. `isNew` is true if its tokens changed.
    case refreshed(Caller, isNew: Bool)
    /// The request's session is invalid. `hadSession` is true if it was valid once.
    case ended(hadSession: Bool)
    /// The session store does not say whether the request has a session.
    case unknown
    /// The request's token is invalid.
    case tokenRefused(BearerProblem, provider: String?)
}

/// The verdict of a route's rule, for counters.
package enum RuleVerdict: Sendable { case allow, `public`, challenge, deny }

/// The permit to forward a request, with the edits and limits that apply to it. `RequestHeadWriter` writes the head.
///
/// Every request makes, moves and destroys one, so it holds little: the writer reads header lines from the caller.
package struct ForwardPlan: ~Copyable {
    /// Proof that the rule admits the caller.
    package let permit: Permit
    /// nil: nobody.
    package let caller: Caller?
    package let cookies: CookieChange
    /// The features of the permit's route; nil for a route that only forwards.
    package let features: RouteFeatures?
    /// The changes to the response.
    package var response: ResponseEdits
    /// Bytes of the request's body; nil: as many as come.
    package let bodyLimit: Int?

    /// The protocol that the request asks to switch to and that the route allows.
    package var upgrade: UpgradeProtocol?
    /// `Authorization` held a token for the gateway, and ends here.
    package var dropsAuthorization = false
    /// All cookies of the request are ours, of which none goes on: there is no need to look at each.
    package var dropsCookies = false

    package init(
        permit: Permit, caller: Caller?, cookies: CookieChange, features: RouteFeatures?, response: ResponseEdits, bodyLimit: Int?
    ) {
        self.permit = permit
        self.caller = caller
        self.cookies = cookies
        self.features = features
        self.response = response
        self.bodyLimit = bodyLimit
    }

    /// Milliseconds; 0: the pool's.
    package var responseTimeout: Int64 { features?.responseTimeout ?? 0 }
    package var idleTimeout: Int64 { features?.idleTimeout ?? 0 }
}
