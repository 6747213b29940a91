import Accounts
import Config
import Decisions
import HTTPWire
import Logging
import Pages
import Sessions
import Telemetry
import TokenCrypto

/// The user's own sessions: a list, and ending one of them or all others.
extension Endpoints {
    /// `GET /sessions`: JSON.
    func listSessions(_ request: EndpointRequest) {
        withOwnSession(request, isPage: false, returnPath: "/") { endpoints, request, session in
            let (sessions, answers) = (endpoints.context.sessions, endpoints.answers)
            let (pending, requestID) = (request.pending, request.id)
            Task {
                do throws(SessionStoreError) {
                    let list = SessionList.json(
                        try await sessions.records(ofUser: session.uid, now: wallClock()), current: session.reference)
                    pending.send(.json(status: 200, Array((list.serialized() + "\n").utf8), hsts: answers.site.hsts))
                } catch {
                    pending.send(answers.sessionStoreFailure(error, isPage: false, requestID: requestID))
                }
            }
        }
    }

    /// `POST /sessions/revoke`: `id`, or `others=true`.
    func revokeSessions(_ request: EndpointRequest) {
        collectAccountForm(request, flags: ["others"]) { [self] request, form in
            guard let target = SessionRevocation.Target(form) else {
                return refuse(request, status: 400, code: "auth/invalid-request", reason: "session-revocation")
            }
            let hasPage = site.hasAccounts
            let location = returnPath(request, form, fallback: hasPage ? accountPath + "?notice=sessions-ended" : "/")
            withOwnSession(request, isPage: form.wantsPage, returnPath: hasPage ? accountPath : "/") { endpoints, request, session in
                let revocation = SessionRevocation(
                    context: endpoints.context, answers: endpoints.answers, session: session, target: target, form: form,
                    location: location, cookieNames: request.cookieNames, requestID: request.id)
                let pending = request.pending
                Task { pending.send(await revocation.answer()) }
            }
        }
    }

    /// Goes on with the live session; 401 without one, 503 where the store does not answer.
    private func withOwnSession(
        _ request: EndpointRequest, isPage: Bool, returnPath: String,
        _ next: @escaping @Sendable (Endpoints, EndpointRequest, Session) -> Void
    ) {
        withAuthentication(of: request) { endpoints, request, authentication in
            switch authentication {
            case .session(let session): next(endpoints, request, session)
            case .invalid(.storeUnavailable):
                request.send(
                    endpoints.answers.sessionStoreFailure(
                        .unavailable("the session was not checked"), isPage: isPage, requestID: request.id))
            case .anonymous, .invalid:
                request.send(
                    endpoints.answers.unauthenticated(
                        isPage: isPage, login: endpoints.answers.login(returningTo: returnPath, on: request.head),
                        hadSession: authentication.hasEnded, requestID: request.id))
            }
        }
    }
}

/// A user's request to end one of the own sessions, or all but the current one.
private struct SessionRevocation: Sendable {
    enum Target: Sendable {
        case one(reference: String)
        case others

        /// Exactly one of the two; nil for anything else.
        init?(_ form: AccountForm) {
            switch (form["id"], form["others"]) {
            case (let id?, nil) where !id.isEmpty: self = .one(reference: id)
            case (nil, "true"): self = .others
            default: return nil
            }
        }
    }

    let context: EndpointContext
    let answers: Answers
    let session: Session
    let target: Target
    let form: AccountForm
    let location: String
    let cookieNames: [String]
    let requestID: RequestID

    func answer() async -> Answer {
        let now = wallClock()
        do throws(SessionStoreError) {
            switch target {
            case .others:
                try await context.sessions.endOthers(than: session, now: now)
                report("other-sessions-ended", "a user ended all other sessions")
                return done(at: location)
            case .one(let reference):
                guard let ended = try await context.sessions.end(reference: reference, ofUser: session.uid, now: now) else {
                    return answers.refusal(status: 404, code: "auth/no-such-session", isPage: form.wantsPage, requestID: requestID)
                }
                report("session-ended", "a user ended a session", reference: ended.id)
                guard ended.id == session.reference else { return done(at: location) }
                var answer = done(at: answers.loginPath(returningTo: "/", notice: .sessionEnded))
                answer.setCookies(context.site.cookies.signOutLines(existingNames: cookieNames))
                return answer
            }
        } catch {
            if error != .unsupported {
                context.log.write(
                    .error, "sign-out-failed", "a session was not ended",
                    [("reason", .text(error.words)), ("uid", .text(session.uid)), ("request_id", .text(requestID.text))])
            }
            return answers.sessionStoreFailure(error, isPage: form.wantsPage, requestID: requestID)
        }
    }

    private func report(_ event: String, _ message: String, reference: String? = nil) {
        context.log.write(
            .notice, event, message,
            [("uid", .text(session.uid)), ("actor", .text("user"))] + (reference.map { [("session", .text($0))] } ?? [])
                + [("request_id", .text(requestID.text))])
    }

    /// 303 for a form, 204 for JSON.
    private func done(at location: String) -> Answer {
        let hsts = context.site.hsts
        return form.isJSON ? .noContent(hsts: hsts) : .redirect(status: 303, to: location, hsts: hsts)
    }
}

extension Answers {
    /// What the session store could not do.
    func sessionStoreFailure(_ error: SessionStoreError, isPage: Bool, requestID: RequestID) -> Answer {
        let (status, code) = error.answer
        var answer = refusal(status: status, code: code, isPage: isPage, requestID: requestID)
        if status == 503 { answer.add("Retry-After", "5") }
        return answer
    }

    /// The session of a sign-in was not kept.
    func issueFailure(_ error: SessionIssueError, isPage: Bool, requestID: RequestID) -> Answer {
        switch error {
        case .tooLarge: return refusal(status: 502, code: "auth/provider-error", isPage: isPage, requestID: requestID)
        case .ended: return refusal(status: 401, code: "auth/session-expired", isPage: isPage, requestID: requestID)
        case .store:
            var answer = refusal(status: 503, code: "auth/store-unavailable", isPage: isPage, requestID: requestID)
            answer.add("Retry-After", "5")
            return answer
        }
    }
}

extension SessionStoreError {
    /// The status and the code of a response to it.
    package var answer: (status: Int, code: String) {
        switch self {
        case .unsupported: (409, "auth/unsupported")
        case .unavailable: (503, "auth/store-unavailable")
        case .full, .notKept: (503, "auth/signout-failed")
        }
    }
}
