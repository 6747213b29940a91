import Primitives

/// Decides what a front-channel logout does. Anybody can send one, with any `sid`.
///
/// The `sid`s of the sessions that this process has seen are known here. A logout that names one of them ends that session. Any other is
/// kept in a small table of its own, for a session that this process has not seen since it started; the table takes a limited number of
/// entries from each client address, and no new entry when it is full. Addresses are bounded as well. Junk therefore displaces nothing, and a logout of a session that has
/// been seen always works. Times are Unix milliseconds.
package struct FrontChannelLogouts: Sendable {
    package struct Limits: Sendable {
        /// Logouts that matched no session.
        package var unmatched = 10_000
        package var unmatchedPerAddress = 64
        /// From one IPv6 /48, in which a customer has 65,536 addresses of this kind.
        package var unmatchedPerSite = 256
        /// Provider sessions that are known.
        package var known = 250_000
        package init() {}
    }

    package enum Outcome: Sendable, Equatable {
        /// It names a session that was seen.
        case matched
        /// The same logout came before, and no session that it could end was seen since.
        case repeated
        /// It is kept for a session that this process may see later. `record`: for the file, nil when the file has it from a moment ago.
        /// `isRelevant`: sessions may have been seen that are not known here, so caches of opened sessions must be checked again.
        case kept(record: RevocationRecord?, isRelevant: Bool)
        /// From this address, or from too many of them.
        case tooManyFromAddress
        case full
    }

    /// A provider session that sessions here came from.
    private struct Known {
        /// The time at which the last of them reaches its absolute limit.
        var end: Int64
        /// The time at which the last of them was issued.
        var issuedAt: Int64
        var isEnded = false
    }

    private let limits: Limits
    private var unmatched: RevokedSessions
    private var known: [RevocationDigest: Known] = [:]
    /// Until when a session may be alive that did not fit into `known`.
    private var incompleteUntil = Int64.min
    private var purges = Pacing(interval: 60_000)
    private var addressPurges = Pacing(interval: 1_000)
    private var addresses: [String: (count: Int, until: Int64)] = [:]

    package init(digester: RevocationDigester, limits: Limits = Limits()) {
        self.limits = limits
        unmatched = RevokedSessions(digester: digester, capacity: limits.unmatched)
    }

    /// The logouts of sessions that this process has not seen.
    package var list: RevocationList { RevocationList(.unmatched, count: unmatched.count, limit: limits.unmatched) }

    /// The entries, for writing them to a file.
    package func records(now: Int64) -> [RevocationRecord] { unmatched.records(now: now) }

    /// Takes what a file had kept; what does not fit is left out.
    package mutating func restore(_ record: RevocationRecord, now: Int64) { _ = unmatched.insert([record], now: now) }

    /// Remembers the provider session of a session that was opened. Returns whether a logout for it came before.
    package mutating func see(_ digest: RevocationDigest, of session: Session, until end: Int64, now: Int64) -> Bool {
        remember(digest, of: session, until: end, now: now)
        return !unmatched.isEmpty && unmatched.ends(digest, session.issuedAt, now)
    }

    /// `address`: the client's, as far as entries are counted by it; nil: it has none of its own.
    package mutating func receive(_ digest: RevocationDigest, from address: String?, sessions: SessionLimits, now: Int64) -> Outcome {
        if let session = known[digest], now < session.end {
            known[digest]?.isEnded = true
            return session.isEnded ? .repeated : .matched
        }
        guard address.map({ mayKeepMore(from: $0, now: now) }) ?? true else { return .tooManyFromAddress }
        let record = RevocationRecord(.unmatched, digest, issuedUpTo: now, expiry: now.addingSaturating(sessions.absolute))
        // The same logout many times a second is one write.
        let isInFile = unmatched.ends(digest, now.addingSaturating(-Self.repeatInterval), now)
        guard unmatched.insert([record], now: now) else { return .full }
        for network in address.map(networks) ?? [] { count(network.name, until: record.expiry, now: now) }
        return .kept(record: isInFile ? nil : record, isRelevant: now < incompleteUntil)
    }

    private static let repeatInterval: Int64 = 1_000

    /// Repeats of a logout need no room in the table, so the addresses that they come from have a limit of their own.
    private mutating func mayKeepMore(from address: String, now: Int64) -> Bool {
        for network in networks(of: address) {
            if let sent = addresses[network.name] {
                guard now >= sent.until || sent.count < network.limit else { return false }
                continue
            }
            if addresses.count >= limits.unmatched, addressPurges.begin(at: now) {
                addresses = addresses.filter { now < $0.value.until }
            }
            guard addresses.count < limits.unmatched else { return false }
        }
        return true
    }

    /// What is counted for a client: its address, and the /48 around an IPv6 one.
    private func networks(of address: String) -> [(name: String, limit: Int)] {
        let own = (address, limits.unmatchedPerAddress)
        guard let parsed = NetworkAddress(address), !parsed.isIPv4 else { return [own] }
        return [own, (parsed.site.description + "/48", limits.unmatchedPerSite)]
    }

    private mutating func count(_ address: String, until expiry: Int64, now: Int64) {
        let earlier = addresses[address].flatMap { now < $0.until ? $0.count : nil } ?? 0
        addresses[address] = (earlier + 1, expiry)
    }

    /// A logout that matched could not be carried out.
    package mutating func takeBack(_ digest: RevocationDigest) { known[digest]?.isEnded = false }

    private mutating func remember(_ digest: RevocationDigest, of session: Session, until end: Int64, now: Int64) {
        if let earlier = known[digest] {
            guard earlier.issuedAt < session.issuedAt || earlier.end < end else { return }
            known[digest] = Known(
                end: max(earlier.end, end), issuedAt: max(earlier.issuedAt, session.issuedAt),
                isEnded: earlier.isEnded && session.issuedAt <= earlier.issuedAt)
            return
        }
        if known.count >= limits.known, purges.begin(at: now) {
            known = known.filter { now < $0.value.end }
        }
        guard known.count < limits.known else {
            incompleteUntil = max(incompleteUntil, end)
            return
        }
        known[digest] = Known(end: end, issuedAt: session.issuedAt)
    }
}
