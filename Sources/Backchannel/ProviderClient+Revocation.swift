import Logging
import Providers
package import Sessions
import SignIn

extension ProviderClient {
    /// Tells the provider that the tokens are no longer wanted (RFC 7009); true when it took note.
    ///
    /// Best effort, once: a failure is logged and blocks nothing. Revoking the refresh token ends its access tokens (section 2.1), so
    /// the access token is sent only when it is alone.
    @discardableResult
    package func revoke(_ tokens: Session.Tokens) async -> Bool {
        guard let connected = self.connection.connected, let endpoint = connected.provider.revocation,
            let (token, hint) = tokens.refreshToken.map({ ($0, "refresh_token") }) ?? tokens.accessToken.map({ ($0, "access_token") })
        else { return false }
        do {
            let answer = try await self.post(
                to: endpoint, [("token", token), ("token_type_hint", hint)], connected: connected, calling: "the revocation endpoint")
            if answer.status == 200 || answer.status == 204 { return true }
            self.log("it answered with status \(answer.status)")
        } catch {
            self.log(error.reason)
        }
        return false
    }

    private func log(_ reason: String) {
        self.logger.info("Token revocation failed", metadata: ["gw.provider": "\(self.settings.id)", "gw.reason": "\(reason)"])
    }
}
