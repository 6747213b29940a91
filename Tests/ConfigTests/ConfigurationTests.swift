import Primitives
import Config
import Diagnostics
import Testing

@Suite struct ConfigurationTests {
    private static let key = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="

    @Test func `Every key reaches its field`() throws {
        let reading = read(
            """
            version: 1
            server:
              listen: [127.0.0.1:4180, "unix:/run/g.sock"]
              publicURL: https://app.example.com
              pathPrefix: /auth
              trustedProxies: [10.0.0.0/8]
              allowedRedirects: [https://www.example.com]
              paths: encoded
              pathCase: insensitive
              proxyProtocol: required
              limits: { headerBytes: 64KiB, headerCount: 50, bodyBytes: 10MiB, connections: 1000, connectionsPerAddress: 9, bodyRate: 1KiB }
              timeouts: { rateWindow: 6s, header: 1s, idle: 2s, upstreamConnect: 3s, upstreamResponse: 4s, shutdown: 0s }
            admin: { listen: ":9000", readyRequiresProviders: true }
            upstream: http://127.0.0.1:8080
            providers:
              - id: oidc.acme
                displayName: Acme
                enabled: false
                issuer: https://auth.example.com/
                baseURL: https://base.example.com
                tenant: t
                realm: r
                clientID: c
                clientSecret: ${file:./secret}
                privateKey: ${env:PORT}
                keyID: k
                teamID: tm
                clientAuthentication: private_key_jwt
                flow: code
                responseMode: form_post
                additionalAudiences: [a, b]
                idTokenAlgorithms: [ES256, HS256]
                scopes: [s1, s2]
                preconfiguredScopes: [openid]
                customParameters: { p: "1", q: x }
                requestParameters: [login_hint]
                reservedParameters: [audience]
                userinfo: false
                trustEmail: true
                endpoints: { authorization: https://e/1, token: https://e/2, userinfo: https://e/3, jwks: https://e/4, endSession: https://e/5, revocation: https://e/6 }
                claims: { subject: a, email: b, emailVerified: c, username: d, name: e, picture: f, locale: g, groups: h }
            reservedParameters: [resource]
            session:
              keys: ["\(Self.key)"]
              idleTimeout: 30m
              absoluteTimeout: 8h
              cookie: { name: sid, domain: .Example.com, sameSite: strict }
              refresh: false
              store: cookie
            identity: { headers: { X-User: "{{ uid }}", X-Mail: "{{ email }}" }, unverifiedEmail: true }
            routes:
              - { host: a.example.com, path: /x, methods: [GET], upstream: "unix:/run/x.sock", access: public, paths: encoded }
              - path: /y
                access:
                  emails: [a@example.com]
                  groups: [g]
                  users: [u]
                  providers: [oidc.acme]
                  claims: { one: x, two: [y, z] }
                  maxAge: 15m
                  anyOf: [{ groups: [h] }]
              - { path: /z, access: { anyOf: [{ groups: [h] }, { users: [u] }] } }
              - { path: /w, access: authenticated }
            onUnauthenticated: deny
            logging: { level: trace, format: json }

            """)
        #expect(findings(reading) == [])
        let configuration = reading.draft
        #expect(configuration.server.listen == [.tcp(host: "127.0.0.1", port: 4180), .unix(path: "/run/g.sock")])
        #expect(configuration.server.publicURL == Origin(scheme: "https", host: "app.example.com", port: 443))
        #expect(configuration.server.pathPrefix == "/auth")
        #expect(configuration.server.trustedProxies == ["10.0.0.0/8"])
        #expect(configuration.server.allowedRedirects.map(\.text) == ["https://www.example.com"])
        #expect(configuration.server.paths == .encoded)
        #expect(configuration.server.pathCase == .insensitive)
        let limits = configuration.server.limits
        #expect([limits.headerBytes, limits.headerCount, limits.bodyBytes, limits.connections] == [65_536, 50, 10_485_760, 1000])
        let timeouts = configuration.server.timeouts
        #expect(
            [timeouts.header, timeouts.idle, timeouts.upstreamConnect, timeouts.upstreamResponse, timeouts.shutdown] == [
                1000, 2000, 3000, 4000, 0,
            ])
        #expect(configuration.admin.listen == [.tcp(host: "", port: 9000)])
        #expect(configuration.admin.readyRequiresProviders)
        #expect(configuration.upstream?.targets == [UpstreamAddress(scheme: .http, endpoint: .tcp(host: "127.0.0.1", port: 8080))])
        #expect(configuration.reservedParameters == ["resource"])
        #expect(configuration.onUnauthenticated == .deny)
        #expect(configuration.logging.level == .trace)
        #expect(configuration.logging.format == .json)

        let session = configuration.session
        #expect(session.keys.map(\.count) == [32])
        #expect(session.keys[0].prefix(3) == [0xAB, 0xCD, 0xEF])
        #expect([session.idleTimeout, session.absoluteTimeout] == [1_800_000, 28_800_000])
        #expect(session.cookieName == "sid")
        #expect(session.cookieDomain == "example.com")
        #expect(session.sameSite == .strict)
        #expect(!session.refresh)
        #expect(session.store == nil)

        guard case .templates(let templates) = configuration.identity.headers else {
            Issue.record("no templates")
            return
        }
        #expect(templates.map(\.name) == ["X-User", "X-Mail"])
        #expect(templates.map(\.template) == ["{{ uid }}", "{{ email }}"])
        #expect(configuration.identity.unverifiedEmail)
    }

    @Test func `Every key of a provider reaches its field`() throws {
        let provider = try #require(
            read(
                """
                version: 1
                providers:
                  - { id: github.com/partners, clientID: c, clientSecret: "${file:./secret}", privateKey: "${env:PORT}", keyID: k, teamID: tm,
                      displayName: D, enabled: false, issuer: https://i, baseURL: https://b, tenant: t, realm: r, clientAuthentication: none,
                      responseMode: form_post, additionalAudiences: [a], idTokenAlgorithms: [EdDSA], scopes: [s], preconfiguredScopes: [p],
                      customParameters: { z: "1", a: x }, requestParameters: [h], reservedParameters: [w], userinfo: false, trustEmail: true,
                      endpoints: { authorization: https://e/1, token: https://e/2, userinfo: https://e/3, jwks: https://e/4, endSession: https://e/5, revocation: https://e/6 },
                      claims: { subject: a, email: b, emailVerified: c, username: d, name: e, picture: f, locale: g, groups: h } }

                """
            ).draft.providers.first)
        #expect(provider.id == "github.com/partners")
        #expect(provider.clientSecret?.exposed == "s3cret-value")
        #expect(provider.privateKey?.exposed == "8080")
        #expect([provider.keyID, provider.teamID, provider.displayName, provider.tenant, provider.realm] == ["k", "tm", "D", "t", "r"])
        #expect([provider.issuer, provider.baseURL] == ["https://i", "https://b"])
        #expect(!provider.enabled)
        #expect(provider.clientAuthentication == ProviderConfiguration.ClientAuthentication.none)
        #expect(provider.responseMode == .formPost)
        #expect(provider.additionalAudiences == ["a"])
        #expect(provider.idTokenAlgorithms == ["EdDSA"])
        #expect(provider.scopes == ["s"])
        #expect(provider.preconfiguredScopes == ["p"])
        #expect(provider.customParameters.map(\.name) == ["z", "a"])
        #expect(provider.customParameters.map(\.value) == ["1", "x"])
        #expect(provider.requestParameters == ["h"])
        #expect(provider.reservedParameters == ["w"])
        #expect(provider.userinfo == false)
        #expect(provider.trustEmail)
        let endpoints = provider.endpoints
        let urls = [
            endpoints.authorization, endpoints.token, endpoints.userinfo, endpoints.jwks, endpoints.endSession, endpoints.revocation,
        ]
        #expect(urls == (1...6).map { "https://e/\($0)" })
        let claims = provider.claims
        #expect(
            [
                claims.subject, claims.email, claims.emailVerified, claims.username, claims.name, claims.picture, claims.locale,
                claims.groups,
            ]
                == ["a", "b", "c", "d", "e", "f", "g", "h"])
    }

    @Test func `Routes and their rules keep their order and meaning`() throws {
        let routes = read(
            """
            version: 1
            routes:
              - { host: A.example.com, path: /x, methods: [GET], upstream: "unix:/run/x.sock", access: public, paths: encoded }
              - path: /y
                access: { emails: [a@example.com], groups: [], claims: { one: x, two: [y, z] }, maxAge: 15m, anyOf: [{ groups: [h] }] }
              - { path: /z, access: { anyOf: [{ groups: [h] }, { users: [u] }] } }
              - methods: [POST]

            """
        ).draft.routes
        #expect(routes.map(\.line) == [3, 4, 6, 7])
        #expect(routes.map(\.path) == ["/x", "/y", "/z", "/**"])
        #expect(routes[0].host == "A.example.com")
        #expect(routes[0].methods == ["GET"])
        #expect(routes[0].upstream?.targets.first?.endpoint == .unix(path: "/run/x.sock"))
        #expect(routes[0].paths == .encoded)
        guard case .public = routes[0].access, case .all(let conditions) = routes[1].access, case .anyOf(let rules) = routes[2].access,
            case .authenticated = routes[3].access
        else {
            Issue.record("\(routes.map(\.access))")
            return
        }
        #expect(conditions.emails == ["a@example.com"])
        #expect(conditions.groups == [])
        #expect(conditions.users == nil)
        #expect(conditions.claims?.map(\.path) == ["one", "two"])
        #expect(conditions.claims?.map(\.values) == [["x"], ["y", "z"]])
        #expect(conditions.maxAge == 900_000)
        #expect(conditions.anyOf?.count == 1)
        #expect(rules.count == 2)
    }

    @Test func `Profiles come as one word or a list`() {
        func profiles(_ text: String) -> [IdentityConfiguration.Profile] {
            guard case .profiles(let profiles) = read("version: 1\nidentity: { headers: \(text) }\n").draft.identity.headers else {
                return []
            }
            return profiles
        }
        #expect(profiles("auth-request") == [.authRequest])
        #expect(profiles("[webauth, remote-user]") == [.webauth, .remoteUser])
        #expect(profiles("~") == [.forwarded])
    }

    @Test func `The defaults in the reference are the defaults of the fields`() {
        let documented = Dictionary(
            uniqueKeysWithValues: ShapeName.allCases.flatMap { shape in
                shape.keys.compactMap { key in key.fallback.map { ("\(shape.rawValue).\(key.name)", $0) } }
            })
        let defaults = read("version: 1\n").draft
        #expect(documented["server.listen"] == "127.0.0.1:4180" && defaults.server.listen == [.tcp(host: "127.0.0.1", port: 4180)])
        #expect(documented["admin.listen"] == "127.0.0.1:9180" && defaults.admin.listen == [.tcp(host: "127.0.0.1", port: 9180)])
        #expect(documented["server.pathPrefix"] == defaults.server.pathPrefix)
        #expect(documented["server.paths"] == defaults.server.paths.rawValue)
        #expect(documented["server.pathCase"] == defaults.server.pathCase.rawValue)
        #expect(documented["limits.headerBytes"] == "\(defaults.server.limits.headerBytes / 1024)KiB")
        #expect(documented["limits.headerCount"] == "\(defaults.server.limits.headerCount)")
        #expect(documented["timeouts.header"] == "\(defaults.server.timeouts.header / 1000)s")
        #expect(documented["timeouts.rateWindow"] == "\(defaults.server.timeouts.rateWindow / 1000)s")
        #expect(documented["limits.bodyRate"] == "\(defaults.server.limits.bodyRate)B")
        #expect(documented["server.proxyProtocol"] == defaults.server.proxyProtocol.rawValue)
        #expect(documented["respond.status"] == "\(RespondConfiguration().status)")
        #expect(documented["respond.contentType"] == RespondConfiguration().contentType)
        #expect(documented["redirect.status"] == "\(RedirectConfiguration(to: "").status)")
        #expect(documented["cors.credentials"] == String(CORSConfiguration().credentials))
        #expect(documented["cors.maxAge"] == "\(CORSConfiguration().maxAge / 60_000)m")
        #expect(documented["timeouts.idle"] == "\(defaults.server.timeouts.idle / 1000)s")
        #expect(documented["timeouts.upstreamConnect"] == "\(defaults.server.timeouts.upstreamConnect / 1000)s")
        #expect(documented["timeouts.upstreamResponse"] == "\(defaults.server.timeouts.upstreamResponse / 1000)s")
        #expect(documented["timeouts.shutdown"] == "\(defaults.server.timeouts.shutdown / 1000)s")
        #expect(documented["session.idleTimeout"] == "\(defaults.session.idleTimeout / 3_600_000)h")
        #expect(documented["session.absoluteTimeout"] == "\(defaults.session.absoluteTimeout / 3_600_000)h")
        #expect(documented["session.store"] == "cookie" && defaults.session.store == nil)
        #expect(documented["session.refresh"] == String(defaults.session.refresh))
        #expect(documented["cookie.name"] == defaults.session.cookieName)
        #expect(documented["cookie.sameSite"] == defaults.session.sameSite.rawValue)
        #expect(documented["root.onUnauthenticated"] == defaults.onUnauthenticated.rawValue)
        #expect(documented["logging.level"] == defaults.logging.level.rawValue)
        #expect(documented["logging.format"] == defaults.logging.format.rawValue)
    }

    @Test func `A secret never describes itself`() {
        let secret = Secret("hunter2")
        #expect("\(secret)" == "<redacted>")
        #expect(String(reflecting: secret) == "<redacted>")
    }
}
