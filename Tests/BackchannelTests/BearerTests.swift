import Accounts
import Backchannel
import Providers
import Sessions
import SignIn
import Synchronization
import TestTools
import Testing
import TokenCrypto

@Suite struct BearerTests {
    private func outcome(
        _ client: ProviderClient, _ token: String, _ form: BearerShape.Form = .idToken, from address: String = "192.0.2.1"
    ) async -> String {
        switch await client.verifyBearer(token, form: form, for: address) {
        case .verified(let proof, _): "verified \(proof.identity.subject)"
        case .refused(let refusal): "refused \(refusal)"
        case .unavailable: "unavailable"
        }
    }

    @Test func `a provider that was not reached yet is not looked for at the pace of requests`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            #expect(await self.outcome(client, provider.idToken()) == "unavailable")
            #expect(provider.server.requests(to: "/.well-known/openid-configuration").isEmpty)
            _ = try await client.beginLogin(returnPath: "/")
            #expect(await self.outcome(client, provider.idToken()) == "verified alice")
        }
    }

    @Test func `a token that comes right after the start waits for the first attempt`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            client.start()
            #expect(await self.outcome(client, provider.idToken()) == "verified alice")
            client.stop()
        }
    }

    @Test func `a token does not wait for the attempts after the first one`() async throws {
        try await ProviderFixture.run(timeout: .seconds(120)) { provider in
            let attempts = Atomic(0)
            provider.replace("/.well-known/openid-configuration") { _ in
                attempts.add(1, ordering: .relaxed).newValue == 1 ? .html(status: 503) : .silence
            }
            let client = try provider.client(sleep: { _ in })
            client.start()
            #expect(await self.outcome(client, provider.idToken()) == "unavailable")
            try await eventually { attempts.load(ordering: .relaxed) == 2 }
            #expect(await self.outcome(client, provider.idToken()) == "unavailable")
            #expect(attempts.load(ordering: .relaxed) == 2, "a third attempt follows when the silent one has ended")
            client.stop()
        }
    }

    @Test func `keys that cannot be fetched are asked for once in ten seconds, whoever comes`() async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/jwks") { _ in .answer(status: 503, headers: [], body: []) }
            let client = try provider.client()
            _ = try await client.beginLogin(returnPath: "/")
            for _ in 0..<5 { #expect(await self.outcome(client, provider.idToken()) == "unavailable") }
            #expect(provider.server.requests(to: "/jwks").count == 1)
            provider.restore("/jwks")
            provider.clock.advance(by: 10_000)
            #expect(await self.outcome(client, provider.idToken()) == "verified alice")
        }
    }

    @Test func `an unknown key of a stranger costs one look-up in ten seconds`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            _ = try await client.beginLogin(returnPath: "/")
            #expect(await self.outcome(client, provider.idToken()) == "verified alice")
            let stranger = SigningKey.generate(.es256, keyID: "nobodys").sign(payload: .object(["iss": .string(provider.issuer)]))
            for _ in 0..<5 { #expect(await self.outcome(client, stranger).contains("unknownKeyID")) }
            #expect(provider.server.requests(to: "/jwks").count == 2)
            provider.rotateKeys(to: "k2")
            provider.clock.advance(by: 10_000)
            #expect(await self.outcome(client, provider.idToken()) == "verified alice")
        }
    }

    @Test func `issue 19, 6: junk that waits for the introspection endpoint blocks no ID token and no other client`() async throws {
        try await ProviderFixture.run(timeout: .seconds(120)) { provider in
            provider.replace("/introspect") { request in
                request.body.contains("junk") ? .silence : .json(#"{"active":true,"aud":"https://api.example","sub":"alice"}"#)
            }
            let client = try provider.client {
                $0.accessTokens = .init(audience: "https://api.example", introspects: true)
                $0.endpoints.introspection = provider.issuer + "/introspect"
            }
            _ = try await client.beginLogin(returnPath: "/")
            try await withThrowingTaskGroup { group in
                for index in 0..<100 { group.addTask { await self.outcome(client, "junk-\(index)", .opaque) } }
                // The others wait for the server.
                for _ in 32..<100 { #expect(try await group.next() == "unavailable") }
                try await eventually { provider.server.requests(to: "/introspect").count == 32 }
                #expect(await self.outcome(client, provider.idToken()) == "verified alice")
                #expect(await self.outcome(client, "opaque", .opaque, from: "192.0.2.2") == "verified alice")
                provider.server.endSilence()
                for _ in 0..<32 { #expect(try await group.next() == "unavailable") }
            }
            #expect(provider.server.requests(to: "/introspect").count == 33)
            #expect(await self.outcome(client, "opaque", .opaque) == "verified alice", "the share is free again")
        }
    }

    @Test func `a token that is no JWT is not called an access token`() async throws {
        try await ProviderFixture.run { provider in
            let client = try provider.client()
            _ = try await client.beginLogin(returnPath: "/")
            #expect(await self.outcome(client, "junk", .opaque) == "refused opaque")
            #expect(BearerRefusal.opaque.reason.hasPrefix("it is not a JWT"))
        }
    }

    @Test func `RFC 7662 2_1: the question carries the token in the body and the client's authentication`() async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/introspect") { _ in .json(#"{"active":true,"aud":"https://api.example","sub":"alice"}"#) }
            let client = try provider.client {
                $0.accessTokens = .init(audience: "https://api.example", introspects: true)
                $0.endpoints.introspection = provider.issuer + "/introspect"
            }
            _ = try await client.beginLogin(returnPath: "/")
            #expect(await self.outcome(client, "opaque", .opaque) == "verified alice")
            let request = try #require(provider.server.requests(to: "/introspect").first)
            #expect(request.method == "POST")
            #expect(request.target == "/introspect")
            #expect(request.header("Authorization")?.hasPrefix("Basic ") == true)
            #expect(FormCoding.fields(of: request.body)?.map(\.name) == ["token", "token_type_hint"])
        }
    }
}

@Suite struct SenderConstraintTests {
    @Test func `RFC 9126 2_1: what is pushed names the client once, however it authenticates`() async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/par") { _ in
                .answer(
                    status: 201, headers: [("Content-Type", "application/json")],
                    body: Array(#"{"request_uri":"urn:x","expires_in":60}"#.utf8))
            }
            for authentication in [ProviderPreset.ClientAuthentication.basic, .post, .none] {
                let client = try provider.client {
                    $0.pushedAuthorization = .required
                    $0.endpoints.pushedAuthorization = provider.issuer + "/par"
                    $0.clientAuthentication = authentication
                }
                let start = try await client.beginLogin(returnPath: "/")
                #expect(start.url == provider.issuer + "/authorize?client_id=acme-web&request_uri=urn%3Ax")
                let body = try #require(provider.server.requests(to: "/par").last).body
                let names = try #require(FormCoding.fields(of: body)).map(\.name)
                #expect(names.count { $0 == "client_id" } == 1, "\(authentication)")
                #expect(names.contains("code_challenge") && names.contains("nonce") && names.contains("redirect_uri"))
                #expect(names.contains("client_secret") == (authentication == .post))
            }
        }
    }

    @Test func `RFC 9449 8: a nonce is taken up once and kept for the next request`() async throws {
        try await ProviderFixture.run { provider in
            provider.replace("/token") { request in
                let proof = request.header("DPoP").flatMap { try? UnverifiedJWS(compact: $0) }
                guard proof?.payload["nonce"] == .string("n-1") else {
                    return .answer(
                        status: 400, headers: [("Content-Type", "application/json"), ("DPoP-Nonce", "n-1")],
                        body: Array(#"{"error":"use_dpop_nonce"}"#.utf8))
                }
                return provider.tokenAnswer(["token_type": .string("DPoP")])
            }
            let client = try provider.client { $0.dpop = .required }
            let login = try await provider.signIn(client)
            #expect(login.tokens.proofKey?.count == 32)
            #expect(provider.server.requests(to: "/token").count == 2)
            #expect(provider.server.requests(to: "/userinfo").last?.header("Authorization") == "DPoP at-1")
            let account = AccountOutcome(withoutStore: login.verified)
            let session = Session.issue(
                for: account, authTime: nil, providerSessionID: nil, tokens: login.tokens, now: provider.clock.now)
            guard case .refreshed(let tokens, _) = await client.refresh(session) else {
                Issue.record("the refresh failed")
                return
            }
            #expect(tokens.proofKey == login.tokens.proofKey)
            #expect(provider.server.requests(to: "/token").count == 3)
        }
    }

    @Test func `a provider without DPoP gets no proof, and a key of one session is not another's`() async throws {
        try await ProviderFixture.run { provider in
            let login = try await provider.signIn(provider.client())
            #expect(login.tokens.proofKey == nil)
            #expect(provider.server.requests(to: "/token").first?.header("DPoP") == nil)
            provider.replace("/token") { _ in provider.tokenAnswer(["token_type": .string("DPoP")]) }
            let client = try provider.client { $0.dpop = .required }
            let first = try await provider.signIn(client)
            let second = try await provider.signIn(client)
            #expect(first.tokens.proofKey != second.tokens.proofKey)
        }
    }
}
