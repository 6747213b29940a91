import Primitives
import Providers
import SignIn
import TokenCrypto

/// The numbers of one sign-in: what a browser, the configuration, a sealed cookie and the provider's endpoints say.
enum SignInNumbers {
    static let settings: ProviderSettings? = ProviderCatalogue.preset(for: "oidc.acme").map { preset in
        var settings = ProviderSettings(
            id: "oidc.acme", preset: preset, site: .init(issuer: TokenNumbers.issuer), clientID: TokenNumbers.clientID,
            redirectBase: "https://app.example/_gateway")
        settings.clientSecret = .init(TokenNumbers.secret)
        settings.accessTokens = .init(audience: TokenNumbers.clientID, introspects: true)
        return settings
    }
    private static let ring = SealingKeyRing(keys: [[UInt8](repeating: 7, count: 32)], purpose: "login")

    static func checkMaxAge(_ number: String, isConfigured: Bool) throws(Broken) {
        guard var settings else { throw Broken("the generic preset is gone") }
        settings.requestParameters = [MaxAge.parameter]
        if isConfigured { settings.set(parameter: MaxAge.parameter, to: number) }
        let request = AuthorizationRequest(settings: settings, requested: isConfigured ? [] : [(MaxAge.parameter, number)])
        try hold(request.accepted.isEmpty || request.maxAge != nil, "a max_age that is passed on is not checked")
        guard let maxAge = request.maxAge else { return }
        try hold((0...MaxAge.longest).contains(maxAge.seconds), "max_age is out of range")
        let transaction = LoginTransaction(
            provider: settings.id, issuer: settings.issuer, usesNonce: true, returnPath: "/", redirectURI: settings.redirectURI,
            maxAge: maxAge, now: TokenNumbers.now)
        let sealed = transaction.sealed(with: ring, cookieName: "c")
        try hold(LoginTransaction(sealed: sealed, with: ring, cookieName: "c") == transaction, "a sealed sign-in opens to another")
        for authTime in [0, TokenNumbers.now / 1000, PlausibleTime.milliseconds.upperBound / 1000] {
            try TokenNumbers.checkAuthTime(authTime, maxAge: maxAge)
        }
    }

    /// A cookie that another build sealed.
    static func checkSealed(_ number: String) throws(Broken) {
        let transaction = LoginTransaction(
            provider: "oidc.acme", issuer: nil, usesNonce: false, returnPath: "/", redirectURI: "https://app.example/cb",
            now: TokenNumbers.now)
        guard let bytes = Base64URL.decode(transaction.sealed(with: ring, cookieName: "c")),
            let plain = ring.open(bytes, associatedData: Array("c".utf8)), let members = (try? JSONValue(parsing: plain))?.object
        else { throw Broken("a sealed sign-in does not open") }
        for name in ["v", "t", "m"] {
            for value in TokenNumbers.values(number) {
                let changed = JSONValue.object(members.merging([name: value]) { $1 }).serializedBytes()
                let sealed = Base64URL.encode(ring.seal(changed, associatedData: Array("c".utf8)))
                guard let opened = LoginTransaction(sealed: sealed, with: ring, cookieName: "c") else { continue }
                for now in [0, TokenNumbers.now, .max] { _ = opened.isExpired(now: now) }
                try hold(PlausibleTime.milliseconds.contains(opened.createdAt), "a sign-in began at no time")
                try hold(opened.maxAge.map { (0...MaxAge.longest).contains($0.seconds) } ?? true, "max_age is out of range")
            }
        }
    }

    static func checkTokenResponse(_ number: String) throws(Broken) {
        // A form has every value as text.
        for value in TokenNumbers.values(number) + [.string(number)] {
            guard let lifetime = (try? TokenResponse.life(value)) ?? nil else { continue }
            try hold((0...31_536_000).contains(lifetime), "a token lives \(lifetime) s")
        }
    }

    static func checkPushedRequest(_ number: String) throws(Broken) {
        for value in TokenNumbers.values(number) {
            let body = JSONValue.object(["request_uri": .string("urn:x"), "expires_in": value]).serializedBytes()
            guard let pushed = try? PushedAuthorization(ProviderAnswer(status: 201, contentType: "application/json", body: body)) else {
                continue
            }
            try hold((1...31_536_000).contains(pushed.expiresIn), "a pushed request lives \(pushed.expiresIn) s")
        }
    }
}
