import Accounts
import Decisions
import Endpoints
import Exchanges
import HTTPWire
import Logging
import Pages
package import Sessions
package import Telemetry
import TokenCrypto

/// The part of the admin interface that lists and ends sessions (contract section 7, "Admin"), of one configuration.
package struct AdminSessions: Sendable {
    private let token: AdminToken
    private let sessions: SessionService
    private let log: EventLog

    /// nil without a token: then there is no such interface.
    package init?(token: String?, sessions: SessionService, log: EventLog) {
        guard let token = token.flatMap(AdminToken.init) else { return nil }
        self.token = token
        self.sessions = sessions
        self.log = log
    }

    func handle(_ exchange: Exchange) {
        let head = exchange.head
        var generator = IDGenerator()
        let requestID = generator.nextRequestID()
        let context = EventContext(
            requestID: requestID.text, client: exchange.peer.text, userAgent: head.value(named: "user-agent"), method: head.loggedMethod,
            path: head.loggedPath, host: head.loggedHost, traceID: nil, trace: TraceState())
        EventContext.$current.withValue(context) {
            guard token.admits(head) else {
                var answer = refused(
                    .init(status: 401, code: "auth/invalid-token", message: "The admin token is missing or wrong."), requestID)
                answer.add("WWW-Authenticate", "Bearer realm=\"admin\"")
                return answer.send(on: exchange, for: nil)
            }
            let request: AdminRequest
            do throws(AdminRequest.Refusal) {
                request = try AdminRequest(
                    head.method, path: head.pathText, query: head.queryRange.isEmpty ? nil : head.text(head.queryRange),
                    hasBody: head.framing != .none && head.framing != .length(0))
            } catch {
                return refused(error, requestID).send(on: exchange, for: nil)
            }
            let pending = PendingAnswer(exchange, for: nil)
            Task { pending.send(await answer(request, requestID)) }
        }
    }

    private func answer(_ request: AdminRequest, _ requestID: RequestID) async -> Answer {
        let now = wallClock()
        do throws(SessionStoreError) {
            switch request {
            case .list(let uid):
                let records = try await sessions.records(ofUser: uid, now: now)
                report("sessions-listed", "an operator listed the sessions of a user", uid: uid, requestID)
                return .json(status: 200, Array((SessionList.json(records).serialized() + "\n").utf8), hsts: nil)
            case .end(let reference):
                guard let ended = try await sessions.end(reference: reference, now: now) else {
                    return refused(.init(status: 404, code: "auth/no-such-session", message: "There is no such session."), requestID)
                }
                report("session-ended", "an operator ended a session", uid: ended.uid, reference: ended.id, requestID)
            case .endAll(let uid):
                try await sessions.endAll(ofUser: uid, now: now)
                report("user-sessions-ended", "an operator ended all sessions of a user", uid: uid, requestID)
            case .endEveryone:
                try await sessions.endEveryone(now: now)
                report("all-sessions-ended", "an operator ended the sessions of all users", requestID)
            }
            return .noContent(hsts: nil)
        } catch {
            let (status, code) = error.answer
            let message = error.words.prefix(1).uppercased() + error.words.dropFirst() + "."
            var answer = refused(.init(status: status, code: code, message: message), requestID)
            if status == 503 { answer.add("Retry-After", "5") }
            return answer
        }
    }

    private func report(_ event: String, _ message: String, uid: String? = nil, reference: String? = nil, _ requestID: RequestID) {
        let about = [("uid", uid), ("session", reference)].compactMap { name, value in value.map { (name, EventLog.Value.text($0)) } }
        log.write(.notice, event, message, about + [("actor", .text("admin")), ("request_id", .text(requestID.text))])
    }

    private func refused(_ refusal: AdminRequest.Refusal, _ requestID: RequestID) -> Answer {
        log.write(
            refusal.status >= 500 ? .error : .warning, "admin-request-refused", "admin request refused: \(refusal.message)",
            [
                ("status", .number(refusal.status)), ("code", .text(refusal.code)), ("actor", .text("admin")),
                ("request_id", .text(requestID.text)),
            ])
        var answer = Answer.json(
            status: refusal.status, ErrorBody.json(code: refusal.code, message: refusal.message, requestID: requestID.text), hsts: nil)
        if let allow = refusal.allow { answer.add("Allow", allow) }
        return answer
    }
}
