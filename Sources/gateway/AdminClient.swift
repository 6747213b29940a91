import ArgumentParser
import AsyncHTTPClient
import Diagnostics
import Glibc
import NIOCore
import NIOHTTP1
import Primitives
import TokenCrypto

/// Calls the admin interface of a running gateway.
struct AdminClient {
    static let tokenVariable = "GATEWAY_ADMIN_TOKEN"
    private static let limit = TimeAmount.seconds(10)
    private static let largestBody = 4 << 20

    private let admin: String
    private let token: String

    init(_ options: SessionsOptions) throws {
        guard let url = AbsoluteURL(options.admin), url.path == "" || url.path == "/", url.query == nil else {
            throw Terminal.usageError("--admin: this is not the address of an admin listener", help: "write it like http://127.0.0.1:9180")
        }
        admin = url.origin.text
        guard let token = getenv(Self.tokenVariable).map({ String(cString: $0) }), !token.isEmpty else {
            throw Terminal.usageError("$\(Self.tokenVariable) is not set", help: "set it to the value of `admin.token`")
        }
        guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Terminal.usageError("$\(Self.tokenVariable) has a character that no request can carry", help: nil)
        }
        self.token = token
    }

    /// The records of a user's live sessions.
    func list(user: String) async throws -> [JSONValue] {
        let body = try await call(.GET, "/sessions?user=" + Self.encoded(user))
        guard let list = (try? JSONValue(parsing: body))?.array else {
            throw Terminal.failure("\(admin) did not respond with a list of sessions", help: "check --admin")
        }
        return list
    }

    func revoke(id: String) async throws { _ = try await call(.DELETE, "/sessions/" + Self.encoded(id)) }
    func revoke(user: String) async throws { _ = try await call(.DELETE, "/sessions?user=" + Self.encoded(user)) }
    func revokeAll() async throws { _ = try await call(.DELETE, "/sessions") }

    /// Unreserved characters stay (RFC 3986 section 2.3).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
    }

    /// The body of a successful response; another status ends the command with a message.
    private func call(_ method: HTTPMethod, _ path: String) async throws -> String {
        var configuration = HTTPClient.Configuration()
        // The token is for this address only.
        configuration.redirectConfiguration = .disallow
        configuration.proxy = nil
        configuration.timeout.connect = Self.limit
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        var request = HTTPClientRequest(url: admin + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer " + token)
        request.headers.add(name: "User-Agent", value: "gateway-sessions")
        let status: Int
        let body: String
        do {
            let response = try await client.execute(request, timeout: Self.limit)
            status = Int(response.status.code)
            body = String(buffer: try await response.body.collect(upTo: Self.largestBody))
            try await client.shutdown()
        } catch {
            try? await client.shutdown()
            throw Terminal.failure("no response from \(admin): \(OnlineProbe.reason(of: error))", help: "check --admin")
        }
        guard (200..<300).contains(status) else { throw Self.failure(status, body) }
        return body
    }

    private static func failure(_ status: Int, _ body: String) -> ExitCode {
        let error = (try? JSONValue(parsing: body))?["error"]
        switch (status, error?["code"]?.string) {
        case (401, _): return Terminal.failure("the admin token is wrong", help: "compare $\(tokenVariable) with `admin.token`")
        case (404, "auth/no-such-session"): return Terminal.failure("no session has this id", help: "list the sessions again")
        case (404, _):
            return Terminal.failure("the gateway has no admin interface for sessions", help: "set `admin.token`, and check --admin")
        case (409, _):
            return Terminal.failure(
                "`session.store` is `cookie`, so sessions cannot be listed or ended one by one",
                help: "end all sessions of a user: gateway sessions revoke --user UID")
        default:
            let reason = error?["message"]?.string.map { ": " + sanitized($0) } ?? ""
            return Terminal.failure("the gateway responded with status \(status)\(reason)")
        }
    }
}
