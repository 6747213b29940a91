import Primitives
import Logging
import Providers
import SignIn
import Synchronization
import TokenCrypto

/// Everything that was resolved about a provider: endpoints, credentials, keys.
struct ConnectedProvider: Sendable {
    let provider: ResolvedProvider
    let credentials: ClientCredentials
    /// nil for plain OAuth 2.0.
    let verifier: IDTokenVerifier?
    let keys: KeyCache?
}

/// Discovery of one provider: in the background until it succeeds, hourly from then on, keeping the good copy.
final class ProviderConnection: Sendable {
    /// The reason why the provider is unavailable.
    enum Failure: Error, Sendable {
        case transport(ProviderTransport.Failure)
        /// For the operator.
        case unusable(String)

        var reason: String {
            switch self {
            case .transport(let failure): "discovery: \(failure.reason)"
            case .unusable(let what): what
            }
        }
    }

    private struct State {
        /// With the secret and key that are in force.
        var settings: ProviderSettings
        var connected: ConnectedProvider?
        var status: ProviderStatus
        var attempt: Task<Result<ConnectedProvider, Failure>, Never>?
        /// Whether an attempt has ended.
        var isContacted = false
        var background: Task<Void, Never>?
    }

    /// Between attempts until the first success; the last one repeats.
    static let backOff: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15)]
    static let renewal: Duration = .seconds(3600)

    private let secretFiles: ClientSecretFiles
    private let transport: ProviderTransport
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state: Mutex<State>
    let introspections = Mutex(IntrospectionSlots())
    let warnings = ProviderWarnings()

    init(
        settings: ProviderSettings, secretFiles: ClientSecretFiles, transport: ProviderTransport, logger: Logger,
        now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.secretFiles = secretFiles
        self.transport = transport
        self.logger = logger
        self.now = now
        self.sleep = sleep
        self.state = Mutex(State(settings: settings, connected: nil, status: .unavailable(reason: "not contacted yet", since: now())))
    }

    var status: ProviderStatus { self.state.withLock { $0.status } }
    var connected: ConnectedProvider? { self.state.withLock { $0.connected } }
    var settings: ProviderSettings { self.state.withLock { $0.settings } }

    func start() {
        self.state.withLock { state in
            guard state.background == nil else { return }
            // Here, so that a request which comes at once has an attempt to wait for.
            _ = self.attempt(&state)
            state.background = Task { await self.keepConnected() }
        }
    }

    func stop() {
        let background = self.state.withLock { state in
            defer { state.background = nil }
            return state.background
        }
        background?.cancel()
    }

    /// The connection, made now if there is none; attempts of many sign-ins at once are one.
    func connection() async throws(Failure) -> ConnectedProvider {
        self.renewSecrets()
        if let connected { return connected }
        return try await self.attempt().get()
    }

    /// The connection, for which this waits if the first attempt is under way: a gateway that has just started is not to refuse what it
    /// accepts a moment later. nil: there is none; this begins no attempt, and waits for no later one.
    func connectionAfterFirstAttempt() async -> ConnectedProvider? {
        let first = self.state.withLock { $0.isContacted ? nil : $0.attempt }
        _ = await first?.value
        return self.connected
    }

    /// Takes over a secret or key whose file has changed. One that cannot be used leaves the old one in force.
    private func renewSecrets() {
        guard let renewed = self.secretFiles.renewed(self.settings) else { return }
        let outcome = self.state.withLock { state -> ClientCredentials.Refusal? in
            guard let connected = state.connected else {
                state.settings = renewed
                return nil
            }
            do throws(ClientCredentials.Refusal) {
                let credentials = try ClientCredentials(settings: renewed, provider: connected.provider)
                state.connected = ConnectedProvider(
                    provider: connected.provider, credentials: credentials, verifier: Self.verifier(renewed, connected.provider),
                    keys: connected.keys)
                state.settings = renewed
                return nil
            } catch {
                return error
            }
        }
        let provider: Logger.Metadata = ["gw.provider": "\(renewed.id)"]
        if let outcome {
            self.logger.warning(
                "Cannot use the changed client secret or key; the old one stays in use",
                metadata: provider.merging(["gw.reason": "\(outcome.reason)"]) { $1 })
        } else {
            self.logger.notice("Client secret or key reloaded from its file", metadata: provider)
        }
    }

    /// Checks ID tokens; nil for plain OAuth 2.0, and where nothing could be checked against.
    private static func verifier(_ settings: ProviderSettings, _ provider: ResolvedProvider) -> IDTokenVerifier? {
        guard settings.kind == .oidc else { return nil }
        return IDTokenVerifier(settings: settings, algorithms: provider.idTokenAlgorithms, metadataIssuer: provider.metadataIssuer)
    }

    private func keepConnected() async {
        var failures = 0
        while !Task.isCancelled {
            let outcome = await self.attempt()
            var delay = Self.renewal
            if case .success(let connected) = outcome {
                failures = 0
                await connected.keys?.renew()
            } else if self.connected == nil {
                delay = Self.backOff[min(failures, Self.backOff.count - 1)]
                failures += 1
            } else {
                // The good copy serves; look again well before the hour.
                delay = .seconds(60)
            }
            do { try await self.sleep(delay) } catch { return }
        }
    }

    private func attempt() async -> Result<ConnectedProvider, Failure> {
        await self.state.withLock { self.attempt(&$0) }.value
    }

    /// The attempt that is under way, begun now if there is none.
    private func attempt(_ state: inout State) -> Task<Result<ConnectedProvider, Failure>, Never> {
        if let running = state.attempt { return running }
        let task = Task { await self.connect() }
        state.attempt = task
        return task
    }

    private func connect() async -> Result<ConnectedProvider, Failure> {
        let result = await self.resolve()
        let (before, after) = self.state.withLock { state in
            let before = state.status
            state.attempt = nil
            state.isContacted = true
            switch result {
            case .success(let connected):
                state.connected = connected
                state.status = .ready
            case .failure(let failure):
                if state.connected == nil {
                    var since = self.now()
                    if case .unavailable(_, let earlier) = before { since = earlier }
                    state.status = .unavailable(reason: failure.reason, since: since)
                }
            }
            return (before, state.status)
        }
        self.log(result, before: before, after: after)
        return result
    }

    private func log(_ result: Result<ConnectedProvider, Failure>, before: ProviderStatus, after: ProviderStatus) {
        let provider: Logger.Metadata = ["gw.provider": "\(self.settings.id)"]
        switch result {
        case .success where before != .ready: self.logger.info("Provider ready", metadata: provider)
        case .success: self.logger.debug("Provider metadata renewed", metadata: provider)
        case .failure(let failure):
            let metadata = provider.merging(["gw.reason": "\(failure.reason)"]) { $1 }
            if after == .ready {
                self.logger.warning("Cannot renew the provider's metadata; the last good copy stays in use", metadata: metadata)
            } else {
                self.logger.warning("Provider unavailable; retrying in the background", metadata: metadata)
            }
        }
    }

    private func resolve() async -> Result<ConnectedProvider, Failure> {
        do throws(Failure) {
            let metadata = try await self.discover()
            return .success(try self.connected(metadata))
        } catch {
            return .failure(error)
        }
    }

    private func connected(_ metadata: ProviderMetadata?) throws(Failure) -> ConnectedProvider {
        let settings = self.settings
        let provider: ResolvedProvider
        do {
            provider = try ResolvedProvider(settings: settings, metadata: metadata)
        } catch {
            throw .unusable(error.reason)
        }
        let credentials: ClientCredentials
        do {
            credentials = try ClientCredentials(settings: settings, provider: provider)
        } catch {
            throw .unusable(error.reason)
        }
        guard settings.kind == .oidc else {
            return ConnectedProvider(provider: provider, credentials: credentials, verifier: nil, keys: nil)
        }
        guard let url = provider.jwks, let verifier = Self.verifier(settings, provider) else {
            throw .unusable("no issuer is configured, so ID tokens cannot be verified; set issuer")
        }
        // The keys stay over a renewal, as long as they come from the same place.
        let old = self.connected
        let keys = old?.provider.jwks == url ? old?.keys : nil
        return ConnectedProvider(
            provider: provider, credentials: credentials, verifier: verifier,
            keys: keys ?? KeyCache(url: url, transport: self.transport, now: self.now))
    }

    /// nil: the settings have every endpoint, nothing is discovered.
    private func discover() async throws(Failure) -> ProviderMetadata? {
        let settings = self.settings
        guard let url = settings.discoveryURL, let issuer = settings.issuer else { return nil }
        guard let parsed = AbsoluteURL(url), parsed.isTrustworthyTransport else {
            throw .unusable("the issuer's URL is not https")
        }
        let answer: ProviderAnswer
        do {
            answer = try await self.transport.send(.get(url))
        } catch {
            throw .transport(error)
        }
        guard answer.status == 200 else { throw .unusable("discovery: \(url) answered with status \(answer.status)") }
        guard answer.isJSON else { throw .unusable("discovery: the response of \(url) is not JSON") }
        do {
            return try ProviderMetadata(
                JSONValue(parsing: answer.body), issuer: issuer, overrides: settings.endpoints,
                admits: { stated in
                    settings.tenantIssuers?.admitsMetadata(stated)
                        ?? settings.issuerAliases.contains { sameBytes($0, stated) }
                })
        } catch let refusal as ProviderMetadata.Refusal {
            throw .unusable("discovery: \(refusal.reason)")
        } catch {
            throw .unusable("discovery: the response of \(url) is not valid JSON")
        }
    }
}

extension ProviderConnection.Failure {
    func signInError(provider: String) -> SignInError {
        switch self {
        case .transport(let failure): failure.signInError(provider: provider, calling: "discovery")
        case .unusable(let what): SignInError(.providerUnavailable, provider: provider, what)
        }
    }
}
