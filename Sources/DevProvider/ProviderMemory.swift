/// What an authorization gave: who, to whom, for what.
struct Grant: Sendable {
    enum Side: Sendable { case openID, gitHub, facebook }

    var side: Side
    var clientID: String
    var personID: String
    var redirectURI: String
    var scopes: [String]
    var nonce: String?
    /// The S256 challenge (RFC 7636 section 4.2).
    var challenge: String?
    /// `acr`.
    var contextClass: String?
    /// Unix seconds.
    var authTime: Int64
    var sessionID: String
    /// All tokens that come from one code share it, so that they can end together (RFC 9700 section 4.14.2).
    var family: String
    /// `access_type=offline` was asked for.
    var isOffline = false
    /// `dpop_jkt` of the authorization request (RFC 9449 section 10).
    var requestedThumbprint: String?
    /// The key that the tokens are bound to; nil: bearer tokens.
    var thumbprint: String?
}

/// A browser in which somebody is signed in at the provider.
struct BrowserSession: Sendable {
    var personID: String
    /// Unix seconds.
    var authTime: Int64
    /// The `sid` claim.
    var sessionID: String
}

/// A code or refresh token: good once; what was used up is remembered, because its reuse means theft.
struct OneTime: Sendable {
    var grant: Grant
    var isUsed = false
}

/// Values that end at a time, bounded in number.
struct ExpiringTable<Value: Sendable>: Sendable {
    private var entries: [String: (value: Value, expiry: Int64)] = [:]
    private let limit = 10_000

    /// `now` and `expiry` are Unix seconds.
    mutating func insert(_ value: Value, key: String, expiry: Int64, now: Int64) {
        if entries.count >= limit { entries = entries.filter { $0.value.expiry > now } }
        if entries.count >= limit { entries = [:] }
        entries[key] = (value, expiry)
    }
    func value(_ key: String, now: Int64) -> Value? {
        guard let entry = entries[key], entry.expiry > now else { return nil }
        return entry.value
    }
    mutating func update(_ key: String, _ change: (inout Value) -> Void) {
        guard var entry = entries[key] else { return }
        change(&entry.value)
        entries[key] = entry
    }
    mutating func remove(_ key: String) { entries[key] = nil }
    mutating func removeAll(where isGone: (Value) -> Bool) { entries = entries.filter { !isGone($0.value.value) } }
}

/// What the provider remembers between requests.
struct ProviderMemory: Sendable {
    var sessions = ExpiringTable<BrowserSession>()
    var codes = ExpiringTable<OneTime>()
    var refreshTokens = ExpiringTable<OneTime>()
    var accessTokens = ExpiringTable<Grant>()
    /// Pushed authorization requests, as queries, by their `request_uri`.
    var pushed = ExpiringTable<String>()
    /// `jti`s of proofs.
    var proofs = ExpiringTable<Bool>()
    /// The `DPoP-Nonce` in force; nil: none is asked for.
    var proofNonce: String?

    /// Ends every token that came from one code.
    mutating func revokeFamily(_ family: String) {
        accessTokens.removeAll { $0.family == family }
        refreshTokens.removeAll { $0.grant.family == family }
    }
}
