import Accounts
import Config
import Decisions
import Sessions
import SignIn

/// The tokens that one event loop has let through lately, by their SHA-256: a hit costs the hash.
struct BearerCache {
    /// A verified token: whose it is does not depend on the route, whether it is taken does.
    struct Entry {
        let caller: Caller
        /// The `nonce` claim.
        let nonce: String?
        let isIDToken: Bool

        func admits(_ bearer: BearerConfiguration, nonce raw: String?) -> Bool {
            guard bearer.providers.contains(where: { sameBytes($0, caller.session.identity.provider) }) else { return false }
            guard bearer.nonce == .required else { return true }
            return isIDToken && raw.map { RawNonce.matches($0, claim: nonce) } ?? false
        }
    }

    private static let capacity = 4_096
    private var entries: [[UInt8]: Entry] = [:]
    private var epoch = 0

    /// The entry of this token, unless it has ended or any session was revoked since.
    mutating func find(_ hash: [UInt8], epoch: Int, now: Int64) -> Entry? {
        if epoch != self.epoch {
            self.epoch = epoch
            entries.removeAll(keepingCapacity: true)
            return nil
        }
        guard let entry = entries[hash], entry.caller.times.endsAt > now else { return nil }
        return entry
    }

    mutating func insert(_ entry: Entry, _ hash: [UInt8]) {
        if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
        entries[hash] = entry
    }
}
