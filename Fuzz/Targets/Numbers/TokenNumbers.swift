import Providers
import Sessions
import SignIn
import TokenCrypto

/// The times in tokens that a provider signed, and in its introspection answers.
enum TokenNumbers {
    static let issuer = "https://id.example"
    static let clientID = "acme-web"
    static let secret = String(repeating: "s", count: 64)
    /// 2026-01-01T00:00:00Z in Unix milliseconds.
    static let now: Int64 = 1_767_225_600_000

    private static let verifier = SignInNumbers.settings.flatMap { IDTokenVerifier(settings: $0, algorithms: [.hs256]) }
    /// When a check reads the clock: now, and at both ends of what a clock can say.
    private static let clocks = [0, now, PlausibleTime.milliseconds.upperBound]

    /// The JSON values that the text can stand for.
    static func values(_ number: String) -> [JSONValue] {
        [(try? JSONValue(parsing: number)), .string(number)].compactMap { $0 }
    }

    static func checkIDToken(_ number: String) throws(Broken) {
        guard let verifier, let settings = SignInNumbers.settings else { throw Broken("there is no verifier") }
        for claim in ["exp", "iat", "nbf", "auth_time"] {
            for value in values(number) {
                let token = signed([claim: value])
                for now in clocks {
                    for maxAge in [nil, MaxAge(seconds: 0), MaxAge(seconds: MaxAge.longest)] {
                        let expectation = IDTokenVerifier.Expectation(nonce: nil, maxAge: maxAge, accessToken: nil)
                        let verified = try? verifier.verify(token, keys: .empty, expecting: expectation, now: now)
                        try checkTime(verified?.authTime, claim)
                    }
                    let bearer = try? BearerVerifier(verifier, settings: settings).verifyIDToken(token, keys: .empty, now: now)
                    try checkTime(bearer?.expiresAt, claim)
                    try checkTime(bearer?.issuedAt, claim)
                }
            }
        }
    }

    /// `auth_time` in seconds.
    static func checkAuthTime(_ authTime: Int64, maxAge: MaxAge) throws(Broken) {
        guard let verifier else { throw Broken("there is no verifier") }
        let expectation = IDTokenVerifier.Expectation(nonce: nil, maxAge: maxAge, accessToken: nil)
        let isTaken =
            (try? verifier.verify(signed(["auth_time": .integer(authTime)]), keys: .empty, expecting: expectation, now: now)) != nil
        let skew = IDTokenVerifier.skew / 1000
        let isRecent = authTime <= now / 1000 + skew && now / 1000 - authTime <= maxAge.seconds + skew
        try hold(isTaken == isRecent, "a sign-in of \(authTime) is judged wrongly by max_age \(maxAge.seconds)")
    }

    static func checkLogoutToken(_ number: String) throws(Broken) {
        guard let verifier else { throw Broken("there is no verifier") }
        for claim in ["exp", "iat"] {
            for value in values(number) {
                let token = signed([
                    claim: value, "events": .object([LogoutTokenVerifier.event: .object([:])]), "jti": .string("1"),
                ])
                for now in clocks {
                    guard let logout = try? LogoutTokenVerifier(verifier).verify(token, keys: .empty, now: now) else { continue }
                    try hold(logout.expiresAt >= 0 && logout.expiresAt <= .max / 2, "a logout token is remembered for ever")
                    var ended = RevokedSessions()
                    let use = ended.digester.record(usingLogoutToken: logout.tokenID, issuer: logout.issuer, until: logout.expiresAt)
                    try hold(ended.insert([use], now: now), "a new logout token was used before")
                }
            }
        }
    }

    static func checkIntrospection(_ number: String) throws(Broken) {
        guard let settings = SignInNumbers.settings else { throw Broken("there are no settings") }
        for claim in ["exp", "iat", "auth_time"] {
            for value in values(number) {
                let answer = JSONValue.object([
                    "active": .bool(true), "client_id": .string(clientID), "sub": .string("alice"), claim: value,
                ])
                for now in clocks {
                    let bearer = try? BearerVerifier.verifyIntrospection(answer, settings: settings, issuer: issuer, now: now)
                    try checkTime(bearer?.token.authTime, claim)
                    try checkTime(bearer?.issuedAt, claim)
                    guard let expiry = bearer?.expiresAt, expiry != .max else { continue }
                    try checkTime(expiry, claim)
                }
            }
        }
    }

    private static func checkTime(_ time: Int64?, _ claim: String) throws(Broken) {
        try hold(time.map(PlausibleTime.milliseconds.contains) ?? true, "\(claim) is taken out of range")
    }

    private static func signed(_ changes: [String: JSONValue]) -> String {
        let claims: [String: JSONValue] = [
            "iss": .string(issuer), "aud": .string(clientID), "sub": .string("alice"), "exp": .integer(now / 1000 + 300),
            "iat": .integer(now / 1000),
        ]
        return HMACSigner.sign(payload: .object(claims.merging(changes) { $1 }), algorithm: .hs256, secret: Array(secret.utf8))
    }
}
