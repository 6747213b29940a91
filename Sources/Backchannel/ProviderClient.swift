package import Logging
package import Providers
package import Sessions
package import SignIn

/// One identity provider: sign-ins, refreshes and logouts over HTTP. One per provider and configuration; safe to share.
package final class ProviderClient: SessionRenewer {
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

    /// The sign-ins at this provider.
    package var logins: LoginFlow { LoginFlow(provider: self, transactions: self.transactions, now: self.now) }

    /// Renews a session's tokens and claims. Call once at a time for a session.
    ///
    /// The refresh continues if the request that caused it is cancelled: a provider that rotates refresh tokens has already used the old one.
    package func refresh(_ session: Session) async -> RefreshOutcome {
        await Task { await RefreshFlow(provider: self, now: self.now).refresh(session) }.value
    }

    /// The origin of the authorization endpoint; nil while it is not known.
    package var authorizationOrigin: String? {
        guard let endpoint = self.connection.connected?.provider.authorization else { return nil }
        let parts = endpoint.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count >= 3 ? "\(parts[0])//\(parts[2].prefix { $0 != "?" })" : nil
    }

    /// The browser's way to the provider's logout; nil where the provider has none, or is not known yet.
    package func endSessionURL(idTokenHint: String?, postLogoutRedirectURI: String, state: String) -> String? {
        guard let endpoint = self.connection.connected?.provider.endSession else { return nil }
        return EndSessionRequest.url(
            endpoint: endpoint, idTokenHint: idTokenHint, clientID: self.settings.clientID, postLogoutRedirectURI: postLogoutRedirectURI,
            state: state, logout: self.settings.habits.logout)
    }
}
