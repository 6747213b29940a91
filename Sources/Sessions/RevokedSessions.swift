/// Sessions that were ended before their time, in this process: a copied cookie of one stops working.
///
/// An entry is kept until the session would have reached its absolute limit, after which the cookie is refused anyway. The
/// number of entries is bounded; when all are still needed, those that end soonest make room.
package struct RevokedSessions: Sendable {
    private var expiries: [[UInt8]: Int64] = [:]
    private let capacity: Int

    package init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

    package var isEmpty: Bool { expiries.isEmpty }
    package var count: Int { expiries.count }

    /// `until`: the session's absolute limit, Unix milliseconds. What is past already is not kept.
    package mutating func revoke(_ sessionID: [UInt8], until: Int64, now: Int64) {
        guard until > now else { return }
        if expiries.count >= capacity, expiries[sessionID] == nil { makeRoom(now) }
        expiries[sessionID] = max(until, expiries[sessionID] ?? until)
    }

    package mutating func revoke(_ session: Session, limits: SessionLimits, now: Int64) {
        revoke(session.id, until: session.issuedAt.addingSaturating(limits.absolute), now: now)
    }

    package func contains(_ sessionID: [UInt8], now: Int64) -> Bool {
        guard !expiries.isEmpty, let expiry = expiries[sessionID] else { return false }
        return now < expiry
    }

    /// Drops what has expired; if that is nothing, the sixteenth that ends soonest, so that room is not made at each call.
    private mutating func makeRoom(_ now: Int64) {
        expiries = expiries.filter { $0.value > now }
        guard expiries.count >= capacity else { return }
        let soonest = expiries.sorted { $0.value < $1.value }.prefix(max(1, capacity / 16))
        for entry in soonest { expiries[entry.key] = nil }
    }
}
