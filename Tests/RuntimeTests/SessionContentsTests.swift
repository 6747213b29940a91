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

    @Test("a session that does not fit loses long claims, but none that a rule or a header reads")
    func reduction() throws {
        let contents = try contents { configuration in
            var route = RouteConfiguration()
            var conditions = AccessConditions()
            var nested = AccessConditions()
            nested.claims = [("realm_access.roles", ["a"])]
            conditions.anyOf = [.all(nested)]
            route.access = .all(conditions)
            configuration.routes = [route]
            configuration.identity.headers = .templates([("X-Org", "{{ claims.org.name }}")])
        }
        let long = JSONValue.string(String(repeating: "x", count: 300))
        var identity = ProviderIdentity(provider: "oidc.a", issuer: "https://a", subject: "s")
        identity.claims = .object(["realm_access": long, "org": long, "other": long, "short": .string("y")])
        #expect(Set(contents.reduced(identity).claims.object?.keys.map { $0 } ?? []) == ["realm_access", "org", "short"])
    }
}
