/// Entries of one list of revocations, by digest. Times are Unix milliseconds.
struct RevocationTable: Sendable {
    struct Entry {
        let kind: RevocationRecord.Kind
        var issuedUpTo: Int64
        var expiry: Int64
    }

    private(set) var entries: [RevocationDigest: Entry] = [:]
    /// nil: nothing is refused.
    let capacity: Int?
    /// Looks for expired entries: a full table is not searched for each refusal.
    private var purges = Pacing(interval: 1_000)
    private var counts = Pacing(interval: 60_000)
    /// After this many, expired entries are removed: twice as many as were of use the last time.
    private var purgeAt = Self.smallest

    private static let smallest = 1_024

    init(capacity: Int?) { self.capacity = capacity.map { max(1, $0) } }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether the records fit that have no entry yet.
    mutating func hasRoom(for added: Int, _ now: Int64) -> Bool {
        guard let capacity, added > 0, added > capacity - entries.count else { return true }
        guard purges.begin(at: now) else { return false }
        purge(now)
        return added <= capacity - entries.count
    }

    /// Takes a record that has room. A later record never takes anything back.
    mutating func take(_ record: RevocationRecord, _ now: Int64) {
        if entries.count >= purgeAt { purge(now) }
        let known = entries[record.digest]
        entries[record.digest] = Entry(
            kind: known?.kind ?? record.kind, issuedUpTo: max(record.issuedUpTo, known?.issuedUpTo ?? .min),
            expiry: max(record.expiry, known?.expiry ?? .min))
    }

    mutating func remove(_ digest: RevocationDigest) { entries[digest] = nil }

    /// The number of entries. Where that matters, at most a minute's expired ones are among them.
    mutating func count(now: Int64) -> Int {
        if let capacity, entries.count > capacity / 2, counts.begin(at: now) { purge(now) }
        return entries.count
    }

    private mutating func purge(_ now: Int64) {
        entries = entries.filter { $0.value.expiry > now }
        purgeAt = max(Self.smallest, 2 * entries.count)
    }

    /// Whether sessions that were issued at this time were ended under this digest.
    func ends(_ digest: RevocationDigest, _ issuedAt: Int64, _ now: Int64) -> Bool {
        guard !entries.isEmpty, let entry = entries[digest] else { return false }
        return now < entry.expiry && issuedAt <= entry.issuedUpTo
    }
}

/// How many entries a list of revocations has, for `/readyz` and metrics.
package struct RevocationList: Sendable, Equatable {
    /// The raw value is the label of metrics.
    package enum Name: String, Sendable, CaseIterable {
        /// Sessions, tokens, logouts of providers, and the ends by an operator.
        case sessions
        /// Anonymous sessions.
        case anonymous
        /// Endings of the account store.
        case accounts
        /// Front-channel logouts of unknown sessions.
        case unmatched
    }

    package let name: Name
    package let count: Int
    /// nil: it has none.
    package let limit: Int?

    package init(_ name: Name, count: Int, limit: Int?) {
        self.name = name
        self.count = count
        self.limit = limit
    }

    /// No new entry fits until others expire.
    package var isFull: Bool { limit.map { count >= $0 } ?? false }
}
