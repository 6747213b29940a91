package import Access
package import Config
package import NIOCore
package import Sessions

/// What is to be done with a request. Made by `RequestDecider` alone; whoever asked does it, and logs by it.
package enum RequestOutcome: ~Copyable {
    /// The gateway answers.
    case answer(GatewayAnswer, cookies: CookieChange)
    /// One of the gateway's own endpoints, by the part of its path after the prefix: no upstream sees the request.
    case endpoint(path: String)
    /// The session of this cookie decides; ask again with what is known of it.
    case loadSession(SessionCredential)
    /// This token decides; ask again with what is known of it. `nonce`: the raw one that came along.
    case verifyToken(PresentedToken, nonce: String?, BearerConfiguration)
    /// The tokens of the caller's session are to be refreshed; ask again with the outcome.
    case refresh(Caller)
    /// The request goes to the upstream of the permit's route.
    case forward(ForwardPlan)
}

/// An answer of the gateway's, before it is rendered.
package enum GatewayAnswer: Sendable {
    /// `code`: the published one; `reason`: for the log.
    case refusal(status: Int, code: String, reason: String)
    /// Audit records cannot be written, and the route requires a sign-in.
    case auditUnavailable
    /// A preflight of a listed origin: 204.
    case preflight(PreflightAnswer)
    /// What was presented is no usable token (RFC 6750 section 3.1).
    case token(BearerProblem, provider: String?)
    /// A sign-in is required. `hadSession`: a session was presented that has ended.
    case challenge(hadSession: Bool)
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

/// What happens to the session's cookie with the response.
package enum CookieChange: Sendable, Equatable {
    case none
    /// The session was refreshed: its new cookie goes out.
    case store
    /// The session's idle limit is stamped anew.
    case renew
    /// The cookies that came are deleted. `hadSession`: they held one that has ended; else nothing proves that they ever did.
    case remove(hadSession: Bool)
}

/// The session cookie of a request.
package enum SessionCredential: Sendable {
    /// Its place in the head's bytes.
    case whole(Range<Int>)
    /// Several pieces, put together.
    case joined([UInt8])
    case refused(Authentication.Refusal)
}

/// What is known about the caller of a request.
package enum CallerKnowledge {
    /// Nothing: the request's own credentials count.
    case unknown
    /// It has no session.
    case nobody
    /// A session that was opened, or a token that was verified.
    case caller(Caller)
    /// The caller's session after its tokens were to be refreshed. `isNew`: they were.
    case refreshed(Caller, isNew: Bool)
    /// It presented a session that does not count. `hadSession`: it did once.
    case ended(hadSession: Bool)
    /// It presented a token that does not count.
    case tokenRefused(BearerProblem, provider: String?)
}

/// The verdict of a route's rule, for counters.
package enum RuleVerdict: Sendable { case allow, `public`, challenge, deny }

/// A request on its way to an upstream: the permit, and what is added, left out and limited.
package struct ForwardPlan: ~Copyable {
    /// Proof that the rule admits the caller.
    package let permit: Permit
    /// nil: nobody.
    package let caller: Caller?
    /// The head's surroundings; `RequestHeadWriter` writes them.
    package var surroundings: RequestSurroundings
    package let cookies: CookieChange
    /// Headers of the route that lack a part of their value, for the log.
    package let omissions: [HeaderOmission]
}
