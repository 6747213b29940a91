import Accounts
import Decisions
import Sessions
import Telemetry
import TokenCrypto

extension Endpoints {
    /// `GET /userinfo`: who is signed in. Never a token.
    func userinfo(_ request: EndpointRequest) {
        withAuthentication(of: request) { endpoints, request, authentication in
            let (answers, site) = (endpoints.answers, endpoints.site)
            guard case .session(let session) = authentication else {
                return request.send(
                    answers.unauthenticated(
                        isPage: false, login: answers.login(returningTo: "/", on: request.head), hadSession: authentication.hasEnded,
                        requestID: request.id))
            }
            request.send(.json(status: 200, UserinfoBody.json(session, site), hsts: site.hsts))
        }
    }
}

/// The session as the userinfo endpoint shows it to its own browser.
enum UserinfoBody {
    static func json(_ session: Session, _ site: SiteContext) -> [UInt8] {
        let identity = session.identity
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        var members: [String: JSONValue] = [
            "uid": .string(session.uid),
            "email": text(identity.email),
            "email_verified": .bool(identity.emailVerified == true),
            "name": text(identity.name),
            "username": text(identity.username),
            "groups": .array(identity.groups.map { .string($0) }),
            "provider": .string(identity.provider),
            "auth_time": .integer(session.authTime / 1_000),
            "expires_at": .integer(site.limits.expiry(of: session) / 1_000),
        ]
        if site.hasAccounts {
            let account = session.account
            members["providers"] = .array((account?.providers ?? [identity.provider]).map { .string($0) })
            members["anonymous"] = .bool(account?.isAnonymous == true)
            members["second_factor"] = text(account?.secondFactor)
        }
        return Array((JSONValue.object(members).serialized() + "\n").utf8)
    }
}
