import Primitives
import Accounts
import Backchannel
import Decisions
import Exchanges
import HTTPWire
import Logging
import NIOCore
import Pages
import Providers
import Server
import Sessions
import SignIn
import Telemetry

extension Endpoints {
    /// `POST /backchannel-logout/{provider}` (OpenID Connect Back-Channel Logout 1.0 section 2.5): 200 or 400, from anywhere, without a
    /// cookie.
    func receiveLogout(_ exchange: Exchange, _ connection: ConnectionState, _ segment: String) {
        guard let client = core.client(urlForm: segment) else {
            return refuse(exchange, connection, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        collectBody(exchange) { [self] exchange, body in
            let isForm = exchange.head.text(.contentType)?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
            let tokens = isForm ? (FormCoding.fields(of: body) ?? []).filter { $0.name == "logout_token" } : []
            guard tokens.count == 1 else {
                return refuse(exchange, connection, status: 400, code: "auth/invalid-logout-token", reason: "not-one-logout-token")
            }
            let pending = PendingAnswer(exchange)
            let core = self.core
            let answers = self.answers
            let requestID = connection.requestID
            let token = tokens[0].value
            Task {
                let outcome = await client.verifyLogoutToken(token)
                pending.send(await Self.answer(to: outcome, of: client.settings.id, core, answers, requestID))
            }
        }
    }

    private static func answer(
        to outcome: ProviderClient.LogoutOutcome, of provider: String, _ core: GatewayCore, _ answers: Answers, _ requestID: RequestID
    ) async -> Answer {
        func refused(_ level: Logger.Level, _ reason: String) -> Answer {
            core.log.write(
                level, "logout-token-refused", "logout token refused",
                [("provider", .text(provider)), ("reason", .text(reason)), ("request_id", .text(requestID.text))])
            return answers.refusal(status: 400, code: "auth/invalid-logout-token", isPage: false, requestID: requestID)
        }
        switch outcome {
        case .refused(let reason): return refused(.notice, reason)
        case .verified(let verified):
            let logout = ProviderLogout(verified)
            do throws(SessionStoreError) {
                guard try await core.sessions.end(logout, now: wallClock()) else { return refused(.notice, "its jti was used before") }
            } catch {
                return refused(.error, error.words)
            }
            core.log.write(
                .info, "signed-out-by-provider", "provider ended sessions by back-channel logout",
                [
                    ("provider", .text(provider)), ("extent", .text(verified.sessionID == nil ? "user" : "session")),
                    ("request_id", .text(requestID.text)),
                ])
            return .json(status: 200, Array("{}\n".utf8), hsts: core.snapshot.hsts)
        }
    }

    /// `GET /frontchannel-logout/{provider}` (OpenID Connect Front-Channel Logout 1.0 section 2): a page that the provider shows in a frame.
    ///
    /// Any page can make a browser call it, so it ends only sessions of the named `sid` and revokes no token.
    func receiveFrontChannelLogout(_ exchange: Exchange, _ connection: ConnectionState, _ segment: String) {
        guard let client = core.client(urlForm: segment) else {
            return refuse(exchange, connection, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        let fields = query(exchange.head) ?? []
        let issuers = fields.filter { $0.name == "iss" }
        let sessions = fields.filter { $0.name == "sid" }
        guard issuers.count == 1, sessions.count == 1, let issuer = client.sessionIssuer(ofLogoutFrom: issuers[0].value),
            (1...512).contains(sessions[0].value.utf8.count)
        else {
            return refuse(exchange, connection, status: 400, code: "auth/invalid-request", reason: "front-channel-parameters")
        }
        let logout = ReceivedLogout(
            provider: client.settings.id, logout: FrontChannelLogout(issuer: issuer, sessionID: sessions[0].value))
        let address = exchange.peer.isLocalSocket ? nil : Self.network(connection.client(exchange))
        withSession(of: exchange, connection) { endpoints, exchange, connection, own in
            endpoints.carryOut(logout, from: address, exchange, connection, own)
        }
    }

    private func carryOut(
        _ received: ReceivedLogout, from address: String?, _ exchange: Exchange, _ connection: ConnectionState, _ own: Session?
    ) {
        let sessions = core.sessions
        after(exchange, connection) { () -> Result<FrontChannelEnd, SessionStoreError> in
            do throws(SessionStoreError) {
                return .success(try await sessions.end(received.logout, from: address, now: wallClock()))
            } catch {
                return .failure(error)
            }
        } _: { endpoints, exchange, connection, result in
            switch result {
            case .success(let end): endpoints.answer(exchange, connection, received, end, own)
            case .failure(let error): endpoints.frontChannelFailed(exchange, connection, received, nil, error.words)
            }
        }
    }

    private func answer(
        _ exchange: Exchange, _ connection: ConnectionState, _ received: ReceivedLogout, _ end: FrontChannelEnd, _ own: Session?
    ) {
        switch end.outcome {
        case .tooManyFromAddress:
            return refuse(
                exchange, connection, status: 429, code: "proxy/too-many-requests", reason: "front-channel-logouts-of-unknown-sessions")
        case .full:
            return frontChannelFailed(exchange, connection, received, end.outcome, "the list of logouts of unknown sessions is full")
        case .matched, .repeated, .kept: break
        }
        guard end.isKept else {
            return frontChannelFailed(exchange, connection, received, end.outcome, SessionStoreError.notKept.words)
        }
        finish(exchange, connection, received, end.outcome, own)
    }

    private struct ReceivedLogout: Sendable {
        let provider: String
        let logout: FrontChannelLogout

        func ends(_ session: Session) -> Bool {
            sameBytes(session.identity.provider, provider) && sameBytes(session.identity.issuer, logout.issuer)
                && session.providerSessionID.map { sameBytes($0, logout.sessionID) } == true
        }
    }

    /// The addresses that one client can have: of IPv6 a whole /64.
    private static func network(_ client: [UInt8]) -> String {
        let text = String(decoding: client, as: UTF8.self)
        guard let address = NetworkAddress(text), !address.isIPv4 else { return text }
        return String(address.value >> 64, radix: 16)
    }

    private func finish(
        _ exchange: Exchange, _ connection: ConnectionState, _ received: ReceivedLogout, _ outcome: FrontChannelLogouts.Outcome,
        _ own: Session?
    ) {
        var answer = Answer(status: 200, headers: PageSecurityHeaders.framed(by: received.logout.issuer, hsts: snapshot.hsts))
        // The cookie is deleted only if it is this session's: a foreign page must not sign users out by guessing.
        if let own, received.ends(own) {
            answer.setCookies(snapshot.cookies.deletionLines(existingNames: cookies(exchange.head).map(\.name)))
        }
        let request: [(String, EventLog.Value)] = [
            ("provider", .text(received.provider)), ("request_id", .text(connection.requestID.text)),
        ]
        switch outcome {
        case .matched:
            core.log.write(
                .info, "signed-out-by-provider", "provider ended sessions by front-channel logout",
                request + [("extent", .text("session"))])
        case .repeated:
            core.log.write(.info, "logout-unmatched", "front-channel logout of a session that has ended before", request)
        case .kept, .tooManyFromAddress, .full:
            core.log.write(
                .info, "logout-unmatched", "front-channel logout of an unknown session; no session ended",
                request)
        }
        answer.send(on: exchange)
    }

    /// Any client can send a logout of an unknown session, so it writes no audit record and no error.
    private func frontChannelFailed(
        _ exchange: Exchange, _ connection: ConnectionState, _ received: ReceivedLogout, _ outcome: FrontChannelLogouts.Outcome?,
        _ reason: String
    ) {
        let namesSeenSession =
            switch outcome {
            case nil, .matched, .repeated: true
            case .kept, .tooManyFromAddress, .full: false
            }
        core.log.write(
            namesSeenSession ? .error : .info, namesSeenSession ? "sign-out-failed" : "logout-unmatched",
            "front-channel logout failed",
            [("provider", .text(received.provider)), ("reason", .text(reason)), ("request_id", .text(connection.requestID.text))])
        answers.refusal(status: 503, code: "auth/signout-failed", isPage: false, requestID: connection.requestID).send(on: exchange)
    }
}

extension ProviderLogout {
    fileprivate init(_ verified: VerifiedLogout) {
        self.init(
            issuer: verified.issuer, subject: verified.subject, sessionID: verified.sessionID, tokenID: verified.tokenID,
            expiresAt: verified.expiresAt)
    }
}
