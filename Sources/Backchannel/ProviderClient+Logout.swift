import Providers
package import SignIn
import TokenCrypto

extension ProviderClient {
    package enum LogoutOutcome: Sendable {
        case verified(VerifiedLogout)
        /// For the log.
        case refused(reason: String)
    }

    /// The issuer that the sessions meant by a front-channel logout from `stated` carry; nil: it is not this provider's.
    ///
    /// A provider that has not been reached yet is judged by its settings alone, which cannot tell the id of a tenant that is configured by
    /// its domain.
    package func sessionIssuer(ofLogoutFrom stated: String) -> String? {
        let verifier = self.connection.connected?.verifier ?? IDTokenVerifier(settings: self.settings, algorithms: [])
        return verifier?.sessionIssuer(ofLogoutFrom: stated)
    }

    /// Whether the provider says that it names sessions in its logout messages (Front-Channel Logout 1.0 section 3, Back-Channel Logout 1.0
    /// section 2.1).
    package var namesSessionsInLogouts: Bool { self.connection.connected?.provider.namesSessionsInLogouts ?? false }

    /// Verifies a logout token. Looks keys up no more often than for a bearer token.
    package func verifyLogoutToken(_ compact: String) async -> LogoutOutcome {
        guard let connected = self.connection.connected, let idTokens = connected.verifier else {
            return .refused(reason: "the provider has not been reached yet, or issues no ID tokens")
        }
        let verifier = LogoutTokenVerifier(idTokens)
        do throws(VerificationFailure<LogoutRefusal>) {
            return .verified(
                try await self.connection(connected).verify(tokenFrom: .request) { (keys) throws(LogoutRefusal) in
                    try verifier.verify(compact, keys: keys, now: self.now())
                })
        } catch {
            switch error {
            case .refused(let refusal): return .refused(reason: refusal.reason)
            case .keysUnavailable(let failure): return .refused(reason: failure.reason)
            }
        }
    }
}
