import Providers
package import SignIn
import TokenCrypto

extension ProviderClient {
    package enum LogoutOutcome: Sendable {
        case verified(VerifiedLogout)
        /// For the log.
        case refused(reason: String)
    }

    /// Verifies a logout token. Looks keys up no more often than for a bearer token.
    package func verifyLogoutToken(_ compact: String) async -> LogoutOutcome {
        guard let connected = self.connection.connected, let idTokens = connected.verifier else {
            return .refused(reason: "the provider has not been reached yet, or issues no ID tokens")
        }
        let verifier = LogoutTokenVerifier(idTokens)
        do throws(VerificationFailure<LogoutRefusal>) {
            return .verified(
                try await connected.verify(tokenFrom: .request) { (keys) throws(LogoutRefusal) in
                    try verifier.verify(compact, keys: keys, now: self.now())
                })
        } catch {
            switch error {
            case .refused(let refusal): return .refused(reason: refusal.reason)
            case .keysUnavailable(let failure): return .refused(reason: failure.signInError(provider: self.settings.id).reason)
            }
        }
    }
}
