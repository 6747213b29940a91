import Accounts
import Decisions
import Exchanges
import Pages
import Server
import Sessions
import Telemetry
import TokenCrypto

extension Endpoints {
    /// `GET /userinfo`: who is signed in. Never a token.
    func userinfo(_ exchange: Exchange, _ connection: ConnectionState) {
        withAuthentication(of: exchange, connection) { endpoints, exchange, connection, authentication in
            let (answers, snapshot) = (endpoints.answers, endpoints.snapshot)
            guard case .session(let session) = authentication else {
                return answers.unauthenticated(
                    isPage: false, login: answers.login(returningTo: "/", on: exchange.head), hadSession: authentication.hasEnded,
                    requestID: connection.requestID
                ).send(on: exchange)
            }
            Answer.json(status: 200, UserinfoBody.json(session, snapshot), hsts: snapshot.hsts).send(on: exchange)
        }
    }
}

/// The session as the userinfo endpoint shows it to its own browser.
enum UserinfoBody {
    static func json(_ session: Session, _ snapshot: Snapshot) -> [UInt8] {
        let identity = session.identity
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        let body = JSONValue.object([
            "uid": .string(session.uid),
            "email": text(identity.email),
            "email_verified": .bool(identity.emailVerified == true),
            "name": text(identity.name),
            "username": text(identity.username),
            "groups": .array(identity.groups.map { .string($0) }),
            "provider": .string(identity.provider),
            "auth_time": .integer(session.authTime / 1_000),
            "expires_at": .integer(snapshot.limits.expiry(of: session) / 1_000),
        ])
        return Array((body.serialized() + "\n").utf8)
    }
}
