import Access
import Accounts
import Config
import HTTPWire
import Sessions
import TokenCrypto

func withBytes<Result>(_ text: String, _ body: (RawSpan) throws -> Result) rethrows -> Result {
    try body(text.utf8.span.bytes)
}

/// A person as tests need one; the claims are the provider's.
func makeSession(
    provider: String = "oidc.acme", subject: String = "alice", email: String? = "alice@example.com", emailVerified: Bool? = true,
    username: String? = "alice", name: String? = "Alice", groups: [String] = [], claims: [String: JSONValue] = [:],
    authTime: Int64 = 1_000_000, tokens: Session.Tokens = .init()
) -> Session {
    let identity = ProviderIdentity(
        provider: provider, issuer: "https://auth.example.com", subject: subject, email: email, emailVerified: emailVerified,
        username: username, name: name, groups: groups, claims: .object(claims))
    return Session.issue(
        for: AccountOutcome(supposing: identity), authTime: authTime, providerSessionID: nil, tokens: tokens, now: authTime)
}

func makeRoute(
    _ path: String = "/**", host: String? = nil, methods: [String] = [], access: AccessRule = .authenticated, paths: PathPolicy? = nil
) -> RouteConfiguration {
    var route = RouteConfiguration()
    route.path = path
    route.host = host
    route.methods = methods
    route.access = access
    route.paths = paths
    route.line = 1
    return route
}

func makeConfiguration(_ routes: [RouteConfiguration], _ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
    var configuration = Configuration()
    configuration.upstream = UpstreamConfiguration(
        targets: [UpstreamAddress(scheme: .http, endpoint: .tcp(host: "127.0.0.1", port: 8080))])
    configuration.routes = routes
    change(&configuration)
    return configuration
}

extension RouteTable {
    func resolve(_ path: String, method: String = "GET", host: String = "app.example.com") -> RouteResolution {
        var scratch: [UInt8] = []
        return withBytes(method) { method in
            withBytes(host) { host in withBytes(path) { resolve(method: method, host: host, path: $0, scratch: &scratch) } }
        }
    }

    /// `0`, `implicit`, `own:/login`, `421`, or the refusal's code.
    func outcome(_ path: String, method: String = "GET", host: String = "app.example.com") -> String {
        switch resolve(path, method: method, host: host) {
        case .matched(let match): match.route.isImplicit ? "implicit" : String(match.route.index)
        case .own(let path): "own:" + path
        case .refused(let refusal): refusal.rawValue
        case .unknownHost: "421"
        }
    }
}
