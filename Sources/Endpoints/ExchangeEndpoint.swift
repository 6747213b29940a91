import Primitives
import Accounts
import Backchannel
import Config
import Decisions
import HTTPWire
import Logging
import Providers
import Sessions
import SignIn
import Telemetry
import TokenCrypto

extension Endpoints {
    /// `POST /session`: an ID token that an app got by itself becomes a session. JSON `{"provider", "id_token", "raw_nonce"}`.
    ///
    /// A page of another origin cannot send JSON here without asking (Fetch section 4.8), and its `Origin` is refused besides: nobody is
    /// signed in as somebody else behind their back (RFC 9700 section 4.7).
    func exchangeToken(_ request: EndpointRequest) {
        guard let rules = site.configuration.session.exchange, site.isFromOurOrigin(request.head) else {
            return refuse(request, status: 403, code: "proxy/forbidden", reason: "exchange-origin")
        }
        collectJSON(request, subject: "exchange") { [self] request, json in
            guard let body = ExchangeRequest(json) else { return refuseBody(request, subject: "exchange") }
            guard rules.providers.contains(where: { sameBytes($0, body.provider) }), let client = context.clients[body.provider] else {
                return refuse(request, status: 404, code: "auth/unknown-provider", reason: "exchange-provider")
            }
            guard body.rawNonce != nil || rules.nonce == .optional else {
                return refuse(request, status: 400, code: "auth/invalid-request", reason: "exchange-nonce-missing")
            }
            withSession(of: request) { endpoints, request, previous in
                let attempt = TokenExchange(
                    context: endpoints.context, answers: endpoints.answers, client: client, request: body, previous: previous,
                    browser: request.browser, requestID: request.id, share: ClientShare(request.client),
                    accounts: endpoints.context.accounts.map { accounts in
                        var signIn = endpoints.signIn(request, nil, accounts, previous)
                        signIn.form = .json
                        return signIn
                    })
                let pending = request.pending
                Task { pending.send(await attempt.answer()) }
            }
        }
    }
}

/// The body of `POST /session`.
struct ExchangeRequest: Sendable {
    let provider: String
    let idToken: String
    let rawNonce: String?

    /// nil: no object, a member missing, unknown or of a wrong type.
    init?(_ json: JSONValue) {
        guard let members = json.object, members.keys.allSatisfy(["provider", "id_token", "raw_nonce"].contains),
            let provider = json["provider"]?.string,
            let idToken = json["id_token"]?.string
        else { return nil }
        switch json["raw_nonce"] {
        case nil, .null: rawNonce = nil
        case .string(let text) where !text.isEmpty: rawNonce = text
        default: return nil
        }
        self.provider = provider
        self.idToken = idToken
    }
}

/// One ID token on its way to a session.
private struct TokenExchange: Sendable {
    let context: EndpointContext
    let answers: Answers
    let client: ProviderClient
    let request: ExchangeRequest
    /// The session that the browser has already.
    let previous: Session?
    let browser: SessionBrowser
    let requestID: RequestID
    let share: ClientShare
    /// nil without an account store.
    let accounts: AccountSignIn?

    private var site: SiteContext { context.site }

    func answer() async -> Answer {
        guard let shape = BearerShape(request.idToken), shape.form == .idToken else {
            return refused(.invalidToken("it is no ID token"))
        }
        switch await client.verifyBearer(request.idToken, form: .idToken, for: share.key) {
        case .refused(let refusal): return refused(BearerProblem(refusal))
        case .unavailable(let reason): return refused(.unavailable(reason))
        case .verified(let identity, let bearer):
            guard bearer.kind == .idToken else { return refused(.invalidToken("it is no ID token")) }
            // It may have come from a logout URL or from an app behind the gateway. Its session is the only one that it opens.
            guard !SignInNonce.marks(bearer.nonce) else { return refused(.invalidToken("it was issued for a sign-in of a gateway")) }
            // Proven whenever it comes along; whether it must is the configuration's to say.
            if let raw = request.rawNonce, !RawNonce.matches(raw, claim: bearer.nonce) { return refused(BearerProblem(.nonce)) }
            return await signedIn(identity, bearer)
        }
    }

    private func signedIn(_ identity: VerifiedIdentity, _ bearer: VerifiedBearer) async -> Answer {
        let now = wallClock()
        let account = AccountOutcome(withoutStore: identity)
        // A linked identity ends with the sessions of its account. Whatever else the account store refuses, the sign-in below reports.
        let owner = try? await context.accounts?.service.present(identity)
        let presented = Session.presented(
            for: owner ?? account, authTime: bearer.token.authTime, issuedAt: bearer.issuedAt,
            providerSessionID: bearer.token.sessionID, isPossiblyOwn: SignInNonce.isPossiblyOwn(bearer.nonce))
        if let problem = await context.sessions.problem(of: request.idToken, presenting: presented, now: now) { return refused(problem) }
        if let accounts {
            var proof = AccountSignIn.Proof(
                authTime: bearer.token.authTime ?? 0, providerSessionID: bearer.token.sessionID,
                tokens: Session.Tokens(idToken: request.idToken))
            proof.issuedAt = bearer.issuedAt
            return await accounts.signIn(identity, proof: proof)
        }
        // An ID token without `auth_time` does not prove a recent sign-in: rules that ask for one refuse.
        let signIn = VerifiedSignIn(
            account: account, authTime: bearer.token.authTime ?? 0, providerSessionID: bearer.token.sessionID,
            tokens: Session.Tokens(idToken: request.idToken))
        let issued: IssuedSession
        do throws(SessionIssueError) {
            issued = try await context.sessions.issue(for: signIn, replacing: previous, to: browser, now: now)
        } catch {
            context.log.reportIssueFailure(error, provider: account.identity.provider, requestID)
            return answers.issueFailure(error, isPage: false, requestID: requestID)
        }
        context.log.reportIssue(issued, replacing: previous, message: "a user signed in with an ID token", requestID)
        var answer = Answer.json(status: 200, UserinfoBody.json(issued.session, site), hsts: site.hsts)
        answer.setCookies(issued.setCookies)
        return answer
    }

    private func refused(_ problem: BearerProblem) -> Answer {
        context.log.write(
            .notice, "token-refused", "ID token exchange refused",
            [
                ("reason", .text(problem.reason)), ("code", .text(problem.code)), ("status", .number(problem.status)),
                ("provider", .text(client.settings.id)), ("request_id", .text(requestID.text)),
            ])
        return answers.bearerProblem(problem, requestID: requestID)
    }
}
