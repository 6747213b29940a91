import DevProvider
import Primitives
import Testing
import TokenCrypto

/// A fault that does nothing would make a test elsewhere pass for nothing: each one is shown to change what it says.
@Suite struct FaultTests {
    @Test func `every fault has a name of its own that finds it`() {
        #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
        for fault in Fault.all { #expect(Fault(name: fault.name) == fault) }
        #expect(Fault(name: "no-such") == nil)
    }

    @Test(arguments: IDTokenFault.allCases)
    func `a fault of the claims changes the claims and nothing else`(fault: IDTokenFault) throws {
        let right = TestClient(provider: makeProvider())
        let wrong = TestClient(provider: makeProvider(faults: [.idToken(fault)]))
        let expected = try comparable(verifiedClaims(right.signIn()["id_token"], right))
        let actual = try comparable(verifiedClaims(wrong.signIn()["id_token"], wrong))
        let changed = Set(expected.keys).union(actual.keys).filter { expected[$0] != actual[$0] }
        let dates: Set = ["iat", "exp"]
        #expect(!changed.isEmpty || fault == .accessTokenHashWrong || fault == .accessTokenHashMissing)
        #expect(changed.count == 1 || changed == dates || changed == ["aud", "azp"] || changed.isEmpty)
    }

    /// Without what differs between any two tokens.
    private func comparable(_ claims: JSONValue) -> [String: JSONValue] {
        (claims.object ?? [:]).filter { !["at_hash", "sid"].contains($0.key) }
    }

    @Test func `the at_hash faults change at_hash`() throws {
        for (fault, isPresent) in [(IDTokenFault.accessTokenHashWrong, true), (.accessTokenHashMissing, false)] {
            let client = TestClient(provider: makeProvider(faults: [.idToken(fault)]))
            let answer = client.signIn()
            let hash = try verifiedClaims(answer["id_token"], client)["at_hash"]?.string
            #expect((hash != nil) == isPresent)
            #expect(hash != Base64URL.encode(Array(SHA2.sha256(Array((answer["access_token"] ?? "").utf8)).prefix(16))))
        }
    }

    @Test(arguments: SignatureFault.allCases)
    func `a token with a bad header or signature fails as it should`(fault: SignatureFault) {
        let client = TestClient(provider: makeProvider(faults: [.signature(fault)]))
        let token = client.signIn()["id_token"]
        let acceptable: Set<SignatureFault> = [.keyIDMissing, .typeAccessToken, .logoutToken]
        #expect(token != nil)
        #expect(((try? verifiedClaims(token, client)) != nil) == acceptable.contains(fault))
    }

    @Test func `the confusion attack signs with the public key in PEM (RFC 8725 2_1)`() throws {
        let client = TestClient(provider: makeProvider(faults: [.signature(.publicKeyAsSecret)]))
        let jws = try UnverifiedJWS(compact: client.signIn()["id_token"] ?? "")
        #expect(jws.algorithm == "HS256")
        #expect(throws: JWSError.algorithmNotAllowed) { try jws.verified(with: .empty, secret: nil, allowed: [.rs256]) }
    }

    @Test func `a client secret as HMAC key makes a token that an HS256 client accepts`() throws {
        let long = "a secret of more than thirty-two bytes, as RFC 7518 section 3.2 asks"
        var options = makeOptions()
        options.clients = [DevClient(id: "web", secret: long, redirectURIs: [callback])]
        let provider = DevProvider(options)
        provider.automaticPerson = "alice"
        provider.faults = [.signature(.clientSecretAsKey)]
        let jws = try UnverifiedJWS(compact: TestClient(provider: provider, secret: long).signIn()["id_token"] ?? "")
        _ = try jws.verified(with: .empty, secret: Array(long.utf8), allowed: [.hs256])
    }

    @Test(arguments: KeySetFault.allCases)
    func `odd key sets either still verify or do not`(fault: KeySetFault) {
        let client = TestClient(provider: makeProvider(faults: [.keys(fault)]))
        let harmless: Set<KeySetFault> = [.encryptionKeysToo, .oddKeysToo, .withoutKeyIDs, .twentyKeys]
        #expect(((try? verifiedClaims(client.signIn()["id_token"], client)) != nil) == harmless.contains(fault))
    }

    @Test(arguments: DiscoveryFault.allCases)
    func `a fault of the metadata changes the metadata`(fault: DiscoveryFault) {
        let path = "/.well-known/openid-configuration"
        let right = TestClient(provider: makeProvider()).send("GET", path)
        let wrong = TestClient(provider: makeProvider(faults: [.discovery(fault)])).send("GET", path)
        #expect(wrong.status == 200)
        #expect(right.json != nil && wrong.json != nil && right.json != wrong.json)
    }

    @Test(arguments: CallbackFault.allCases)
    func `a fault of the callback changes its parameters`(fault: CallbackFault) {
        let location = TestClient(provider: makeProvider(faults: [.callback(fault)])).authorize().header("Location")
        let state = parameters("state", location)
        let code = parameters("code", location)
        let issuer = parameters("iss", location)
        let isRight = state == ["st4te"] && issuer == ["https://id.example.com"] && code.count == 1 && code[0].count < 100
        let others = parameters("error", location) + parameters("session_state", location)
        #expect(!(isRight && others.isEmpty) || fault == .codeUnknown)
        if fault == .codeLong { #expect(code.first?.utf8.count == 4_096) }
    }

    @Test func `an unknown code is nobody's and a long one is good`() {
        let unknown = TestClient(provider: makeProvider(faults: [.callback(.codeUnknown)]))
        #expect(unknown.signIn().errorCode == "invalid_grant")
        #expect(TestClient(provider: makeProvider(faults: [.callback(.codeLong)])).signIn().status == 200)
    }

    @Test(arguments: [CallbackFault.issuerMissing, .issuerWrong, .stateWrong])
    func `error callbacks are faulty too (RFC 9207 2_4)`(fault: CallbackFault) {
        let location = TestClient(provider: makeProvider(faults: [.callback(fault)])).authorize(changing: ["scope": "x"]).header("Location")
        #expect(parameter("error", location) == "invalid_scope")
        #expect(parameter("iss", location) != "https://id.example.com" || parameter("state", location) != "st4te")
    }

    @Test(arguments: TokenFault.allCases)
    func `a fault of the token answer changes the answer`(fault: TokenFault) {
        let answer = TestClient(provider: makeProvider(faults: [.token(fault)])).signIn()
        switch fault {
        case .typeMissing: #expect(answer.json != nil && answer["token_type"] == nil)
        case .typeUnknown: #expect(answer["token_type"] == "mac")
        case .typeLowerCase: #expect(answer["token_type"] == "bearer")
        case .accessTokenMissing: #expect(answer.json != nil && answer.json?["access_token"] == nil)
        case .accessTokenNumber: #expect(answer.json?["access_token"]?.integer != nil)
        case .idTokenMissing: #expect(answer.json != nil && answer["id_token"] == nil)
        case .idTokenGarbage: #expect(answer["id_token"] == "not.a.token")
        case .expiresInMissing: #expect(answer.json != nil && answer.json?["expires_in"] == nil)
        case .expiresInString: #expect(answer["expires_in"] == "300")
        case .expiresInNegative: #expect(answer.json?["expires_in"]?.integer == -1)
        case .expiresInHuge: #expect(answer.text.contains("1e+300"))
        case .deep: #expect(answer.status == 200 && answer.json == nil)
        case .errorWithStatus200: #expect(answer.status == 200 && answer.errorCode == "invalid_grant")
        case .invalidGrant: #expect(answer.status == 400 && answer.errorCode == "invalid_grant")
        case .invalidClient: #expect(answer.status == 401 && answer.errorCode == "invalid_client")
        }
    }

    @Test(arguments: RefreshFault.allCases)
    func `a fault of refreshing shows at the refresh and not at the sign-in`(fault: RefreshFault) throws {
        let client = TestClient(provider: makeProvider(faults: [.refresh(fault)]))
        let first = client.signIn()
        let before = try verifiedClaims(first["id_token"], client)
        let second = client.refresh(first["refresh_token"])
        let after = try? verifiedClaims(second["id_token"], client)
        switch fault {
        case .invalidGrant: #expect(second.errorCode == "invalid_grant")
        case .keepsToken:
            #expect(second.status == 200 && second["refresh_token"] == nil)
            #expect(client.refresh(first["refresh_token"]).status == 200)
        case .withoutIDToken: #expect(second.status == 200 && second["id_token"] == nil)
        case .otherSubject: #expect(after?["sub"] != nil && after?["sub"] != before["sub"])
        case .otherAudience: #expect(after?["aud"] != nil && after?["aud"] != before["aud"])
        case .otherAuthTime: #expect(after?["auth_time"] != nil && after?["auth_time"] != before["auth_time"])
        case .otherNonce: #expect(after?["nonce"] != nil && after?["nonce"] != before["nonce"])
        }
    }

    @Test(arguments: UserinfoFault.allCases)
    func `a fault of userinfo changes its claims`(fault: UserinfoFault) {
        let right = TestClient(provider: makeProvider())
        let wrong = TestClient(provider: makeProvider(faults: [.userinfo(fault)]))
        let expected = right.userinfo(right.signIn()["access_token"])
        let actual = wrong.userinfo(wrong.signIn()["access_token"])
        #expect(actual.status == (fault == .unauthorized ? 401 : 200))
        #expect(actual.json != nil && actual.json != expected.json)
    }

    @Test(arguments: Breakage.allCases)
    func `a broken endpoint is broken in that way`(breakage: Breakage) {
        let path = "/.well-known/openid-configuration"
        let provider = makeProvider(faults: [.answer(.discovery, breakage)])
        let answer = TestClient(provider: provider).send("GET", path)
        let body = answer.body
        switch breakage {
        case .internalError: #expect(answer.status == 500)
        case .unavailable: #expect(answer.status == 503 && answer.header("Retry-After") != nil)
        case .html: #expect(answer.status == 200 && answer.header("Content-Type")?.hasPrefix("text/html") == true && answer.json == nil)
        case .empty: #expect(answer.status == 200 && body.isEmpty)
        case .huge: #expect(body.count > 10 << 20 && body.first == UInt8(ascii: "{"))
        case .truncated: #expect(!body.isEmpty && answer.json == nil)
        case .duplicateMembers: #expect(answer.text.hasPrefix("{\"issuer\":\"https://evil.example\"") && answer.json == nil)
        case .array: #expect(answer.json?.array?.count == 1)
        case .wrongContentType: #expect(answer.json?["issuer"] != nil && answer.header("Content-Type")?.hasPrefix("text/html") == true)
        case .redirect:
            #expect(answer.status == 307)
            #expect(answer.header("Location") == "https://id.example.com/redirected" + path)
            #expect(provider.count(.redirectFollowed) == 0)
            #expect(TestClient(provider: provider).send("GET", "/redirected" + path)["issuer"] == "https://id.example.com")
            #expect(provider.count(.redirectFollowed) == 1)
        case .slow: #expect(answer.json?["issuer"] != nil && answer.pace == .after(milliseconds: 2_000))
        case .never: #expect(answer.pace == .never)
        case .close: #expect(answer.pace == .close)
        }
        #expect(provider.count(.discovery) == 1)
    }

    @Test func `an outage of refreshing uses up nothing`() {
        let provider = makeProvider()
        let client = TestClient(provider: provider)
        let token = client.signIn()["refresh_token"]
        for breakage in [Breakage.internalError, .unavailable, .never, .close] {
            provider.faults = [.answer(.refresh, breakage)]
            _ = client.refresh(token)
        }
        #expect(client.signIn().status == 200)
        provider.faults = []
        #expect(client.refresh(token).status == 200)
        #expect(provider.count(.refresh) == 5)
        #expect(provider.count(.token) == 2)
    }

    @Test func `revoking everything makes the next refresh invalid_grant`() {
        let provider = makeProvider()
        let client = TestClient(provider: provider)
        let tokens = client.signIn()
        provider.revokeEverything()
        #expect(client.refresh(tokens["refresh_token"]).errorCode == "invalid_grant")
        #expect(client.userinfo(tokens["access_token"]).status == 401)
    }

    @Test func `a logout token has what Back-Channel Logout 2_4 asks for`() throws {
        let client = TestClient(provider: makeProvider())
        let token = client.provider.logoutToken(person: .bob, clientID: "web", sessionID: "s1", now: now)
        let claims = try verifiedClaims(token, client)
        #expect(try UnverifiedJWS(compact: token).type == "logout+jwt")
        #expect(claims["sub"]?.string == Person.bob.subject && claims["sid"]?.string == "s1" && claims["jti"]?.string != nil)
        #expect(claims["events"]?["http://schemas.openid.net/event/backchannel-logout"]?.object != nil)
        #expect(claims["nonce"] == nil)
    }
}
