import Primitives
import Accounts
import Backchannel
import Decisions
import Exchanges
import HTTPWire
import Logging
import Pages
import Providers
import Sessions
import SignIn
import Telemetry

extension Endpoints {
    /// `POST /backchannel-logout/{provider}` (OpenID Connect Back-Channel Logout 1.0 section 2.5): 200 or 400, from anywhere, without a
    /// cookie.
    func receiveLogout(_ request: EndpointRequest) {
        guard let client = context.client(urlForm: request.segment) else {
            return refuse(request, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        collectForm(request) { [self] request, form in
            let isForm = request.head.text(.contentType).map(MediaType.isForm) == true
            let tokens = isForm ? form.filter { $0.name == "logout_token" } : []
            guard tokens.count == 1 else {
                return refuse(request, status: 400, code: "auth/invalid-logout-token", reason: "not-one-logout-token")
            }
            let (pending, context, answers, requestID) = (request.pending, context, answers, request.id)
            let token = tokens[0].value
            Task {
                let outcome = await client.verifyLogoutToken(token)
                pending.send(await Self.answer(to: outcome, of: client.settings.id, context, answers, requestID))
            }
        }
    }

    private static func answer(
        to outcome: ProviderClient.LogoutOutcome, of provider: String, _ context: EndpointContext, _ answers: Answers,
        _ requestID: RequestID
    ) async -> Answer {
        func refused(_ level: Logger.Level, _ reason: String) -> Answer {
            context.log.write(
                level, "logout-token-refused", "logout token refused",
                [("provider", .text(provider)), ("reason", .text(reason)), ("request_id", .text(requestID.text))])
            return answers.refusal(status: 400, code: "auth/invalid-logout-token", isPage: false, requestID: requestID)
        }
        switch outcome {
        case .refused(let reason): return refused(.notice, reason)
        case .verified(let verified):
            let logout = ProviderLogout(verified)
            do throws(SessionStoreError) {
                guard try await context.sessions.end(logout, now: wallClock()) else { return refused(.notice, "its jti was used before") }
            } catch {
                return refused(.error, error.words)
            }
            context.log.write(
                .info, "signed-out-by-provider", "provider ended sessions by back-channel logout",
                [
                    ("provider", .text(provider)), ("extent", .text(verified.sessionID == nil ? "user" : "session")),
                    ("request_id", .text(requestID.text)),
                ])
            return .json(status: 200, Array("{}\n".utf8), hsts: context.site.hsts)
        }
    }

    /// `GET /frontchannel-logout/{provider}` (OpenID Connect Front-Channel Logout 1.0 section 2): a page that the provider shows in a frame.
    ///
    /// Any page can make a browser call it, so it ends only sessions of the named `sid` and revokes no token.
    func receiveFrontChannelLogout(_ request: EndpointRequest) {
        guard let client = context.client(urlForm: request.segment) else {
            return refuse(request, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        let fields = request.query ?? []
        let issuers = fields.filter { $0.name == "iss" }
        let sessions = fields.filter { $0.name == "sid" }
        guard issuers.count == 1, sessions.count == 1, let issuer = client.sessionIssuer(ofLogoutFrom: issuers[0].value),
            (1...512).contains(sessions[0].value.utf8.count)
        else {
            return refuse(request, status: 400, code: "auth/invalid-request", reason: "front-channel-parameters")
        }
        let logout = ReceivedLogout(
            provider: client.settings.id, logout: FrontChannelLogout(issuer: issuer, sessionID: sessions[0].value))
        let address = request.exchange.peer.isLocalSocket ? nil : ClientShare(request.client).key
        withSession(of: request) { endpoints, request, own in
            endpoints.carryOut(logout, from: address, request, own)
        }
    }

    private func carryOut(
        _ received: ReceivedLogout, from address: String?, _ request: EndpointRequest, _ own: Session?
    ) {
        let sessions = context.sessions
        after(request) { () -> Result<FrontChannelEnd, SessionStoreError> in
            do throws(SessionStoreError) {
                return .success(try await sessions.end(received.logout, from: address, now: wallClock()))
            } catch {
                return .failure(error)
            }
        } _: { endpoints, request, result in
            switch result {
            case .success(let end): endpoints.answer(request, received, end, own)
            case .failure(let error): endpoints.frontChannelFailed(request, received, nil, error.words)
            }
        }
    }

    private func answer(
        _ request: EndpointRequest, _ received: ReceivedLogout, _ end: FrontChannelEnd, _ own: Session?
    ) {
        switch end.outcome {
        case .tooManyFromAddress:
            return refuse(
                request, status: 429, code: "proxy/too-many-requests", reason: "front-channel-logouts-of-unknown-sessions")
        case .full:
            return frontChannelFailed(request, received, end.outcome, "the list of logouts of unknown sessions is full")
        case .matched, .repeated, .kept: break
        }
        guard end.isKept else {
            return frontChannelFailed(request, received, end.outcome, SessionStoreError.notKept.words)
        }
        finish(request, received, end.outcome, own)
    }

    private struct ReceivedLogout: Sendable {
        let provider: String
        let logout: FrontChannelLogout

        func ends(_ session: Session) -> Bool {
            sameBytes(session.identity.provider, provider) && sameBytes(session.identity.issuer, logout.issuer)
                && session.providerSessionID.map { sameBytes($0, logout.sessionID) } == true
        }
    }

    private func finish(
        _ request: EndpointRequest, _ received: ReceivedLogout, _ outcome: FrontChannelLogouts.Outcome,
        _ own: Session?
    ) {
        var answer = Answer(status: 200, headers: PageSecurityHeaders.framed(by: received.logout.issuer, hsts: site.hsts))
        // The cookie is deleted only if it is this session's: a foreign page must not sign users out by guessing.
        if let own, received.ends(own) {
            answer.setCookies(site.cookies.signOutLines(existingNames: request.cookieNames))
        }
        let fields: [(String, EventLog.Value)] = [
            ("provider", .text(received.provider)), ("request_id", .text(request.id.text)),
        ]
        switch outcome {
        case .matched:
            log.write(
                .info, "signed-out-by-provider", "provider ended sessions by front-channel logout",
                fields + [("extent", .text("session"))])
        case .repeated:
            log.write(.info, "logout-unmatched", "front-channel logout of a session that has ended before", fields)
        case .kept, .tooManyFromAddress, .full:
            log.write(
                .info, "logout-unmatched", "front-channel logout of an unknown session; no session ended",
                fields)
        }
        request.send(answer)
    }

    /// Any client can send a logout of an unknown session, so it writes no audit record and no error.
    private func frontChannelFailed(
        _ request: EndpointRequest, _ received: ReceivedLogout, _ outcome: FrontChannelLogouts.Outcome?,
        _ reason: String
    ) {
        let namesSeenSession =
            switch outcome {
            case nil, .matched, .repeated: true
            case .kept, .tooManyFromAddress, .full: false
            }
        log.write(
            namesSeenSession ? .error : .info, namesSeenSession ? "sign-out-failed" : "logout-unmatched",
            "front-channel logout failed",
            [("provider", .text(received.provider)), ("reason", .text(reason)), ("request_id", .text(request.id.text))])
        request.send(answers.refusal(status: 503, code: "auth/signout-failed", isPage: false, requestID: request.id))
    }
}

extension ProviderLogout {
    fileprivate init(_ verified: VerifiedLogout) {
        self.init(
            issuer: verified.issuer, subject: verified.subject, sessionID: verified.sessionID, tokenID: verified.tokenID,
            expiresAt: verified.expiresAt)
    }
}
