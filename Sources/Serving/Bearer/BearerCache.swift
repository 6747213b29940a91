import Primitives

import Accounts
import Config
import Decisions
import Sessions
import SignIn

/// A verified token: whose it is does not depend on the route, whether it is taken does.
final class VerifiedToken: RevocableEntry {
    let caller: Caller
    /// The SHA-256 of the token.
    let key: [UInt8]
    /// The `nonce` claim.
    private let nonce: String?
    private let isIDToken: Bool
    var epoch = -1
    var slot = 0
    var wasUsed = false

    init(_ accepted: AcceptedToken, _ caller: Caller, hash: [UInt8]) {
        self.caller = caller
        key = hash
        nonce = accepted.nonce
        isIDToken = accepted.isIDToken
    }

    func admits(_ bearer: BearerConfiguration, nonce raw: String?) -> Bool {
        guard bearer.providers.contains(where: { sameBytes($0, caller.session.identity.provider) }) else { return false }
        guard bearer.nonce == .required else { return true }
        return isIDToken && raw.map { RawNonce.matches($0, claim: nonce) } ?? false
    }
}

/// The tokens that one event loop has let through lately, by their SHA-256: a hit costs the hash.
///
/// An entry outlives the ends of other sessions: after any, it is compared with the revocations once.
struct BearerCache {
    private var entries = SecondChanceCache<VerifiedToken>(capacity: 4_096)

    /// The entry of this token, unless its time is over or it has ended.
    ///
    /// `mayHaveEnded` is called only for an entry that was last compared at another epoch; an entry that may have ended is dropped.
    mutating func find(_ hash: [UInt8], epoch: Int, now: Int64, mayHaveEnded: (VerifiedToken) -> Bool) -> VerifiedToken? {
        guard let entry = entries.find(hash), entry.caller.times.endsAt > now else { return nil }
        return entries.use(entry, epoch: epoch, mayHaveEnded: mayHaveEnded)
    }

    /// `epoch`: read before the token was compared with the revocations.
    mutating func insert(_ entry: VerifiedToken, epoch: Int) { entries.insert(entry, epoch: epoch) }
}
