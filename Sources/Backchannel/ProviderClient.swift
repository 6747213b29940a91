package import Accounts
package import Logging
package import Providers
package import Sessions
package import SignIn

/// The redirect and cookies that start a sign-in.
package struct LoginStart: Sendable {
    package let url: String
    /// Values of `Set-Cookie`, one field each.
    package let setCookies: [String]
    /// The parameters that were dropped, for a metric and the log.
    package let dropped: DroppedParameters
}

/// A person signed in: what a session is issued from.
package struct CompletedLogin: Sendable {
    package let identity: ProviderIdentity
    package let tokens: Session.Tokens
    /// Unix milliseconds; nil: the provider does not say.
    package let authTime: Int64?
    package let providerSessionID: String?
    package let returnPath: String
}

/// One identity provider: sign-ins, refreshes and logouts over HTTP. One per provider and configuration; safe to share.
package final class ProviderClient: Sendable {
    package let settings: ProviderSettings
    let connection: ProviderConnection
    let transport: ProviderTransport
    let transactions: LoginTransactions
    let logger: Logger
    /// The nonces that the provider's servers asked for (RFC 9449 section 8).
    let proofNonces = ProofNonces()
    let now: @Sendable () -> Int64

    /// `now`: Unix milliseconds. `sleep`: between background attempts.
    package init(
        settings: ProviderSettings, transactions: LoginTransactions, transport: ProviderTransport, logger: Logger,
        now: @escaping @Sendable () -> Int64, secretFiles: ClientSecretFiles = ClientSecretFiles(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.settings = settings
        self.transactions = transactions
        self.transport = transport
        self.logger = logger
        self.now = now
        self.connection = ProviderConnection(
            settings: settings, secretFiles: secretFiles, transport: transport, logger: logger, now: now, sleep: sleep)
    }

    /// The same provider under the next configuration: what was discovered, its keys and its background work go on.
    /// `transactions` are the next configuration's. The earlier client is not to be stopped.
    package init(continuing earlier: ProviderClient, transactions: LoginTransactions, logger: Logger) {
        self.settings = earlier.settings
        self.transactions = transactions
        self.transport = earlier.transport
        self.logger = logger
        self.now = earlier.now
        self.connection = earlier.connection
    }

    /// With the secret and key that are in force.
    var currentSettings: ProviderSettings { self.connection.settings }

    /// Discovers in the background until it succeeds, at most 15 seconds apart, then renews hourly.
    package func start() { self.connection.start() }

    package func stop() { self.connection.stop() }

    /// The current status; never waits.
    package var status: ProviderStatus { self.connection.status }

    /// Begins a sign-in. `returnPath` is already safe to follow; `requestParameters` are the fields of `/login`'s query
    /// besides `rd`, duplicates included; `existingCookieNames` are the browser's.
    package func beginLogin(
        returnPath: String, requestParameters: [(name: String, value: String)] = [], selectsAccount: Bool = false,
        existingCookieNames: [String] = []
    ) async throws(SignInError) -> LoginStart {
        let connected = try await self.connected()
        let now = self.now()
        let request = AuthorizationRequest(settings: self.settings, requested: requestParameters, selectsAccount: selectsAccount)
        let proofKey = connected.provider.usesDPoP ? ProofKey.generate() : nil
        let transaction = LoginTransaction(
            provider: self.settings.id, issuer: self.settings.issuer,
            usesNonce: self.settings.kind == .oidc && self.settings.nonce != .unsupported,
            returnPath: returnPath, redirectURI: self.settings.redirectURI,
            requestedACR: self.settings.kind == .oidc ? request.requestedACR : [],
            maxAge: self.settings.kind == .oidc ? request.maxAge : nil, proofKey: proofKey, now: now)
        return LoginStart(
            url: try await self.authorizationURL(request, transaction, proofKey, connected: connected),
            setCookies: self.transactions.setCookieLines(
                for: transaction, existingNames: existingCookieNames, forFormPost: self.settings.responseMode == .formPost, now: now),
            dropped: request.dropped)
    }

    /// Finishes a sign-in. `cookies`: all of the browser's, duplicates included. The sign-in is spent whatever comes of it, unless
    /// the callback was not its answer.
    package func completeLogin(
        _ parameters: CallbackParameters, cookies: [(name: String, value: String)]
    ) async throws(SignInError) -> CompletedLogin {
        let connected = try await self.connected()
        let verifier = CallbackVerifier(
            settings: self.settings, issuerIsMandatory: connected.provider.promisesResponseIssuer, transactions: self.transactions)
        let verified = try verifier.verify(parameters, cookies: cookies, now: self.now())
        do throws(SignInError) {
            return try await self.signIn(verified, userField: parameters.user, connected: connected)
        } catch {
            throw error.returning(to: verified.transaction.returnPath)
        }
    }

    /// The browser's way to the provider's logout; nil where the provider has none, or is not known yet.
    package func endSessionURL(idTokenHint: String?, postLogoutRedirectURI: String, state: String) -> String? {
        guard let endpoint = self.connection.connected?.provider.endSession else { return nil }
        return EndSessionRequest.url(
            endpoint: endpoint, idTokenHint: idTokenHint, clientID: self.settings.clientID, postLogoutRedirectURI: postLogoutRedirectURI,
            state: state, logout: self.settings.habits.logout)
    }

    func connected() async throws(SignInError) -> ConnectedProvider {
        do {
            return try await self.connection.connection()
        } catch {
            throw error.signInError(provider: self.settings.id)
        }
    }
}
