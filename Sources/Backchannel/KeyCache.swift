import SignIn
import TokenCrypto

/// A provider's verification keys: fetched at first use and hourly, and looked up again when a token does not verify with them.
///
/// Concurrent callers share one fetch. `KeyLookUps` bounds the look-ups (RFC 9700; advisory "Unknown kid forces synchronous JWKS fetch
/// per request").
actor KeyCache {
    enum Failure: Error, Sendable {
        case transport(ProviderTransport.Failure)
        case unusable(String)
    }

    /// The keys of one fetch. Versions grow.
    struct Copy: Sendable {
        let keys: JWKSet
        let version: Int
        /// Each key as it was published, to see whether a later fetch brings others.
        fileprivate let published: Set<[UInt8]>
        fileprivate let fetchedAt: Int64
    }

    private let url: String
    private let transport: ProviderTransport
    private let now: @Sendable () -> Int64
    /// The last good one.
    private var copy: Copy?
    private var lookUps = KeyLookUps()
    /// The time at which the last fetch ended, successful or not.
    private var lastFetch: Int64?
    private var fetching: Task<Result<Copy, Failure>, Never>?

    init(url: String, transport: ProviderTransport, now: @escaping @Sendable () -> Int64) {
        self.url = url
        self.transport = transport
        self.now = now
    }

    /// The good copy, fetched if there is none. Tokens in requests cause such a fetch at most every ten seconds.
    func current(for source: TokenSource) async throws(Failure) -> Copy {
        if let copy { return copy }
        if source == .request, self.fetching == nil, let lastFetch, KeyLookUps.isRecent(lastFetch, now: self.now()) {
            throw .unusable("the last fetch failed less than 10 s ago")
        }
        return try await self.fetch(isLookUp: false).get()
    }

    /// A copy newer than `version`, which did not verify a token: another request's or a look-up's. nil: `KeyLookUps` allows none now.
    func newer(than version: Int, for source: TokenSource) async throws(Failure) -> Copy? {
        if let copy, copy.version > version { return copy }
        guard self.fetching != nil || self.lookUps.allows(source, now: self.now()) else { return nil }
        return try await self.fetch(isLookUp: true).get()
    }

    /// The number of keys and the time of their fetch; nil before the first fetch.
    var status: (count: Int, fetchedAt: Int64)? { self.copy.map { ($0.keys.count, $0.fetchedAt) } }

    /// Fetches again; a failure keeps the good copy.
    func renew() async { _ = await self.fetch(isLookUp: false) }

    private func fetch(isLookUp: Bool) async -> Result<Copy, Failure> {
        if let fetching { return await fetching.value }
        let task = Task { await self.load(isLookUp: isLookUp) }
        self.fetching = task
        return await task.value
    }

    /// The task of one fetch.
    private func load(isLookUp: Bool) async -> Result<Copy, Failure> {
        let result = await self.download()
        let known = self.copy
        if case .success(let copy) = result { self.copy = copy }
        self.fetching = nil
        self.lastFetch = self.now()
        if isLookUp {
            let isOther = if case .success(let copy) = result { copy.published != known?.published } else { false }
            self.lookUps.record(broughtOtherKeys: isOther, now: self.now())
        }
        return result
    }

    private func download() async -> Result<Copy, Failure> {
        do throws(ProviderTransport.Failure) {
            let answer = try await self.transport.send(.get(self.url))
            guard answer.status == 200 else { return .failure(.unusable("it answered with status \(answer.status)")) }
            // Key sets come as application/json, application/jwk-set+json and worse: the form is checked, not the label.
            guard let json = try? JSONValue(parsing: answer.body), let keys = try? JWKSet(parsing: json) else {
                return .failure(.unusable("the response is not a JWK set"))
            }
            let published = Set((json["keys"]?.array ?? []).map { $0.serializedBytes() })
            return .success(Copy(keys: keys, version: (self.copy?.version ?? 0) + 1, published: published, fetchedAt: self.now()))
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
