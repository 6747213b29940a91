import Access
import Accounts
import Decisions
import Endpoints
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Sessions
import Telemetry

/// The gateway's own answers, with their lines in the log.
extension RequestPhases {
    func send(
        _ answer: GatewayAnswer, _ cookies: CookieChange, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState,
        now: Int64
    ) {
        count(connection)
        if logsDecisions, connection.request.verdict != nil { logDecision(exchange, connection, now) }
        switch answer {
        case .refusal(let status, let code, let reason): refuse(exchange, connection, status: status, code: code, reason: reason)
        case .auditUnavailable: endpoints.refuseWithoutAudit(exchange, connection.request)
        case .storeUnavailable: endpoints.refuseWithoutStore(exchange, connection.request)
        case .preflight(let answer):
            Answer(status: 204, headers: answer.headers, lines: answer.lines).send(on: exchange, for: connection.request)
        case .token(let problem, let provider): refuseToken(exchange, connection, problem, provider: provider)
        case .challenge(let hadSession, let failures):
            challenge(exchange, connection, hadSession: hadSession, failures: failures, cookies)
        case .denial(let denial): deny(denial, cookies, exchange, head, connection)
        case .crossSite: refuseCrossSite(exchange, connection)
        case .fixed(let fixed): send(fixed, added: cookieLines(cookies, connection.caller, head, now), exchange, connection)
        case .lastRecipient:
            Answer(status: 204, headers: [("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")]).send(
                on: exchange, for: connection.request)
        }
    }

    func refuseToken(_ exchange: Exchange, _ connection: ConnectionState, _ problem: BearerProblem, provider: String?) {
        observed(exchange, connection) {
            context.log.write(
                .info, "token-refused", "bearer token refused",
                [
                    ("reason", .text(problem.reason)), ("code", .text(problem.code)), ("status", .number(problem.status)),
                    ("provider", .text(provider ?? "")), ("request_id", .text(connection.requestID.text)),
                ])
        }
        endpoints.answers.bearerProblem(problem, requestID: connection.requestID).send(on: exchange, for: connection.request)
    }

    /// Logs the output of `gateway trace` for a request that is being served; its request id finds it.
    func logDecision(_ exchange: Exchange, _ connection: ConnectionState, _ now: Int64) {
        guard let route = connection.request.match?.route else { return }
        let session = connection.caller?.session
        let verdicts = decider.verdicts(on: route, for: session, exchange.head, connection.request, now: now)
        context.log.write(
            .debug, "request-trace", "route and verdict of its rule",
            [
                ("request_id", .text(connection.requestID.text)), ("method", .text(exchange.head.loggedMethod)),
                ("path", .text(exchange.head.loggedPath)), ("route", .text(route.label)), ("line", .number(route.line)),
                ("uid", .text(session?.uid ?? "")),
                (
                    "access",
                    .text(
                        verdicts.map { "\($0.holds ? "+" : "-") \($0.condition)" + ($0.reason.map { ": " + $0 } ?? "") }.joined(
                            separator: " | "))
                ),
            ])
    }

    /// Answers a request without a session: a redirect to the sign-in for browsers, 401 for other clients.
    func challenge(
        _ exchange: Exchange, _ connection: ConnectionState, hadSession: Bool, failures: [PolicyStep], _ cookies: CookieChange
    ) {
        var fields: [(String, EventLog.Value)] = [
            ("reason", .text(hadSession ? "session-expired" : "not-signed-in")),
            ("code", .text(hadSession ? "auth/session-expired" : "auth/login-required")),
            ("route", .text(connection.request.match?.route.label ?? "")), ("request_id", .text(connection.requestID.text)),
        ]
        if !failures.isEmpty { fields.append(("trace", .text(failures.map(\.description).joined(separator: "; ")))) }
        context.log.write(.info, "sign-in-required", "sign-in required", fields)
        var answer = endpoints.answers.challenge(for: exchange.head, hadSession: hadSession, requestID: connection.requestID)
        if case .remove = cookies { answer.setCookies(site.cookies.deletionLines(existingNames: cookieNames(exchange.head))) }
        answer.send(on: exchange, for: connection.request)
    }

    func deny(
        _ denial: Denial, _ cookies: CookieChange, _ exchange: Exchange, _ head: RequestHead, _ connection: ConnectionState
    ) {
        let session = connection.caller?.session
        observed(exchange, connection) {
            context.log.write(
                .notice, "access-denied", "access denied by rule",
                [
                    ("reason", .text("rule")), ("code", .text(denial.code.rawValue)), ("route", .text(denial.route.label)),
                    ("trace", .text(denial.trace.map(\.description).joined(separator: "; "))),
                    ("uid", .text(session?.uid ?? "")), ("provider", .text(session?.identity.provider ?? "")),
                    ("request_id", .text(connection.requestID.text)),
                ])
        }
        var answer = endpoints.answers.denial(denial, of: session?.identity, for: head, requestID: connection.requestID)
        if cookies == .store, let session { answer.setCookies(sessionLines(session, head)) }
        answer.send(on: exchange, for: connection.request)
    }

    func refuseCrossSite(_ exchange: Exchange, _ connection: ConnectionState) {
        context.log.write(
            .notice, "cross-site-request", "request with a session refused: its origin is another site",
            [
                ("reason", .text("csrf-origin")), ("code", .text("auth/cross-site-request")),
                ("route", .text(connection.request.match?.route.label ?? "")), ("uid", .text(connection.caller?.session.uid ?? "")),
                ("request_id", .text(connection.requestID.text)),
            ])
        endpoints.answers.refusal(
            status: 403, code: "auth/cross-site-request", isPage: endpoints.answers.wantsPage(exchange.head),
            requestID: connection.requestID
        ).send(on: exchange, for: connection.request)
    }

    /// An answer that needs no upstream. `added`: cookies of ours.
    func send(_ fixed: FixedAnswer, added: ByteBuffer?, _ exchange: Exchange, _ connection: ConnectionState) {
        let edits = fixed.features.responseEdits
        let mustBePrivate = fixed.isPrivate || added != nil
        var lines = edits?.ownLines(isPrivate: mustBePrivate) ?? ByteBuffer()
        if edits == nil, mustBePrivate { lines.writeStaticString("cache-control: no-store\r\n") }
        if let hsts = site.hstsLine, edits?.ownsTransportSecurity != true { lines.writeImmutableBuffer(hsts) }
        if let added { lines.writeImmutableBuffer(added) }
        if let own = connection.request.crossOriginLines { lines.writeImmutableBuffer(own) }
        exchange.respond(status: fixed.status, body: fixed.body) { output in
            if !fixed.contentType.isEmpty { output.put(text: "content-type: \(fixed.contentType)\r\n") }
            if let location = fixed.location {
                output.put("location: ")
                output.put(location)
                output.put("\r\n")
            }
            output.put(lines)
        }
    }

    func refuse(_ exchange: Exchange, _ connection: ConnectionState, status: Int, code: String, reason: String) {
        context.log.write(
            .info, "request-refused", "request refused",
            [("reason", .text(reason)), ("status", .number(status)), ("request_id", .text(connection.requestID.text))])
        if status == 400 { exchange.closeAfterResponse() }
        endpoints.answers.refusal(
            status: status, code: code, isPage: endpoints.answers.wantsPage(exchange.head), requestID: connection.requestID
        ).send(on: exchange, for: connection.request)
    }
}
