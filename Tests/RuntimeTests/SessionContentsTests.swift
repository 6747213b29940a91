import Primitives
import Access
import Accounts
import Config
import Sessions
import Testing
import TokenCrypto

@testable import Runtime

@Suite("What a session keeps")
struct SessionContentsTests {
    private func contents(_ change: (inout Configuration) -> Void) throws -> SessionContents {
        var configuration = Configuration()
        change(&configuration)
        return SessionContents(configuration, try IdentityHeaders(configuration.identity))
    }

    @Test("the access token is kept only where a header carries it")
    func accessToken() throws {
        let tokens = Session.Tokens(accessToken: "at", accessTokenExpiresAt: 1, refreshToken: "rt", idToken: "it")
        #expect(try contents { _ in }.tokens(tokens).accessToken == nil)
        #expect(try contents { _ in }.tokens(tokens).refreshToken == "rt")
        let forwarding = try contents { $0.identity.headers = .templates([("Authorization", "Bearer {{ accessToken }}")]) }
        #expect(forwarding.tokens(tokens).accessToken == "at")
    }

    @Test("a session that does not fit loses what no rule and no header reads: claims, and groups")
    func reduction() throws {
        let contents = try contents { configuration in
            var route = RouteConfiguration()
            var conditions = AccessConditions()
            var nested = AccessConditions()
            nested.claims = [("realm_access.roles", ["a"])]
            conditions.anyOf = [.all(nested)]
            conditions.groups = ["admins"]
            route.access = .all(conditions)
            configuration.routes = [route]
            configuration.identity.headers = .templates([("X-Org", "{{ claims.org.name }}")])
        }
        let long = JSONValue.string(String(repeating: "x", count: 300))
        var identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "s")
        identity.claims = .object(["realm_access": long, "org": long, "other": long, "sub": .string("y")])
        identity.groups = ["staff", "admins", "everyone"]
        #expect(Set(contents.reduced(identity).claims.object?.keys.map { $0 } ?? []) == ["realm_access", "org", "sub"])
        #expect(contents.reduced(identity).groups == ["admins"])
    }

    @Test("of the raw profile a session keeps what is read, then the shortest claims up to 2 KiB")
    func profileBudget() throws {
        let contents = try contents { $0.identity.headers = .templates([("X-Org", "{{ claims.org.name }}")]) }
        var identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "s")
        func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }
        identity.claims = .object(["org": text(5000), "small": text(10), "middle": text(1500), "large": text(1000), "huge": text(3000)])
        #expect(Set(contents.kept(identity).claims.object?.keys.map { $0 } ?? []) == ["org", "small", "large"])
    }

    @Test("the claim that groups come from is not kept twice, unless a rule reads it")
    func groupsOnce() throws {
        func kept(_ rule: [(path: String, values: [String])]?) throws -> Set<String> {
            let contents = try contents { configuration in
                configuration.server.publicURL = Origin(scheme: "https", host: "app.example", port: 443)
                var provider = ProviderConfiguration(id: "oidc.a", clientID: "c")
                provider.issuer = "https://a"
                configuration.providers = [provider]
                var route = RouteConfiguration()
                var conditions = AccessConditions()
                conditions.claims = rule
                route.access = .all(conditions)
                configuration.routes = [route]
            }
            var identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "s")
            identity.claims = .object(["groups": .array([.string("a")]), "sub": .string("s")])
            return Set(contents.kept(identity).claims.object?.keys.map { $0 } ?? [])
        }
        #expect(try kept(nil) == ["sub"])
        #expect(try kept([("groups", ["a"])]) == ["sub", "groups"])
    }

    @Test("a session keeps the claims and groups that conditions read")
    func conditions() throws {
        func kept(_ condition: String) throws -> (claims: Set<String>, groups: [String]) {
            let contents = try contents { configuration in
                var route = RouteConfiguration()
                route.path = "/u/{user}"
                var nested = AccessConditions()
                nested.condition = condition
                var conditions = AccessConditions()
                conditions.anyOf = [.all(nested)]
                route.access = .all(conditions)
                configuration.routes = [route]
            }
            let long = JSONValue.string(String(repeating: "x", count: 3000))
            var identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "s")
            identity.claims = .object(["department": long, "https://acme.example/roles": long, "other": long])
            identity.groups = ["staff", "banned"]
            let reduced = contents.reduced(contents.kept(identity))
            return (Set(reduced.claims.object?.keys.map { $0 } ?? []), reduced.groups)
        }
        #expect(try kept("auth.token.department == path.user") == (["department"], []))
        #expect(try kept("auth.token['https://acme.example/roles'] == ''") == (["https://acme.example/roles"], []))
        #expect(try kept("has(auth.token.department)").claims == ["department"])
        #expect(try kept("auth.token[path.user] == 1").claims == ["department", "https://acme.example/roles", "other"])
        // A group that nobody names may still decide.
        #expect(try kept("!('banned' in auth.groups)").groups == ["staff", "banned"])
        #expect(try kept("auth != null") == (["department", "https://acme.example/roles", "other"], ["staff", "banned"]))
    }
}
