import TokenCrypto

/// What an authorization gave: who, to whom, for what.
struct Grant: Sendable {
    enum Side: Sendable { case openID, gitHub }

    var side: Side
    var clientID: String
    var personID: String
    var redirectURI: String
    var scopes: [String]
    var nonce: String?
    /// The S256 challenge (RFC 7636 section 4.2).
    var challenge: String?
    /// Unix seconds.
    var authTime: Int64
    var sessionID: String
    /// All tokens that come from one code share it, so that they can end together (RFC 9700 section 4.14.2).
    var family: String
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

/// Everything the provider knows. One request at a time.
struct ProviderState: Sendable {
    let options: DevProviderOptions
    /// `scheme://host[:port]`.
    let origin: String
    /// The issuer's path without a slash at the end; empty for an issuer at the root.
    let basePath: String

    var faults: Set<Fault> = []
    var slowness: Int64 = 2_000
    var automaticPerson: String?
    var counters: [Endpoint: Int] = [:]

    /// The last one signs.
    var keys: [SigningKey]
    private var keyNumber = 1
    private var foreignKey: SigningKey?

    var sessions = ExpiringTable<BrowserSession>()
    var codes = ExpiringTable<OneTime>()
    var refreshTokens = ExpiringTable<OneTime>()
    var accessTokens = ExpiringTable<Grant>()

    init(_ options: DevProviderOptions) {
        self.options = options
        let schemeEnd = options.issuer.range(ofFirst: "://") ?? options.issuer.startIndex
        let authorityAndPath = options.issuer[schemeEnd...]
        let pathStart = authorityAndPath.firstIndex(of: "/") ?? options.issuer.endIndex
        origin = String(options.issuer[..<pathStart])
        var path = options.issuer[pathStart...]
        while path.hasSuffix("/") { path.removeLast() }
        basePath = String(path)
        keys = options.signingKey.map { [$0] } ?? []
    }

    /// Where the endpoints lie: the issuer without a slash at the end.
    var base: String { origin + basePath }

    mutating func signingKey() -> SigningKey {
        if let key = keys.last { return key }
        let key = SigningKey.generate(options.algorithm, keyID: "demo-1")
        keys = [key]
        return key
    }

    /// A key that is nobody's.
    mutating func attackersKey() -> SigningKey {
        if let foreignKey { return foreignKey }
        let key = SigningKey.generate(options.algorithm, keyID: "attacker")
        foreignKey = key
        return key
    }

    mutating func rotateKeys() {
        let old = signingKey()
        keyNumber += 1
        keys = [old, SigningKey.generate(options.algorithm, keyID: "demo-\(keyNumber)")]
    }

    mutating func revokeEverything() {
        sessions = ExpiringTable()
        codes = ExpiringTable()
        refreshTokens = ExpiringTable()
        accessTokens = ExpiringTable()
    }

    mutating func revokeFamily(_ family: String) {
        accessTokens.removeAll { $0.family == family }
        refreshTokens.removeAll { $0.grant.family == family }
    }

    func person(_ id: String) -> Person? { options.people.first { $0.id == id } }
    func client(_ id: String) -> DevClient? { options.clients.first { $0.id.utf8.elementsEqual(id.utf8) } }
    func has(_ fault: Fault) -> Bool { faults.contains(fault) }

    /// 32 random bytes as base64url.
    func newToken(_ prefix: String = "") -> String { prefix + Base64URL.encode(options.random(32)) }
}

extension String {
    /// The index after the first occurrence of `needle`.
    func range(ofFirst needle: String) -> String.Index? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(needle) { return self.index(index, offsetBy: needle.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
