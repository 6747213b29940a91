import Providers
import Sessions

extension TokenResponse.TypePolicy {
    /// The accepted kinds of token after a proof was sent: bound tokens, with `dpop: auto` bearer tokens too.
    init(_ proofKey: ProofKey?, settings: ProviderSettings) {
        if proofKey == nil {
            self = .bearer
        } else {
            self = settings.dpop == .required ? .dpop : .bearerOrDPoP
        }
    }
}

extension Session.Tokens {
    /// The tokens of a response that arrived at `now`, in Unix milliseconds.
    init(_ response: TokenResponse, _ proofKey: ProofKey?, now: Int64) {
        self.init(
            accessToken: response.accessToken, accessTokenExpiresAt: response.expiresIn.map { now + $0 * 1000 },
            accessTokenLifetime: response.expiresIn.map { $0 * 1000 }, refreshToken: response.refreshToken, idToken: response.idToken,
            proofKey: response.isBound ? proofKey?.secret : nil)
    }
}
