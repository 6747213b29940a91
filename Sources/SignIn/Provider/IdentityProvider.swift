package import Providers
package import TokenCrypto

/// An identity provider as sign-ins and refreshes use it. `Backchannel` calls it over HTTP; tests script its answers.
package protocol IdentityProvider: Sendable {
    /// As configured.
    var settings: ProviderSettings { get }

    /// The provider with its endpoints. Discovers them if they are not known yet.
    func connect() async throws(SignInError) -> any IdentityProviderConnection
}

/// A provider whose endpoints are known. A sign-in uses one connection from its first call to its last.
///
/// A connection returns the provider's answers as received and proves nothing about them: SignIn reads and verifies them.
package protocol IdentityProviderConnection: Sendable {
    /// With the client secret and private key that are in force.
    var settings: ProviderSettings { get }
    var endpoints: ResolvedProvider { get }
    /// nil for plain OAuth 2.0.
    var verifier: IDTokenVerifier? { get }

    /// Posts a form with the client's authentication, and with a proof (RFC 9449) if there is a key. `what` names the call in errors.
    func post(
        _ fields: [(name: String, value: String)], to url: String, proofKey: ProofKey?, calling what: String
    ) async throws(SignInError) -> ProviderAnswer

    /// Calls an API with the user's access token. `what` names the call in errors.
    func get(
        _ url: String, _ access: AccessCredential, headers: [(name: String, value: String)], calling what: String
    ) async throws(SignInError) -> ProviderAnswer

    /// The known keys, fetched if there are none; nil where the provider publishes no keys.
    func keys(for source: TokenSource) async throws(SignInError) -> ProviderKeys?

    /// Keys of a later fetch than `version`; nil where none may be fetched now.
    func keys(newerThan version: Int, for source: TokenSource) async throws(SignInError) -> ProviderKeys?

    /// Reports what is wrong with the provider's answers but does not end the sign-in.
    func report(_ notice: ProviderNotice)
}

/// A provider's verification keys of one fetch. Versions grow.
package struct ProviderKeys: Sendable {
    package let keys: JWKSet
    package let version: Int

    package init(keys: JWKSet, version: Int) {
        self.keys = keys
        self.version = version
    }
}

/// The source of a token that the known keys do not verify.
package enum TokenSource: Sendable {
    /// The provider's own endpoint, over TLS: sign-ins, refreshes, signed userinfo.
    case provider
    /// A request that any client can send: bearer tokens and logout tokens.
    case request
}

/// A fault in a provider's answers that ends neither a sign-in nor a session.
package enum ProviderNotice: Sendable, Hashable {
    /// Some groups could not be read. `read`: the number of those that were.
    case groupsLeftOut(reason: String, read: Int)
    /// A refreshed ID token has another `auth_time` (OpenID Connect Core 1.0 section 12.2).
    case otherAuthTimeAtRefresh
}

/// An access token as it is used at the provider's own endpoints.
package struct AccessCredential: Sendable {
    package let token: String
    /// nil: a bearer token.
    package let proofKey: ProofKey?

    init(_ response: TokenResponse, _ proofKey: ProofKey?) {
        self.token = response.accessToken
        self.proofKey = response.isBound ? proofKey : nil
    }

    init(bearer token: String) {
        self.token = token
        self.proofKey = nil
    }
}
