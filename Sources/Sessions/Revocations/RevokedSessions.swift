/// Sessions and tokens that ended before their time, and the logout tokens that were used.
///
/// An entry is kept until its sessions would have reached their absolute limit, or its token its `exp`; afterwards they are refused anyway.
/// The number of entries is bounded. A full table takes no new entry: forgetting one would bring back a session that somebody ended.
/// Times are Unix milliseconds.
package struct RevokedSessions: Sendable {
    private struct Entry {
        let kind: RevocationRecord.Kind
        var issuedUpTo: Int64
        var expiry: Int64
    }

    private var entries: [RevocationDigest: Entry] = [:]
    /// Looks for expired entries: a full table is not searched for each refusal.
    private var purges = Pacing(interval: 1_000)
    private let capacity: Int
    package let digester: RevocationDigester

    package static let defaultCapacity = 500_000

    package init(digester: RevocationDigester = RevocationDigester(), capacity: Int = RevokedSessions.defaultCapacity) {
        self.digester = digester
        self.capacity = max(1, capacity)
    }

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }
    /// No new entry fits until others expire.
    package var isFull: Bool { entries.count >= capacity }

    /// All records that are of use, for a file of them.
    package func records(now: Int64) -> [RevocationRecord] {
        entries.compactMap { digest, entry in
            entry.expiry > now && entry.kind != .account
                ? RevocationRecord(entry.kind, digest, issuedUpTo: entry.issuedUpTo, expiry: entry.expiry) : nil
        }
    }

    /// Takes all of the records, or none where they do not fit. Returns whether it took them.
    package mutating func insert(_ records: [RevocationRecord], now: Int64) -> Bool {
        let useful = records.filter { $0.expiry > now }
        let added = useful.count { entries[$0.digest] == nil }
        guard hasRoom(for: added, now) else { return false }
        for record in useful {
            let known = entries[record.digest]
            // A later record never takes anything back, and an ending of the account store does not take one of an operator from the file.
            let kind = known.map { $0.kind == .account ? record.kind : $0.kind } ?? record.kind
            entries[record.digest] = Entry(
                kind: kind, issuedUpTo: max(record.issuedUpTo, known?.issuedUpTo ?? .min),
                expiry: max(record.expiry, known?.expiry ?? .min))
        }
        return true
    }

    package mutating func remove(_ record: RevocationRecord) { entries[record.digest] = nil }

    /// Whether this session was ended, by itself or with others.
    package func contains(_ session: Session, now: Int64) -> Bool {
        !isEmpty && contains(anyOf: digester.digests(of: session), issuedAt: session.issuedAt, now: now)
    }

    /// The same with digests that were made before.
    package func contains(anyOf digests: [RevocationDigest], issuedAt: Int64, now: Int64) -> Bool {
        digests.contains { ends($0, issuedAt, now) }
    }

    /// Whether something was recorded under exactly this digest, whatever was issued when.
    package func contains(_ digest: RevocationDigest, now: Int64) -> Bool { !entries.isEmpty && ends(digest, .min, now) }

    /// Whether sessions that were issued at this time were ended under this digest.
    func ends(_ digest: RevocationDigest, _ issuedAt: Int64, _ now: Int64) -> Bool {
        guard let entry = entries[digest] else { return false }
        return now < entry.expiry && issuedAt <= entry.issuedUpTo
    }

    /// Whether a session that a successor is to replace was ended by something else than the change that made the successor: an ending of
    /// the account counts if it means the successor, too.
    package func contains(anyOf digests: [RevocationDigest], of session: Session, before successor: Session, now: Int64) -> Bool {
        digests.contains { digest in
            guard let entry = entries[digest], now < entry.expiry else { return false }
            return (entry.kind == .account ? successor.issuedAt : session.issuedAt) <= entry.issuedUpTo
        }
    }

    private mutating func hasRoom(for added: Int, _ now: Int64) -> Bool {
        if added == 0 || added <= capacity - entries.count { return true }
        guard purges.begin(at: now) else { return false }
        entries = entries.filter { $0.value.expiry > now }
        return added <= capacity - entries.count
    }
}

extension RevokedSessions {
    /// Ends this session, whatever was renewed or refreshed of it, and its tokens.
    @discardableResult
    package mutating func revoke(_ session: Session, limits: SessionLimits, now: Int64) -> Bool {
        insert(digester.records(ending: session, limits: limits, now: now), now: now)
    }

    /// A provider's logout message with `sid`: ends the sessions that came from that session of the provider's.
    @discardableResult
    package mutating func revoke(issuer: String, providerSessionID: String, limits: SessionLimits, now: Int64) -> Bool {
        insert([digester.record(endingProviderSession: providerSessionID, issuer: issuer, limits: limits, now: now)], now: now)
    }

    /// A provider's logout message with `sub` alone: ends all sessions of that user from that issuer, as of now.
    @discardableResult
    package mutating func revoke(issuer: String, subject: String, limits: SessionLimits, now: Int64) -> Bool {
        insert([digester.record(endingUser: subject, issuer: issuer, limits: limits, now: now)], now: now)
    }
}
