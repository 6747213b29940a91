/// Sessions and tokens that ended before their time, and the logout tokens that were used.
///
/// An entry is kept until its sessions would have reached their absolute limit, or its token its `exp`; afterwards they are refused anyway.
/// The number of entries is bounded. A full table takes no new entry: forgetting one would bring back a session that somebody ended.
/// Anonymous sessions have a table and a bound of their own, because a stranger can end any number of them. So have endings of accounts,
/// without a bound: each account has few, and no sign-out may be in their way. Times are Unix milliseconds.
package struct RevokedSessions: Sendable {
    private var others: RevocationTable
    private var anonymous: RevocationTable
    /// One entry for each account, and for each provider that was unlinked from it.
    private var accounts = RevocationTable(capacity: nil)
    package let digester: RevocationDigester

    package static let defaultCapacity = 500_000
    /// The part of the capacity that anonymous sessions have in addition.
    private static let anonymousShare = 5

    package init(
        digester: RevocationDigester = RevocationDigester(), capacity: Int = RevokedSessions.defaultCapacity, anonymousCapacity: Int? = nil
    ) {
        self.digester = digester
        others = RevocationTable(capacity: capacity)
        anonymous = RevocationTable(capacity: anonymousCapacity ?? capacity / Self.anonymousShare)
    }

    package var isEmpty: Bool { others.isEmpty && anonymous.isEmpty && accounts.isEmpty }
    package var count: Int { others.entries.count + anonymous.entries.count + accounts.entries.count }

    package mutating func lists(now: Int64) -> [RevocationList] {
        [
            RevocationList(.sessions, count: others.count(now: now), limit: others.capacity),
            RevocationList(.anonymous, count: anonymous.count(now: now), limit: anonymous.capacity),
            RevocationList(.accounts, count: accounts.count(now: now), limit: nil),
        ]
    }

    /// All records that are of use, for a file of them. Endings of accounts are not among them: the account store has those.
    package func records(now: Int64) -> [RevocationRecord] {
        [others, anonymous].flatMap { table in
            table.entries.compactMap { digest, entry in
                guard entry.expiry > now else { return nil }
                return RevocationRecord(entry.kind, digest, issuedUpTo: entry.issuedUpTo, expiry: entry.expiry)
            }
        }
    }

    private static func table(of record: RevocationRecord) -> WritableKeyPath<RevokedSessions, RevocationTable> {
        if record.kind == .account { return \.accounts }
        return record.isAnonymous ? \.anonymous : \.others
    }

    /// Takes all of the records, or none where they do not fit. Returns whether it took them: endings of accounts always.
    package mutating func insert(_ records: [RevocationRecord], now: Int64) -> Bool {
        let useful = records.filter { $0.expiry > now }
        for table in [\RevokedSessions.others, \.anonymous] {
            let added = useful.count { Self.table(of: $0) == table && self[keyPath: table].entries[$0.digest] == nil }
            guard self[keyPath: table].hasRoom(for: added, now) else { return false }
        }
        for record in useful { self[keyPath: Self.table(of: record)].take(record, now) }
        return true
    }

    package mutating func remove(_ record: RevocationRecord) { self[keyPath: Self.table(of: record)].remove(record.digest) }

    /// Whether this session was ended, by itself or with others.
    package func contains(_ session: Session, now: Int64) -> Bool {
        !isEmpty && contains(anyOf: digester.digests(of: session), issuedAt: session.issuedAt, now: now)
    }

    /// The same with digests that were made before.
    package func contains(anyOf digests: [RevocationDigest], issuedAt: Int64, now: Int64) -> Bool {
        digests.contains { ends($0, issuedAt, now) }
    }

    /// Whether something was recorded under exactly this digest, whatever was issued when.
    package func contains(_ digest: RevocationDigest, now: Int64) -> Bool { ends(digest, .min, now) }

    /// Whether sessions that were issued at this time were ended under this digest.
    func ends(_ digest: RevocationDigest, _ issuedAt: Int64, _ now: Int64) -> Bool {
        others.ends(digest, issuedAt, now) || accounts.ends(digest, issuedAt, now) || anonymous.ends(digest, issuedAt, now)
    }

    /// Whether a session that a successor is to replace was ended by something else than the change that made the successor: an ending of
    /// the account counts if it means the successor, too.
    package func contains(anyOf digests: [RevocationDigest], of session: Session, before successor: Session, now: Int64) -> Bool {
        digests.contains { digest in
            others.ends(digest, session.issuedAt, now) || anonymous.ends(digest, session.issuedAt, now)
                || accounts.ends(digest, successor.issuedAt, now)
        }
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
