import SignIn
import TokenCrypto

/// A provider's verification keys: fetched once, again when a token names a key we have not seen, but not more often than every
/// ten seconds and never twice at a time (RFC 9700; advisory "Unknown kid forces synchronous JWKS fetch per request").
actor KeyCache {
    /// Milliseconds between two fetches for unknown keys.
    static let interval: Int64 = 10_000

    enum Failure: Error, Sendable {
        case transport(ProviderTransport.Failure)
        case unusable(String)
    }

    private let url: String
    private let transport: ProviderTransport
    private let now: @Sendable () -> Int64
    private var keys: JWKSet?
    /// The last look, whatever came of it: it spaces the looks.
    private var lookedAt: Int64?
    /// When `keys` came.
    private var fetchedAt: Int64?
    private var fetching: Task<Result<JWKSet, Failure>, Never>?

    init(url: String, transport: ProviderTransport, now: @escaping @Sendable () -> Int64) {
        self.url = url
        self.transport = transport
        self.now = now
    }

    /// The good copy, fetched if there is none.
    func current() async throws(Failure) -> JWKSet {
        if let keys { return keys }
        return try await self.fetch().get()
    }

    /// The good copy; fetched if there is none, but not more often than every ten seconds, whoever asks.
    func available() async throws(Failure) -> JWKSet {
        if let keys { return keys }
        if self.fetching == nil, let lookedAt, (0..<Self.interval).contains(self.now() - lookedAt) {
            throw .unusable("they could not be fetched a moment ago")
        }
        return try await self.fetch().get()
    }

    /// The keys after a look at the provider for one that `current` lacks; nil when the last look was less than ten seconds ago.
    func afterUnknownKey() async throws(Failure) -> JWKSet? {
        // A clock that was set back must not hold fetches up until it has caught up.
        if self.fetching == nil, let lookedAt, (0..<Self.interval).contains(self.now() - lookedAt) { return nil }
        return try await self.fetch().get()
    }

    /// How many keys there are and when they were fetched; nil: none yet.
    var status: (count: Int, fetchedAt: Int64)? {
        guard let keys, let fetchedAt else { return nil }
        return (keys.count, fetchedAt)
    }

    /// Fetches again; a failure keeps the good copy.
    func renew() async { _ = await self.fetch() }

    private func fetch() async -> Result<JWKSet, Failure> {
        if let fetching { return await fetching.value }
        let task = Task { await Self.load(self.url, self.transport) }
        self.fetching = task
        let result = await task.value
        self.fetching = nil
        self.lookedAt = self.now()
        if case .success(let keys) = result {
            self.keys = keys
            self.fetchedAt = self.lookedAt
        }
        return result
    }

    private static func load(_ url: String, _ transport: ProviderTransport) async -> Result<JWKSet, Failure> {
        do throws(ProviderTransport.Failure) {
            let answer = try await transport.send(.get(url))
            guard answer.status == 200 else { return .failure(.unusable("it answered with status \(answer.status)")) }
            // Key sets come as application/json, application/jwk-set+json and worse: the form is checked, not the label.
            guard let json = try? JSONValue(parsing: answer.body), let keys = try? JWKSet(parsing: json) else {
                return .failure(.unusable("its answer is no JWK set"))
            }
            return .success(keys)
        } catch {
            return .failure(.transport(error))
        }
    }
}

extension KeyCache.Failure {
    func signInError(provider: String) -> SignInError {
        switch self {
        case .transport(let failure): failure.signInError(provider: provider, calling: "the provider's keys")
        case .unusable(let what): SignInError(.providerUnavailable, provider: provider, "the provider's keys: \(what)")
        }
    }
}
