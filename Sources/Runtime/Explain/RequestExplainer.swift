import Access
import Accounts
package import Config
import Decisions
import Exchanges
import HTTPWire
import NIOCore
import Providers
import Proxy
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

    private let snapshot: Snapshot

    package init(_ configuration: Configuration) throws(Failure) {
        do {
            snapshot = try Snapshot(configuration)
        } catch {
            throw Failure(message: "the configuration cannot be served: \(error)")
        }
    }

    /// `now`: Unix milliseconds.
    package func explain(_ question: Question, now: Int64) throws(Failure) -> RequestExplanation {
        let (authority, path) = Self.parts(of: question.target, fallback: snapshot.publicURL?.text)
        var explanation = RequestExplanation(method: question.method, target: question.target, outcome: .refuse)
        let head: RequestHead
        do {
            head = try Self.head(question, authority: authority, path: path)
        } catch {
            explanation.status = error.status
            explanation.reason = error.rawValue
            return explanation
        }
        let session = try session(question, now: now)
        if let session { explanation.person = person(session) }
        explanation.canonicalPath = withBytes(of: head.bytes) { bytes, _ in
            var canonical: [UInt8] = []
            RequestPath.appendCanonical(head.slice(head.pathRange, bytes), to: &canonical)
            return String(decoding: canonical, as: UTF8.self)
        }
        switch resolve(head) {
        case .refused(let refusal):
            explanation.status = 400
            explanation.reason = refusal.rawValue
        case .unknownHost:
            explanation.status = 421
            explanation.reason = "unknown-host"
        case .own(let path):
            explanation.outcome = .own
            explanation.notes.append("one of the gateway's own endpoints (\(path.isEmpty ? "/" : path)): no upstream gets to see it")
        case .matched(let match):
            try decide(match, head, session, question, now, &explanation)
        }
        return explanation
    }

    // MARK: Steps

    private func resolve(_ head: RequestHead) -> RouteResolution {
        var scratch: [UInt8] = []
        return withBytes(of: head.bytes) { bytes, _ in
            snapshot.routes.resolve(
                method: head.slice(head.methodRange, bytes), host: head.slice(head.authorityRange, bytes),
                path: head.slice(head.pathRange, bytes), scratch: &scratch)
        }
    }

    private func decide(
        _ match: RouteMatch, _ head: RequestHead, _ session: Session?, _ question: Question, _ now: Int64,
        _ explanation: inout RequestExplanation
    ) throws(Failure) {
        let route = match.route
        let rule = route.isImplicit ? AccessRule.authenticated : snapshot.configuration.routes[route.index].access
        let fixed = snapshot.features[route.index]?.fixed
        let upstream =
            route.upstreamIndex >= 0 && fixed == nil
            ? snapshot.upstreams[route.upstreamIndex].targets.map(\.label).joined(separator: ", ") : "(none: the gateway answers)"
        explanation.route = .init(label: route.label, line: route.line, upstream: upstream)
        explanation.verdicts = RuleExplanation.verdicts(of: rule, for: session, now: now)
        let answers = Answers(snapshot: snapshot)
        switch Decision(for: match, session: session, now: now) {
        case .challenge:
            explanation.outcome = .challenge
            let answer = answers.challenge(for: head, hadSession: false, requestID: RequestID())
            explanation.status = answer.status
            explanation.location = answer.headers.first { $0.name == "Location" }?.value
            explanation.reason = "auth/login-required"
        case .deny(let denial):
            explanation.outcome = .deny
            explanation.status = answers.denial(denial, of: session?.identity, for: head, requestID: RequestID()).status
            explanation.reason = denial.code.rawValue
        case .permit(let permit):
            explanation.outcome = .permit
            if let fixed {
                explanation.notes.append(note(on: fixed, head, permit.route.pathStrictness))
            } else if route.upstreamIndex >= 0 {
                explanation.head = try upstreamHead(head, permit, session, question)
            }
        }
    }

    private func note(on fixed: RouteFeatures.Fixed, _ head: RequestHead, _ strictness: PathStrictness) -> String {
        switch fixed {
        case .answer(let status, _, _): return "the gateway responds with \(status)"
        case .redirect(let status, let target):
            guard let location = target.location(for: head, strictness) else {
                return "the gateway responds with 400: the redirect has no target for this path"
            }
            return "the gateway redirects (\(status)) to \(String(decoding: location, as: UTF8.self))"
        }
    }

    /// The head that the upstream receives, from the writer that serves requests.
    private func upstreamHead(
        _ head: RequestHead, _ permit: Permit, _ session: Session?, _ question: Question
    ) throws(Failure) -> [String] {
        guard NetworkAddress(question.client) != nil else { throw Failure(message: "`\(question.client)` is no IP address") }
        var context = RequestContext(
            ConnectionFacts(
                peer: question.client, isLocalSocket: false, isSecure: snapshot.isSecure, trusted: snapshot.trustedProxies))
        let opened = session.map { OpenedSession($0, cookie: [], snapshot: snapshot) }
        var ids = IDGenerator()
        var forwarding = LineBytes()
        var lines = LineBytes()
        context.begin(ids.nextRequestID())
        context.requestID.given = context.givenID(head)
        let keepsTracestate = ForwardingLines.write(head, &context, into: &forwarding)
        var surroundings = RequestSurroundings(
            isPeerTrusted: context.connection.peer.isTrusted, keepsTracestate: keepsTracestate,
            identityLines: opened?.identityLines ?? ByteBuffer(), bodyLimit: nil,
            response: ResponseEdits(addedLines: nil, isPrivate: opened != nil, cookies: snapshot.cookieNames))
        if let features = snapshot.features[permit.route.index], features.requestEdits != nil {
            surroundings.edits = features.requestEdits
            surroundings.identityLines = opened?.lines(on: permit.route.index, features) { _ in } ?? features.visitorLines
        }
        _ = snapshot.requestWriter.write(head, permit: permit, surroundings, forwarding: forwarding.bytes, into: &lines)
        let isTrusted = context.connection.peer.isTrusted
        return String(decoding: lines.bytes, as: UTF8.self).split(separator: "\r\n").map {
            Self.withoutChance(String($0), isTrusted: isTrusted)
        }
    }

    /// Replaces values that are new for each request by a placeholder.
    private static func withoutChance(_ line: String, isTrusted: Bool) -> String {
        if line.hasPrefix("Via: ") { return "Via: 1.1 (this gateway)" }
        if line.hasPrefix("traceparent: ") { return "traceparent: (a span of this request)" }
        if line.hasPrefix("X-Request-Id: "), !isTrusted { return "X-Request-Id: (new for each request)" }
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
        let known = snapshot.providers.map(\.id).joined(separator: ", ")
        guard let settings = named.map({ name in snapshot.providers.first { $0.id == name } }) ?? snapshot.providers.first else {
            throw Failure(message: "the configuration has no provider `\(named ?? "")`; it has: \(known.isEmpty ? "none" : known)")
        }
        if named == nil, snapshot.providers.count > 1 {
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
            for: AccountOutcome(withoutStore: identity), authTime: authTime, providerSessionID: nil, tokens: Session.Tokens(), now: now)
    }

    private func person(_ session: Session) -> RequestExplanation.Person {
        let identity = session.identity
        return .init(
            uid: session.uid, provider: identity.provider, email: identity.email, isEmailVerified: identity.emailVerified == true,
            groups: identity.groups)
    }
}
