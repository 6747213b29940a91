import Accounts
import TokenCrypto

/// Sessions that were ended before their time, in this process: a copied cookie of one stops working.
///
/// An entry is kept until the sessions it ends would have reached their absolute limit, after which their cookies are refused
/// anyway. The number of entries is bounded; when all are still needed, those that end soonest make room. Times are Unix milliseconds.
package struct RevokedSessions: Sendable {
    /// What was ended. Issuers, subjects and `sid`s are compared as Swift strings, which takes canonically
    /// equivalent spellings for the same: at worst one session more ends.
    private enum Target: Hashable {
        case session([UInt8])
        case providerSession(issuer: String, sid: String)
        case person(issuer: String, subject: String)
    }

    private struct Entry {
        /// Sessions issued later are not meant.
        var issuedUpTo: Int64
        var expiry: Int64
    }

    private var entries: [Target: Entry] = [:]
    /// Whether anything but single sessions was ever ended: most gateways never see a provider's logout message.
    private var hasProviderLogouts = false
    private let capacity: Int

    package init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

    package var isEmpty: Bool { entries.isEmpty }
    package var count: Int { entries.count }

    /// Ends one session. `until`: its absolute limit; what is past already is not kept.
    package mutating func revoke(_ sessionID: [UInt8], until: Int64, now: Int64) {
        insert(.session(sessionID), Entry(issuedUpTo: .max, expiry: until), now: now)
    }

    /// Ends this session, whatever was renewed or refreshed of it.
    package mutating func revoke(_ session: Session, limits: SessionLimits, now: Int64) {
        revoke(session.id, until: session.issuedAt.addingSaturating(limits.absolute), now: now)
    }

    /// A provider's logout message with `sid`: ends the sessions that came from that session of the provider's.
    package mutating func revoke(issuer: String, providerSessionID: String, limits: SessionLimits, now: Int64) {
        hasProviderLogouts = true
        let entry = Entry(issuedUpTo: now, expiry: now.addingSaturating(limits.absolute))
        insert(.providerSession(issuer: issuer, sid: providerSessionID), entry, now: now)
    }

    /// A provider's logout message with `sub` alone: ends all sessions of that person from that issuer, as of now.
    package mutating func revoke(issuer: String, subject: String, limits: SessionLimits, now: Int64) {
        hasProviderLogouts = true
        let entry = Entry(issuedUpTo: now, expiry: now.addingSaturating(limits.absolute))
        insert(.person(issuer: issuer, subject: subject), entry, now: now)
    }

    /// Whether this session was ended, by itself or with others.
    package func contains(_ session: Session, now: Int64) -> Bool {
        guard !entries.isEmpty else { return false }
        if ends(.session(session.id), session.issuedAt, now) { return true }
        guard hasProviderLogouts else { return false }
        let issuer = session.identity.issuer
        if let sid = session.providerSessionID, ends(.providerSession(issuer: issuer, sid: sid), session.issuedAt, now) { return true }
        if ends(.person(issuer: issuer, subject: session.identity.subject), session.issuedAt, now) { return true }
        // The configuration may take another claim than `sub` as the subject; a logout message always names `sub`.
        guard let subject = session.identity.claims["sub"]?.string else { return false }
        return ends(.person(issuer: issuer, subject: subject), session.issuedAt, now)
    }

    /// Whether this session was ended by its id; a provider's logout messages are for `contains(_: Session, now:)`.
    package func contains(_ sessionID: [UInt8], now: Int64) -> Bool { !entries.isEmpty && ends(.session(sessionID), .min, now) }

    private func ends(_ target: Target, _ issuedAt: Int64, _ now: Int64) -> Bool {
        guard let entry = entries[target] else { return false }
        return now < entry.expiry && issuedAt <= entry.issuedUpTo
    }

    private mutating func insert(_ target: Target, _ entry: Entry, now: Int64) {
        guard entry.expiry > now else { return }
        let known = entries[target]
        if entries.count >= capacity, known == nil { makeRoom(now) }
        // A later message never takes anything back.
        entries[target] = Entry(
            issuedUpTo: max(entry.issuedUpTo, known?.issuedUpTo ?? .min), expiry: max(entry.expiry, known?.expiry ?? .min))
    }

    /// Drops what has expired; if that is nothing, the sixteenth that ends soonest, so that room is not made at each call.
    private mutating func makeRoom(_ now: Int64) {
        entries = entries.filter { $0.value.expiry > now }
        guard entries.count >= capacity else { return }
        let soonest = entries.sorted { $0.value.expiry < $1.value.expiry }.prefix(max(1, capacity / 16))
        for entry in soonest { entries[entry.key] = nil }
    }
}
