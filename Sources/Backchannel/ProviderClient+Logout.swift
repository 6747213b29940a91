import Providers
package import SignIn
import TokenCrypto

extension ProviderClient {
    package enum LogoutOutcome: Sendable {
        case verified(VerifiedLogout)
        /// For the log.
        case refused(reason: String)
    }

    /// Verifies a logout token. Fetches keys no more often than a bearer token may.
    package func verifyLogoutToken(_ compact: String) async -> LogoutOutcome {
        guard let connected = self.connection.connected, let idTokens = connected.verifier else {
            return .refused(reason: "the provider has not been reached yet, or issues no ID tokens")
        }
        let verifier = LogoutTokenVerifier(idTokens)
        do throws(KeyCache.Failure) {
            var keys = JWKSet.empty
            if let cache = connected.keys, connected.provider.idTokenAlgorithms.contains(where: { !$0.isSymmetric }) {
                keys = try await cache.available()
            }
            do throws(LogoutRefusal) {
                return .verified(try verifier.verify(compact, keys: keys, now: self.now()))
            } catch {
                guard error == .check(.signature(.unknownKeyID)), let fresh = try await connected.keys?.afterUnknownKey() else {
                    return .refused(reason: error.reason)
                }
                do throws(LogoutRefusal) {
                    return .verified(try verifier.verify(compact, keys: fresh, now: self.now()))
                } catch {
                    return .refused(reason: error.reason)
                }
            }
        } catch {
            return .refused(reason: error.signInError(provider: self.settings.id).reason)
        }
    }
}
