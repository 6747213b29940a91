package import Access
import Accounts
package import NIOCore
package import Sessions

/// A signed-in caller, with what is rendered once from the session.
package final class Caller {
    package let session: Session
    /// The identity headers: complete lines.
    package let identityLines: ByteBuffer
    /// Headers that had to be left out, for the log.
    package let omissions: [HeaderOmission]
    package let times: CallerTimes
    /// For the access log.
    package let uid: [UInt8]
    package let provider: [UInt8]
    /// The identity headers, and those that a route sets, by the route's index.
    private var routeLines: [Int: ByteBuffer] = [:]
    /// Headers of routes that lack a part of their value, by the route's index, until the log has taken them.
    private var routeOmissions: [Int: [HeaderOmission]] = [:]
    /// The line of the signed assertion, by the upstream's index.
    private var assertions: [Int: (line: ByteBuffer, renewalAt: Int64)] = [:]
    /// The session as conditions read it.
    package private(set) lazy var conditionAuth = ConditionAuth(session)
    /// The fields of answers to other proxies: what they depend on besides the session.
    var permitLines: [PermitKey: ByteBuffer] = [:]
    /// The permits it has been given.
    package var permits = PermitMemory()
    /// A later form of the session is in the store; caches open it anew.
    package var isSuperseded = false
    /// The `Set-Cookie` lines that renew it, for requests that bring cookies of the same names, and Unix milliseconds until when.
    private var renewal: (lines: ByteBuffer, names: Int, until: Int64)?
    /// The session for identity headers, without the access token, which apps do not need.
    private let shown: Session

    struct PermitKey: Hashable {
        /// The index of a route with headers of its own; -1 for any other.
        let route: Int
        let dialect: QuestionDialect
        let hasAssertion: Bool
    }

    /// `now`: Unix milliseconds.
    package init(_ session: Session, _ headers: IdentityHeaders, _ limits: SessionLimits, now: Int64) {
        self.session = session
        shown = session.withUsableTokens(now: now)
        let rendered = headers.render(session: shown)
        identityLines = ByteBuffer(bytes: rendered.bytes)
        omissions = rendered.omissions
        uid = Array(session.uid.utf8)
        provider = Array(session.identity.provider.utf8)
        times = CallerTimes(of: session, shown, limits)
    }

    /// A token's session: verified anew at `accepted.until`, never renewed.
    package init(bearer accepted: AcceptedToken, _ headers: IdentityHeaders) {
        session = accepted.session
        shown = session
        let rendered = headers.render(session: session)
        identityLines = ByteBuffer(bytes: rendered.bytes)
        omissions = rendered.omissions
        uid = Array(session.uid.utf8)
        provider = Array(session.identity.provider.utf8)
        times = CallerTimes(of: accepted)
    }

    /// A token came with the request: there is no cookie to renew.
    package var isBearer: Bool { times.tokenExpiresAt != nil }

    /// The lines that renew the cookie. Sealed once for all the requests that come at about the same time: until their answers are
    /// there, they all bring the old one.
    package func renewalLines(names: Int, now: Int64, until: Int64, seal: () -> ByteBuffer) -> ByteBuffer {
        if let renewal, renewal.names == names, now < renewal.until { return renewal.lines }
        let lines = seal()
        renewal = (lines, names, until)
        return lines
    }

    /// Returns headers of a route that were rendered and lack a part of their value, once; nil without any.
    package func takeOmissions(on route: Int) -> [HeaderOmission]? {
        routeOmissions.isEmpty ? nil : routeOmissions.removeValue(forKey: route)
    }

    /// The line with the signed assertion for a route's upstream; signed anew when half its lifetime is over.
    func assertionLine(_ assertion: IdentityAssertion, for route: Route, now: Int64) -> ByteBuffer {
        let index = assertion.audience == nil ? route.upstreamIndex : -1
        if let known = assertions[index], known.renewalAt > now { return known.line }
        let audience = assertion.audience ?? route.upstream?.assertionAudience ?? ""
        let line = ByteBuffer(string: "\(assertion.header): \(assertion.token(for: session, audience: audience, now: now))\r\n")
        assertions[index] = (line, assertion.renewalAt(issuedAt: now))
        return line
    }

    /// The lines that say who it is on a route with headers of its own: rendered once. `takeOmissions` returns what they lack.
    func lines(on route: Int, _ features: RouteFeatures) -> ByteBuffer {
        if let known = routeLines[route] { return known }
        var lines = identityLines
        lines.writeImmutableBuffer(features.prefixLine)
        if let edits = features.requestLines {
            let rendered = edits.render(session: shown)
            if !rendered.omissions.isEmpty { routeOmissions[route] = rendered.omissions }
            lines.writeBytes(rendered.bytes)
        }
        routeLines[route] = lines
        return lines
    }
}

/// The times of a caller, in Unix milliseconds.
package struct CallerTimes: Sendable {
    /// The session has ended from then on.
    package let endsAt: Int64
    /// It is opened anew from then on: its end, or that of an access token that headers carry.
    package let staleAt: Int64
    /// The idle limit is stamped anew from then on.
    package let renewalAt: Int64
    /// Its tokens should be refreshed from then on.
    package let refreshAt: Int64
    /// The token that came with the request counts until then; nil: the session came in a cookie.
    package let tokenExpiresAt: Int64?
    /// The provider's answer about that token counts until then; nil: it was verified without asking the provider.
    package let introspectedUntil: Int64?

    init(of session: Session, _ shown: Session, _ limits: SessionLimits) {
        endsAt = limits.expiry(of: session)
        staleAt = shown.tokens.accessToken == nil ? endsAt : min(endsAt, session.tokens.accessTokenExpiresAt ?? .max)
        renewalAt = limits.renewalAt(session)
        refreshAt = RefreshCoordinator.refreshAt(session)
        tokenExpiresAt = nil
        introspectedUntil = nil
    }

    init(of accepted: AcceptedToken) {
        endsAt = accepted.until
        staleAt = accepted.until
        renewalAt = .max
        refreshAt = .max
        tokenExpiresAt = accepted.expiresAt
        introspectedUntil = accepted.isIntrospected ? accepted.until : nil
    }
}

/// A bearer token that its provider vouches for.
package struct AcceptedToken: Sendable {
    package let session: Session
    package let provider: String
    /// The `nonce` claim.
    package let nonce: String?
    package let isIDToken: Bool
    /// Unix milliseconds; afterwards it is verified anew.
    package let until: Int64
    /// Unix milliseconds: the token's own end; `.max`: an introspection answer without `exp`.
    package let expiresAt: Int64
    /// The provider was asked about it, and may say otherwise the next time.
    package let isIntrospected: Bool

    package init(
        session: Session, provider: String, nonce: String?, isIDToken: Bool, until: Int64, expiresAt: Int64, isIntrospected: Bool
    ) {
        self.session = session
        self.provider = provider
        self.nonce = nonce
        self.isIDToken = isIDToken
        self.until = until
        self.expiresAt = expiresAt
        self.isIntrospected = isIntrospected
    }
}
