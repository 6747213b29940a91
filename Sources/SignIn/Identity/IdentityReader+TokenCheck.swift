import Primitives

import Providers
import TokenCrypto

extension IdentityReader {
    /// The address with `appsecret_proof` where the provider wants it: the access token's HMAC-SHA256 under the client secret, in
    /// hexadecimal. A stolen token is then of no use without the secret.
    func withAppSecretProof(_ url: String) -> String {
        guard self.settings.habits.provesAppSecret, let secret = self.settings.clientSecret else { return url }
        let code = HMAC.sha256(key: Array(secret.exposed.utf8), Array(self.access.token.utf8))
        let digits = Array("0123456789abcdef".utf8)
        let proof = String(decoding: code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        return url + (url.contains("?") ? "&" : "?") + "appsecret_proof=" + proof
    }

    /// Facebook's `debug_token`, asked as the app: the access token must be valid, this app's, and the user's whose profile came.
    func checkToken(isOf subject: String?, userinfo: String) async throws(SignInError) {
        func refusal(_ reason: String) -> SignInError {
            SignInError(.invalidTokenResponse, provider: self.settings.id, "debug_token: \(reason)")
        }
        guard let secret = self.settings.clientSecret else { throw refusal("there is no client secret to ask with") }
        let path = userinfo.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { throw refusal("its address is unknown") }
        let url = "\(path[..<slash])/debug_token?input_token=\(FormCoding.queryComponent(self.access.token))"
        let answer = try await self.connection.get(
            url, AccessCredential(bearer: "\(self.settings.clientID)|\(secret.exposed)"), headers: [], calling: "debug_token")
        let data: JSONValue
        do {
            data = try UserinfoResponse(oauth2: answer).claims["data"] ?? .null
        } catch {
            throw refusal(error.reason)
        }
        guard data["is_valid"] == .bool(true) else { throw refusal("the access token is not valid") }
        let app = data["app_id"].flatMap { $0.string ?? $0.integer.map { String($0) } } ?? ""
        guard sameBytes(app, self.settings.clientID) else { throw refusal("the access token was issued to another app") }
        let person = data["user_id"].flatMap { $0.string ?? $0.integer.map { String($0) } } ?? ""
        guard let subject, sameBytes(person, subject) else {
            throw SignInError(.subjectMismatch, provider: self.settings.id, "debug_token and the profile name different users")
        }
    }
}
