import Accounts
import Backchannel
import HTTPWire
import Logging
import NIOCore
import Pages
import Providers
import Server
import Sessions
import SignIn

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
                pending.send(Self.answer(to: outcome, of: client.settings.id, core, answers, requestID))
            }
        }
    }

    private static func answer(
        to outcome: ProviderClient.LogoutOutcome, of provider: String, _ core: GatewayCore, _ answers: Answers, _ requestID: RequestID
    ) -> Answer {
        func refused(_ reason: String) -> Answer {
            core.log.write(
                .notice, "logout-token-refused", "a provider's logout message does not count",
                [("provider", .text(provider)), ("reason", .text(reason)), ("request_id", .text(requestID.text))])
            return answers.refusal(status: 400, code: "auth/invalid-logout-token", isPage: false, requestID: requestID)
        }
        switch outcome {
        case .refused(let reason): return refused(reason)
        case .verified(let logout):
            guard core.sessions.end(logout, limits: core.snapshot.limits, now: wallClock()) else {
                return refused("its jti was used before")
            }
            core.log.write(
                .info, "signed-out-by-provider", "the provider signed a person out",
                [
                    ("provider", .text(provider)), ("extent", .text(logout.sessionID == nil ? "person" : "session")),
                    ("request_id", .text(requestID.text)),
                ])
            return .json(status: 200, Array("{}\n".utf8), hsts: core.snapshot.hsts)
        }
    }

    /// `GET /frontchannel-logout/{provider}` (OpenID Connect Front-Channel Logout 1.0 section 2): a page that the provider shows in a frame.
    ///
    /// Anybody can make a browser call it, so it ends sessions of the named `sid` and nothing else, and no token is revoked.
    func receiveFrontChannelLogout(_ exchange: Exchange, _ connection: ConnectionState, _ segment: String) {
        guard let client = core.client(urlForm: segment) else {
            return refuse(exchange, connection, status: 404, code: "auth/unknown-provider", reason: "unknown-provider")
        }
        let fields = query(exchange.head) ?? []
        let issuers = fields.filter { $0.name == "iss" }
        let sessions = fields.filter { $0.name == "sid" }
        guard let issuer = client.settings.issuer, issuers.count == 1, sessions.count == 1, sameBytes(issuers[0].value, issuer),
            (1...512).contains(sessions[0].value.utf8.count)
        else {
            return refuse(exchange, connection, status: 400, code: "auth/invalid-request", reason: "front-channel-parameters")
        }
        let now = wallClock()
        let own = session(of: exchange.head, now: now)
        core.sessions.endFromFrontChannel(issuer: issuer, providerSessionID: sessions[0].value, limits: snapshot.limits, now: now)
        var answer = Answer(status: 200, headers: PageSecurityHeaders.framed(by: issuer, hsts: snapshot.hsts))
        // The cookie goes only if it is this session's: a foreign page must not sign anybody out by guessing.
        if let own, own.identity.provider == client.settings.id, own.providerSessionID.map({ sameBytes($0, sessions[0].value) }) == true {
            answer.setCookies(snapshot.cookies.deletionLines(existingNames: cookies(exchange.head).map(\.name)))
        }
        core.log.write(
            .info, "signed-out-by-provider", "the provider signed a person out through the browser",
            [("provider", .text(client.settings.id)), ("extent", .text("session")), ("request_id", .text(connection.requestID.text))])
        answer.send(on: exchange)
    }
}
