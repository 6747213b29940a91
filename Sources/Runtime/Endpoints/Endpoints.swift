import Access
import Backchannel
import Config
import Decisions
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Pages
import Server
import Sessions
import SignIn
import Telemetry

/// The gateway's own endpoints under `pathPrefix`: which there are, and their methods. None reaches an upstream.
final class Endpoints {
    let core: GatewayCore
    let answers: Answers
    /// nil: nothing is refused when audit records are lost.
    let auditGate: AuditGate?
    var snapshot: Snapshot { core.snapshot }

    init(core: GatewayCore) {
        self.core = core
        answers = Answers(snapshot: core.snapshot)
        auditGate = core.operations.auditGate(core.snapshot.configuration)
    }

    /// Largest body of a form of ours or of a provider's `form_post`.
    private static let bodyLimit = 64 * 1024

    func handle(_ exchange: Exchange, _ connection: ConnectionState, path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if let location = publicLocation(of: exchange.head, endpoint: parts.first ?? "") {
            return Answer.redirect(status: 302, to: location, hsts: snapshot.hsts).send(on: exchange)
        }
        switch (parts.first, parts.count) {
        case ("login", 1): allow([.get, .head], exchange, connection, isSignIn: true) { self.showSignIn(exchange, connection) }
        case ("login", 2): allow([.get], exchange, connection, isSignIn: true) { self.beginLogin(exchange, connection, parts[1]) }
        case ("callback", 2):
            allow([.get, .post], exchange, connection, isSignIn: true) { self.receiveCallback(exchange, connection, parts[1]) }
        case ("logout", 1):
            allow([.get, .head, .post], exchange, connection) {
                if exchange.head.method == .post { self.signOut(exchange, connection) } else { self.showSignOut(exchange, connection) }
            }
        case ("logged-out", 1): allow([.get, .head], exchange, connection) { self.showSignedOut(exchange, connection) }
        case ("userinfo", 1): allow([.get, .head], exchange, connection) { self.userinfo(exchange, connection) }
        case ("jwks.json", 1): allow([.get, .head], exchange, connection) { self.assertionKeys(exchange) }
        case ("backchannel-logout", 2): allow([.post], exchange, connection) { self.receiveLogout(exchange, connection, parts[1]) }
        case ("frontchannel-logout", 2):
            allow([.get], exchange, connection) { self.receiveFrontChannelLogout(exchange, connection, parts[1]) }
        case ("session", 1) where snapshot.configuration.session.exchange != nil:
            allow([.post], exchange, connection, isSignIn: true) {
                if let rules = self.snapshot.configuration.session.exchange { self.exchangeToken(exchange, connection, rules) }
            }
        default: refuse(exchange, connection, status: 404, code: "proxy/not-found", reason: "no-such-endpoint")
        }
    }

    /// `isSignIn`: the endpoint is part of a sign-in, which waits while its audit records would be lost.
    private func allow(
        _ methods: [HTTPWire.Method], _ exchange: Exchange, _ connection: ConnectionState, isSignIn: Bool = false, _ action: () -> Void
    ) {
        if methods.contains(exchange.head.method) {
            if isSignIn, auditGate?.isClosed == true { return refuseWithoutAudit(exchange, connection) }
            return action()
        }
        let names = methods.map { $0 == .get ? "GET" : $0 == .head ? "HEAD" : "POST" }.joined(separator: ", ")
        core.log.write(
            .info, "request-refused", "request refused: the endpoint does not support this method",
            [("reason", .text("method-not-allowed")), ("status", .number(405)), ("request_id", .text(connection.requestID.text))])
        answers.refusal(
            status: 405, code: "proxy/method-not-allowed", isPage: answers.wantsPage(exchange.head), requestID: connection.requestID,
            allow: names
        ).send(on: exchange)
    }

    private func logRefusal(_ connection: ConnectionState, status: Int, reason: String) {
        core.log.write(
            .info, "request-refused", "request refused",
            [("reason", .text(reason)), ("status", .number(status)), ("request_id", .text(connection.requestID.text))])
    }

    func refuse(_ exchange: Exchange, _ connection: ConnectionState, status: Int, code: String, reason: String) {
        logRefusal(connection, status: status, reason: reason)
        answers.refusal(
            status: status, code: code, isPage: answers.wantsPage(exchange.head), requestID: connection.requestID
        ).send(on: exchange)
    }

    /// `audit.onFailure: refuse`, and audit records cannot be written. Nothing is spent: a reload of the page goes on later.
    func refuseWithoutAudit(_ exchange: Exchange, _ connection: ConnectionState) {
        logRefusal(connection, status: 503, reason: "audit-unavailable")
        var answer = answers.refusal(
            status: 503, code: "proxy/audit-unavailable", isPage: answers.wantsPage(exchange.head), requestID: connection.requestID)
        answer.add("Retry-After", "5")
        answer.send(on: exchange)
    }

    func collectBody(_ exchange: Exchange, then action: @escaping (Exchange, String) -> Void) {
        BodyCollector.collect(exchange, limit: Self.bodyLimit) { action($0, String(decoding: $1, as: UTF8.self)) }
    }

    /// All cookies of the request, in order, duplicates included.
    func cookies(_ head: RequestHead) -> [(name: String, value: String)] {
        withBytes(of: head.bytes) { bytes, _ in
            RequestCookies(head, bytes).map { (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self)) }
        }
    }

    private enum PresentedCookie {
        case none
        case refused(Authentication.Refusal)
        /// Its pieces joined.
        case value([UInt8])
    }

    private func sessionCookie(of head: RequestHead) -> PresentedCookie {
        guard head.has(.cookie) else { return .none }
        return withBytes(of: head.bytes) { bytes, _ in
            switch head.sessionCookies(bytes, snapshot.cookies).value() {
            case .absent: .none
            case .refused(let refusal): .refused(refusal)
            case .whole(let cookie): .value(Array(cookie))
            case .joined(let cookie): .value(cookie)
            }
        }
    }

    /// Goes on with the session that a request presents, opened without the cache: requests to own endpoints are rare. At once where the
    /// store knows it.
    func withAuthentication(
        of exchange: Exchange, _ connection: ConnectionState,
        _ next: @escaping @Sendable (Endpoints, Exchange, ConnectionState, Authentication) -> Void
    ) {
        let now = wallClock()
        switch sessionCookie(of: exchange.head) {
        case .none: next(self, exchange, connection, .anonymous)
        case .refused(let refusal): next(self, exchange, connection, .invalid(refusal))
        case .value(let cookie):
            if let known = cookie.withUnsafeBytes({ core.sessions.open($0, now: now) }) { return next(self, exchange, connection, known) }
            after(exchange, connection, { [core] in await core.sessions.load(cookie, now: now) }, next)
        }
    }

    /// Goes on with the live session of a request.
    func withSession(
        of exchange: Exchange, _ connection: ConnectionState,
        _ next: @escaping @Sendable (Endpoints, Exchange, ConnectionState, Session?) -> Void
    ) {
        withAuthentication(of: exchange, connection) { endpoints, exchange, connection, authentication in
            if case .session(let session) = authentication {
                next(endpoints, exchange, connection, session)
            } else {
                next(endpoints, exchange, connection, nil)
            }
        }
    }

    /// The session that a request's cookies hold, whether or not it was ended or counts at present.
    func uncheckedSession(of head: RequestHead, now: Int64) -> @Sendable () async throws(SessionStoreError) -> Session? {
        guard case .value(let cookie) = sessionCookie(of: head) else { return { () async throws(SessionStoreError) in nil } }
        let sessions = core.sessions
        return { () async throws(SessionStoreError) in try await sessions.loadUnchecked(cookie, now: now) }
    }

    /// Goes on on the event loop with what `work` returns, unless the request is gone by then.
    func after<Value: Sendable>(
        _ exchange: Exchange, _ connection: ConnectionState, _ work: @escaping @Sendable () async -> Value,
        _ next: @escaping @Sendable (Endpoints, Exchange, ConnectionState, Value) -> Void
    ) {
        let pending = PendingAnswer(exchange)
        let bound = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        Task {
            let value = await work()
            pending.onLoop { exchange in
                guard let connection = exchange.connectionState as? ConnectionState else { return }
                next(bound.value, exchange, connection, value)
            }
        }
    }

    /// The fields of the query; nil when it is not well-formed.
    func query(_ head: RequestHead) -> [(name: String, value: String)]? { FormCoding.fields(of: head.queryText) }

    /// The return path in `rd`; `/` for anything but exactly one safe value.
    func returnPath(_ fields: [(name: String, value: String)]?) -> String {
        let values = (fields ?? []).filter { $0.name == "rd" }
        return values.count == 1 ? snapshot.returnPaths.validate(values[0].value).text : "/"
    }
}
