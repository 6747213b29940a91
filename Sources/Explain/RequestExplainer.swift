import Primitives
import Access
import Accounts
package import Config
import Decisions
import Endpoints
import HTTPWire
import NIOCore
import Providers
import Sessions
import SignIn
import TokenCrypto

/// Tells, without serving anything, what a configuration would do with a request. The path, the rules and the upstream's head come
/// from the very code that serves.
package struct RequestExplainer {
    package struct Failure: Error, Sendable { package var message: String }

    /// A request as a user writes it down.
    package struct Question: Sendable {
        package var method: String
        /// A path with its query, or a whole URL; its bytes are taken as they stand.
        package var target: String
        /// `Name: value` each.
        package var headers: [String] = []
        /// The claims of the user, as JSON; nil: not signed in.
        package var claims: [UInt8]?
        /// The provider of the claims; nil: the only provider, or the one that the claims name under `provider`.
        package var provider: String?
        /// The address of the client.
        package var client = "203.0.113.1"

        package init(method: String, target: String) {
            self.method = method
            self.target = target
        }
    }

    private let site: SiteContext
    private let decider: RequestDecider

    package init(_ configuration: Configuration) throws(Failure) {
        do {
            site = try SiteContext(configuration)
            decider = RequestDecider(site.decisions)
        } catch {
            throw Failure(message: "the configuration cannot be served: \(error)")
        }
    }

    /// `now`: Unix milliseconds.
    package func explain(_ question: Question, now: Int64) throws(Failure) -> RequestExplanation {
        let (authority, path) = Self.parts(of: question.target, fallback: site.publicURL?.text)
        var explanation = RequestExplanation(method: question.method, target: question.target, outcome: .refuse)
        let head: RequestHead
        do {
            head = try Self.head(question, authority: authority, path: path)
        } catch {
            explanation.status = error.status
            explanation.reason = error.rawValue
            return explanation
        }
        guard NetworkAddress(question.client) != nil else { throw Failure(message: "`\(question.client)` is no IP address") }
        let session = try session(question, now: now)
        if let session { explanation.person = person(session) }
        var canonical: [UInt8] = []
        RequestPath.appendCanonical(head.bytes.byteSpan.extracting(head.pathRange), to: &canonical)
        explanation.canonicalPath = String(decoding: canonical, as: UTF8.self)
        let context = RequestContext(
            ConnectionFacts(
                peer: question.client, isLocalSocket: false, isSecure: site.isSecure, trusted: site.decisions.trustedProxies))
        context.begin(RequestID())
        context.requestID.given = context.givenID(head)
        let outcome = outcome(of: head, context, session, now: now, &explanation)
        if let route = context.match?.route { describe(route, session, head, context, now, &explanation) }
        switch consume outcome {
        case .answer(let answer, _): describe(answer, head, session, &explanation)
        case .endpoint(let path):
            explanation.outcome = .own
            explanation.notes.append("one of the gateway's own endpoints (\(path.isEmpty ? "/" : path)): no upstream gets to see it")
        case .forward(let plan):
            explanation.outcome = .permit
            explanation.head = upstreamHead(head, context, plan, now: now)
        case _: throw Failure(message: "the decision did not come to an end")
        }
        return explanation
    }

    // MARK: Steps

    /// What the decision comes to: `session` stands for whatever session or token the request brings.
    private func outcome(
        of head: RequestHead, _ context: RequestContext, _ session: Session?, now: Int64, _ explanation: inout RequestExplanation
    ) -> RequestOutcome {
        switch decider.begin(head, context, now: now, recognise: { _ in nil }) {
        case .verifyToken(_, let nonce, _):
            guard let session else {
                explanation.notes.append("the request brings a token, which is not verified here; use --as to set its claims")
                return decider.resume(head, context, knowing: .nobody, now: now)
            }
            let accepted = AcceptedToken(
                session: session, provider: session.identity.provider, nonce: nonce, isIDToken: nonce != nil, until: .max, expiresAt: .max,
                isIntrospected: false)
            return decider.resume(head, context, knowing: .caller(Caller(bearer: accepted, site.decisions.identity)), now: now)
        case .loadSession: return decider.resume(head, context, knowing: session.map(knowledge) ?? .nobody, now: now)
        case let other:
            // The rule was asked about nobody, since the request brings nothing.
            guard let session, context.verdict != nil else { return other }
            return decider.resume(head, context, knowing: knowledge(of: session), now: now)
        }
    }

    /// A session that needs no refresh: there is no provider to ask.
    private func knowledge(of session: Session) -> CallerKnowledge {
        .refreshed(Caller(session, site.decisions.identity, site.limits, now: session.issuedAt), isNew: false)
    }

    private func describe(
        _ route: Route, _ session: Session?, _ head: RequestHead, _ context: RequestContext, _ now: Int64,
        _ explanation: inout RequestExplanation
    ) {
        let isFixed = site.decisions.features[route.index]?.fixed != nil
        let upstream =
            route.upstreamIndex >= 0 && !isFixed
            ? site.decisions.routes.upstreams[route.upstreamIndex].targets.map(\.text).joined(separator: ", ")
            : "(none: the gateway answers)"
        explanation.route = .init(label: route.label, line: route.line, upstream: upstream)
        explanation.verdicts = decider.verdicts(on: route, for: session, head, context, now: now)
    }

    private func describe(_ answer: GatewayAnswer, _ head: RequestHead, _ session: Session?, _ explanation: inout RequestExplanation) {
        let answers = Answers(site)
        func refuse(_ status: Int, _ reason: String) {
            explanation.outcome = .refuse
            explanation.status = status
            explanation.reason = reason
        }
        func permit(_ note: String, _ status: Int? = nil) {
            explanation.outcome = .permit
            explanation.status = status
            explanation.notes.append(note)
        }
        switch answer {
        case .challenge:
            explanation.outcome = .challenge
            let answer = answers.challenge(for: head, hadSession: false, requestID: RequestID())
            explanation.status = answer.status
            explanation.location = answer.headers.first { $0.name == "Location" }?.value
            explanation.reason = "auth/login-required"
        case .denial(let denial):
            explanation.outcome = .deny
            explanation.status = answers.denial(denial, of: session?.identity, for: head, requestID: RequestID()).status
            explanation.reason = denial.code.rawValue
        case .refusal(let status, _, let reason): refuse(status, reason)
        case .token(let problem, _): refuse(problem.status, problem.code)
        case .crossSite: refuse(403, "auth/cross-site-request")
        case .auditUnavailable: refuse(503, "audit-unavailable")
        case .storeUnavailable: refuse(503, "store-unavailable")
        case .preflight: permit("the gateway answers this preflight", 204)
        case .lastRecipient: permit("the gateway is the last recipient that `Max-Forwards` allows", 204)
        case .fixed(let fixed):
            permit(
                fixed.location.map { "the gateway redirects (\(fixed.status)) to \(String(decoding: $0, as: UTF8.self))" }
                    ?? "the gateway responds with \(fixed.status)")
        }
    }

    /// The head that the upstream receives, from the writer that serves requests.
    private func upstreamHead(_ head: RequestHead, _ context: RequestContext, _ plan: borrowing ForwardPlan, now: Int64) -> [String] {
        var lines = LineBytes()
        _ = site.decisions.headWriter.write(head, context, plan, now: now, into: &lines)
        let hasGivenID = context.requestID.given != nil
        let assertion = site.decisions.assertion?.header
        return String(decoding: lines.bytes).split(separator: "\r\n").map { line in
            if let assertion, line.hasPrefix(assertion + ": ") { return "\(assertion): (signed for each request)" }
            return Self.withoutChance(String(line), hasGivenID: hasGivenID)
        }
    }

    /// Replaces values that are new for each request by a placeholder.
    private static func withoutChance(_ line: String, hasGivenID: Bool) -> String {
        if line.hasPrefix("Via: "), line.hasSuffix(RequestHeadWriter.pseudonym) { return "Via: 1.1 (this gateway)" }
        if line.hasPrefix("traceparent: ") { return "traceparent: (a span of this request)" }
        if line.hasPrefix("X-Request-Id: "), !hasGivenID { return "X-Request-Id: (new for each request)" }
        return line
    }

    // MARK: The question

    /// Host and target of a URL or a path, byte for byte.
    static func parts(of target: String, fallback origin: String?) -> (authority: String, path: String) {
        func authority(of url: Substring) -> (String, Substring) {
            let end = url.firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
            return (String(url[..<end]), url[end...])
        }
        if let scheme = target.firstRange(of: "://"), !target.hasPrefix("/") {
            let (host, rest) = authority(of: target[scheme.upperBound...])
            return (host, rest.hasPrefix("/") ? String(rest) : "/" + rest)
        }
        let host =
            origin.flatMap { origin in origin.firstRange(of: "://").map { authority(of: origin[$0.upperBound...]).0 } } ?? "localhost"
        return (host, target.hasPrefix("/") ? target : "/" + target)
    }

    private static func head(_ question: Question, authority: String, path: String) throws(WireError) -> RequestHead {
        var text = "\(question.method) \(path) HTTP/1.1\r\n"
        if !question.headers.contains(where: { $0.lowercased().hasPrefix("host:") }) { text += "Host: \(authority)\r\n" }
        for header in question.headers { text += header + "\r\n" }
        var buffer = ByteBuffer(string: text + "\r\n")
        var parser = RequestHeadParser(limits: HeadLimits())
        guard let head = try parser.parse(&buffer) else { throw .requestLineMalformed }
        return head
    }

    private func session(_ question: Question, now: Int64) throws(Failure) -> Session? {
        guard let bytes = question.claims else { return nil }
        guard let claims = try? JSONValue(parsing: bytes), claims.object != nil else {
            throw Failure(message: "the claims are no JSON object")
        }
        let named = question.provider ?? claims["provider"]?.string
        let known = site.providers.map(\.id).joined(separator: ", ")
        guard let settings = named.map({ name in site.providers.first { $0.id == name } }) ?? site.providers.first else {
            throw Failure(message: "the configuration has no provider `\(named ?? "")`; it has: \(known.isEmpty ? "none" : known)")
        }
        if named == nil, site.providers.count > 1 {
            throw Failure(message: "whose claims are they? Say so with --provider: \(known)")
        }
        let identity: ProviderIdentity
        do {
            identity = try IdentityMapper(settings: settings).identity(supposing: claims)
        } catch {
            throw Failure(message: error.signInError(provider: settings.id).reason)
        }
        let authTime = NumericDate.milliseconds(claims["auth_time"])
        guard authTime != nil || claims["auth_time"] == nil else {
            throw Failure(message: "`auth_time` must be Unix seconds between 1970 and 9999")
        }
        return Session.issue(
            for: AccountOutcome(supposing: identity), authTime: authTime, providerSessionID: nil, tokens: Session.Tokens(), now: now)
    }

    private func person(_ session: Session) -> RequestExplanation.Person {
        let identity = session.identity
        return .init(
            uid: session.uid, provider: identity.provider, email: identity.email, isEmailVerified: identity.emailVerified == true,
            groups: identity.groups)
    }
}
