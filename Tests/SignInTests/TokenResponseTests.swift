import Providers
import Testing

@testable import SignIn

@Suite struct TokenResponseTests {
    private func parse(
        _ body: String, status: Int = 200, type: String? = "application/json", kind: ProviderPreset.Kind = .oidc
    ) throws(TokenResponse.Refusal) -> TokenResponse {
        try TokenResponse(ProviderAnswer(status: status, contentType: type, body: Array(body.utf8)), kind: kind)
    }

    @Test func `RFC 6749 5.1: tokens, life and scopes are read`() throws {
        let response = try self.parse(
            #"{"access_token":"at","token_type":"Bearer","expires_in":3600,"refresh_token":"rt","id_token":"a.b.c","scope":"openid email","x":{}}"#
        )
        #expect(response.accessToken == "at")
        #expect(response.expiresIn == 3600)
        #expect(response.refreshToken == "rt")
        #expect(response.idToken == "a.b.c")
        #expect(response.scopes == ["openid", "email"])
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func `RFC 6749 7.1: token_type is compared without case`(type: String) throws {
        #expect(try self.parse(#"{"access_token":"at","token_type":"\#(type)"}"#).accessToken == "at")
    }

    @Test(
        arguments: [
            (nil, nil), ("null", nil), ("3600", 3600), (#""3600""#, 3600), ("0", 0), ("3600.9", 3600), ("1e300", 31_536_000),
            ("99999999999", 31_536_000), (#""""#, nil),
        ] as [(String?, Int64?)])
    func `RFC 6749 5.1: a life may be missing, digits in a string count`(life: String?, seconds: Int64?) throws {
        let member = life.map { #","expires_in":\#($0)"# } ?? ""
        #expect(try self.parse(#"{"access_token":"at","token_type":"bearer"\#(member)}"#).expiresIn == seconds)
    }

    @Test(arguments: ["-1", "-0.5", #""1h""#, #""-1""#, "true", "[]", #""99999999999999999999""#])
    func `RFC 6749 5.1: a life that is none is refused`(life: String) {
        #expect(throws: TokenResponse.Refusal.unusable("expires_in is not a number of seconds")) {
            try self.parse(#"{"access_token":"at","token_type":"bearer","expires_in":\#(life)}"#)
        }
    }

    @Test(arguments: [
        (#"{"token_type":"bearer"}"#, "the response has no access_token"),
        (#"{"access_token":"","token_type":"bearer"}"#, "the response has no access_token"),
        (#"{"access_token":"at"}"#, "the response has no token_type"),
        (#"{"access_token":"at","token_type":"mac"}"#, "token_type is not Bearer"),
        (#"{"access_token":"at","token_type":"DPoP"}"#, "token_type is not Bearer"),
        (#"{"access_token":1,"token_type":"bearer"}"#, "access_token is not a string"),
        (#"{"access_token":"a b","token_type":"bearer"}"#, "access_token has characters that no token has"),
        (#"{"access_token":"a\r\nX: y","token_type":"bearer"}"#, "access_token has characters that no token has"),
        (#"{"access_token":"at","token_type":"bearer","refresh_token":{}}"#, "refresh_token is not a string"),
        ("[]", "the response is not a JSON object"), ("\"x\"", "the response is not a JSON object"),
    ])
    func `RFC 6749 5.1: what is missing or of a wrong type is refused`(body: String, reason: String) {
        #expect(throws: TokenResponse.Refusal.unusable(reason)) { try self.parse(body) }
    }

    @Test(arguments: [
        "", "{", #"{"access_token":"at","token_type":"bearer""#, #"{"access_token":"a","access_token":"b","token_type":"bearer"}"#,
        String(repeating: "[", count: 100), "<html>", #"{"access_token":"at","token_type":"bearer"} x"#,
    ])
    func `half, doubled and deep JSON is refused`(body: String) throws {
        let refusal = try #require(throws: TokenResponse.Refusal.self) { try self.parse(body) }
        guard case .unusable(let reason) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(reason.hasPrefix("the response is not JSON"))
        #expect(refusal.signInError(provider: "p").code == .invalidTokenResponse)
    }

    @Test(arguments: [nil, "text/html", "text/plain", "application/javascript", "application/x-www-form-urlencoded"] as [String?])
    func `an OpenID Connect answer that is not labelled JSON is refused`(type: String?) {
        #expect(throws: TokenResponse.Refusal.unusable("the response's content type is not JSON")) {
            try self.parse(#"{"access_token":"at","token_type":"bearer"}"#, type: type)
        }
    }

    @Test func `RFC 6749 5.2: an error is an error whatever the status, as GitHub sends it`() {
        for status in [200, 400, 401, 500] {
            #expect(throws: TokenResponse.Refusal.error(code: "bad_verification_code")) {
                try self.parse(
                    #"{"error":"bad_verification_code","error_description":"x","access_token":"at","token_type":"bearer"}"#, status: status)
            }
        }
        #expect(TokenResponse.Refusal.error(code: "invalid_grant").signInError(provider: "p").providerCode == "invalid_grant")
        #expect(TokenResponse.Refusal.error(code: "<b>").signInError(provider: "p").providerCode == nil)
    }

    @Test(arguments: [(400, SignInError.Code.providerError), (302, .providerError), (503, .providerUnavailable), (201, .providerError)])
    func `any other status is refused`(status: Int, code: SignInError.Code) throws {
        let refusal = try #require(throws: TokenResponse.Refusal.self) {
            try self.parse(#"{"access_token":"at","token_type":"bearer"}"#, status: status)
        }
        #expect(refusal == .status(status))
        #expect(refusal.signInError(provider: "p").code == code)
        #expect(throws: TokenResponse.Refusal.status(status)) { try self.parse("<html>", status: status, type: "text/html") }
    }

    @Test func `GitHub's older form-encoded answers are read for plain OAuth 2.0`() throws {
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        let response = try self.parse("access_token=gho_x&scope=read%3Auser%2Cuser%3Aemail&token_type=bearer", type: type, kind: .oauth2)
        #expect(response.accessToken == "gho_x")
        #expect(response.scopes == ["read:user", "user:email"])
        #expect(throws: TokenResponse.Refusal.error(code: "bad_verification_code")) {
            try self.parse("error=bad_verification_code&error_description=x", type: type, kind: .oauth2)
        }
        #expect(throws: TokenResponse.Refusal.unusable("the form response has a field twice")) {
            try self.parse("access_token=a&access_token=b&token_type=bearer", type: type, kind: .oauth2)
        }
    }

    @Test func `a scope list may be an array, as Twitch sends it`() throws {
        #expect(try self.parse(#"{"access_token":"at","token_type":"bearer","scope":["openid","x"]}"#).scopes == ["openid", "x"])
    }
}
