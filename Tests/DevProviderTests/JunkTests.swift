import DevProvider
import TestTools
import Testing
import TokenCrypto

/// Hostile input at the provider: a test tool must not be the part that falls over.
@Suite struct JunkTests {
    @Test func `two thousand junk requests crash nothing and yield no token`() {
        let provider = makeProvider()
        provider.automaticPerson = nil
        let paths = [
            "/", "/authorize", "/authorize/answer", "/token", "/userinfo", "/jwks", "/end-session", "/revoke", "/_control",
            "/redirected/token",
            "/redirected/", "/login/oauth/authorize", "/login/oauth/access_token", "/api/v3/user", "/sign-out", "", "*", "/é\u{301}",
        ]
        let pieces = [
            "&", "=", "%", "%0", "%zz", "%00", "+", "client_id=web", "grant_type=refresh_token", "grant_type=authorization_code", "code=",
            "x",
            "redirect_uri=https%3A%2F%2Fapp.example.com%2F_gateway%2Fcallback%2Foidc.demo", "max_age=99999999999999999999", "max_age=-1",
            "{", "}",
            "\"", "\u{0}", "😀", "refresh_token=", "scope=openid", "response_type=code", "person=", "authorization_request=",
            "id_token_hint=a.b.c",
        ]
        let headers: [(name: String, value: String)] = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Content-Type", "application/json"), ("Content-Type", ""),
            ("Authorization", "Basic"), ("Authorization", "Basic Og=="), ("Authorization", "Basic !!"), ("Authorization", "Bearer "),
            ("Cookie", "demo_provider_session"), ("Cookie", "demo_provider_session=;;=;"), ("Cookie", ""), ("Accept", "application/json"),
        ]
        var generator = SeededGenerator(fixed: 42)
        func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
        for _ in 0..<2_000 {
            func junk() -> String { (0..<next(9)).map { _ in pieces[next(pieces.count)] }.joined() }
            let request = DevRequest(
                method: ["GET", "POST", "HEAD", "PUT", ""][next(5)], path: paths[next(paths.count)],
                query: next(3) == 0 ? nil : junk(),
                headers: (0..<next(4)).map { _ in headers[next(headers.count)] },
                body: next(4) == 0 ? [0xFF, 0xFE, 0x00] : Array(junk().utf8))
            let answer = provider.respond(to: request, now: now)
            #expect((200..<500).contains(answer.status))
            #expect(!answer.text.contains("\"access_token\""))
            #expect(parameter("code", answer.header("Location")) == nil)
        }
    }
}
